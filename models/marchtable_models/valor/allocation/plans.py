"""The best plans: survival rolls tried one after another above a fold over everything else.

Marks are whole numbers. With ``j`` survival rolls still possible they count in units ``6 ** j``
times finer, so that a die is averaged without a fraction.
"""

from __future__ import annotations

from itertools import product
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocation.course import DIE
from marchtable_models.valor.allocation.fold import START, Label, endings, fold, part
from marchtable_models.valor.allocation.groups import groups_of
from marchtable_models.valor.allocation.listing import allocation_of
from marchtable_models.valor.allocation.options import Fate, options, settings, standing, throws
from marchtable_models.valor.allocation.plan import Plan, Roll

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from marchtable_models.valor.allocation.fold import Table
    from marchtable_models.valor.allocation.groups import Class
    from marchtable_models.valor.allocation.options import Group, Key, Option, Throw
    from marchtable_models.valor.facts.stack import Choices, Loss, Member, Stack

    Marks = tuple[int, ...]
    Worth = Callable[[Member, Fate, bool], Marks]

__all__ = ["Opening", "Plans", "Worths"]

Left = tuple[tuple[int, int], ...]
"""Vehicles and Guns not yet rolled for: each with what befell its Passengers, by index."""


class Settled(NamedTuple):
    """The worth of units whose fate is settled, and the help of their best leader with rallies."""

    marks: Marks
    help: int = 0


class Rolled(NamedTuple):
    """A survival roll for one of those left, and how it goes on."""

    left: Left
    place: int
    throw: Throw
    held: object
    failed: object


class Opening(NamedTuple):
    """A way to begin; ``alike`` is equal for those that differ only in identical vehicles."""

    marks: Marks
    how: object
    alike: object


class Worths:
    """
    What allocations are worth, in one respect or several.

    The worth of a pinned unit depends on the best leader left to help it rally. Until that leader
    is known, a label has one mark for each possible help; :meth:`ended` picks the right mark.

    Parameters
    ----------
    of
        What a unit is worth after its fate, and whether it was pinned before.
    helps
        What leaders may take off the dice of rallies, one for each mark.
    wasteful
        Whether points wasted are the last of the marks, negated.
    most
        How many of the dearest to keep.
    """

    def __init__(
        self, of: Worth, helps: tuple[int, ...] = (0,), *, wasteful: bool = False, most: int = 2
    ) -> None:
        self.of = of
        self.helps = helps
        self.wasteful = wasteful
        self.most = most
        self.none: Marks = (0, 0, 0) if wasteful else (0,) * len(helps)
        self.nothing = Label(self.none, ())

    def group(self, group: Group, fates: Sequence[Fate]) -> Marks:
        """Return what a group is worth after its fates."""
        found = self.none
        for unit, fate in zip(group.units, fates, strict=True):
            found = tuple(map(add, found, self.of(unit, fate, group.pinned)))
        return found

    def option(self, group: Group, option: Option) -> Label:
        """Return the label of one option."""
        return Label(self.group(group, option.fates), option)

    def times(self, a: Label, b: Label) -> Label:
        """Return two things together."""
        return Label(tuple(map(add, a[0], b[0])), a[1] + b[1])

    def again(self, label: Label, before: Label, n: int, left: int) -> Label:
        """Return a label with an option chosen for ``n`` more groups."""
        del left
        marks = tuple(a + n * b for a, b in zip(before.marks, label.marks, strict=True))
        return Label(marks, before.how + (label.how,) * n)

    def chosen(self, label: Label, name: int) -> Label:
        """Return the label of a class, with its name."""
        return Label(label.marks, ((name, label.how),))

    def keep(self, labels: list[Label]) -> list[Label]:
        """Return the labels of most worth by each mark, or those that no other equals or beats in all."""
        if self.wasteful:
            return _undominated(sorted(labels, key=_by_marks, reverse=True))
        if len(labels) <= self.most:
            return labels
        kept: dict[int, Label] = {}
        for mark in range(len(labels[0].marks)):
            best = sorted(labels, key=lambda one: one.marks[mark], reverse=True)
            kept |= {id(label): label for label in best[: self.most]}
        return [*kept.values()]

    def dearest(self, labels: list[Label]) -> list[Label]:
        """Return the dearest, or those that no other equals or beats."""
        if self.wasteful or len(labels) < 2:
            return self.keep(labels)
        return [max(labels, key=_by_marks)]

    def ended(self, label: Label, settled: Settled, help_: int, waste: int) -> Label:
        """Return the final label, given the leaders' help with rallies and the points wasted."""
        marks = tuple(map(add, label.marks, settled.marks))
        if not self.wasteful:
            return Label((marks[self.helps.index(max(help_, settled.help))],), label.how)
        return Label((*marks[:-1], marks[-1] - waste), label.how)

    def total(self, stack: Stack, losses: Sequence[Loss]) -> int:
        """Return the worth of a stack after some losses, by its first mark."""
        fates = {loss.unit: Fate(loss.result, loss.points) for loss in losses}
        worth = self.none
        for unit in stack.members:
            own = self.of(unit, fates.get(unit.id, Fate()), stack.is_pinned(unit))
            worth = tuple(map(add, worth, own))
        return worth[0 if self.wasteful else self.helps.index(stack.help_after(losses))]


def _by_marks(found: Label | Opening) -> Marks:
    return found.marks


def _undominated(labels: Iterable[Label]) -> list[Label]:
    kept: list[Label] = []
    for one in labels:  # the strongest first
        if not any(all(map(int.__ge__, other.marks, one.marks)) for other in kept):
            kept.append(one)
    return kept


class Plans:
    """
    All plans for one stack, whose worths are whole, that may be best.

    Parameters
    ----------
    points
        Casualty Points, 1 or more.
    """

    def __init__(self, stack: Stack, points: int, choices: Choices, worths: Worths) -> None:
        self.stack, self.points = stack, points
        self.choices, self.worths = choices, worths
        found = groups_of(stack)
        self.heavy = [entry for entry in found.unpinned if entry[0].rolls]
        lone = [entry for entry in found.unpinned if not entry[0].rolls]
        self.rollers = [(group, ids) for group, names in self.heavy for ids in names]
        self.finest: int = DIE ** len(self.rollers)
        self.named: list[Class] = []
        start: Table[Label] = {START: [worths.nothing]}
        self.last = fold(start, map(self._any, found.pinned), points, worths)
        self._tables: dict[Left, Table[Label]] = {
            (): fold(start, map(self._any, lone), points, worths)
        }
        self._below: dict[tuple[Left, int, bool, Settled], list[Label]] = {}
        self._settings = [settings(group, choices) for group, _ in self.rollers]
        self.immune = Settled(worths.none)
        for member in stack.members:
            if stack.bar(stack.carrier(member) or member):
                is_pinned = stack.is_pinned(member)
                helping = 0 if is_pinned or not worths.helps[1:] else member.leads
                self.immune = _with(self.immune, worths.of(member, Fate(), is_pinned), helping)

    def _any(self, entry: Class) -> Table[Label]:
        """Return what its owner can choose for a class."""
        group, names = entry
        self.named.append(entry)
        found = options(group, self.choices, rolls=False)
        return part(group, found, len(names), self.points, self.worths, len(self.named) - 1)

    def _table(self, left: Left) -> Table[Label]:
        """Return what can be chosen for infantry and some vehicles and Guns, none rolled for."""
        if left not in self._tables:
            (i, s), before = left[-1], self._table(left[:-1])
            group, ids = self.rollers[i]
            self.named.append((group, (ids,)))
            found = standing(group, self._settings[i][s], self.choices)
            more = part(group, found, 1, self.points, self.worths, len(self.named) - 1)
            self._tables[left] = fold(before, [more], self.points, self.worths)
        return self._tables[left]

    # -- from somewhere on --

    def _ends(
        self, table: Table[Label], owed: int, settled: Settled, *, spared: bool
    ) -> list[Label]:
        """Return ways to fulfil what is owed without any further roll."""
        times, ended = self.worths.times, self.worths.ended
        return [
            ended(times(a, b), settled, max(key.help, other.help), waste)
            for key, other, waste in endings(table, self.last, owed, spared=spared)
            for a in table[key]
            for b in self.last[other]
        ]

    def _idle(self, left: Left, waste: int, settled: Settled) -> Label:
        """Return what is left where everything is fulfilled."""
        (key, a), (other, b) = (_untouched(table) for table in (self._table(left), self.last))
        both = self.worths.times(a, b)
        return self.worths.ended(both, settled, max(key.help, other.help), waste)

    def below(self, left: Left, owed: int, settled: Settled, *, spared: bool) -> list[Label]:
        """Return the dearest ways to go on, none if the points cannot be fulfilled."""
        known = (left, owed, spared, settled)
        if known not in self._below:
            if owed <= 0:
                found = [self._idle(left, -owed, settled)]
            else:
                found = self._ends(self._table(left), owed, settled, spared=spared)
            found = [_finer(label, DIE ** len(left)) for label in self.worths.dearest(found)]
            if owed > 1:
                for place in range(len(left)):
                    found += self._rolled(left, place, owed, settled, spared=spared)
            self._below[known] = self.worths.dearest(found)
        return self._below[known]

    def _rolled(
        self, left: Left, place: int, owed: int, settled: Settled, *, spared: bool
    ) -> Iterator[Label]:
        """Yield the ways that go on with a roll for one vehicle or Gun."""
        i, s = left[place]
        group, rest = self.rollers[i][0], left[:place] + left[place + 1 :]
        for throw in throws(group, self._settings[i][s], self.choices):
            if throw.absorbed + throw.ignores > owed:
                continue
            ends = []
            for end, lives in ((throw.held, True), (throw.failed, False)):
                if end is not None:
                    own, helping = self.worths.group(group, end[0]), group.help_after(end[0])
                    now = _with(settled, own, helping if self.worths.helps[1:] else 0)
                    ends.append(self.below(rest, owed - end[1], now, spared=spared or lives))
            for a, b in product(ends[0], ends[1]) if ends[1:] else ((a, a) for a in ends[0]):
                marks = tuple(
                    throw.chance * x + (DIE - throw.chance) * y
                    for x, y in zip(a.marks, b.marks, strict=True)
                )
                failed = b.how if ends[1:] else None
                yield Label(marks, Rolled(left, place, throw, a.how, failed))

    # -- from the first --

    def openings(self) -> list[Opening]:
        """Return every complete allocation and first roll that may be the dearest or the next."""
        whole = fold(self._tables[()], map(self._any, self.heavy), self.points, self.worths)
        ends = self.worths.keep(self._ends(whole, self.points, self.immune, spared=False))
        found = [Opening(_finer(label, self.finest).marks, label.how, label.how) for label in ends]
        if self.points < 2:
            return found
        for chosen in product(*(range(len(s)) for s in self._settings)):
            left = tuple(enumerate(chosen))
            owed = self.points - sum(self._settings[i][s].points for i, s in left)
            for place in range(len(left)) if owed > 1 else ():
                found += [
                    Opening(label.marks, label.how, self._alike(label.how))
                    for label in self._rolled(left, place, owed, self.immune, spared=False)
                ]
        return found

    def _alike(self, how: Rolled) -> object:
        parts = ((self.rollers[i][0], s, n == how.place) for n, (i, s) in enumerate(how.left))
        return tuple(sorted((id(group), *rest) for group, *rest in parts)), how.throw[:2]

    def dearest(self) -> list[Opening]:
        """Return the openings of most worth, as many as are kept."""
        kept: dict[object, Opening] = {}
        for opening in sorted(self.openings(), key=_by_marks, reverse=True):
            kept.setdefault(opening.alike, opening)
        return list(kept.values())[: self.worths.most]

    def front(self) -> list[Opening]:
        """Return the openings that none equals or beats in every respect, the strongest first."""
        found = sorted(self.openings(), key=_by_marks, reverse=True)
        return _undominated(found)  # type: ignore[arg-type,return-value] # by their marks

    # -- written out --

    def written(self, opening: Opening) -> Plan:
        """Return the plan that begins so."""
        return self._written(opening.how, {})

    def _written(self, how: object, done: dict[str, Fate]) -> Plan:
        if not isinstance(how, Rolled):
            found = allocation_of(self.stack, done | dict(self._fates(how)))
            worth = self.worths.total(self.stack, found.losses) * self.finest
            return Plan(found.losses, found.points, worth, found.clauses)
        settled = dict(done)
        for i, s in how.left:
            settled |= zip(self.rollers[i][1], self._settings[i][s].fates, strict=True)
        found = allocation_of(self.stack, settled)
        throw, ids = how.throw, self.rollers[how.left[how.place][0]][1]
        ends = ((throw.held, how.held), (throw.failed, how.failed))
        branches = [
            self._written(more, done | dict(zip(ids, end[0], strict=True)))
            for end, more in ends
            if end is not None
        ]
        held, failed = branches[0], branches[1] if branches[1:] else None
        chance = throw.chance
        value = (chance * held.value + (DIE - chance) * (failed or held).value) // DIE
        roll = Roll(ids[0], throw.absorbed, throw.ignores, chance)
        return Plan(found.losses, found.points, value, found.clauses, roll, held, failed)

    def _fates(self, how: object) -> Iterator[tuple[str, Fate]]:
        """Yield what befalls each unit; of identical ones the first suffer."""
        for name, picked in how:  # type: ignore[attr-defined] # no roll
            for ids, option in zip(self.named[name][1], reversed(picked), strict=True):
                yield from zip(ids, option.fates, strict=True)


def _untouched(table: Table[Label]) -> tuple[Key, Label]:
    return next((key, labels[0]) for key, labels in table.items() if not key.stage)


def _with(settled: Settled, own: Marks, help_: int) -> Settled:
    return Settled(tuple(map(add, settled.marks, own)), max(settled.help, help_))


def _finer(label: Label, finer: int) -> Label:
    return Label(tuple(mark * finer for mark in label.marks), label.how)
