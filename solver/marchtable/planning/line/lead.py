"""Follow-my-leader: the lead goes its best way, the others in its track. Plans in milliseconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.planning.line.graph import HALTS, PLACE
from marchtable.planning.line.states import Course

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.planning.line.field import StateGraph

__all__ = ["followed", "lead_ways", "ways_past"]

TRIES = 200
"""How many ways, whole or begun, are looked at for those past a place."""
Way = list[int]
"""Places, one after the other."""


def lead_ways(field: StateGraph, worth: Any, kept: int) -> list[Way]:
    """Return ways of the lead to some of the places that are worth most, the cheapest each."""
    masks = field.masks.reshape(field.most + 1, field.count, field.size)[:, 0]
    place = field.place[: field.span[0]]
    live = np.flatnonzero(masks.any(axis=0))
    live = live[field.spot[live] < field.places.count]  # who has left the map leads nobody
    hopes = np.sort(worth[np.unique(place[live])])[-kept:]
    reached: dict[int, tuple[int, int, int]] = {}
    for state in live[worth[place[live]] >= hopes[0]].tolist():
        for t in np.flatnonzero(masks[:, state]).tolist():
            mask, p = int(masks[t, state]), int(place[state])
            level = (mask & -mask).bit_length() - 1
            if (level, t) < reached.get(p, (field.levels, 0, 0))[:2]:
                reached[p] = (level, t, state)
    best = sorted(reached, key=lambda p: (-worth[p], reached[p][:2], p))[:kept]
    return [_way_to(field, masks, *reached[p]) for p in best]


def ways_past(field: StateGraph, place: int, more: int, most: int) -> Iterator[Way]:
    """Yield some ways of the lead past a place and so many further, where they are as long as that."""
    worth = np.zeros(len(field.places), np.int64)
    worth[place] = 1
    told = [way for way in lead_ways(field, worth, 1) if way[-1] == place]
    start = {field.place_of(i, state) for i, state in enumerate(field.starts)}
    tries = TRIES
    while told and most and tries:
        way, tries = told.pop(), tries - 1
        if len(way) > more and way[-1 - more] == place:
            most -= 1
            yield way
            continue
        numbers, name = field.places.number, field.places.names[way[-1]]
        beside = [numbers[to] for _, to in field.board.neighbours(name)] if name else []
        near = sorted(p for p in beside if p not in way and not field.shut[p])
        told += sorted(([*way, p] for p in near), key=lambda each: each[-1] not in start)


def _way_to(field: StateGraph, masks: Any, level: int, t: int, state: int) -> Way:
    way = [field.place_of(0, state)]
    while t:
        t -= 1
        level, state = _one_before(field, masks[t], level, state)
        place = field.place_of(0, state)
        if place != way[-1]:
            way.append(place)
    return way[::-1]


def _one_before(field: StateGraph, masks: Any, level: int, state: int) -> tuple[int, int]:
    """Return what had been spent in a state before another, at most, and that state."""
    arcs = np.flatnonzero(field.to[: field.first[field.span[0]]] == state)
    arcs = arcs[field.kind[arcs] >= 0]
    ways = zip(
        field.costs[np.maximum(field.kind[arcs], 1)].tolist(),  # who waits: what the others pay
        (np.searchsorted(field.first, arcs, "right") - 1).tolist(),
        strict=True,
    )
    stayed = np.flatnonzero(field.idle[: field.span[0]] == state).tolist()
    least = int(field.costs[1])
    for cost, other in [*ways, *((least, s) for s in stayed)]:
        mask = int(masks[other]) & (1 << level - cost + 1) - 1 if level >= cost else 0
        if mask:
            return mask.bit_length() - 1, other
    raise AssertionError(state)


def followed(field: StateGraph, way: Way) -> Iterator[Course]:
    """Yield what comes of it after each round, and of stopping all after each."""
    most, budget, states = field.most, field.budget, list(field.starts)
    track, places = _track(_places(field, states))
    track += way[1:]
    rows, spent = [tuple(states)], [0]
    for _ in range(most):
        moved = _impulse(field, states, track, places)
        if moved is None or spent[-1] + moved[0] > budget or _meet(field, states, moved[1]):
            return
        states = moved[1]
        places = moved[2]
        rows.append(tuple(states))
        spent.append(spent[-1] + moved[0])
        yield Course(tuple(rows), tuple(spent))
        stopped = _halted(field, states)
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


def _places(field: StateGraph, states: Sequence[int]) -> list[int]:
    return [field.place_of(i, state) for i, state in enumerate(states)]


def _meet(field: StateGraph, before: Sequence[int], after: Sequence[int]) -> bool:
    """Tell whether a member enters where another of its line still stands."""
    was, now = _places(field, before), _places(field, after)
    return any(
        place and place != was[i] and (place in now[:i] or place in was[i + 1 :])
        for i, place in enumerate(now)
    )


def _impulse(
    field: StateGraph, states: Sequence[int], track: Way, places: Sequence[int]
) -> tuple[int, list[int], list[int]] | None:
    """Return a round in which all go on, or those who have to get ready for it do."""
    if places[0] + 1 >= len(track):
        return None
    going: list[tuple[int, tuple[int, int, bool] | None]] = []
    for i, state in enumerate(states):
        place = places[i] + 1
        while track[place] == 0:  # who waits off the map comes on at once
            place += 1
        if i and place > places[i - 1]:  # the one ahead waits, too
            going.append((places[i], (0, field.idle_of(i, state), True)))
        else:
            going.append((place, _nearer(field, i, state, track[place])))
    if any(step is None for _, step in going):
        return None
    steps = [(place, *step) for place, step in going if step is not None]
    if all(last for *_, last in steps):
        return max(c for _, c, _, _ in steps), [s for _, _, s, _ in steps], [p for p, *_ in steps]
    cost = max(c for _, c, _, last in steps if not last)
    after = [
        field.idle_of(i, state) if last else there
        for i, (state, (_, _, there, last)) in enumerate(zip(states, steps, strict=True))
    ]
    return cost, after, list(places)


def _nearer(field: StateGraph, i: int, state: int, place: int) -> tuple[int, int, bool] | None:
    """Return the first step of a shortest way to a neighbouring place, and whether it is the last."""
    edge: list[tuple[int, tuple[int, int] | None]] = [(state, None)]
    seen = {state}
    while edge:
        after: list[tuple[int, tuple[int, int] | None]] = []
        for here, first in edge:
            for there, cost, flags, _ in field.ways(i, here):
                if there in seen:
                    continue
                if field.place_of(i, there) == place:
                    return (*(first or (cost, there)), first is None)
                if not flags & PLACE:
                    seen.add(there)
                    after.append((there, first or (cost, there)))
        edge = after
    return None


def _halted(field: StateGraph, states: Sequence[int]) -> tuple[int, tuple[int, ...]] | None:
    """Return all of them stopped, and for how much."""
    after, dearest = [], 0
    for i, state in enumerate(states):
        stops = [(cost, to) for to, cost, flags, _ in field.ways(i, state) if flags & HALTS]
        if not stops:
            return None
        after.append(stops[0][1])
        dearest = max(dearest, stops[0][0])
    return dearest, tuple(after)
