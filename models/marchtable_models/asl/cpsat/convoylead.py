"""Follow-my-leader: the lead goes its best way, the others in its track. Plans in milliseconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.convoyfield import Course, bits_of, image

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable_models.asl.cpsat.convoyfield import Arcs, Field

__all__ = ["followed", "lead_ways"]

Way = list[int]
"""Cells, one after the other."""


def lead_ways(
    field: Field, most: int, budget: int, worth: Callable[[int], int], kept: int
) -> list[Way]:
    """Return ways of the lead alone to some of the cells that are worth most, the cheapest each."""
    layers: list[dict[int, int]] = [{0: field.starts[0]}]
    for _ in range(most):
        after: dict[int, int] = {}
        for spent, states in layers[-1].items():
            for kind, arcs in field.arcs[0].items():
                total = spent + kind.cost
                if total <= budget and (there := image(arcs, states)):
                    after[total] = after.get(total, 0) | there
        layers.append(after)
    reached: dict[int, tuple[int, int, int]] = {}
    for t, nodes in enumerate(layers):
        for spent, states in nodes.items():
            for cell in bits_of(field.hexes_of(states)):
                if (spent, t) < reached.get(cell, (budget + 1, 0, 0))[:2]:
                    inside = states & field.states_in(1 << cell)
                    reached[cell] = (spent, t, inside & -inside)
    best = sorted(reached, key=lambda cell: (-worth(cell), reached[cell][:2], cell))[:kept]
    return [_way_to(field, layers, *reached[cell]) for cell in best]


def _way_to(field: Field, layers: Sequence[dict[int, int]], spent: int, t: int, state: int) -> Way:
    way = [field.cell_of(state.bit_length() - 1)]
    while t:
        t -= 1
        state, spent = _one_before(field.arcs[0], layers[t], spent, state)
        cell = field.cell_of(state.bit_length() - 1)
        if cell != way[-1]:
            way.append(cell)
    return way[::-1]


def _one_before(arcs: Arcs, nodes: dict[int, int], spent: int, state: int) -> tuple[int, int]:
    for kind, ways in arcs.items():
        before = nodes.get(spent - kind.cost, 0)
        for shift, mask in ways:
            found = (state >> shift if shift >= 0 else state << -shift) & mask & before
            if found:
                return found, spent - kind.cost
    raise AssertionError(state)


def followed(field: Field, way: Way, most: int, budget: int) -> Iterator[Course]:
    """Yield what comes of it after each Impulse, and of stopping all after each."""
    states = [start.bit_length() - 1 for start in field.starts]
    track = [*reversed([field.cell_of(s) for s in states[1:]]), *way]
    places = [len(states) - 1 - i for i in range(len(states))]
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


def _meet(field: Field, before: Sequence[int], after: Sequence[int]) -> bool:
    """Tell whether a vehicle enters where another of its Convoy still stands."""
    was = [field.cell_of(state) for state in before]
    now = [field.cell_of(state) for state in after]
    return any(
        cell and cell != was[i] and (cell in now[:i] or cell in was[i + 1 :])
        for i, cell in enumerate(now)
    )


def _impulse(
    field: Field, states: Sequence[int], track: Way, places: Sequence[int]
) -> tuple[int, list[int], list[int]] | None:
    """Return an Impulse in which all go on, or those who have to get ready for it do."""
    if places[0] + 1 >= len(track):
        return None
    going: list[tuple[int, tuple[int, int, bool] | None]] = []
    for i, state in enumerate(states):
        place = places[i] + 1
        while track[place] == 0:  # who waits off the map comes on at once
            place += 1
        if i and place > places[i - 1]:  # the one ahead waits, too
            going.append((places[i], (0, state, True)))
        else:
            going.append((place, _nearer(field, i, state, track[place])))
    if any(step is None for _, step in going):
        return None
    steps = [(place, *step) for place, step in going if step is not None]
    if all(last for *_, last in steps):
        return max(c for _, c, _, _ in steps), [s for _, _, s, _ in steps], [p for p, *_ in steps]
    cost = max(c for _, c, _, last in steps if not last)
    after = [
        state if last else there for state, (_, _, there, last) in zip(states, steps, strict=True)
    ]
    return cost, after, list(places)


def _nearer(field: Field, i: int, state: int, cell: int) -> tuple[int, int, bool] | None:
    """Return the first step of a shortest way to a neighbouring cell, and whether it is the last."""
    edge: list[tuple[int, tuple[int, int] | None]] = [(state, None)]
    seen = {state}
    while edge:
        after: list[tuple[int, tuple[int, int] | None]] = []
        for here, first in edge:
            for kind, arcs in field.arcs[i].items():
                for shift, mask in arcs:
                    there = here + shift
                    if not mask >> here & 1 or there in seen:
                        continue
                    if field.cell_of(there) == cell:
                        took = first or (kind.cost, there)
                        return (*took, first is None)
                    if not kind.place:
                        seen.add(there)
                        after.append((there, first or (kind.cost, there)))
        edge = after
    return None


def _halted(field: Field, states: Sequence[int]) -> tuple[int, tuple[int, ...]] | None:
    """Return all of them stopped, and for how much."""
    after, dearest = [], 0
    for i, state in enumerate(states):
        stops = [
            (kind.cost, state + shift)
            for kind, arcs in field.arcs[i].items()
            if kind.halts
            for shift, mask in arcs
            if mask >> state & 1
        ]
        if not stops:
            return None
        after.append(stops[0][1])
        dearest = max(dearest, stops[0][0])
    return dearest, tuple(after)
