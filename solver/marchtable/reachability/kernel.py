"""
The search kernel: the least points spent in each state of a compiled space.

A bucket queue (Dial) over integer arrays. Its work grows with the states reached, not with the map:
a workspace is kept per space and cleared only where it was touched. `kernel` is one plain Python
function that answers query after query in one call. It runs uncompiled at first; numba compiles it,
if usable, once enough work has been done to pay for that. ``MARCHTABLE_KERNEL`` (``python``,
``numba`` or ``auto``) forces the choice. All costs are in half points.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

from marchtable.budget import look
from marchtable.errors import BadInputError
from marchtable.reachability.queries import Queries, limits_of
from marchtable.reachability.space import Reached, SearchSpace, Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int32]

__all__ = [
    "Reached",
    "SearchSpace",
    "Workspace",
    "backend",
    "kernel",
    "search",
    "search_batch",
    "warm",
]

READ_ONLY = ("uuuuni",)  # the kernel's first parameter: uint32, a number, int32
WRITABLE = ("iii", "iuu", "uiii")  # the others: queries, workspace, results
WARM_UP = 50_000  # states: reached uncompiled in a quarter of numba's import time; a side's first options exceed it


def kernel(graph: Any, queries: Any, work: Any, results: Any) -> int:
    """
    Answer queries one after another; return how many were answered before the results were full.

    Query q has the starts from ``bounds[q]`` to ``bounds[q + 1]``. Its results end at ``marks[2 *
    q]``, sorted by increasing cost unless ``marks[2 * q + 1]`` is set.

    ``node[2 * s]`` is the least known cost of state s, one more than its limit while it is
    unreached, so that one comparison decides; the arc that reached it is next to it. An arc is its
    target and, in the low `bits`, its cost; of an end, the least that must be left. A queue entry is a state and the next entry; entry 0
    means none, so `heads` is all zero between queries. Each arc is relaxed at most once, hence at
    most one entry for each arc and start. An entry whose state has since been reached for less is
    stale: its key is no longer the node's.
    """
    first, middle, last, arcs, bits, limit = graph
    bounds, starts, start_costs = queries
    node, heads, queue = work
    order, spent, arc, marks = results
    mask, low = len(heads) - 1, (1 << bits) - 1
    count = 0
    for query in range(len(bounds) - 1):
        begin = count
        if begin + len(limit) > len(order):
            return query
        used = 2
        for i in range(bounds[query], bounds[query + 1]):  # sorted by cost
            state = starts[i]
            total = start_costs[i]
            if total < node[2 * state]:
                node[2 * state] = total
                node[2 * state + 1] = -1
                queue[used] = state
                queue[used + 1] = heads[total & mask]
                heads[total & mask] = used
                used += 2
        queued = used - 2
        now = start_costs[bounds[query]]
        ends = False
        while queued > 0:
            entry = heads[now & mask]
            if entry == 0:
                now += 1
                continue
            heads[now & mask] = queue[entry + 1]
            queued -= 2
            state = queue[entry]
            if node[2 * state] != now:
                continue
            order[count] = state
            count += 1
            for a in range(first[state], middle[state]):
                to = arcs[a] >> bits
                total = now + (arcs[a] & low)
                if total < node[2 * to]:
                    node[2 * to] = total
                    node[2 * to + 1] = a
                    bucket = total & mask
                    queue[used] = to
                    queue[used + 1] = heads[bucket]
                    heads[bucket] = used
                    used += 2
                    queued += 2
            if middle[state] < last[state]:
                ends = True
        marks[2 * query + 1] = 0
        if ends:
            settled = count
            highest = now  # points spent at the last state
            for i in range(begin, settled):
                state = order[i]
                now = node[2 * state]
                for a in range(middle[state], last[state]):
                    to = arcs[a] >> bits
                    total = limit[to]
                    if now + (arcs[a] & low) <= total < node[2 * to]:
                        node[2 * to] = total
                        node[2 * to + 1] = a
                        order[count] = to
                        count += 1
                        if total < highest:
                            marks[2 * query + 1] = 1
                        highest = total
        marks[2 * query] = count
        for i in range(begin, count):
            state = order[i]
            spent[i] = node[2 * state]
            arc[i] = node[2 * state + 1]
            node[2 * state] = limit[state] + 1
    return len(bounds) - 1


class Uncompiled:
    """The number of states this process has reached in plain Python."""

    reached = 0


def backend() -> str:
    """Return the backend of the next search: ``"numba"`` or ``"python"``."""
    wanted = os.environ.get("MARCHTABLE_KERNEL", "auto")
    if wanted not in ("auto", "numba", "python"):
        raise BadInputError(
            f"{wanted!r} is no kernel; expected auto, numba or python", field="MARCHTABLE_KERNEL"
        )
    if wanted == "python" or (wanted == "auto" and Uncompiled.reached < WARM_UP):
        return "python"
    if compiled_kernel() is not None:
        return "numba"
    if wanted == "numba":
        raise BadInputError("numba cannot be used here", field="MARCHTABLE_KERNEL")
    return "python"


def warm() -> None:
    """Compile searches from now on, where possible: for a process that will run many."""
    Uncompiled.reached = max(Uncompiled.reached, WARM_UP)
    backend()


@cache
def compiled_kernel() -> Callable[..., int] | None:
    look()  # loading numba takes up to a second
    try:
        from numba import njit, types
    except Exception:  # run without numba, whatever it raises
        return None
    arrays = {"i": types.int32, "u": types.uint32}
    signature = tuple(
        types.Tuple(  # type: ignore[no-untyped-call]
            [
                types.Array(arrays[kind], 1, "C", readonly=readonly)
                if kind in arrays
                else types.int64
                for kind in kinds
            ]
        )
        for parameters, readonly in ((READ_ONLY, True), (WRITABLE, False))
        for kinds in parameters
    )
    for cached in (True, False):
        try:
            compiled: Callable[..., int] = njit(
                signature, cache=cached, nogil=True, boundscheck=False
            )(kernel)
        except Exception:  # noqa: S112 - most likely nowhere to write the cache
            continue
        return compiled
    return None


def search(
    space: SearchSpace, starts: Sequence[int], start_costs: Sequence[int], limit: Ints | None = None
) -> Reached:
    """
    Find every state within the limits and its least cost.

    Safe to call from several threads on one space: the compiled kernel releases the GIL.

    Parameters
    ----------
    space
        The search space.
    starts
        The starting states; one whose cost exceeds its limit is left out.
    start_costs
        The half points spent in each of them.
    limit
        Limits per state, in half points, that replace the space's own.

    Raises
    ------
    InternalError
        If the starts do not fit the space: only marchtable supplies them.
    BadInputError
        If the limits do not fit.
    """
    return search_batch(space, [starts], [start_costs], [limit])[0]


def search_batch(
    space: SearchSpace,
    starts: Sequence[Sequence[int]],
    start_costs: Sequence[Sequence[int]],
    limits: Sequence[Ints | None] | None = None,
) -> list[Reached]:
    """
    Run `search` for many units on one space: entry k of each sequence belongs to unit k.

    Results share memory: to keep one of many for long, copy its table.
    """
    count = len(starts)
    limits = [None] * count if limits is None else limits
    if not count == len(start_costs) == len(limits):
        raise BadInputError("expected as many starts, costs and limits", source="search")
    queries = Queries(space, starts, start_costs)
    found: list[Reached] = []
    for k, limit in enumerate(limits):
        if limit is not None:
            _answered(queries, found, k)
            _answered(queries, found, k + 1, limit)
    _answered(queries, found, count)
    return found


def _answered(queries: Queries, found: list[Reached], stop: int, limit: Ints | None = None) -> None:
    """Append the results of the next queries, up to one of them."""
    space, own = queries.space, limit is not None
    checked = space.limit if limit is None else limits_of(space, limit)
    while len(found) < stop:
        # compiling may become worthwhile on the way
        run = compiled_kernel() if backend() == "numba" else None
        compiled = run is not None
        work = Workspace(checked, compiled=compiled) if own else space.lend(compiled=compiled)
        work.fit(space, queries.span)
        asked, marks = queries.part(len(found), stop, compiled=compiled)
        graph = (*space.arrays, checked) if compiled else (*space.lists, checked.data)
        searched: Callable[..., int] = run or kernel
        done = searched(graph, asked, tuple(work.parts[:3]), (*work.parts[3:], marks))
        reached = work.results(space, done, marks)
        if not compiled:
            Uncompiled.reached += sum(map(len, reached))
        if not own:  # after an error it is not clean: never reuse it
            space.spare[work.compiled].append(work)
        found += reached
