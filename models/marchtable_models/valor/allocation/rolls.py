"""Survival rolls as a tree: the owner chooses at each node, the die at each roll.

At a node the owner either takes all points still owed without a roll (a *leaf*, solved by
:mod:`.model` or :mod:`.fold`), or has a unit roll, worth the mean of its two branches.
"""

from __future__ import annotations

import math
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, islice, product
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable_models.valor.allocation.course import Roll
from marchtable_models.valor.allocation.fold import Folded, greatest, listed
from marchtable_models.valor.allocation.model import LossModel
from marchtable_models.valor.allocation.stack import PINNED, Member, UnitLoss
from marchtable_models.valor.allocation.values import value_of
from marchtable_models.valor.data import DIE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from marchtable_models.valor.allocation.course import State
    from marchtable_models.valor.allocation.options import Group, GroupResult, SurvivalRoll
    from marchtable_models.valor.allocation.target import Picked, Target
    from marchtable_models.valor.allocation.values import Scale

Marks = tuple[Fraction | int, ...]


class LossPlan(msgspec.Struct, frozen=True):
    """
    What to do with the points owed; after a roll it branches by the result.

    Survival rolls precede all losses other than those of Passengers, unless a reading makes another
    order better (:attr:`.Target.rolls_first`). This is never worse: a unit lost by a failed roll
    spares another.

    Parameters
    ----------
    losses
        The units' results when the roll is made, or at the end without a roll.
    marks
        The average remainder, by one mark or several, the value first.
    """

    losses: tuple[UnitLoss, ...]
    marks: Marks
    roll: Roll | None = None
    survived: LossPlan | None = None
    failed: LossPlan | None = None

    @property
    def value(self) -> Fraction | int:
        """The expected value of the remainder, in units of one over ``Advice.scale``."""
        return self.marks[0]

    def leaves(self) -> Iterator[LossPlan]:
        """Yield the ends of the plan, one for each combination of roll results."""
        branches = [plan for plan in (self.survived, self.failed) if plan is not None]
        if not branches:
            yield self
        for branch in branches:
            yield from branch.leaves()


class Ends:
    """Solves a leaf; ``most`` is how many ways matter below a roll (None: all)."""

    most: int | None = 1

    def __init__(self, target: Target) -> None:
        self.target = target

    def at(self, node: State) -> Iterator[LossPlan]:
        """Yield the ends without further roll, best first."""
        raise NotImplementedError

    def marks(self, losses: tuple[UnitLoss, ...]) -> Marks:
        """Return the remainder after the losses of an end."""
        raise NotImplementedError

    def end(self, losses: tuple[UnitLoss, ...]) -> LossPlan:
        """Return an end with its marks."""
        return LossPlan(losses, self.marks(losses))


class _Worths(Ends):
    """The worth of single units, and of all together, after their results."""

    def __init__(self, target: Target, scale: Scale) -> None:
        super().__init__(target)
        self.scale, self.helps = scale, target.stack.helps

    def marks(self, losses: tuple[UnitLoss, ...]) -> Marks:
        """Return the worth of the stack."""
        return (value_of(self.target.stack, losses, self.scale),)

    def group(self, group: Group, option: GroupResult) -> tuple[int, ...]:
        """Return a group's worth after an option, by a leader's rally bonus."""
        units = [*zip(group.units, option.results, strict=True)]
        return tuple(
            sum(self.scale.unit(unit, result.result, help_) for unit, result in units)
            for help_ in self.helps
        )


class Modelled(_Worths):
    """The best ends by the CP-SAT model."""

    def at(self, node: State) -> Iterator[LossPlan]:
        """Yield the ends, best first."""
        target, waiting = self.target, list[LossPlan]()
        classes = target.classes(node)
        model = LossModel(classes, node.owed, target.choices)
        for picked, bound in model.best_first(self.group, self.helps):
            losses = target.losses(classes, picked)
            if target.allows(node, losses):
                waiting.append(self.end(losses))
                waiting.sort(key=_by_marks)
            while waiting and waiting[-1].value >= bound:
                yield waiting.pop()
        yield from reversed(waiting)


class Folding(_Worths):
    """The greatest worth by the fold, without the way to it."""

    def __init__(self, target: Target, scale: Scale) -> None:
        super().__init__(target, scale)
        self._folded = Folded(greatest(self.group, (0,) * len(self.helps)), target.points)
        self._known: dict[State, list[LossPlan]] = {}

    def at(self, node: State) -> Iterator[LossPlan]:
        """Yield the greatest worth."""
        if node not in self._known:
            found = self._folded.ends(self.target.classes(node), node.owed)
            worths = [marks[self.helps.index(help_)] for help_, marks in found]
            self._known[node] = [LossPlan((), (max(worths),))] if worths else []
        yield from self._known[node]


class Listing(Ends):
    """The best ends by any worth of the losses: every end is listed."""

    def __init__(self, target: Target, worth: Callable[[tuple[UnitLoss, ...]], Fraction]) -> None:
        super().__init__(target)
        self.worth = worth

    def marks(self, losses: tuple[UnitLoss, ...]) -> Marks:
        """Return the worth of the losses."""
        return (self.worth(losses),)

    def at(self, node: State) -> Iterator[LossPlan]:
        """Yield the ends, best first."""
        target, classes = self.target, self.target.classes(node)
        if target.choices.is_tabled:
            picks: Iterable[Picked] = listed(classes, node.owed)
        else:
            picks = LossModel(classes, node.owed, target.choices).all()
        found = (target.losses(classes, picked) for picked in picks)
        ends = [self.end(losses) for losses in found if target.allows(node, losses)]
        yield from sorted(ends, key=_by_marks, reverse=True)


class Front(Ends):
    """The ends unbeaten in worth alive, worth able to act, and points wasted."""

    most = None

    def at(self, node: State) -> Iterator[LossPlan]:
        """Yield the front."""
        classes = self.target.classes(node)
        model = LossModel(classes, node.owed, self.target.choices)

        def strengths(group: Group, option: GroupResult) -> tuple[int, int]:
            return _strengths(zip(group.units, (one.result for one in option.results), strict=True))

        for picked in model.front(strengths):
            yield self.end(self.target.losses(classes, picked))

    def marks(self, losses: tuple[UnitLoss, ...]) -> Marks:
        """Return strength, firepower and, negated, the surplus points."""
        results = {loss.unit: loss.result for loss in losses}
        ends = ((m, results.get(m.id, "unharmed")) for m in self.target.stack.members)
        wasted = sum(loss.points for loss in losses) - self.target.points
        return (*_strengths(ends), -max(0, wasted))


def _strengths(ends: Iterable[tuple[Member, str]]) -> tuple[int, int]:
    """Return the worth of units alive, and able to act, after their results."""
    strength = firepower = 0
    for unit, result in ends:
        if result != "eliminated":
            worth = int(unit.worth_half if result.startswith("reduced") else unit.worth)
            strength += worth
            firepower += 0 if unit.pinned or result in PINNED else worth
    return strength, firepower


class Tree:
    """
    All plans for one target that might be best, by a solver of the leaves.

    Parameters
    ----------
    bounds
        The same tree with a fast solver, whose values serve as bounds.
    """

    def __init__(self, target: Target, ends: Ends, bounds: Tree | None = None) -> None:
        self.target, self.ends, self.bounds = target, ends, bounds
        self._known: dict[State, list[LossPlan]] = {}

    def plans(self) -> Iterator[LossPlan]:
        """Yield the plans from the start; with one mark, best first."""
        return self._ways(self.target.start, at_start=True)

    def best(self) -> LossPlan:
        """Return the best plan from the start."""
        return next(self.plans())

    def front(self) -> list[LossPlan]:
        """Return the plans from the start that are unbeaten in every mark."""
        return _unbeaten(self.plans())

    def _ways(self, node: State, *, at_start: bool = False) -> Iterator[LossPlan]:
        """Yield the continuations of a node."""
        number, bounds = count(), self.bounds
        waiting: list[tuple[Any, int, LossPlan | None, Iterator[LossPlan]]] = []

        def wait(bound: Any, found: LossPlan | None, more: Iterator[LossPlan]) -> None:
            heappush(waiting, (-bound, next(number), found, more))

        unbound = [LossPlan((), (math.inf,))]  # type: ignore[arg-type] # greater than any
        for plan in bounds.leaf(node) if bounds else unbound:
            wait(plan.value, None, self.leaf(node))
        for trial in self.target.rolls(node, at_start=at_start):
            for plan in bounds.rolled(trial) if bounds else unbound:
                wait(plan.value, None, self.rolled(trial))
        while waiting:
            _, _, found, more = heappop(waiting)
            if found is not None:
                yield found
            following = next(more, None)
            if following is not None:
                wait(following.value, following, more)

    def _below(self, node: State) -> list[LossPlan]:
        """Return the continuations that matter, none if the points cannot be fulfilled."""
        if node not in self._known:
            ways, most = self._ways(node), self.ends.most
            self._known[node] = _unbeaten(ways) if most is None else [*islice(ways, most)]
        return self._known[node]

    def leaf(self, node: State) -> Iterator[LossPlan]:
        """Yield the ends without further roll."""
        if node.owed > 0:
            return self.ends.at(node)
        return iter([self.ends.end(self.target.course.losses(node))])

    def rolled(self, trial: SurvivalRoll) -> Iterator[LossPlan]:
        """Yield the continuations with a roll."""
        roll, held = trial.roll, self._below(trial.held)
        if trial.failed is None:
            yield from (LossPlan(trial.losses, a.marks, roll, a) for a in held)
            return
        for a, b in product(held, self._below(trial.failed) if held else ()):
            marks = tuple(
                Fraction(roll.chance * x + (DIE - roll.chance) * y, DIE)
                for x, y in zip(a.marks, b.marks, strict=True)
            )
            yield LossPlan(trial.losses, marks, roll, a, b)


def _unbeaten(plans: Iterator[LossPlan]) -> list[LossPlan]:
    """Return the plans unbeaten in every mark."""
    found: list[LossPlan] = []
    for one in sorted(plans, key=_by_marks, reverse=True):
        if not any(
            all(a >= b for a, b in zip(other.marks, one.marks, strict=True)) for other in found
        ):
            found.append(one)
    return found


def _by_marks(plan: LossPlan) -> Marks:
    return plan.marks
