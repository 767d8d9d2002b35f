"""A compiled A* over joint configurations of a Convoy, from the same tables as the other peers.

A node is where every vehicle is, what is spent, whether somebody has stopped, and after how many
Impulses. Its estimate comes of each vehicle's own layers: the best end that it could still reach if
it were alone and the others paid what suits it; the lead's for the distance, the poorest of all for
what is spent. Nodes are expanded in part: only children as good as their parent are put in the
queue, with the parent again for the next best. Written for numba; compiling is not timed.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np
from numba import njit

from benchmarks.convoy_arrays import arrays_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.convoy_peers import Tables

__all__ = ["by_astar"]

F = TypeVar("F", bound="Callable[..., Any]")
NEVER = 2**30
BIG = 128
"""More than a plan can spend, in steps of the grain."""
NODES = 2_000_000
WORK = 30_000_000
"""The number of moves it examines before it gives up."""
HEADS = 1_048_573


class Store(NamedTuple):
    """The nodes of a search, the queue, and the table that finds a node again."""

    nodes: Any
    heap: Any
    heads: Any
    links: Any


def _compiled(function: F) -> F:
    found: Any = njit(cache=True, nogil=True, boundscheck=False)(function)
    return cast("F", found)


@_compiled
def solo(arrays: Any, vehicle: Any, far: Any, values: Any) -> None:  # noqa: C901 - numba is quickest with one loop
    """Fill in, by Impulse, state and points spent, the best end that one vehicle alone could reach."""
    first, to, kind, costs, verdict = (
        arrays.first,
        arrays.to,
        arrays.kind,
        arrays.costs,
        arrays.verdict,
    )
    start, begin, end = arrays.starts[vehicle], arrays.begin[vehicle], arrays.begin[vehicle + 1]
    last, levels = len(values) - 1, values.shape[2]
    kinds, full = len(costs), (1 << levels) - 1
    masks = np.zeros((last + 1, end - begin), np.int64)
    ladder = np.zeros(kinds + 1, np.int64)
    masks[0, start - begin] = 1
    for t in range(last):
        for s in range(begin, end):
            mask = masks[t, s - begin]
            if mask == 0:
                continue
            ladder[kinds] = 0
            for k in range(kinds - 1, 0, -1):
                ladder[k] = ladder[k + 1] | (mask << costs[k]) & full
            masks[t + 1, s - begin] |= ladder[1]
            for a in range(first[s], first[s + 1]):
                masks[t + 1, to[a] - begin] |= ladder[kind[a]]
    best = np.full((kinds, end - begin, levels), NEVER, np.int32)
    for t in range(last, -1, -1):
        for s in range(begin, end):
            mask, x = masks[t, s - begin], 0
            while mask:
                if mask & 1:
                    found = NEVER
                    if t > 0 and verdict[s, x] >= 0:
                        found = far[s] * BIG + x
                    if t < last:
                        found = min(found, best[1, s - begin, x])
                        for a in range(first[s], first[s + 1]):
                            found = min(found, best[kind[a], to[a] - begin, x])
                    values[t, s, x] = found
                mask >>= 1
                x += 1
        for s in range(begin, end):  # by what is paid at least: the best that follows
            if masks[t, s - begin] == 0:
                continue
            for x in range(levels):
                found = NEVER
                for k in range(kinds - 1, 0, -1):
                    if x + costs[k] < levels:
                        found = min(found, values[t, s, x + costs[k]])
                    best[k, s - begin, x] = found


@_compiled
def may_end(config: Any, level: Any, arrays: Any) -> bool:
    """Return whether a Convoy can end its MPh in a configuration."""
    cell, moving, verdict = arrays.cell, arrays.moving, arrays.verdict
    need_at, set_at, cells = arrays.need_at, arrays.set_at, arrays.cells
    for i in range(len(config)):
        if moving[config[i]] != moving[config[0]]:
            return False
        listed = verdict[config[i], level]
        if listed < 0:
            return False
        for n in range(need_at[listed], need_at[listed + 1]) if listed else range(0):
            is_met = False
            for k in range(set_at[n], set_at[n + 1]):
                for j in range(len(config)):
                    is_met = is_met or (j != i and cell[config[j]] == cells[k])
            if not is_met:
                return False
    return True


@_compiled
def push(heap: Any, size: Any, key: Any, node: Any) -> int:
    """Put a node into the queue; return its length."""
    n = size
    while n > 0 and heap[(n - 1) >> 1, 0] > key:
        heap[n] = heap[(n - 1) >> 1]
        n = (n - 1) >> 1
    heap[n, 0], heap[n, 1] = key, node
    return int(size + 1)


@_compiled
def pop(heap: Any, size: Any) -> int:
    """Take the first out of the queue, which is then at its end; return its length."""
    first, node = heap[0, 0], heap[0, 1]
    size -= 1
    key, other, n = heap[size, 0], heap[size, 1], 0
    while 2 * n + 1 < size:
        child = 2 * n + 1
        if child + 1 < size and heap[child + 1, 0] < heap[child, 0]:
            child += 1
        if heap[child, 0] >= key:
            break
        heap[n] = heap[child]
        n = child
    heap[n, 0], heap[n, 1] = key, other
    heap[size, 0], heap[size, 1] = first, node
    return int(size)


@_compiled
def keep(nodes: Any, known: Any, config: Any, level: Any, over: Any, t: Any, heads: Any,
         links: Any) -> bool:  # fmt: skip
    """Put a node among the known ones, unless it is there with no more Impulses."""
    count, key = len(config), level * 2 + over
    for i in range(count):
        key = (key * 8191 + config[i]) % 1000000007
    entry = heads[key % HEADS]
    while entry:
        same = nodes[entry, count] == level and nodes[entry, count + 1] == over
        same = same and nodes[entry, count + 2] <= t
        for i in range(count):
            same = same and nodes[entry, i] == config[i]
        if same:
            return False
        entry = links[entry]
    for i in range(count):
        nodes[known, i] = config[i]
    nodes[known, count], nodes[known, count + 1], nodes[known, count + 2] = level, over, t
    links[known] = heads[key % HEADS]
    heads[key % HEADS] = known
    return True


@_compiled
def fits(
    config: Any, after: Any, j: Any, s: Any, cell: Any, near: Any,
) -> bool:  # fmt: skip
    """Return whether a vehicle can go to a state after those ahead have moved."""
    c = cell[s]
    if j > 0 and not near[cell[after[j - 1]], c]:
        return False
    for k in range(len(config)):
        if k < j and cell[after[k]] == c:
            return False
        if k > j and cell[config[k]] == c and c != cell[config[j]]:
            return False
    return True


@_compiled
def search(arrays: Any, values: Any, store: Any) -> tuple[int, int]:  # noqa: C901 - likewise
    """Return the best end's value, NEVER without one, -1 if it gives up; and the number of nodes."""
    first, to, kind, flags, costs = arrays.first, arrays.to, arrays.kind, arrays.flags, arrays.costs
    cell, near, distance, starts = arrays.cell, arrays.near, arrays.distance, arrays.starts
    nodes, heap, heads, links = store.nodes, store.heap, store.heads, store.links
    last, levels = len(values) - 1, values.shape[2]
    count = len(starts)
    config, after = np.zeros(count, np.int64), np.zeros(count, np.int64)
    pointer, dearest = np.zeros(count, np.int64), np.zeros(count + 1, np.int64)
    bound, stopping = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    known, size, work = 1, 0, 0
    keep(nodes, known, starts, 0, 0, 0, heads, links)
    size = push(heap, size, 0, known)
    known += 1
    while size and work < WORK:
        size = pop(heap, size)
        least, node = heap[size, 0] // 64, heap[size, 1]
        if node < 0:
            return least, known
        level, over, t = nodes[node, count], nodes[node, count + 1], nodes[node, count + 2]
        for i in range(count):
            config[i] = nodes[node, i]
        again, j = NEVER, 0
        pointer[0], dearest[0], bound[0], stopping[0] = first[config[0]] - 1, 0, 0, over
        while j >= 0 and t < last:
            if j == count:
                j -= 1
                if dearest[count] == 0:
                    continue
                total = level + costs[dearest[count]]
                if keep(nodes, known, after, total, stopping[count], t + 1, heads, links):
                    size = push(heap, size, bound[count] * 64 + last - t - 1, known)
                    known += 1
                    if may_end(after, total, arrays):
                        value = distance[cell[after[0]]] * BIG + total
                        size = push(heap, size, value * 64, -1)
                    if known + 1 >= len(nodes) or size + 3 >= len(heap):
                        return -1, known
                continue
            work += 1
            s = config[j]
            a = pointer[j]
            if a >= first[s + 1]:
                j -= 1
                continue
            pointer[j] += 1
            target, k, stops = s, 0, stopping[j]
            if a >= first[s]:
                target, k = to[a], kind[a]
                if flags[a] & 1 and stops:
                    continue
                if flags[a] & 2:
                    stops = 1
            k = max(k, dearest[j])
            x = level + costs[max(k, 1)]
            if x >= levels or not fits(config, after, j, target, cell, near):
                continue
            found = NEVER  # the others may pay more than is known yet
            for more in range(max(k, 1), len(costs)):
                if level + costs[more] < levels:
                    found = min(found, values[t + 1, target, level + costs[more]])
                if j == count - 1:
                    break
            if found >= NEVER:
                continue
            f = (
                max(bound[j], found)
                if j == 0
                else bound[j] // BIG * BIG + max(bound[j] % BIG, found % BIG)
            )
            if j == count - 1:  # now everything is known
                for i in range(count):
                    other = target if i == j else after[i]
                    found = values[t + 1, other, x]
                    if found >= NEVER:
                        f = NEVER
                        break
                    f = found if i == 0 else f // BIG * BIG + max(f % BIG, found % BIG)
                if f >= NEVER:
                    continue
            if f > least:
                again = min(again, f)
                continue
            after[j] = target
            dearest[j + 1], bound[j + 1], stopping[j + 1] = k, f, stops
            j += 1
            if j < count:
                pointer[j] = first[config[j]] - 1
        if again < NEVER:
            size = push(heap, size, again * 64 + last - t, node)
    return -1 if size else NEVER, known


def by_astar(t: Tables) -> tuple[tuple[int, int] | None, float, int]:
    """Return the best distance and cost, None if it took too many nodes, the seconds, and the nodes."""
    arrays, grain = arrays_of(t)
    count, levels = len(t.starts), t.budget // grain + 1
    begun = time.process_time()
    values = np.full((t.impulses + 1, len(arrays.cell), levels), NEVER, np.int32)
    for i in range(count):
        far = arrays.distance[arrays.cell] if i == 0 else np.zeros_like(arrays.cell)
        solo(arrays, i, far, values)
    store = Store(
        nodes=np.empty((NODES, count + 3), np.int32),
        heap=np.empty((2 * NODES, 2), np.int64),
        heads=np.zeros(HEADS, np.int32),
        links=np.empty(NODES, np.int32),
    )
    found, known = search(arrays, values, store)
    taken = time.process_time() - begun
    if found in (-1, NEVER):
        return None, taken, known
    return (found // BIG, found % BIG * grain), taken, known
