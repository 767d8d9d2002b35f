"""What a Convoy's plan is worth to a goal, by where its vehicles end and what they spend."""

from __future__ import annotations

import itertools
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.score import Measure, Stand
from marchtable_models.asl.survey_transport import carried_by

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.planning.goal import Goal
    from marchtable.planning.model import Score
    from marchtable.position import Position
    from marchtable.rulebook import Rulebook
    from marchtable_models.asl.cpsat.convoyfield import Course, Field
    from marchtable_models.asl.model import AslConditions, AslUnit

__all__ = ["Demand", "Worth"]

FINAL = ("value", "distance")


class Demand(NamedTuple):
    """A must: how many units of the Convoy are needed, and how many each vehicle brings by cell."""

    needed: int
    cells: tuple[dict[int, int], ...]


class Worth:
    """
    What each vehicle adds to each criterion.

    Attributes
    ----------
    gains
        By vehicle and cell: what it and its load add to ``value`` and ``distance`` by ending there.
    base
        What all other units add to them.
    threats
        By vehicle and cell: what is added to ``exposure`` by entering.
    moved
        By vehicle: how many units move if it does.
    demands
        The musts.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any, Any],
        position: Position[AslUnit, AslConditions],
        goal: Goal,
        field: Field,
        line: Sequence[AslUnit],
        most: int,
    ) -> None:
        self.measure = Measure(position, goal)
        self.field, self.count, self.most = field, len(line), most
        groups = [(unit, *carried_by(position, unit)) for unit in line]
        carried = {unit.id: rulebook.carrier(position, unit) is not None for unit in position.units}
        self._groups = [[(unit.id, carried[unit.id]) for unit in group] for group in groups]
        mine = {name for group in self._groups for name, _ in group}
        others = [(u.id, Stand(u.at, carried[u.id])) for u in position.units if u.id not in mine]
        found = [self.measure.gain(name, stand) for name, stand in others]
        self.base = {"value": sum(a for a, _ in found), "distance": sum(b for _, b in found)}
        names = {0: None, **field.hex}
        self.gains = [
            {cell: self._gain(group, at) for cell, at in names.items()} for group in self._groups
        ]
        movers = set(self.measure.movers)
        self.moved = [sum(name in movers for name, _ in group) for group in self._groups]
        threat = {field.cell[at]: t for at, t in goal.threat.items() if at in field.cell and t}
        self.threats = [{cell: t * n for cell, t in threat.items()} for n in self.moved]
        self.demands = [
            self._demand(number, others)
            for number in range(len(goal.aims))
            if self.measure.required(number)
        ]

    def _gain(self, group: Sequence[tuple[str, bool]], at: str | None) -> tuple[int, int]:
        found = [self.measure.gain(name, Stand(at, carried)) for name, carried in group]
        return sum(a for a, _ in found), sum(b for _, b in found)

    def _demand(self, number: int, others: Sequence[tuple[str, Stand]]) -> Demand:
        held = sum(self.measure.holds(number, name, stand) for name, stand in others)
        names = {0: None, **self.field.hex}
        cells = tuple(
            {
                cell: sum(self.measure.holds(number, name, Stand(at, c)) for name, c in group)
                for cell, at in names.items()
            }
            for group in self._groups
        )
        return Demand(self.measure.required(number) - held, cells)

    # -- sums ----------------------------------------------------------------------------------

    def rings(self, i: int, weights: Mapping[Any, int]) -> list[tuple[int, int]]:
        """Return what a vehicle adds to a sum of ``value`` and ``distance``, best first, and where."""
        a, b = weights.get("value", 0), weights.get("distance", 0)
        found: dict[int, int] = {}
        for cell, (value, distance) in self.gains[i].items():
            total = a * value + b * distance
            found[total] = found.get(total, 0) | 1 << cell
        return sorted(found.items(), reverse=True)

    def constant(self, weights: Mapping[Any, int]) -> int:
        """Return what does not depend on the plan."""
        return sum(weights.get(name, 0) * self.base[name] for name in FINAL)

    def step(self, weights: Mapping[Any, int]) -> int:
        """Return what all sums are multiples of, but for one constant."""
        found = weights.get("points", 0) * self.count * self.field.grain
        for i in range(self.count):
            totals = [total for total, _ in self.rings(i, weights)]
            for total in totals:
                found = gcd(found, total - totals[0])
            for threat in self.threats[i].values():
                found = gcd(found, weights.get("exposure", 0) * threat)
            found = gcd(found, weights.get("moved", 0) * self.moved[i])
        return abs(found)

    def score(self, course: Course) -> Score:
        """Return the score of a plan."""
        cells = [[self.field.cell_of(s) for s in states] for states in course.states]
        gains = [self.gains[i][cell] for i, cell in enumerate(cells[-1])]
        ways = [[row[i] for row in cells] for i in range(self.count)]
        return {
            "value": self.base["value"] + sum(value for value, _ in gains),
            "distance": self.base["distance"] + sum(distance for _, distance in gains),
            "exposure": sum(
                self.threats[i].get(b, 0)
                for i, way in enumerate(ways)
                for a, b in itertools.pairwise(way)
                if a != b
            ),
            "points": self.count * course.spent[-1],
            "moved": sum(self.moved[i] for i, way in enumerate(ways) if len(set(way)) > 1),
        }

    def meets(self, course: Course) -> bool:
        """Tell whether a plan does what it must."""
        cells = [self.field.cell_of(s) for s in course.states[-1]]
        return all(
            sum(counts[cell] for counts, cell in zip(d.cells, cells, strict=True)) >= d.needed
            for d in self.demands
        )

    def most_wayside(self, name: str) -> int:
        """Return what a criterion along the way comes to at most."""
        if name == "moved":
            return sum(self.moved)
        return self.most * sum(max(threats.values(), default=0) for threats in self.threats)
