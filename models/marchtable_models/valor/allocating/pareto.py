"""The plans that no other beats in strength kept, firepower able to act and points wasted."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocating.cargo import Fate, cargoes_of, pinned_too
from marchtable_models.valor.allocating.fold import START, closed, join, state_of
from marchtable_models.valor.allocating.groups import Option, decisions, groups_of, standing
from marchtable_models.valor.allocating.stack import PINNED
from marchtable_models.valor.allocating.course import DIE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from marchtable_models.valor.allocating.cargo import Cargo, Group
    from marchtable_models.valor.allocating.fold import State
    from marchtable_models.valor.allocating.planner import Left
    from marchtable_models.valor.allocating.stack import Choices, Member, Stack

__all__ = ["Chain", "Front", "How", "Marks", "Rolled"]


class Marks(NamedTuple):
    """What counts: worth alive, worth able to act, and points beyond those owed, negated."""

    strength: int
    firepower: int
    thrift: int


class Rolled(NamedTuple):
    """A survival roll for one vehicle or Gun, and how it goes on."""

    roller: int
    cargo: Cargo
    ignored: int
    absorbed: int
    held: How
    failed: How


class Chain(NamedTuple):
    """Options chosen one after another, the last one first."""

    group: Group
    ids: tuple[str, ...]
    option: Option
    before: Chain | None


How = Chain | Rolled | None


class Found(NamedTuple):
    """One way to go on."""

    marks: Marks
    how: How


def undominated(found: Iterable[Found]) -> list[Found]:
    """Return what nothing else equals or beats in every respect, dearest first."""
    kept: list[Found] = []
    for one in sorted(found, key=_by_marks, reverse=True):
        _, firepower, thrift = one.marks
        if not any(k.marks[1] >= firepower and k.marks[2] >= thrift for k in kept):
            kept.append(one)
    return kept


def _by_marks(found: Found) -> Marks:
    return found.marks


def marks_of(unit: Member, fate: Fate, *, was_pinned: bool) -> tuple[int, int]:
    """Return the worth of a unit alive, and able to act, after its fate."""
    if fate.result == "eliminated":
        return 0, 0
    worth = int(unit.worth_half if fate.result.startswith("reduced") else unit.worth)
    idle = was_pinned or fate.result in PINNED
    return worth, 0 if idle else worth


def _sum(group: Group, fates: tuple[Fate, ...]) -> tuple[int, int]:
    found = [
        marks_of(unit, fate, was_pinned=group.pinned)
        for unit, fate in zip(group.units, fates, strict=True)
    ]
    return sum(s for s, _ in found), sum(f for _, f in found)


Table = dict[tuple["State", bool, bool], list[Found]]
"""Undominated ways by state, whether all is resolved, and whether all is gone."""


class Front:
    """
    The undominated plans of one stack.

    Passengers are settled first, then survival rolls made, as in the search for the best plan.
    Marks count in units ``6 ** j`` times finer with ``j`` rolls still possible.
    """

    def __init__(self, stack: Stack, points: int, choices: Choices) -> None:
        self.points = points
        self.choices = choices
        unpinned, self.later = groups_of(stack)
        copies = [(group, ids) for group, names in unpinned for ids in names]
        self.lone = [(group, ids) for group, ids in copies if not group.rolls]
        self.rollers = [(group, ids) for group, ids in copies if group.rolls]
        self.last = [(group, ids) for group, names in self.later for ids in names]
        self.cargoes = [
            [c for c in cargoes_of(group, choices) if not c.bare] for group, _ in self.rollers
        ]
        self._table = self._fold(self._start(), self.lone)
        self._ends = self._fold(self._start(), self.last)
        self._found: dict[tuple[Left, int, bool], list[Found]] = {}

    def _start(self) -> Table:
        return {(START, True, True): [Found(Marks(0, 0, 0), None)]}

    def _fold(self, table: Table, groups: list[tuple[Group, tuple[str, ...]]]) -> Table:
        for group, ids in groups:
            table = self._extend(table, group, ids, decisions(group, self.choices))
        return table

    def _extend(
        self, table: Table, group: Group, ids: tuple[str, ...], found: tuple[Option, ...]
    ) -> Table:
        after: Table = {}
        for option in found:
            step, (strength, firepower) = state_of(option), _sum(group, option.fates)
            for (state, resolved, gone), ways in table.items():
                both = join(state, step)
                if both is None or both[0] - both[3] >= self.points + bool(both[1]):
                    continue
                key = both, resolved and option.resolved, gone and option.gone
                after.setdefault(key, []).extend(
                    Found(
                        Marks(w.marks[0] + strength, w.marks[1] + firepower, 0),
                        Chain(group, ids, option, w.how),  # type: ignore[arg-type] # no rolls
                    )
                    for w in ways
                )
        return {key: undominated(ways) for key, ways in after.items()}

    # -- without any further roll --

    def _closing(self, table: Table, owed: int) -> Iterator[tuple[Found, int]]:
        """Yield the ways that fulfil what is owed, with the points wasted."""
        for (state, _, _), ways in table.items():
            if closed(state, owed):
                yield from ((way, state[0] - owed) for way in ways)

    def _final(self, table: Table, owed: int, *, spared: bool) -> list[Found]:
        """Return the undominated ways to end here; ``spared``: a roll was survived."""
        waiting = self._ends[START, not self.last, not self.last][0]
        found = [_joined(way, waiting, waste) for way, waste in self._closing(table, owed)]
        for (state, resolved, gone), ways in table.items():
            if not resolved or state[0] >= owed:
                continue
            rest = owed - state[0]
            ends = list(self._closing(self._ends, rest))
            if gone and not spared:
                for (later, _, lost), more in self._ends.items():
                    ends += [(end, 0) for end in more if lost and later[0] < rest]
            found += [_joined(way, end, waste) for way, (end, waste) in product(ways, ends)]
        return undominated(found)

    def _standing(self, left: Left) -> Table:
        table = self._table
        for i, c in left:
            group, ids = self.rollers[i]
            options = standing(group, self.cargoes[i][c], self.choices)
            table = self._extend(table, group, ids, options)
        return table

    # -- with rolls --

    def below(self, left: Left, owed: int, *, spared: bool) -> list[Found]:
        """Return the undominated ways to go on, or none if the points cannot be fulfilled."""
        key = (left, owed, spared)
        if key not in self._found:
            self._found[key] = self._search(left, owed, spared=spared)
        return self._found[key]

    def _search(self, left: Left, owed: int, *, spared: bool) -> list[Found]:
        finer: int = DIE ** len(left)
        if owed <= 0:
            return [self._untouched(left, -owed, finer)]
        table = self._standing(left)
        found = [_finer(way, finer) for way in self._final(table, owed, spared=spared)]
        for place in range(len(left)):
            found += self._rolled(left, place, owed, spared=spared)
        return undominated(found)

    def _untouched(self, left: Left, waste: int, finer: int) -> Found:
        """Return what is left when the points are fulfilled and ``waste`` more."""
        strength = firepower = 0
        chosen: Chain | None = None
        settled = [(self.rollers[i], Option((Fate(), *self.cargoes[i][c].fates))) for i, c in left]
        others = [(entry, Option((Fate(),) * len(entry[1]))) for entry in self.lone + self.last]
        for (group, ids), option in settled + others:
            more = _sum(group, option.fates)
            strength, firepower = strength + more[0], firepower + more[1]
            chosen = Chain(group, ids, option, chosen)
        return _finer(Found(Marks(strength, firepower, -waste), chosen), finer)

    def _rolled(self, left: Left, place: int, owed: int, *, spared: bool) -> Iterator[Found]:
        """Yield the ways that go on with a roll for one vehicle or Gun."""
        i, c = left[place]
        rest = left[:place] + left[place + 1 :]
        group, cargo = self.rollers[i][0], self.cargoes[i][c]
        head = group.head
        finer: int = DIE ** len(rest)
        pins = _sum(group, (Fate("pinned"), *map(pinned_too, cargo.fates)))
        able = head.shield and self.choices.ignored == "counts"
        for ignored in (0, 1) if able else (0,):
            failed = self.below(rest, owed - ignored - head.cr - cargo.left, spared=spared)
            for absorbed in range(2, min(head.cr, owed - ignored) + 1):
                held = self.below(rest, owed - ignored - absorbed, spared=True)
                if head.cr >= DIE:
                    failed = [Found(Marks(0, 0, 0), None)]
                for a, b in product(held, failed):
                    marks = _averaged(a.marks, b.marks, pins, finer, min(head.cr, DIE))
                    yield Found(marks, Rolled(i, cargo, ignored, absorbed, a.how, b.how))

    def openings(self) -> list[tuple[Marks, Left, How]]:
        """Return the undominated plans; ``Left`` is empty for a complete allocation."""
        finer: int = DIE ** len(self.rollers)
        table = self._fold(self._table, self.rollers)
        found = [_finer(way, finer) for way in self._final(table, self.points, spared=False)]
        begun: dict[Found, Left] = {}
        for cargoes in product(*(range(len(c)) for c in self.cargoes)):
            left = tuple(enumerate(cargoes))
            owed = self.points - sum(self.cargoes[i][c].points for i, c in left)
            for place in range(len(left)) if owed > 1 else ():
                rolled = undominated(self._rolled(left, place, owed, spared=False))
                begun.update(dict.fromkeys(rolled, left))
        kept = undominated([*found, *begun])
        return [(way.marks, begun.get(way, ()), way.how) for way in kept]


def _finer(found: Found, finer: int) -> Found:
    return Found(Marks(*(mark * finer for mark in found.marks)), found.how)


def _joined(way: Found, end: Found, waste: int) -> Found:
    how, more = way.how, end.how
    while isinstance(more, Chain):
        how = Chain(more.group, more.ids, more.option, how)  # type: ignore[arg-type] # no rolls
        more = more.before
    strength, firepower = (way.marks[k] + end.marks[k] for k in (0, 1))
    return Found(Marks(strength, firepower, -waste), how)


def _averaged(held: Marks, failed: Marks, pins: tuple[int, int], finer: int, chance: int) -> Marks:
    """Return the expected marks, six times finer; ``pins`` is the unit's own if it survives."""
    own = (*pins, 0)
    return Marks(
        *(
            chance * (a + mark * finer) + (DIE - chance) * b
            for a, mark, b in zip(held, own, failed, strict=True)
        )
    )
