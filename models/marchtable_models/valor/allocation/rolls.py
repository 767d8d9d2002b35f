"""Survival rolls as a tree: at each node the owner chooses, at each roll the die does.

At a node the owner either takes all that is still owed, no roll to come (a *leaf*, decided by
:mod:`.model` or :mod:`.fold`), or has a unit roll, and what follows either way is worth the mean.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from heapq import heappop, heappush
from itertools import count, islice, product
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from marchtable_models.valor.allocation.citing import allocation_of, losses_of
from marchtable_models.valor.allocation.course import DIE, Step
from marchtable_models.valor.allocation.fold import Folded, greatest, listed
from marchtable_models.valor.allocation.model import LossModel
from marchtable_models.valor.allocation.plan import Plan
from marchtable_models.valor.allocation.plan import Roll as PlannedRoll
from marchtable_models.valor.allocation.target import Roll, canonical
from marchtable_models.valor.allocation.values import value_of
from marchtable_models.valor.facts.stack import PINNED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from marchtable_models.valor.allocation.options import Group, Option
    from marchtable_models.valor.allocation.target import Class, Node, Target
    from marchtable_models.valor.allocation.values import Scale
    from marchtable_models.valor.facts.stack import Loss, Member

    Marks = tuple[Fraction | int, ...]

__all__ = ["End", "Ends", "Folding", "Front", "Listing", "Modelled", "Rolled", "Tree"]


class Rolled(NamedTuple):
    """A roll, and how it goes on either way."""

    roll: Roll
    held: object
    failed: object


class End(NamedTuple):
    """What a way to go on is worth, by one mark or several, and how: losses in the end, or a roll."""

    marks: Marks
    how: object


class Ends(Protocol):
    """Decides what is best at a leaf."""

    most: int | None
    """How many ends of a leaf matter below a roll; None for all."""

    def at(self, node: Node) -> Iterator[End]:
        """Yield the ends that need no further roll, the best first."""

    def keep(self, ends: list[End]) -> list[End]:
        """Return the ways to go on that matter."""

    def marks_of(self, losses: tuple[Loss, ...], waste: int) -> Marks:
        """Return what is left worth after all is over."""


class _Single:
    """Ends of one mark, of which the best matters."""

    most: int | None = 1

    def keep(self, ends: list[End]) -> list[End]:
        """Return the best."""
        return [max(ends, key=_by_marks)] if ends[1:] else ends


class _Worths(_Single):
    """What single units, and all together, are worth after their fates."""

    def __init__(self, target: Target, scale: Scale) -> None:
        self.target, self.scale = target, scale
        self.helps = target.stack.helps
        is_pinned = target.stack.is_pinned
        self.immune = tuple(
            sum(scale.unit(m, "unharmed", help_, was_pinned=is_pinned(m)) for m in target.immune)
            for help_ in self.helps
        )
        able = (m.leads for m in target.immune if not is_pinned(m)) if self.helps[1:] else ()
        self.immune_help = max(able, default=0)

    def group(self, group: Group, option: Option) -> tuple[int, ...]:
        """Return what a group is worth after an option, by what a leader takes off rallies."""
        return tuple(
            sum(
                self.scale.unit(unit, fate.result, help_, was_pinned=group.pinned)
                for unit, fate in zip(group.units, option.fates, strict=True)
            )
            for help_ in self.helps
        )

    def marks_of(self, losses: tuple[Loss, ...], waste: int) -> Marks:
        """Return the worth of the stack after some losses."""
        del waste
        return (value_of(self.target.stack, losses, self.scale),)


class Modelled(_Worths):
    """The best ends by the CP-SAT model."""

    def at(self, node: Node) -> Iterator[End]:
        """Yield the ends, the best first."""
        target, waiting = self.target, list[End]()
        classes = target.classes(node)
        model = LossModel(classes, node.owed, target.choices)

        def worth(class_: Class, option: Option) -> tuple[int, ...]:
            return self.group(class_.group, option)

        for solution in model.best_first(worth, self.helps, self.immune_help):
            losses = target.losses(classes, solution.picked)
            if target.allows(node, losses):
                waiting.append(End(self.marks_of(losses, 0), losses))
                waiting.sort(key=_by_marks)
            while waiting and waiting[-1].marks[0] >= solution.bound:
                yield waiting.pop()
        yield from reversed(waiting)


class Folding(_Worths):
    """The greatest worth by the fold; how it is come by is not known."""

    def __init__(self, target: Target, scale: Scale) -> None:
        super().__init__(target, scale)
        self._folded = Folded(greatest(self.group, (0,) * len(self.helps)), target.points)

    def at(self, node: Node) -> Iterator[End]:
        """Yield the greatest worth."""
        found = self._folded.ends(self.target.classes(node), node.owed)
        worths = []
        for help_, marks in found:
            level = self.helps.index(max(help_, self.immune_help))
            worths.append(marks[level] + self.immune[level])
        if worths:
            yield End((max(worths),), None)


class Listing(_Single):
    """The best ends by any worth of the losses: every end is listed."""

    def __init__(self, target: Target, worth: Callable[[tuple[Loss, ...]], Fraction]) -> None:
        self.target, self.worth = target, worth

    def at(self, node: Node) -> Iterator[End]:
        """Yield the ends, the best first."""
        found = [End((self.worth(one),), one) for one in self._listed(node)]
        yield from sorted(found, key=_by_marks, reverse=True)

    def _listed(self, node: Node) -> Iterator[tuple[Loss, ...]]:
        target, classes = self.target, self.target.classes(node)
        if target.choices.is_tabled:
            for fates in listed(classes, node.owed):
                yield losses_of(target.stack, dict(fates))
            return
        for picked in LossModel(classes, node.owed, target.choices).all():
            losses = target.losses(classes, picked)
            if target.allows(node, losses):
                yield losses

    def marks_of(self, losses: tuple[Loss, ...], waste: int) -> Marks:
        """Return the worth of the losses."""
        del waste
        return (self.worth(losses),)


class Front:
    """The ends that no other equals or beats in worth alive, in worth able to act, and in points wasted."""

    most: int | None = None

    def __init__(self, target: Target) -> None:
        self.target = target

    def at(self, node: Node) -> Iterator[End]:
        """Yield the front."""
        classes = self.target.classes(node)
        model = LossModel(classes, node.owed, self.target.choices)
        for picked, waste in model.front(self._of_class):
            losses = self.target.losses(classes, picked)
            yield End(self.marks_of(losses, waste), losses)

    @staticmethod
    def _of_class(class_: Class, option: Option) -> tuple[int, int]:
        pairs = zip(class_.group.units, option.fates, strict=True)
        marks = [_strength(unit, fate.result, class_.group.pinned) for unit, fate in pairs]
        return sum(mark[0] for mark in marks), sum(mark[1] for mark in marks)

    def keep(self, ends: list[End]) -> list[End]:
        """Return those that no other equals or beats in all."""
        kept: list[End] = []
        for one in sorted(ends, key=_by_marks, reverse=True):
            if not any(
                all(a >= b for a, b in zip(other.marks, one.marks, strict=True)) for other in kept
            ):
                kept.append(one)
        return kept

    def marks_of(self, losses: tuple[Loss, ...], waste: int) -> Marks:
        """Return strength, firepower and what is not wasted."""
        stack, fates = self.target.stack, {loss.unit: loss.result for loss in losses}
        marks = [
            _strength(m, fates.get(m.id, "unharmed"), stack.is_pinned(m)) for m in stack.members
        ]
        return sum(mark[0] for mark in marks), sum(mark[1] for mark in marks), -waste


def _strength(unit: Member, result: str, was_pinned: bool) -> tuple[int, int]:
    """Return the worth of a unit alive, and able to act."""
    if result == "eliminated":
        return 0, 0
    worth = int(unit.worth_half if result.startswith("reduced") else unit.worth)
    return worth, 0 if was_pinned or result in PINNED else worth


class Tree:
    """
    All plans for one target that may be best, by what decides at the leaves.

    Parameters
    ----------
    bounds
        The same tree by another way to decide, whose values are quick to have: what cannot be
        better by these is not looked at.
    """

    def __init__(self, target: Target, ends: Ends, bounds: Tree | None = None) -> None:
        self.target, self.ends, self.bounds = target, ends, bounds
        self.finest = int(DIE**target.rolling)
        self._known: dict[Node, list[End]] = {}
        self._leaves: dict[Node, list[End]] = {}

    def below(self, node: Node) -> list[End]:
        """Return the best ways to go on from a node, none if the points cannot be fulfilled."""
        if node not in self._known:
            found: list[End] = []
            for bound, ends in self._ways(node, at_start=False):
                if found and bound <= found[0].marks[0]:
                    break
                found = self.ends.keep([*found, *ends()])
            self._known[node] = found
        return self._known[node]

    def _ways(self, node: Node, *, at_start: bool) -> list[tuple[Any, Callable[[], Iterable[End]]]]:
        """Return the ways to go on, each with a bound, the most promising first: a leaf, and each roll."""
        rolls, bounds = self.target.rolls(node, at_start=at_start), self.bounds
        leaf: Callable[[], Iterable[End]] = partial(self.leaf, node)
        if bounds is None:
            free: list[Callable[[], Iterable[End]]] = [
                leaf,
                *(partial(self.rolled, roll) for roll in rolls),
            ]
            return [(math.inf, ends) for ends in free]
        found: list[tuple[Any, Callable[[], Iterable[End]]]]
        found = [(end.marks[0], leaf) for end in bounds.leaf(node)]
        for roll in rolls:
            found += [(end.marks[0], partial(self.rolled, roll)) for end in bounds.rolled(roll)]
        return sorted(found, key=itemgetter(0), reverse=True)

    def leaf(self, node: Node) -> list[End]:
        """Return the ends of a leaf that matter."""
        if node not in self._leaves:
            self._leaves[node] = [*islice(self._at(node), self.ends.most)]
        return self._leaves[node]

    def _at(self, node: Node) -> Iterator[End]:
        if node.owed > 0:
            yield from self.ends.at(node)
        else:
            losses = self.target.losses_at(node)
            yield End(self.ends.marks_of(losses, -node.owed), losses)

    def rolled(self, roll: Roll) -> Iterator[End]:
        """Yield the ways that go on with a roll."""
        held, chance = self.below(roll.held), roll.throw.chance
        if roll.failed is None:
            yield from (End(a.marks, Rolled(roll, a.how, None)) for a in held)
            return
        for a, b in product(held, self.below(roll.failed) if held else ()):
            marks = tuple(
                Fraction(chance * x + (DIE - chance) * y, DIE)
                for x, y in zip(a.marks, b.marks, strict=True)
            )
            yield End(marks, Rolled(roll, a.how, b.how))

    # -- from the start --

    def openings(self) -> list[End]:
        """Return the ends of every way to begin that matter."""
        ways = self._ways(self.target.start, at_start=True)
        return self.ends.keep([end for _, ends in ways for end in ends()])

    def best_first(self) -> Iterator[End]:
        """Yield ends without a roll, and first rolls, the best first; alike ones once."""
        start, number = self.target.start, count()
        ends = self._at(start)
        waiting: list[tuple[Any, int, Any]] = []
        for bound, find in self._ways(start, at_start=True):
            more = ends if find.func == self.leaf else None  # type: ignore[attr-defined] # a partial
            heappush(waiting, (-bound, next(number), more or find))
        seen = set()
        while waiting:
            bound, _, found = heappop(waiting)
            if isinstance(found, End):
                alike = self._alike(found.how)
                if alike not in seen:
                    yield found
                seen.add(alike)
                continue
            if found is ends:
                one = next(ends, None)
                fresh = [] if one is None else [one]
                if one is not None:
                    heappush(waiting, (-one.marks[0], next(number), ends))
            else:
                fresh = [*found()]
            for end in fresh:
                heappush(waiting, (-end.marks[0], next(number), end))

    def _alike(self, how: object) -> object:
        stack = self.target.stack
        if not isinstance(how, Rolled):
            return canonical(stack, how)  # type: ignore[arg-type] # losses
        throw = how.roll.throw
        step = Step(how.roll.unit, "survive", throw.absorbed)
        return canonical(stack, self.target.losses_at(how.roll.before), step), throw.ignores

    # -- written out --

    def written(self, end: End) -> Plan:
        """Return a plan written out, its value by the first mark."""
        stack, how = self.target.stack, end.how
        if not isinstance(how, Rolled):
            found = allocation_of(stack, how)  # type: ignore[arg-type] # losses
            worth = int(self.ends.marks_of(found.losses, 0)[0] * self.finest)
            return Plan(found.losses, found.points, worth, found.clauses)
        roll = how.roll
        found = allocation_of(stack, self.target.losses_at(roll.before))
        held = self.written(End((), how.held))
        failed = None if roll.failed is None else self.written(End((), how.failed))
        chance = roll.throw.chance
        value = (chance * held.value + (DIE - chance) * (failed or held).value) // DIE
        planned = PlannedRoll(roll.unit, roll.throw.absorbed, roll.throw.ignores, chance)
        return Plan(found.losses, found.points, value, found.clauses, planned, held, failed)


def _by_marks(end: End) -> Marks:
    return end.marks
