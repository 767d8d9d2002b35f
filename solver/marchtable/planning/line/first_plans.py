"""First plans, in milliseconds: follow-my-leader, the others in the track of the lead; where that finds none, one that does what it must."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.budget import lent_here
from marchtable.cpsat.harness import Stop
from marchtable.planning.line.bound_tightening import BoundTightening
from marchtable.planning.line.graph import HALTS, PLACE, Course
from marchtable.planning.line.task import Limits
from marchtable.rules.plan_model import Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.planning.line.problem import LineProblem
    from marchtable.planning.line.state_graph import StateGraph

__all__ = ["first_plan", "followed", "halted", "lead_ways"]

TRIES = 200
"""How many ways, whole or begun, are looked at for those past a place."""
MOST = 0.5
"""Deterministic time for all of it."""
PAST, EACH = 8, 4
"""Past how many places the lead is followed for each demand, and by how many ways each."""
LED = 2e-3
"""Deterministic time for following it once."""
Way = list[int]
"""Places, one after the other."""


def lead_ways(graph: StateGraph, worth: Any, kept: int) -> list[Way]:
    """Return ways of the lead to some of the places that are worth most, the cheapest each."""
    masks = graph.masks.reshape(graph.most + 1, graph.count, graph.size)[:, 0]
    place = graph.place[: graph.span[0]]
    live = np.flatnonzero(masks.any(axis=0))
    live = live[graph.spot[live] < graph.places.count]  # who has left the map leads nobody
    hopes = np.sort(worth[np.unique(place[live])])[-kept:]
    reached: dict[int, tuple[int, int, int]] = {}
    for state in live[worth[place[live]] >= hopes[0]].tolist():
        for t in np.flatnonzero(masks[:, state]).tolist():
            mask, p = int(masks[t, state]), int(place[state])
            level = (mask & -mask).bit_length() - 1
            if (level, t) < reached.get(p, (graph.levels, 0, 0))[:2]:
                reached[p] = (level, t, state)
    best = sorted(reached, key=lambda p: (-worth[p], reached[p][:2], p))[:kept]
    return [_way_to(graph, masks, *reached[p]) for p in best]


def _ways_past(graph: StateGraph, place: int, more: int, most: int) -> Iterator[Way]:
    """Yield some ways of the lead past a place and so many further, where they are as long as that."""
    worth = np.zeros(len(graph.places), np.int64)
    worth[place] = 1
    told = [way for way in lead_ways(graph, worth, 1) if way[-1] == place]
    start = {graph.place_of(i, state) for i, state in enumerate(graph.starts)}
    tries = TRIES
    while told and most and tries:
        way, tries = told.pop(), tries - 1
        if len(way) > more and way[-1 - more] == place:
            most -= 1
            yield way
            continue
        numbers, name = graph.places.number, graph.places.names[way[-1]]
        beside = [numbers[to] for _, to in graph.board.neighbours(name)] if name else []
        near = sorted(p for p in beside if p not in way and not graph.shut[p])
        told += sorted(([*way, p] for p in near), key=lambda each: each[-1] not in start)


def _way_to(graph: StateGraph, masks: Any, level: int, t: int, state: int) -> Way:
    way = [graph.place_of(0, state)]
    while t:
        t -= 1
        level, state = _one_before(graph, masks[t], level, state)
        place = graph.place_of(0, state)
        if place != way[-1]:
            way.append(place)
    return way[::-1]


def _one_before(graph: StateGraph, masks: Any, level: int, state: int) -> tuple[int, int]:
    """Return what had been spent in a state before another, at most, and that state."""
    arcs = np.flatnonzero(graph.to[: graph.first[graph.span[0]]] == state)
    arcs = arcs[graph.kind[arcs] >= 0]
    ways = zip(
        graph.costs[np.maximum(graph.kind[arcs], 1)].tolist(),  # who waits: what the others pay
        (np.searchsorted(graph.first, arcs, "right") - 1).tolist(),
        strict=True,
    )
    stayed = np.flatnonzero(graph.idle[: graph.span[0]] == state).tolist()
    least = int(graph.costs[1])
    for cost, other in [*ways, *((least, s) for s in stayed)]:
        mask = int(masks[other]) & (1 << level - cost + 1) - 1 if level >= cost else 0
        if mask:
            return mask.bit_length() - 1, other
    raise AssertionError(state)


def followed(
    graph: StateGraph, way: Way, states: Sequence[int] = (), members: Sequence[int] = ()
) -> Iterator[Course]:
    """
    Yield what comes of it after each round, and of stopping all after each.

    Parameters
    ----------
    graph, way
        Where members can be, and the way of the foremost from where it is.
    states, members
        Where they begin, by default as the line does, and who goes, by default all; in order.
    """
    most, budget, states = graph.most, graph.budget, list(states or graph.starts)
    members = members or range(graph.count)
    track, places = _track([graph.place_of(i, states[i]) for i in members])
    track += way[1:]
    rows, spent = [tuple(states)], [0]
    for _ in range(most):
        moved = _impulse(graph, states, members, track, places)
        if moved is None or spent[-1] + moved[0] > budget or _meet(graph, states, moved[1]):
            return
        states = moved[1]
        places = moved[2]
        rows.append(tuple(states))
        spent.append(spent[-1] + moved[0])
        yield Course(tuple(rows), tuple(spent))
        stopped = halted(graph, states, members)
        if stopped is not None and len(rows) <= most and spent[-1] + stopped[0] <= budget:
            yield Course((*rows, stopped[1]), (*spent, spent[-1] + stopped[0]))


def _track(begun: Sequence[int]) -> tuple[Way, list[int]]:
    """Return the way from the hindmost to the lead, and where on it each is."""
    track, places = Way(), list[int]()
    for place in reversed(begun):
        if track[-1:] != [place]:
            track.append(place)
        places.insert(0, len(track) - 1)
    return track, places


def _places(graph: StateGraph, states: Sequence[int]) -> list[int]:
    return [graph.place_of(i, state) for i, state in enumerate(states)]


def _meet(graph: StateGraph, before: Sequence[int], after: Sequence[int]) -> bool:
    """Return whether a member enters where another of its line still stands."""
    was, now = _places(graph, before), _places(graph, after)
    return any(
        place and place != was[i] and (place in now[:i] or place in was[i + 1 :])
        for i, place in enumerate(now)
    )


def _impulse(
    graph: StateGraph,
    states: Sequence[int],
    members: Sequence[int],
    track: Way,
    places: Sequence[int],
) -> tuple[int, list[int], list[int]] | None:
    """Return a round in which all members go on, or those who have to get ready for it do."""
    if places[0] + 1 >= len(track):
        return None
    going: list[tuple[int, tuple[int, int, bool] | None]] = []
    for k, i in enumerate(members):
        state, place = states[i], places[k] + 1
        while track[place] == 0:  # who waits off the map comes on at once
            place += 1
        if k and place > places[k - 1]:  # the one ahead waits, too
            going.append((places[k], (0, graph.idle_of(i, state), True)))
        else:
            going.append((place, _nearer(graph, i, state, track[place])))
    if any(step is None for _, step in going):
        return None
    steps = [(place, *step) for place, step in going if step is not None]
    after = list(states)
    go = all(last for *_, last in steps)
    for i, (_, _, there, last) in zip(members, steps, strict=True):
        after[i] = there if go or not last else graph.idle_of(i, states[i])
    cost = graph.round_cost(cost for _, cost, _, last in steps if go or not last)
    return cost, after, [place for place, *_ in steps] if go else list(places)


def _nearer(graph: StateGraph, i: int, state: int, place: int) -> tuple[int, int, bool] | None:
    """Return the first step of a shortest way to a neighbouring place, and whether it is the last."""
    edge: list[tuple[int, tuple[int, int] | None]] = [(state, None)]
    seen = {state}
    while edge:
        after: list[tuple[int, tuple[int, int] | None]] = []
        for here, first in edge:
            for there, cost, flags, _ in graph.ways(i, here):
                if there in seen:
                    continue
                if graph.place_of(i, there) == place:
                    return (*(first or (cost, there)), first is None)
                if not flags & PLACE:
                    seen.add(there)
                    after.append((there, first or (cost, there)))
        edge = after
    return None


def halted(
    graph: StateGraph, states: Sequence[int], members: Iterable[int]
) -> tuple[int, tuple[int, ...]] | None:
    """Return some members stopped, and for how much; None if one of them cannot stop."""
    after, costs = list(states), list[int]()
    for i in members:
        stops = [(cost, to) for to, cost, flags, _ in graph.ways(i, states[i]) if flags & HALTS]
        if not stops:
            return None
        after[i] = stops[0][1]
        costs.append(stops[0][0])
    return graph.round_cost(costs), tuple(after)


# -- what must be done -----------------------------------------------------------------------------


class _Lent:
    """A little of the budget that is lent here, if one is; nothing is told."""

    def __init__(self) -> None:
        self._budget, self._own = lent_here(), MOST
        self.stop, self.seed = Stop() if self._budget is None else self._budget.stop, 0

    def left(self) -> float:
        """Return what is left of it."""
        return self._own if self._budget is None else min(self._own, self._budget.left())

    def spend(self, time: float) -> None:
        """Count deterministic time as used."""
        self._own -= time
        if self._budget is not None:
            self._budget.spend(time)

    def found(self, log: object) -> None:
        """Take no note."""

    def bounded(self, bound: int) -> None:
        """Take no note."""


def first_plan(problem: LineProblem) -> Course | None:
    """Return a plan that does what it must, None if there is none; raises TimeoutError if neither is soon seen."""
    control = _Lent()
    for course in _led(problem, control):
        if problem.worth.meets(course) and problem.is_legal(course):
            return course
    return BoundTightening(problem, Limits(problem.worth, Task({}, {}, {})), control).some()


def _led(problem: LineProblem, control: _Lent) -> Iterator[Course]:
    """Yield what comes of the lead's going past where another member must be, as far as that is behind."""
    graph = problem.graph
    for demand in problem.worth.demands:
        told = [(i, p) for i, p in np.argwhere(demand.counts > 0).tolist()
                if 0 < p < graph.places.count and p in problem.worth.reach[i]]  # fmt: skip
        for i, p in told[:PAST] if demand.needed > 0 else ():
            for way in _ways_past(graph, p, i, EACH):
                if control.left() <= 0:
                    return
                control.spend(LED)
                yield from followed(graph, way)
