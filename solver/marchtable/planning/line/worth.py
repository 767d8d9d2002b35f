"""What a line's plan is worth to a goal, by where its members end and what they spend."""

from __future__ import annotations

import itertools
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable.planning.goals import units_of
from marchtable.planning.score import Measure, Stand

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from marchtable.planning.line.graph import Course
    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.rules.plan_model import Score
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["Demand", "Worth"]

FINAL = ("value", "distance")


class Demand(NamedTuple):
    """A must: how many units of the line are needed, and how many each member brings by place."""

    needed: int
    counts: Any


class Worth:
    """
    What each member adds to each criterion.

    Attributes
    ----------
    value, distance
        By member and spot within its reach: what it and its load add by ending there.
    least
        By member and spot: the fewest half points for which it is there, if it may leave the map.
    base
        What all other units add to them.
    threats
        By place: what each unit that enters adds to ``exposure``.
    moved
        By member: how many units move if it does.
    payers
        By member: how many units spend what a round costs.
    demands
        The musts.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any, Any],
        position: Position[Any, Any],
        goal: Goal,
        graph: StateGraph,
        groups: Sequence[Sequence[Any]],
        payers: Sequence[int],
    ) -> None:
        self.measure = Measure(position, goal)
        self.graph, self.count = graph, len(groups)
        carried = {unit.id: rulebook.carrier(position, unit) is not None for unit in position.units}
        self._groups = [[(unit.id, carried[unit.id]) for unit in group] for group in groups]
        self.payers = payers
        mine = {name for group in self._groups for name, _ in group}
        others = [(u.id, Stand(u.at, carried[u.id])) for u in position.units if u.id not in mine]
        found = [self.measure.gain(name, stand) for name, stand in others]
        self.base = {"value": sum(a for a, _ in found), "distance": sum(b for _, b in found)}
        self._wanted = {name for aim in goal.aims for name in units_of(aim, position)}
        self.reach = [self._reached(i) for i in range(self.count)]
        self.least: Any = self._least() if graph.has_exits else None
        self.value, self.distance = self._table(), self._table()
        for i, group in enumerate(self._groups):
            self._fill(i, group)
        movers = set(self.measure.movers)
        self.moved = [sum(name in movers for name, _ in group) for group in self._groups]
        number, board = graph.places.number, graph.board
        self.threats = {number[board.resolve(at)]: t for at, t in goal.threat.items() if t}
        self.demands = [
            self._demand(aim, others) for aim in range(len(goal.aims)) if self.measure.required(aim)
        ]

    def _table(self) -> Any:
        return np.zeros((self.count, len(self.graph.places)), np.int64)

    def _reached(self, i: int) -> list[int]:
        """Return the places in which a member can be."""
        graph = self.graph
        live = graph.masks.reshape(graph.most + 1, graph.count, graph.size)[:, i].any(axis=0)
        return [int(p) for p in np.unique(graph.spot[graph.base[i] + np.flatnonzero(live)])]

    def _least(self) -> Any:
        """Return the fewest half points for which each member is in each spot."""
        graph, found = self.graph, self._table()
        masks = graph.masks.reshape(graph.most + 1, graph.count, graph.size)
        found[:] = graph.budget
        for i in range(self.count):
            spots = graph.spot[graph.base[i] : graph.base[i] + graph.span[i]]
            for s, p in enumerate(spots.tolist()):
                told = [int(mask) for mask in masks[:, i, s] if mask]
                level = min(
                    ((mask & -mask).bit_length() - 1 for mask in told), default=graph.levels
                )
                found[i, p] = min(found[i, p], level * graph.grain)
        return found

    def stand(self, p: int, *, carried: bool) -> Stand:
        """Return how a unit ends in a spot, on its own or aboard."""
        places = self.graph.places
        if p < places.count:
            return Stand(places.names[p], carried)
        return Stand(None, carried, places.names[p])

    def _fill(self, i: int, group: Sequence[tuple[str, bool]]) -> None:
        if not any(name in self._wanted for name, _ in group):
            return
        for p in self.reach[i]:
            found = [self.measure.gain(name, self.stand(p, carried=c)) for name, c in group]
            self.value[i, p] = sum(value for value, _ in found)
            self.distance[i, p] = sum(distance for _, distance in found)

    def _demand(self, aim: int, others: Sequence[tuple[str, Stand]]) -> Demand:
        holds = self.measure.holds
        held = sum(holds(aim, name, stand) for name, stand in others)
        counts = self._table()
        for i, group in enumerate(self._groups):
            for p in self.reach[i] if any(name in self._wanted for name, _ in group) else ():
                counts[i, p] = sum(holds(aim, name, self.stand(p, carried=c)) for name, c in group)
        return Demand(self.measure.required(aim) - held, counts)

    # -- sums ----------------------------------------------------------------------------------

    def gains(self, weights: Mapping[Any, int]) -> Any:
        """Return by member and spot what a member adds at most to a sum by ending there."""
        found = weights.get("value", 0) * self.value + weights.get("distance", 0) * self.distance
        moved, exposed = min(0, weights.get("moved", 0)), min(0, weights.get("exposure", 0))
        threat = np.zeros(len(self.graph.places), np.int64)
        threat[[*self.threats]] = [*self.threats.values()]
        if moved or exposed:  # who ends elsewhere has moved, and come there
            for i, p in enumerate(self._begun()):
                told = (moved + exposed * threat) * self.moved[i]
                told[p] = 0
                found[i] += told
        if self.graph.has_exits and (points := weights.get("points", 0)):
            paid = self.least if points < 0 else self.graph.budget
            found = found + points * np.array(self.payers)[:, None] * paid
        return found

    def _begun(self) -> Iterable[int]:
        return (self.graph.spot_of(i, s) for i, s in enumerate(self.graph.starts))

    def constant(self, weights: Mapping[Any, int]) -> int:
        """Return what does not depend on the plan, and what may come of it on the way at most."""
        found = sum(weights.get(name, 0) * self.base[name] for name in FINAL)
        hopes = sum(self.moved) * max(0, weights.get("moved", 0))
        worst = max(self.threats.values(), default=0) * self.graph.most * sum(self.moved)
        return found + hopes + worst * max(0, weights.get("exposure", 0))

    def step(self, weights: Mapping[Any, int]) -> int:
        """Return what all sums are multiples of, but for one constant."""
        together = gcd(*self.payers) if self.graph.has_exits else sum(self.payers)
        found = weights.get("points", 0) * together * self.graph.grain
        a, b = weights.get("value", 0), weights.get("distance", 0)
        for i in range(self.count):
            totals = {
                int(total)
                for p in self.reach[i]
                for total in [a * self.value[i, p] + b * self.distance[i, p]]
            }
            first = min(totals, default=0)
            for total in totals:
                found = gcd(found, total - first)
            for threat in self.threats.values():
                found = gcd(found, weights.get("exposure", 0) * threat * self.moved[i])
            found = gcd(found, weights.get("moved", 0) * self.moved[i])
        return abs(found)

    # -- of one plan -----------------------------------------------------------------------------

    def places(self, course: Course) -> list[list[int]]:
        """Return in which spot each member is after each round."""
        return [[self.graph.spot_of(i, row[i]) for row in course.states] for i in range(self.count)]

    def score(self, course: Course) -> Score:
        """Return the score of a plan."""
        ways = self.places(course)
        final = [way[-1] for way in ways]
        return {
            "value": self.base["value"] + sum(int(self.value[i, p]) for i, p in enumerate(final)),
            "distance": self.base["distance"]
            + sum(int(self.distance[i, p]) for i, p in enumerate(final)),
            "exposure": sum(
                self.moved[i] * self.threats.get(b, 0)
                for i, way in enumerate(ways)
                for a, b in itertools.pairwise(way)
                if a != b
            ),
            "points": sum(n * self.graph.spent(i, course) for i, n in enumerate(self.payers)),
            "moved": sum(self.moved[i] for i, way in enumerate(ways) if len(set(way)) > 1),
        }

    def meets(self, course: Course) -> bool:
        """Return whether a plan does what it must."""
        final = [way[-1] for way in self.places(course)]
        return all(
            sum(int(d.counts[i, p]) for i, p in enumerate(final)) >= d.needed for d in self.demands
        )
