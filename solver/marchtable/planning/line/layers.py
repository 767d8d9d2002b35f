"""Time-expanded layers: where the members of a line can be on the way to a wanted end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.planning.line.compiled import run
from marchtable.planning.line.sweep import NONE, Layers, Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.planning.line.problem import AnyEnd
    from marchtable.planning.line.state_graph import StateGraph

__all__ = ["EXTRA_ROUNDS", "ends_within", "hope", "in_parts", "narrowed"]

PASSES = 3
"""Maximum number of passes over single members."""
PART_PASSES = 2
"""Number of passes over parts."""
EXTRA_ROUNDS = (0, 1, 3, None)
"""Additional rounds, beyond the minimum, in which any plan is sought first; None: any number."""


def narrowed(
    graph: StateGraph,
    wanted: Wanted,
    ends: AnyEnd,
    within: Layers,
) -> Layers | None:
    """
    Return masks of what lies on a way from the start to an end, and of the ends; None if empty.

    Considers only each member and its neighbours.

    Parameters
    ----------
    graph, wanted
        The states, and what the end must reach.
    ends
        The possible ends of members.
    within
        Earlier layers for a superset of these ends.
    """
    found = _narrowed(graph, wanted, within._replace(ends=_ends(graph, wanted, within.ends, ends)))
    if found is None:
        return found
    sure = _ends(graph, wanted, found.ends & ends.may_end(found.ends), ends)
    if np.array_equal(sure, found.ends):
        return found
    return _narrowed(graph, wanted, found._replace(ends=sure))


def hope(graph: StateGraph, wanted: Wanted, masks: Any, ends: AnyEnd) -> int | None:
    """
    Return by how much plans may exceed the first row's demand, judged by their ends.

    An upper bound in the unit of that row's gains; negative if plans must fall short. None if there
    is no end, or other rows rule out all.
    """
    found = _hope(graph, wanted, _ends(graph, wanted, masks, ends), 0)
    return None if found == NONE else int(found - wanted.least[0])


# -- single members -------------------------------------------------------------------------------


def _ends(graph: StateGraph, wanted: Wanted, masks: Any, ends: AnyEnd) -> Any:
    """Return the wanted ends: all moving or all stopped (except uncounted members), or any."""
    if not ends.all_alike:
        return _fitting(graph, wanted, masks.copy())
    table = masks.reshape(graph.most + 1, -1)
    moving = _row(graph, graph.moving).reshape(graph.count, -1)
    counted = np.array([i not in ends.uncounted for i in range(graph.count)])[:, None]
    going = (table * np.where(counted, moving, 1).reshape(-1)).reshape(-1)
    resting = masks & ~(table * np.where(counted, moving, 0).reshape(-1)).reshape(-1)
    return _fitting(graph, wanted, going) | _fitting(graph, wanted, resting)


def ends_within(graph: StateGraph, masks: Any, more: int) -> Any:
    """Return the ends at most so many rounds after the first of them."""
    ends = masks.reshape(graph.most + 1, -1).copy()
    ends[int(np.flatnonzero(ends.any(axis=1)).min()) + more + 1 :] = 0
    return ends.reshape(-1)


def _row(graph: StateGraph, values: Any) -> Any:
    """Arrange values by state like a table of masks after one round."""
    row = np.zeros((graph.count, graph.size), np.int64)
    for i in range(graph.count):
        row[i, : graph.span[i]] = values[graph.base[i] : graph.base[i] + graph.span[i]]
    return row.reshape(-1)


def _fitting(graph: StateGraph, wanted: Wanted, ends: Any) -> Any:
    ends[: graph.count * graph.size] = 0  # without a round no turn ends
    if not np.count_nonzero(ends):
        return ends
    best = np.zeros((graph.count + 1) * graph.levels, np.int64)
    arguments = (graph.levels, len(ends), ends, graph.most)
    run("fitting", *arguments, graph.levels, best, wanted, graph.line)
    run("matched", *arguments, graph.line)
    return ends


def _narrowed(graph: StateGraph, wanted: Wanted, layers: Layers) -> Layers | None:
    active, ends = layers
    tried, back, tables = 0, graph.blank(), (graph.blank(), graph.blank())
    while np.count_nonzero(ends):
        back.fill(0)
        if not run(
            "sweep_back", graph.levels, len(back), back, active, ends, graph.moves, graph.line
        ):
            return None
        ahead = tables[tried % 2]
        ahead.fill(0)
        step = graph.count * graph.size
        ahead[:step] = back[:step]
        todo = np.zeros(len(graph.place), np.int64)
        run("sweep_forward", graph.levels, len(back), ahead, back, todo, graph.moves, graph.line)
        kept = ends & ahead
        tried += 1
        is_same = np.array_equal(kept, ends)
        is_done = is_same and (tried > PASSES or np.array_equal(active, ahead))
        active = ahead
        if is_done:
            return Layers(active, kept)
        if not is_same:
            ends = _fitting(graph, wanted, kept)
    return None


# -- parts ----------------------------------------------------------------------------------------


def in_parts(
    parts: Sequence[tuple[range, StateGraph, Sequence[int]]], wanted: Wanted, layers: Layers
) -> Layers | None:
    """
    Return what is left of layers if parts of the line spend sums of their own; None if empty.

    Parameters
    ----------
    parts
        For each: its members; a line of these; and, for each row of `wanted`, what each level that
        they spend adds.
    wanted, layers
        What all ends together must reach, and masks of the whole line.
    """
    rows, count = len(wanted.least), sum(len(own) for own, *_ in parts)
    gains, flat = wanted.gains.reshape(rows, count, -1), wanted.flat.reshape(rows, count)
    tables = layers.active.copy(), layers.ends.copy()
    shown = [table.reshape(-1, count, gains.shape[2]) for table in tables]
    for own, graph, _ in parts:
        for table in shown:
            table[:, own] &= graph.masks.reshape(-1, len(own), graph.size)
    split = [
        Wanted(gains[:, own].reshape(-1), flat[:, own].reshape(-1), np.array(points), wanted.least)
        for own, _, points in parts
    ]
    for _ in range(PART_PASSES):
        hopes = np.array([
            [_hope(graph, each, _flat(shown[1][:, own]), r) for r in range(rows)]
            for (own, graph, _), each in zip(parts, split, strict=True)
        ])  # fmt: skip
        if (hopes == NONE).any():
            return None
        for (own, graph, _), each, hoped in zip(parts, split, hopes, strict=True):
            some = each._replace(least=wanted.least - hopes.sum(axis=0) + hoped)
            active, ends = (_flat(table[:, own]) for table in shown)
            ends = _fitting(graph, some, ends)
            found = _narrowed(graph, some, Layers(active, ends))
            if found is None:
                return None
            for table, left in zip(shown, found[:2], strict=True):
                table[:, own] = left.reshape(-1, len(own), gains.shape[2])
    return Layers(*tables)


def _flat(table: Any) -> Any:
    return np.ascontiguousarray(table).reshape(-1)


def _hope(graph: StateGraph, wanted: Wanted, ends: Any, r: int) -> int:
    """Return the maximum of a row over some ends, :data:`NONE` if there is none."""
    gains, flat = (table.reshape(len(wanted.least), -1)[r] for table in (wanted.gains, wanted.flat))
    arguments = (ends, graph.most, graph.levels, np.zeros(2 * graph.levels, np.int64))
    row = Wanted(gains, flat, wanted.points[r:], wanted.least)
    return int(run("hoped", graph.levels, len(ends), *arguments, row, graph.line))
