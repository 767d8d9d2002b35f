"""The worth of a line's plan for a goal, and a task's lower bounds: sums over members."""

from __future__ import annotations

import itertools
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable.planning.goals import units_of
from marchtable.planning.line.sweep import NONE, Wanted
from marchtable.planning.line.variables import entered
from marchtable.planning.score import FinalPlace, Measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from marchtable.planning.line.graph import Course
    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.planning.line.variables import Variables
    from marchtable.rules.plan_model import Score, Task
    from marchtable.state.goal import Criterion, Goal
    from marchtable.state.position import Position

__all__ = ["FINAL", "Demand", "LowerBound", "TaskRows", "Worth", "met"]

FINAL: tuple[Criterion, ...] = ("value", "distance")
WAYSIDE = ("exposure", "moved")
"""
Criteria that depend on where a member has been, not only on where it ends.

So do points if members can leave the map: those that left spend no more.
"""


class Demand(NamedTuple):
    """A must: the number of the line's units needed, and how many each member brings by place."""

    needed: int
    counts: Any


class Worth:
    """
    What each member adds to each criterion.

    Attributes
    ----------
    value, distance
        By member and reachable spot: what it and its load add by ending there.
    least
        By member and spot: the fewest half points at which it can be there, if it can leave the
        map.
    base
        What all other units add to them.
    threats
        By place: what each unit that enters adds to ``exposure``.
    moved
        By member: how many units move if it does.
    payers
        By member: how many units pay the cost of a round.
    demands
        The musts.
    """

    def __init__(
        self,
        position: Position[Any, Any],
        goal: Goal,
        graph: StateGraph,
        groups: Sequence[Sequence[Any]],
        payers: Sequence[int],
    ) -> None:
        self.measure = Measure(position, goal)
        self.graph, self.count = graph, len(groups)
        carried = {unit.id: unit.carrier is not None for unit in position.units}
        self._groups = [[(unit.id, carried[unit.id]) for unit in group] for group in groups]
        self.payers = payers
        mine = {name for group in self._groups for name, _ in group}
        others = [
            (u.id, FinalPlace(u.at, carried[u.id])) for u in position.units if u.id not in mine
        ]
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
                possible = [int(mask) for mask in masks[:, i, s] if mask]
                level = min(
                    ((mask & -mask).bit_length() - 1 for mask in possible), default=graph.levels
                )
                found[i, p] = min(found[i, p], level * graph.grain)
        return found

    def stand(self, p: int, *, carried: bool) -> FinalPlace:
        """Return a unit's end in a spot, on its own or aboard."""
        places = self.graph.places
        if p < places.count:
            return FinalPlace(places.names[p], carried)
        return FinalPlace(None, carried, places.names[p])

    def _fill(self, i: int, group: Sequence[tuple[str, bool]]) -> None:
        if not any(name in self._wanted for name, _ in group):
            return
        for p in self.reach[i]:
            found = [self.measure.gain(name, self.stand(p, carried=c)) for name, c in group]
            self.value[i, p] = sum(value for value, _ in found)
            self.distance[i, p] = sum(distance for _, distance in found)

    def _demand(self, aim: int, others: Sequence[tuple[str, FinalPlace]]) -> Demand:
        holds = self.measure.holds
        held = sum(holds(aim, name, stand) for name, stand in others)
        counts = self._table()
        for i, group in enumerate(self._groups):
            for p in self.reach[i] if any(name in self._wanted for name, _ in group) else ():
                counts[i, p] = sum(holds(aim, name, self.stand(p, carried=c)) for name, c in group)
        return Demand(self.measure.required(aim) - held, counts)

    # -- sums ----------------------------------------------------------------------------------

    def gains(self, weights: Mapping[Any, int]) -> Any:
        """Return members' maximum contributions by ending in each spot, shape [members, spots]."""
        found = weights.get("value", 0) * self.value + weights.get("distance", 0) * self.distance
        moved, exposed = weights.get("moved", 0), weights.get("exposure", 0)
        threat = np.zeros(len(self.graph.places), np.int64)
        threat[[*self.threats]] = [*self.threats.values()]
        if moved or exposed:  # a member that ends elsewhere has moved and entered there
            for i, p in enumerate(self._begun()):
                gain = (moved + exposed * threat) * self.moved[i]
                gain[p] = 0
                found[i] += gain
        if self.graph.has_exits and (points := weights.get("points", 0)):
            found = found + points * np.array(self.payers)[:, None] * self.least
        return found

    def _begun(self) -> Iterable[int]:
        return (self.graph.spot_of(i, s) for i, s in enumerate(self.graph.starts))

    def constant(self, weights: Mapping[Any, int]) -> int:
        """Return the part of a sum that does not depend on the plan."""
        return sum(weights.get(name, 0) * self.base[name] for name in FINAL)

    def step(self, weights: Mapping[Any, int]) -> int:
        """Return the number of which all sums are multiples, apart from one constant."""
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
        """Return each member's spot after each round."""
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
        """Return whether a plan meets the musts."""
        final = [way[-1] for way in self.places(course)]
        return all(
            sum(int(d.counts[i, p]) for i, p in enumerate(final)) >= d.needed for d in self.demands
        )


class LowerBound(NamedTuple):
    """
    A sum with a lower bound.

    Parameters
    ----------
    gains
        By member and place: the maximum contribution of ending there.
    points
        The contribution of each half point of a round's cost.
    least
        The lower bound, without constants.
    final
        By member and place: the contribution of the ending itself.
    wayside
        The contribution of each unit of the criteria along the way.
    """

    gains: Any
    points: int
    least: int
    final: Any
    wayside: tuple[tuple[str, int], ...] = ()


class TaskRows:
    """A task as rows: the sum to maximise, and all its bounds."""

    def __init__(self, worth: Worth, task: Task) -> None:
        self.worth, self.task = worth, task
        self.weights = {name: weight for name, weight in task.weights.items() if weight}
        self.sum = self._row(self.weights, 0)
        self.rows = [
            *(self._row({name: 1}, bound) for name, bound in task.least.items()),
            *(self._row({name: -1}, -bound) for name, bound in task.most.items()),
            *(LowerBound(d.counts, 0, d.needed, d.counts) for d in worth.demands if d.needed > 0),
        ]
        self.step = max(1, worth.step(self.weights))
        self._parts: tuple[Any, ...] | None = None

    def _row(self, weights: Mapping[Any, int], least: int) -> LowerBound:
        # costs, risks and moves count against a plan: gains of places are then upper bounds
        assert all(weights.get(name, 0) <= 0 for name in (*WAYSIDE, "points")), weights
        worth = self.worth
        has_exits = worth.graph.has_exits
        by_way = (*WAYSIDE, "points") if has_exits else WAYSIDE
        wayside = tuple(
            (name, weights[name])
            for name in by_way
            if weights.get(name) and (name != "exposure" or worth.threats)
        )
        ends = {name: w for name, w in weights.items() if name not in by_way}
        points = 0 if has_exits else weights.get("points", 0) * sum(worth.payers)
        least -= worth.constant(weights)
        return LowerBound(worth.gains(weights), points, least, worth.gains(ends), wayside)

    # -- of one plan -----------------------------------------------------------------------------

    def total(self, course: Course) -> int:
        """Return a plan's sum."""
        score = self.worth.score(course)
        return sum(weight * score[name] for name, weight in self.weights.items())

    def allow(self, course: Course) -> bool:
        """Return whether a plan is within the bounds and meets the musts."""
        score = self.worth.score(course)
        return (
            all(score[name] >= bound for name, bound in self.task.least.items())
            and all(score[name] <= bound for name, bound in self.task.most.items())
            and self.worth.meets(course)
        )

    def reached(self) -> Any:
        """Return masks of members' possible places, except those with too much threat."""
        worth, graph = self.worth, self.worth.graph
        most = self.task.most.get("exposure")
        if most is None or not worth.threats:
            return graph.masks
        found = graph.masks.copy()
        table = found.reshape(graph.most + 1, graph.count, graph.size)
        threat = np.zeros(len(graph.places), np.int64)
        threat[[*worth.threats]] = [*worth.threats.values()]
        for i, start in enumerate(graph.starts):
            spots = graph.spot[graph.base[i] : graph.base[i] + graph.span[i]]
            here = threat[spots] * worth.moved[i] > most
            table[:, i, np.flatnonzero(here & (spots != graph.spot_of(i, start)))] = 0
        return found

    # -- of all remaining plans --------------------------------------------------------------------

    def wanted(self, least: int) -> Wanted:
        """Return the rows for plans of at least a sum, by state."""
        if self._parts is None:
            self._parts = self._made()
        gains, flat, points = self._parts
        bounds = [each.least for row in self.asking(least) for each in self._spread(row)]
        return Wanted(gains, flat, points, np.array(bounds, np.int64))

    def asking(self, least: int | None) -> list[LowerBound]:
        """Return the rows for plans of at least a sum, None for any."""
        main = [] if least is None else [self.sum._replace(least=least + self.sum.least)]
        return [*main, *self.rows]

    def _spread(self, row: LowerBound) -> list[LowerBound]:
        """
        Return a row and further valid ones, if members can leave the map.

        In each, the rearmost pay the final sum, the others as little as possible.
        """
        worth, weight = self.worth, dict(row.wayside).get("points", 0)
        found = [row]
        is_one = bool(weight) and not worth.graph.parted  # parts spend sums of their own
        for rear in range(1, worth.count + 1) if is_one else ():
            gains, first, second = row.gains.copy(), worth.count - rear, worth.graph.places.count
            gains[first:, :second] -= weight * worth.least[first:, :second]
            gains[first:, second:] -= weight * worth.graph.budget
            found.append(row._replace(gains=gains, points=weight * rear))
        return found

    def _made(self) -> tuple[Any, Any, Any]:
        graph = self.worth.graph
        rows = [each for row in (self.sum, *self.rows) for each in self._spread(row)]
        gains = np.zeros((len(rows), graph.count, graph.size), np.int64)
        flat = np.full((len(rows), graph.count), NONE, np.int64)
        for i in range(graph.count):
            place = graph.spot[graph.base[i] : graph.base[i] + graph.span[i]]
            for r, row in enumerate(rows):
                values = row.gains[i]
                if (values == values[0]).all():
                    flat[r, i] = values[0]
                gains[r, i, : len(place)] = values[place]
        points = np.array([row.points * graph.grain for row in rows], np.int64)
        return gains.reshape(-1), flat.reshape(-1), points

    def bounds(self) -> tuple[int, int]:
        """Return an upper and a lower bound of every plan's sum."""
        row, worth, graph = self.sum, self.worth, self.worth.graph
        top = sum(int(row.gains[i, p].max()) for i, p in enumerate(worth.reach))
        low = sum(int(row.final[i, p].min()) for i, p in enumerate(worth.reach))
        low += row.points * graph.budget
        threat = max(worth.threats.values(), default=0) * graph.most
        worst = {"exposure": threat * sum(worth.moved), "moved": sum(worth.moved),
               "points": graph.budget * sum(worth.payers)}  # fmt: skip
        low += sum(weight * worst[name] for name, weight in row.wayside)
        weights: Mapping[Any, int] = self.weights
        base = sum(weights.get(name, 0) * value for name, value in worth.base.items())
        some = sum(int(row.final[i, p[0]]) for i, p in enumerate(worth.reach)) + base
        return some + (top - row.least - some) // self.step * self.step, low + base

    def between(self, cutoff: int, top: int) -> int:
        """Return the next sum to ask for: above the cutoff, below the top."""
        return top - (top - cutoff - 1) // self.step // 2 * self.step

    def share(self, row: LowerBound, members: range) -> int:
        """Return the terms that each level of spending by some members adds to a row."""
        payers = self.worth.payers
        own, grain = sum(payers[i] for i in members), self.worth.graph.grain
        return row.points * own // sum(payers) * grain

    def terms(
        self, model: Variables, row: LowerBound, *, whole: bool = False, is_hoped: bool = False
    ) -> tuple[list[tuple[int, int]], int]:
        """
        Return the literals of a row with weights, and the sum that all plans have at least.

        Parameters
        ----------
        model, row
            The model, and the row.
        whole
            Keep the literals' common part in their weights: the second result is 0.
        is_hoped
            Count the members' maximum by their ends, as whole, and nothing for ways.
        """
        gains = row.gains if is_hoped else row.final
        groups = [
            [(literal, int(gains[i, p])) for p, literal in hexes[model.last].items()]
            for i, hexes in enumerate(model.spots)
        ]
        for part in model.parts:
            each = self.share(row, part.members)
            groups.append([(x, each * level) for level, x in part.totals[model.last].items()])
        common = [0 if whole or is_hoped else min(total for _, total in found) for found in groups]
        terms = [
            (literal, total - least)
            for found, least in zip(groups, common, strict=True)
            for literal, total in found if total != least
        ]  # fmt: skip
        for name, weight in () if is_hoped else row.wayside:
            terms += [(x, weight * times) for x, times in met(self.worth, model, name)]
        return terms, sum(common)


def met(worth: Worth, model: Variables, name: str) -> list[tuple[int, int]]:
    """Return literals for a member's having been somewhere, with weights."""
    if name == "points":
        grain = worth.graph.grain
        return [
            (x, payers * n * grain)
            for i, payers in enumerate(worth.payers)
            for n, x in model.paid_by(i).items()
        ]
    if name == "exposure":
        return _entered(model, worth.threats, worth.moved)
    found = []
    for i, hexes in enumerate(model.spots):
        start = next(iter(hexes[0]))
        away = model.new()
        for t in range(1, model.last + 1):
            for cell, literal in hexes[t].items():
                if cell != start:
                    model.any_of((~literal, away))
        if start in hexes[model.last] and worth.moved[i]:
            staying = [hexes[t][start] for t in range(1, model.last + 1) if start in hexes[t]]
            if len(staying) == model.last:
                model.any_of((~away, *(~x for x in staying)))
        found.append((away, worth.moved[i]))
    return found


def _entered(
    model: Variables, threats: Mapping[int, int], moved: Sequence[int]
) -> list[tuple[int, int]]:
    """Return literals for a member's entering a place under threat, with the threat."""
    found = []
    for i, hexes in enumerate(model.spots):
        for t in range(1, model.last + 1):
            for place, literal in hexes[t].items():
                if place not in threats:
                    continue
                into = entered(model, literal, hexes[t - 1].get(place))
                found.append((into, threats[place] * moved[i]))
    return found
