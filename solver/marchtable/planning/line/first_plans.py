"""First plans, without a solver: the lead goes its way, the others follow in its track."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.line.graph import HALTS, PLACE, Course
from marchtable.planning.paths import Label, labels

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.planning.line.state_graph import StateGraph

__all__ = ["followed", "lead_ways"]

Way = list[int]
"""Places, in order; the last can be the spot off the map (:class:`.graph.Places`)."""


def lead_ways(graph: StateGraph, worth: Any, kept: int) -> list[Way]:
    """
    Return the ways of the lead that are worth most with the others in its track; one for each place, the cheapest.

    `worth` is by member and spot. If the lead can leave the map, the best way off it is among them.
    """
    track, at = _track([graph.spot_of(i, state) for i, state in enumerate(graph.starts)])
    masks = graph.masks.reshape(graph.most + 1, graph.count, graph.size)[:, 0]

    def steps(label: Label) -> Iterator[tuple[int, int, int, None]]:
        rounds = label.exposure + 1
        for to, cost, _, _ in graph.ways(0, label.node) if rounds <= graph.most else ():
            if masks[rounds, to]:
                yield label.spent + cost, rounds, to, None

    reached: dict[int, Label] = {}
    for label in labels([Label(0, 0, graph.starts[0])], steps):
        reached.setdefault(graph.spot_of(0, label.node), label)
    ways = {p: _places(graph, [each.node for each in one.path()]) for p, one in reached.items()}

    def total(p: int) -> int:
        if p >= graph.places.count:  # the others leave, too
            return int(worth[:, p].sum())
        line = track + ways[p][1:]
        return sum(int(worth[i, line[n + len(ways[p]) - 1]]) for i, n in enumerate(at))

    best = sorted(ways, key=lambda p: (-total(p), reached[p][:2], p))
    off = [p for p in best[kept:] if p >= graph.places.count]
    if off and all(p < graph.places.count for p in best[:kept]):
        best.insert(kept - 1, off[0])
    return [ways[p] for p in best[:kept]]


def _places(graph: StateGraph, states: Sequence[int]) -> Way:
    """Return the places along the lead's states."""
    way = [graph.spot_of(0, states[0])]
    for state in states:
        if (place := graph.spot_of(0, state)) != way[-1]:
            way.append(place)
    return way


def followed(graph: StateGraph, way: Way) -> Iterator[Course]:
    """
    Yield the plans in which the lead goes a way up to each round.

    Also with all stopping then, at once or after each round. On a way off the map, members leave
    by the shortest way.
    """
    track, at = _track([graph.spot_of(i, state) for i, state in enumerate(graph.starts)])
    track += way[1:]
    course = Course((tuple(graph.starts),), (0,))
    while True:
        here, left = course.states[-1], graph.budget - course.spent[-1]
        if len(course.states) > graph.most:
            return
        stopped = _halted(graph, here)
        if stopped is not None and stopped[0] <= left:
            yield _then(course, *stopped)
        moved = _impulse(graph, here, track, at)
        if moved is None or moved[0] > left or _meet(graph, here, moved[1]):
            return
        cost, after, at = moved
        course = _then(course, cost, after)
        yield course


def _then(course: Course, cost: int, after: Sequence[int]) -> Course:
    return Course((*course.states, tuple(after)), (*course.spent, course.spent[-1] + cost))


def _track(begun: Sequence[int]) -> tuple[Way, list[int]]:
    """Return the way from the last member to the lead, and each one's index on it."""
    track, at = Way(), list[int]()
    for place in reversed(begun):
        if track[-1:] != [place]:
            track.append(place)
        at.insert(0, len(track) - 1)
    return track, at


def _meet(graph: StateGraph, before: Sequence[int], after: Sequence[int]) -> bool:
    """Return whether a member enters where another of its line still is."""
    was, now = ([graph.place_of(i, s) for i, s in enumerate(row)] for row in (before, after))
    return any(
        place and place != was[i] and (place in now[:i] or place in was[i + 1 :])
        for i, place in enumerate(now)
    )


def _impulse(
    graph: StateGraph, states: Sequence[int], track: Way, at: Sequence[int]
) -> tuple[int, list[int], list[int]] | None:
    """Return a round in which all members go on, or those that must prepare for it do."""
    end, count = len(track) - 1, graph.places.count
    if at[0] == end and (track[end] < count or at[-1] == end):
        return None
    going: list[tuple[int, tuple[int, int, bool] | None]] = []
    for i, state in enumerate(states):
        place = at[i] + 1
        while place < end and track[place] == 0:  # members off the map enter at once
            place += 1
        if graph.is_gone(i, state):
            going.append((at[i], (0, state, True)))
        elif i and place > at[i - 1]:  # the one ahead waits too
            going.append((at[i], (0, graph.idle_of(i, state), True)))
        else:  # the last is alone once the one ahead has left the map
            alone = 0 < i == len(states) - 1 and track[going[-1][0]] >= count
            step = _nearer(graph, i, state, track[place], alone=alone)
            if step is None and i and track[going[-1][0]] >= count:  # that one leaves it behind
                place, step = at[i], (0, graph.idle_of(i, state), True)
                if graph.is_alone(i, state) is not alone:
                    step = _nearer(graph, i, state, track[place], alone=alone)
            going.append((place, step))
    if any(step is None for _, step in going):
        return None
    steps = [(place, *step) for place, step in going if step is not None]
    go = all(last for *_, last in steps)
    after = [
        there if go or not last else graph.idle_of(i, states[i])
        for i, (_, _, there, last) in enumerate(steps)
    ]
    if after == [*states]:
        return None
    cost = graph.round_cost(cost for _, cost, _, last in steps if go or not last)
    return cost, after, [place for place, *_ in steps] if go else list(at)


def _nearer(
    graph: StateGraph, i: int, state: int, spot: int, *, alone: bool
) -> tuple[int, int, bool] | None:
    """Return the first step of a shortest way to the next spot, and whether it is the last."""
    was_alone = graph.is_alone(i, state)
    edge: list[tuple[int, tuple[int, int] | None]] = [(state, None)]
    seen = {state}
    while edge:
        after: list[tuple[int, tuple[int, int] | None]] = []
        for here, first in edge:
            for there, cost, flags, _ in graph.ways(i, here):
                if there in seen:
                    continue
                is_there = graph.is_alone(i, there) is alone
                is_there = is_there or graph.is_gone(i, there)
                if graph.spot_of(i, there) == spot and is_there:
                    return (*(first or (cost, there)), first is None)
                if not flags & PLACE and graph.is_alone(i, there) is was_alone:
                    seen.add(there)
                    after.append((there, first or (cost, there)))
        edge = after
    return None


def _halted(graph: StateGraph, states: Sequence[int]) -> tuple[int, list[int]] | None:
    """Return all members' states after stopping, and the cost; None if one cannot stop, or all are gone."""
    if all(graph.is_gone(i, state) for i, state in enumerate(states)):
        return None
    found = []
    for i, state in enumerate(states):
        if graph.is_gone(i, state):
            found.append((0, state))
            continue
        stops = [
            (cost, to)
            for to, cost, flags, _ in graph.ways(i, state)
            if flags & HALTS or _stops(graph, i, state, to)
        ]
        if not stops:
            return None
        found.append(stops[0])
    return graph.round_cost(cost for cost, _ in found), [to for _, to in found]


def _stops(graph: StateGraph, i: int, state: int, to: int) -> bool:
    """Return whether a moving member stops in place, which does not halt every line."""
    return (
        graph.is_moving(i, state)
        and not graph.is_moving(i, to)
        and graph.place_of(i, state) == graph.place_of(i, to)
    )
