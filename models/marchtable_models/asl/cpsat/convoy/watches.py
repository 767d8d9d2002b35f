"""What follows from literals that hold, by watching two of each clause: functions numba can compile.

A literal's value is 1 if it holds, -1 if it does not, and 0 as long as that is open. Why it holds
is told by a clause's number, by -2 less the literal with which it may not hold together, or by
:data:`CHOSEN`. Which is to be tried next is told by a heap of variables, the most active first.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "CHOSEN",
    "UNHURT",
    "forced",
    "grouped",
    "implied",
    "popped",
    "pushed",
    "raised",
    "undone",
]

CHOSEN = -1
UNHURT, TWO = -1, -2
"""No clause is broken; two literals of a group hold."""


def grouped(variables: Any, groups: Any, group_at: Any, members: Any, of_at: Any, of: Any) -> None:
    """Tell of each variable in which groups it is."""
    for n in range(group_at[groups]):
        of_at[members[n] + 1] += 1
    for x in range(variables):
        of_at[x + 1] += of_at[x]
    for group in range(groups - 1, -1, -1):
        for n in range(group_at[group], group_at[group + 1]):
            x = members[n]
            of_at[x + 1] -= 1
            of[of_at[x + 1]] = group
    for x in range(variables):
        of_at[x] = of_at[x + 1]
    of_at[variables] = group_at[groups]


def raised(heap: Any, spot: Any, active: Any, k: Any) -> None:
    """Move an entry of the heap up to where it belongs."""
    x = heap[k]
    while k > 0:
        above = (k - 1) >> 1
        if active[heap[above]] >= active[x]:
            break
        heap[k] = heap[above]
        spot[heap[k]] = k
        k = above
    heap[k] = x
    spot[x] = k


def pushed(heap: Any, spot: Any, active: Any, size: Any, x: Any) -> int:
    """Put a variable on the heap, unless it is there; return the heap's size."""
    if spot[x] >= 0:
        return int(size)
    heap[size], spot[x] = x, size
    raised(heap, spot, active, size)
    return int(size + 1)


def popped(heap: Any, spot: Any, active: Any, size: Any) -> int:
    """Take the most active variable from the heap, which is one smaller then."""
    found, x, k = heap[0], heap[size - 1], 0
    spot[found] = -1
    while size > 1:
        below = 2 * k + 1
        if below >= size - 1:
            break
        if below + 1 < size - 1 and active[heap[below + 1]] > active[heap[below]]:
            below += 1
        if active[heap[below]] <= active[x]:
            break
        heap[k] = heap[below]
        spot[heap[k]] = k
        k = below
    if size > 1:
        heap[k], spot[x] = x, k
    return int(found)


def forced(
    literal: Any, why: Any, depth: Any, trail: Any, held: Any, value: Any, level: Any, reason: Any
) -> int:
    """Let a literal hold; return how many do."""
    x = literal >> 1
    value[literal], value[literal ^ 1] = 1, -1
    level[x], reason[x] = depth, why
    trail[held] = literal
    return int(held + 1)


def undone(
    begin: Any, held: Any, trail: Any, value: Any, phase: Any, heap: Any, spot: Any, active: Any,
    size: Any,
) -> int:  # fmt: skip
    """Forget all that holds from some on, but not how it did; return the heap's size."""
    for k in range(held - 1, begin - 1, -1):
        literal = trail[k]
        value[literal], value[literal ^ 1] = 0, 0
        phase[literal >> 1] = literal & 1
        size = pushed(heap, spot, active, size, literal >> 1)
    return int(size)


def implied(
    done: Any, held: Any, depth: Any, trail: Any, value: Any, level: Any, reason: Any, lits: Any,
    start: Any, head: Any, after: Any, of_at: Any, of: Any, group_at: Any, members: Any, two: Any,
    made: Any,
) -> tuple[int, int]:  # fmt: skip
    """
    Let hold what follows; return how many do, and a clause that is broken, or :data:`UNHURT`.

    Or that two of a group would hold: then `two` has the literals of which one ought to.
    """
    while done < held:
        literal = trail[done]
        done += 1
        for n in range(of_at[literal >> 1], of_at[(literal >> 1) + 1] if literal & 1 == 0 else 0):
            for k in range(group_at[of[n]], group_at[of[n] + 1]):
                other = 2 * members[k]
                if other == literal or value[other] < 0:
                    continue
                if value[other] > 0:
                    two[0], two[1] = literal ^ 1, other ^ 1
                    return int(held), TWO
                held = forced(other ^ 1, -2 - literal, depth, trail, held, value, level, reason)
        false, before = literal ^ 1, -1
        node = head[false]
        while node >= 0:
            made[0] += 1
            then, clause, side = after[node], node >> 1, node & 1
            begin = start[clause]
            other, k = lits[begin + 1 - side], begin + 2
            if value[other] > 0:
                before, node = node, then
                continue
            while k < start[clause + 1] and value[lits[k]] < 0:
                k += 1
            if k < start[clause + 1]:  # watch another one
                lits[begin + side], lits[k] = lits[k], false
                after[node] = head[lits[begin + side]]
                head[lits[begin + side]] = node
                if before < 0:
                    head[false] = then
                else:
                    after[before] = then
            elif value[other] < 0:
                return int(held), int(clause)
            else:
                held = forced(other, clause, depth, trail, held, value, level, reason)
                before = node
            node = then
    return int(held), UNHURT
