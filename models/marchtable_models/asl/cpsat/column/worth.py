"""What a Column's plan is worth to a goal, by where each of its places ends and what is spent."""

from __future__ import annotations

from itertools import pairwise
from math import gcd
from typing import TYPE_CHECKING, Literal, NamedTuple

from marchtable.planning.score import Measure, Stand
from marchtable_models.asl.cpsat.column.layers import Row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable.planning.goal import Criterion, Goal
    from marchtable.planning.model import Score, Task
    from marchtable.position import Position
    from marchtable.rulebook import Rulebook
    from marchtable_models.asl.cpsat.column.field import Course, Field
    from marchtable_models.asl.cpsat.column.program import Program, Terms
    from marchtable_models.asl.model import AslConditions, AslUnit

__all__ = ["Demand", "Sum", "Worth"]

ENDS: tuple[Literal["value", "distance"], ...] = ("value", "distance")


class Demand(NamedTuple):
    """A must: its number among the aims, and how many of the Column's units are needed for it."""

    aim: int
    needed: int


class Sum(NamedTuple):
    """A weighted sum of criteria: terms of literals, and what is added whatever the plan."""

    terms: Terms
    constant: int


class Worth:
    """
    What each place of a Column adds to each criterion.

    Parameters
    ----------
    rulebook, position, goal
        The problem.
    field
        The Column and its states.

    Attributes
    ----------
    demands
        The musts.
    """

    def __init__(
        self, rulebook: Rulebook[AslUnit, AslConditions],
        position: Position[AslUnit, AslConditions], goal: Goal, field: Field,
    ) -> None:  # fmt: skip
        self.measure, self.field = Measure(position, goal), field
        self.ranks = [[unit.id for unit in rank] for rank in field.line.ranks]
        mine = {name for rank in self.ranks for name in rank}
        others = [
            (unit.id, Stand(unit.at, rulebook.carrier(position, unit) is not None))
            for unit in position.units
            if unit.id not in mine
        ]
        found = [self.measure.gain(*other) for other in others]
        self._base: dict[Criterion, int] = {
            "value": sum(a for a, _ in found),
            "distance": sum(b for _, b in found),
        }
        self._reach = [
            dict.fromkeys(state.at for layer in field.domains for state in layer[r])
            for r in range(len(self.ranks))
        ]
        self._gains: dict[tuple[int, str | None], tuple[int, int]] = {}
        self.threats = {position.board.resolve(at): t for at, t in goal.threat.items() if t}
        holds, required = self.measure.holds, self.measure.required
        self.demands = [
            Demand(aim, required(aim) - sum(holds(aim, *other) for other in others))
            for aim in range(len(goal.aims))
            if required(aim)
        ]

    def gain(self, r: int, at: str | None) -> tuple[int, int]:
        """Return what a place's units add to value and to distance by ending there."""
        key = (r, at)
        if key not in self._gains:
            found = [self.measure.gain(name, Stand(at)) for name in self.ranks[r]]
            self._gains[key] = (sum(a for a, _ in found), sum(b for _, b in found))
        return self._gains[key]

    def held(self, r: int, at: str | None, aim: int) -> int:
        """Return how many of a place's units that end there are where an aim wants them."""
        return sum(self.measure.holds(aim, name, Stand(at)) for name in self.ranks[r])

    # -- of one plan -----------------------------------------------------------------------------

    def score(self, course: Course) -> Score:
        """Return the score of a plan."""
        ways = [[row[r].at for row in course.states] for r in range(len(self.ranks))]
        gains = [self.gain(r, way[-1]) for r, way in enumerate(ways)]
        count = [len(rank) for rank in self.ranks]
        return {
            "value": self._base["value"] + sum(value for value, _ in gains),
            "distance": self._base["distance"] + sum(distance for _, distance in gains),
            "exposure": sum(
                count[r] * self.threats.get(b or "", 0)
                for r, way in enumerate(ways)
                for a, b in pairwise(way)
                if a != b
            ),
            "points": sum(count) * self.field.spent(course),
            "moved": sum(count[r] for r, way in enumerate(ways) if len(set(way)) > 1),
        }

    def meets(self, course: Course) -> bool:
        """Tell whether a plan does what it must."""
        final = course.states[-1]
        return all(
            sum(self.held(r, state.at, demand.aim) for r, state in enumerate(final))
            >= demand.needed
            for demand in self.demands
        )

    # -- as rows of layers -----------------------------------------------------------------------

    def constant(self, weights: Mapping[Criterion, int]) -> int:
        """Return what does not depend on the plan."""
        return sum(weights.get(name, 0) * self._base[name] for name in ENDS)

    def row(self, weights: Mapping[Criterion, int], least: int) -> Row:
        """Return a weighted sum that must not be less than something."""
        count = [len(rank) for rank in self.ranks]
        threat, points = weights.get("exposure", 0), weights.get("points", 0)
        return Row(
            [self._ends(r, weights) for r in range(len(count))],
            [{at: threat * told * n for at, told in self.threats.items() if threat} for n in count],
            points * sum(count),
            least - self.constant(weights),
        )

    def _ends(self, r: int, weights: Mapping[Criterion, int]) -> dict[str | None, int]:
        start, found = self.field.line.starts[r].at, {}
        away = weights.get("moved", 0) * len(self.ranks[r])
        for at in self._reach[r]:
            value, distance = self.gain(r, at)
            told = weights.get("value", 0) * value + weights.get("distance", 0) * distance
            found[at] = told + (away if at != start else 0)
        return found

    def rows(self, task: Task) -> list[Row]:
        """Return a task's bounds, and the musts."""
        nothing: list[dict[str | None, int]] = [{} for _ in self.ranks]
        demanded = [
            Row([{at: self.held(r, at, demand.aim) for at in places}
                 for r, places in enumerate(self._reach)], nothing, 0, demand.needed)
            for demand in self.demands
        ]  # fmt: skip
        return [
            *(self.row({name: 1}, least) for name, least in task.least.items()),
            *(self.row({name: -1}, -most) for name, most in task.most.items()),
            *demanded,
        ]

    def step(self, weights: Mapping[Criterion, int]) -> int:
        """Return what the sums of any two plans differ by a multiple of."""
        costs = [cost for cost in self.field.paid if cost]
        found = weights.get("points", 0) * sum(map(len, self.ranks)) * gcd(*costs)
        for r, rank in enumerate(self.ranks):
            ends = [*self._ends(r, {**weights, "moved": 0}).values()]
            found = gcd(found, *(end - ends[0] for end in ends))
            told = [weights.get("exposure", 0) * threat for threat in self.threats.values()]
            found = gcd(found, *(len(rank) * each for each in (weights.get("moved", 0), *told)))
        return max(1, found)

    def total(self, course: Course, weights: Mapping[Criterion, int]) -> int:
        """Return the weighted sum of a plan."""
        score = self.score(course)
        return sum(weight * score[name] for name, weight in weights.items())

    # -- in terms of literals ----------------------------------------------------------------------

    def sum(self, program: Program, weights: Mapping[Criterion, int]) -> Sum:
        """Return a weighted sum of criteria."""
        terms: dict[int, int] = {}
        constant = self.constant(weights)
        value, distance = (weights.get("value", 0), weights.get("distance", 0))
        for r, places in enumerate(program.places[-1] if value or distance else ()):
            gains = {at: self.gain(r, at) for at in places}
            told = {at: value * a + distance * b for at, (a, b) in gains.items()}
            least = min(told.values())
            constant += least
            _add(terms, [(x, told[at] - least) for at, x in places.items()])
        paid = weights.get("points", 0) * sum(map(len, self.ranks))
        _add(terms, [(x, paid * cost) for x, cost in program.spent(program.last)])
        for r, rank in enumerate(self.ranks):
            if weights.get("exposure", 0):
                for x, threat in program.entered(r, self.threats):
                    _add(terms, [(x, weights["exposure"] * threat * len(rank))])
            if weights.get("moved", 0):
                _add(terms, [(program.moved(r), weights["moved"] * len(rank))])
        return Sum([(x, weight) for x, weight in terms.items() if weight], constant)

    def state(self, program: Program, task: Task) -> None:
        """State a task's bounds, and the musts."""
        for name, least in task.least.items():
            _bound(program, self.sum(program, {name: 1}), least, None)
        for name, most in task.most.items():
            _bound(program, self.sum(program, {name: 1}), None, most)
        for demand in self.demands:
            terms = [
                (x, self.held(r, at, demand.aim))
                for r, places in enumerate(program.places[-1])
                for at, x in places.items()
            ]
            held = Sum([(x, count) for x, count in terms if count], 0)
            _bound(program, held, demand.needed, None)

    def at_least(self, program: Program, weights: Mapping[Criterion, int], least: int) -> None:
        """Demand that a weighted sum comes to so much."""
        _bound(program, self.sum(program, weights), least, None)


def _add(terms: dict[int, int], more: Terms) -> None:
    for x, weight in more:
        terms[x] = terms.get(x, 0) + weight


def _bound(program: Program, told: Sum, least: int | None, most: int | None) -> None:
    """Demand bounds on a sum."""
    low = sum(min(0, weight) for _, weight in told.terms)
    high = sum(max(0, weight) for _, weight in told.terms)
    floor = low if least is None else max(low, least - told.constant)
    ceiling = high if most is None else min(high, most - told.constant)
    if floor > low or ceiling < high:
        program.total_if((), told.terms, floor, ceiling)
