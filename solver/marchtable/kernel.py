"""The search kernel: the least that must be spent to be in each state of a compiled space.

A bucket queue (Dial) over integer arrays. Its work grows with the states reached, not with the
map: a workspace is kept per space and cleared only where it was touched. `kernel` is one plain
Python function; numba compiles it once enough work has been done to pay for that, and it runs as
it stands until then and wherever numba is of no use. ``MARCHTABLE_KERNEL`` (``python``,
``numba`` or ``auto``) forces the choice. All costs are in half points.
"""

from __future__ import annotations

import os
from functools import cache
from operator import index
from typing import TYPE_CHECKING, Any

from marchtable.errors import BadInputError
from marchtable.space import UNREACHED, Reached, Space, Workspace, ints

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int32]

__all__ = ["Reached", "Space", "Workspace", "backend", "kernel", "search", "search_batch"]

READ_ONLY = "uuiuuii"  # the first parameters of the kernel: int32 or uint32
WRITABLE = "ii" + "iuuuiiuiii"  # the others: the starts, the workspace
WARM_UP = 100_000  # to reach so many uncompiled takes about as long as to import numba


def kernel(
    indptr: Any, target: Any, cost: Any, end_indptr: Any, end_target: Any, end_before: Any,
    limit: Any, starts: Any, start_costs: Any,
    dist: Any, heads: Any, after: Any, entry_state: Any, entry_parent: Any, entry_arc: Any,
    order: Any, spent: Any, parent: Any, arc: Any,
) -> tuple[int, int]:  # fmt: skip
    """
    Settle states by increasing cost; return how many were, without and with end arcs.

    Entry 0 of the queue means none, so `heads` is all zero between queries. Each arc is
    relaxed at most once, hence at most one entry for each arc and start. An entry whose state
    has since been reached for less is stale: its key no longer equals `dist`.
    """
    mask = len(heads) - 1
    used = 1
    for i in range(len(starts)):  # sorted by cost
        state = starts[i]
        total = start_costs[i]
        if total < dist[state] and total <= limit[state]:
            dist[state] = total
            entry_state[used] = state
            entry_parent[used] = entry_arc[used] = -1
            after[used] = heads[total & mask]
            heads[total & mask] = used
            used += 1
    queued = used - 1
    now = start_costs[0]
    count = 0
    while queued > 0:
        bucket = now & mask
        entry = heads[bucket]
        if entry == 0:
            now += 1
            continue
        heads[bucket] = after[entry]
        queued -= 1
        state = entry_state[entry]
        if dist[state] != now:
            continue
        order[count] = state
        spent[count] = now
        parent[count] = entry_parent[entry]
        arc[count] = entry_arc[entry]
        count += 1
        for a in range(indptr[state], indptr[state + 1]):
            to = target[a]
            total = now + cost[a]
            if total < dist[to] and total <= limit[to]:
                dist[to] = total
                entry_state[used] = to
                entry_parent[used] = state
                entry_arc[used] = a
                bucket = total & mask
                after[used] = heads[bucket]
                heads[bucket] = used
                used += 1
                queued += 1
    settled = count
    if len(end_target) > 0:
        for i in range(settled):
            state = order[i]
            now = spent[i]
            for a in range(end_indptr[state], end_indptr[state + 1]):
                to = end_target[a]
                total = limit[to]
                if now <= end_before[a] and now <= total < dist[to]:
                    dist[to] = total
                    order[count] = to
                    spent[count] = total
                    parent[count] = state
                    arc[count] = a
                    arc[count] += len(target)  # not in one: numba makes a float of that sum
                    count += 1
        for i in range(settled, count):
            dist[order[i]] = UNREACHED
    for i in range(1, used):
        dist[entry_state[i]] = UNREACHED
    return settled, count


class _Uncompiled:
    """How many states this process has reached in plain Python."""

    reached = 0


def backend() -> str:
    """Return what the next search will run on: ``"numba"`` or ``"python"``."""
    wanted = os.environ.get("MARCHTABLE_KERNEL", "auto")
    if wanted not in ("auto", "numba", "python"):
        raise BadInputError(
            f"{wanted!r} is no kernel; expected auto, numba or python", field="MARCHTABLE_KERNEL"
        )
    if wanted == "python" or (wanted == "auto" and _Uncompiled.reached < WARM_UP):
        return "python"
    if _compiled() is not None:
        return "numba"
    if wanted == "numba":
        raise BadInputError("numba cannot be used here", field="MARCHTABLE_KERNEL")
    return "python"


@cache
def _compiled() -> Callable[..., tuple[int, int]] | None:
    try:
        from numba import njit, types
    except Exception:  # noqa: BLE001 - whatever numba may raise, we do without
        return None
    kinds = {"i": types.int32, "u": types.uint32}
    signature = tuple(
        types.Array(kinds[kind], 1, "C", readonly=readonly)
        for parameters, readonly in ((READ_ONLY, True), (WRITABLE, False))
        for kind in parameters
    )
    for cached in (True, False):
        try:
            compiled: Callable[..., tuple[int, int]] = njit(
                signature, cache=cached, nogil=True, boundscheck=False
            )(kernel)
        except Exception:  # noqa: BLE001, S112 - most likely nowhere to write the cache
            continue
        return compiled
    return None


def search(
    space: Space, starts: Sequence[int], start_costs: Sequence[int], limit: Ints | None = None
) -> Reached:
    """
    Find every state within the limits and the least spent to be there.

    Safe to call from several threads on one space: the compiled kernel frees the interpreter.

    Parameters
    ----------
    space
        The compiled space.
    starts
        The states to start from; one whose cost is over its limit is left out.
    start_costs
        What has been spent in each of them, in half points.
    limit
        Used instead of the space's own limits, in half points, one per state.

    Raises
    ------
    BadInputError
        If the starts or the limits do not fit the space.
    """
    return search_batch(space, [starts], [start_costs], [limit])[0]


def search_batch(
    space: Space,
    starts: Sequence[Sequence[int]],
    start_costs: Sequence[Sequence[int]],
    limits: Sequence[Ints | None] | None = None,
) -> list[Reached]:
    """Run `search` for many units on one space: entry k of each sequence belongs to unit k."""
    import numpy as np

    limits = [None] * len(starts) if limits is None else limits
    if not len(starts) == len(start_costs) == len(limits):
        counts = f"{len(starts)} starts, {len(start_costs)} start costs, {len(limits)} limits"
        raise BadInputError(f"{counts}: expected as many of each", source="search")
    run, found = None, []
    for some, some_costs, limit in zip(starts, start_costs, limits, strict=True):
        states, costs = _begin(space, some, some_costs)
        checked = space.limit if limit is None else _limits(space, limit)
        if run is None and backend() == "numba":  # it may become worth it on the way
            run = _compiled()
        work = space.lend(compiled=run is not None)
        work.reserve(costs[-1] - costs[0])
        if run is not None:
            begin = np.array((states, costs), np.int32)
            reached = work.result(*run(*space.arrays, checked, *begin, *work.parts))
        else:
            arguments: list[Any] = [*space.lists, checked.data, states, costs, *work.parts]
            reached = work.result(*kernel(*arguments))
            _Uncompiled.reached += len(reached)
        space.spare[work.compiled].append(work)  # after an error it is not clean: never again
        found.append(reached)
    return found


def _limits(space: Space, limit: Ints) -> Ints:
    if len(limit) != space.size:
        raise BadInputError(f"expected {space.size} entries, not {len(limit)}", field="limit")
    return ints(limit, "limit")


def _begin(
    space: Space, starts: Sequence[int], start_costs: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Return the starts and their costs by increasing cost, once they are known to be good."""
    states, costs = list(map(index, starts)), list(map(index, start_costs))
    if not 0 < len(states) == len(costs):
        raise BadInputError("expected one or more, and a cost for each", field="starts")
    if len(states) > 1:
        pairs = sorted(zip(costs, states, strict=True))
        states, costs = [state for _, state in pairs], [cost for cost, _ in pairs]
    if costs[0] < 0:
        raise BadInputError("expected costs of zero or more", field="start_costs")
    if min(states) < 0 or max(states) >= space.size:
        raise BadInputError(f"expected states 0 to {space.size - 1}", field="starts")
    return states, costs
