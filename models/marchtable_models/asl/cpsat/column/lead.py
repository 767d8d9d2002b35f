"""First plans without a solver: the lead goes somewhere by a cheapest way, all others follow."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.column.field import Course
from marchtable_models.asl.cpsat.column.line import FREE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable_models.asl.cpsat.column.field import Field
    from marchtable_models.asl.cpsat.column.steps import State

__all__ = ["followed", "lead_ways"]


def lead_ways(field: Field) -> Iterator[tuple[State, ...]]:
    """Yield for each state within the lead's reach a cheapest way there, without the start."""
    start = field.line.starts[0]
    paid: dict[State, int] = {start: 0}
    before: dict[State, State] = {}
    edge = [(0, 0, start)]
    made = 0
    ways: dict[State, tuple[State, ...]] = {start: ()}
    within = {state for layer in field.domains for state in layer[0]}
    while edge:
        spent, _, here = heappop(edge)
        if spent > paid[here]:
            continue
        if here in before:
            ways[here] = (*ways[before[here]], here)
            if len(ways[here]) > field.last:
                continue
            yield ways[here]
        for to, step in field.ways(0, here).items():
            total = spent + step.cost
            if to in within and total < paid.get(to, total + 1):
                made += 1
                paid[to], before[to] = total, here
                heappush(edge, (total, made, to))


def followed(field: Field, way: Sequence[State]) -> Course | None:
    """Return the plan in which all follow the lead along a way, as far as they can."""
    line, rows, left = field.line, [tuple(field.line.starts)], _means(field, field.line.starts)
    spent = 0
    for to in way:
        row, cost = _impulse(field, rows[-1], to)
        if row is None:
            break
        spent += cost
        if spent > min(left, _means(field, row)):
            break
        if not all(line.linked(r, row[r - 1].at, row[r].at) for r in range(1, len(row))):
            break
        rows.append(row)
    return Course(tuple(rows)) if len(rows) > 1 else None


def _means(field: Field, row: Sequence[State]) -> int:
    """Return what the poorest may spend from the start on."""
    found = [field.line.means(r, state) for r, state in enumerate(row)]
    return min(FREE if each is None else each for each in found)


def _impulse(field: Field, row: Sequence[State], to: State) -> tuple[tuple[State, ...] | None, int]:
    """Return what comes of an Impulse in which the lead goes somewhere, and what it costs."""
    places = [state.at for state in row]
    if to.at in places:
        return None, 0
    after, dearest = [], 0
    for r, state in enumerate(row):
        target = to.at if not r else places[r - 1]
        if target is None or target == state.at:  # those ahead wait off the map, or stand here too
            after.append(state.idle)
            continue
        found = field.towards(r, state, target)
        step = min(found, key=lambda each: each.cost, default=None)
        if step is None:
            return None, 0
        after.append(step.to)
        dearest = max(dearest, step.cost)
    return tuple(after), dearest
