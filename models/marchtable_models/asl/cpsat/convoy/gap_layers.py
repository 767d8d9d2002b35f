"""Where each vehicle of a Convoy that a Gap parts can be on the way to an end that is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable.planning.line.compiled import run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.planning.line.task import Row
    from marchtable_models.asl.cpsat.convoy.ends import Ends

__all__ = ["Reached", "reached"]

ROUNDS = 2
"""How often what ends leave is gone through."""


class Reached(NamedTuple):
    """
    Masks of what a vehicle's part may have spent, by Impulse, vehicle and state.

    Parameters
    ----------
    active
        On the way, the ends included.
    ends
        When the part ends its MPh.
    """

    active: Any
    ends: Any


def reached(
    graph: StateGraph,
    rules: Ends | None,
    left: Sequence[int],
    most: Sequence[int],
    rows: Sequence[Row],
    parts: Sequence[range],
    within: Reached | None = None,
) -> Reached | None:
    """
    Return where each vehicle can be, as it and those beside it in its part tell; None if one can end nowhere.

    Parameters
    ----------
    graph, rules
        The states, and how the MPh may end; None: anyhow.
    left, most
        By vehicle: what the poorest of its part has left, and what it may spend, in half points.
    rows
        What the plan must come to.
    parts
        The vehicles of each, each beside the one ahead.
    within
        What is known to be left however the MPh may end: the fewer states are, the less is asked.
    """
    shape = (graph.most + 1, graph.count, graph.size)
    if within is None:
        active = graph.masks.reshape(shape).copy()
        for i, cap in enumerate(most):
            active[:, i] &= (1 << cap // graph.grain + 1) - 1
        ends = active.copy()
        ends[0] = 0
    else:
        active, ends = within
    for _ in range(ROUNDS if rules else 1):
        if rules:
            for i, own in enumerate(left):
                ends[:, i] &= _may_end(graph, rules, i, own, ends[:, i].any(axis=0))
        _meet(graph, ends, rows)
        for part in parts:
            here = slice(part.start, part.stop)
            active[:, here] = _on_the_way(graph, here, active[:, here], ends[:, here])
        ends &= active
        if not ends.any(axis=(0, 2)).all():
            return None
    return Reached(active, ends)


def _may_end(graph: StateGraph, rules: Ends, i: int, most: int, live: Any) -> Any:
    """Return by state the sums for which a vehicle may end there, whatever stands before it, if that is asked."""
    found = np.full(graph.size, graph.full, np.int64 if graph.small else object)
    moving = [s for s in np.flatnonzero(live).tolist() if rules.bound and graph.is_moving(i, s)]
    if moving:
        found[moving] = rules.after(i, moving, most)
    return found


def _meet(graph: StateGraph, ends: Any, rows: Sequence[Row]) -> None:
    """Keep ends with which each row is met if all other vehicles do their best."""
    for row in rows:
        each = row.points * graph.grain // graph.count
        spent = each * np.arange(graph.levels)
        sums = [_sums(graph, row, i, ends[:, i], spent) for i in range(graph.count)]
        best = [found.max(initial=-(2**40)) for _, found in sums]
        for i, (able, found) in enumerate(sums):
            kept = able & (found - best[i] + sum(best) >= row.least)
            bits = [int(b) for b in 1 << np.arange(graph.levels).astype(object)]
            wide = kept.astype(object)  # bits beyond those of any int
            told = sum((wide[:, x] * bit for x, bit in enumerate(bits)), np.zeros(1, ends.dtype))
            ends[:, i, : graph.span[i]] &= told.astype(ends.dtype)


def _sums(graph: StateGraph, row: Row, i: int, ends: Any, spent: Any) -> tuple[Any, Any]:
    """Return by state and sum whether a vehicle can end so, and what that adds, low if it cannot."""
    live = np.bitwise_or.reduce(ends, axis=0)[: graph.span[i]]
    able = (live[:, None] >> np.arange(graph.levels) & 1).astype(bool)
    here = graph.base[i] + np.arange(graph.span[i])
    gains = row.gains[i][graph.spot[here]]
    return able, np.where(able, gains[:, None] + spent, -(2**40))


def _on_the_way(graph: StateGraph, part: slice, masks: Any, ends: Any) -> Any:
    """Return what of some masks of a part's vehicles lies on a way from its start to some ends."""
    kind = np.int64 if graph.small else object
    bounds = np.ascontiguousarray(masks).reshape(-1)
    back, ahead, none = (np.zeros(n, kind) for n in (len(bounds), len(bounds), 0))
    paying = np.zeros(graph.most * len(graph.costs), kind)
    count = masks.shape[1]
    line = graph.line._replace(
        members=count, base=graph.base[part], span=graph.span[part],
        entering=graph.entering[part].reshape(-1), linked=np.minimum(np.arange(count), 1),
    )  # fmt: skip
    over = np.ascontiguousarray(ends).reshape(-1)
    told = (graph.moves, line)
    run("traced", graph.levels, len(bounds), back, bounds, over, none, paying, *told)
    step = count * graph.size
    ahead[:step] = back[:step]
    todo = np.zeros(len(graph.place), np.int64)
    run("spread", graph.levels, len(bounds), ahead, back, none, todo, *told)
    return ahead.reshape(masks.shape)
