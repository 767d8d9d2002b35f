"""Time-expanded layers: where the members of a line can be on the way to what is wanted."""

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
"""How often what single members leave is gone through again."""
PART_PASSES = 2
"""How often what parts leave each other is gone through."""
EXTRA_ROUNDS = (0, 1, 3, None)
"""By how many rounds more than a plan takes at least any plan is sought first; None: by any number."""


def narrowed(
    graph: StateGraph,
    wanted: Wanted,
    ends: AnyEnd,
    within: Layers,
) -> Layers | None:
    """
    Return masks of what lies on a way from the start to an end, and of the ends; None if nothing.

    Looks only at each member and those beside it.

    Parameters
    ----------
    graph, wanted
        The states, and what the end must come to.
    ends
        How members may end their turn.
    within
        What is left for ends of which these are some.
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
    Return by how much plans may exceed what the first row wants, as far as the ends show.

    In the unit of that row's gains: an upper bound, below 0 if plans must fall short of it. None if
    there is no end, or only such as other rows rule out.
    """
    found = _hope(graph, wanted, _ends(graph, wanted, masks, ends), 0)
    return None if found == NONE else int(found - wanted.least[0])


# -- single members -------------------------------------------------------------------------------


def _ends(graph: StateGraph, wanted: Wanted, masks: Any, ends: AnyEnd) -> Any:
    """Return what of some ends is wanted: all moving or all stopped but those that do not count, or as it comes."""
    if not ends.all_alike:
        return _fitting(graph, wanted, masks.copy())
    table = masks.reshape(graph.most + 1, -1)
    moving = _row(graph, graph.moving).reshape(graph.count, -1)
    counted = np.array([i not in ends.uncounted for i in range(graph.count)])[:, None]
    going = (table * np.where(counted, moving, 1).reshape(-1)).reshape(-1)
    resting = masks & ~(table * np.where(counted, moving, 0).reshape(-1)).reshape(-1)
    return _fitting(graph, wanted, going) | _fitting(graph, wanted, resting)


def ends_within(graph: StateGraph, masks: Any, more: int) -> Any:
    """Return those of some ends that come at most so many rounds after the first of them."""
    ends = masks.reshape(graph.most + 1, -1).copy()
    ends[int(np.flatnonzero(ends.any(axis=1)).min()) + more + 1 :] = 0
    return ends.reshape(-1)


def _row(graph: StateGraph, values: Any) -> Any:
    """Arrange values of states as a table of masks has them after one round."""
    row = np.zeros((graph.count, graph.size), np.int64)
    for i in range(graph.count):
        row[i, : graph.span[i]] = values[graph.base[i] : graph.base[i] + graph.span[i]]
    return row.reshape(-1)


def _fitting(graph: StateGraph, wanted: Wanted, ends: Any) -> Any:
    ends[: graph.count * graph.size] = 0  # who makes no round ends no turn
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
    Return what is left of some layers if parts of the line spend sums of their own; None if nothing.

    Parameters
    ----------
    parts
        For each: its members; they as a line of their own; and, for each row of `wanted`, what each
        level that they spend adds to it.
    wanted, layers
        What the ends must come to all together, and masks of the whole line.
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
    """Return the most that some ends can come to in a row, :data:`NONE` if there is none."""
    gains, flat = (table.reshape(len(wanted.least), -1)[r] for table in (wanted.gains, wanted.flat))
    arguments = (ends, graph.most, graph.levels, np.zeros(2 * graph.levels, np.int64))
    row = Wanted(gains, flat, wanted.points[r:], wanted.least)
    return int(run("hoped", graph.levels, len(ends), *arguments, row, graph.line))
