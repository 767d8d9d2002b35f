"""Solving clauses by learning from what breaks them: functions numba can compile."""

from __future__ import annotations

from typing import Any

from marchtable_models.asl.cpsat.convoy.watches import (
    CHOSEN,
    UNHURT,
    forced,
    implied,
    popped,
    pushed,
    raised,
    undone,
)

__all__ = [
    "GIVEN_UP",
    "HOLDS",
    "NEVER",
    "faded",
    "filled",
    "kept",
    "lessened",
    "noted",
    "resolved",
    "searched",
    "stride",
    "watched",
]

GIVEN_UP, NEVER, HOLDS = -1, 0, 1
STRIDE = 50
"""How many conflicts there are before the first new beginning."""
FADING = 0.95
HUGE = 1e100


def stride(turn: Any) -> int:
    """Return how long to search, in strides, before beginning again (Luby's sequence)."""
    k = 1
    while (1 << k) - 1 < turn + 1:
        k += 1
    while (1 << k) - 1 != turn + 1:
        turn -= (1 << (k - 1)) - 1
        k = 1
        while (1 << k) - 1 < turn + 1:
            k += 1
    return 1 << (k - 1)


def noted(
    literal: Any, depth: Any, size: Any, found: Any, seen: Any, level: Any, heap: Any, spot: Any,
    active: Any, gain: Any,
) -> int:  # fmt: skip
    """Blame a literal; return the size of the clause `found`, it included if it held before."""
    x = literal >> 1
    if seen[x] or level[x] == 0:
        return int(size)
    seen[x] = 1
    active[x] += gain
    if spot[x] >= 0:
        raised(heap, spot, active, spot[x])
    if level[x] == depth:
        return int(-size)
    found[size] = literal
    return int(size + 1)


def resolved(
    clause: Any, two: Any, depth: Any, trail: Any, held: Any, level: Any, reason: Any, lits: Any,
    start: Any, found: Any, seen: Any, heap: Any, spot: Any, active: Any, gain: Any,
) -> int:  # fmt: skip
    """Fill `found` with a clause that follows and tells why one is broken; return its size."""
    size, open_, at, literal, is_first = 1, 0, held, -1, True
    while is_first or open_ > 0:
        begin, stop = 0, 2 if is_first else 1
        if clause >= 0:
            begin, stop = start[clause], start[clause + 1]
        for k in range(begin, stop):
            if clause >= 0:
                other = lits[k]
            elif is_first:
                other = two[k]
            else:
                other = (-2 - clause) ^ 1
            if other == literal:
                continue
            after = noted(other, depth, size, found, seen, level, heap, spot, active, gain)
            if after < 0:
                open_ += 1
            else:
                size = after
        is_first = False
        at -= 1
        while seen[trail[at] >> 1] == 0 or level[trail[at] >> 1] != depth:
            at -= 1
        literal = trail[at]
        seen[literal >> 1] = 0
        open_ -= 1
        clause = reason[literal >> 1]
    found[0] = literal ^ 1
    return lessened(size, level, reason, lits, start, found, seen)


def lessened(
    size: Any, level: Any, reason: Any, lits: Any, start: Any, found: Any, seen: Any
) -> int:
    """Leave out what the rest of a clause implies; return how much is left."""
    kept = 1
    for n in range(1, size):
        literal, is_needed = found[n], True
        why = reason[literal >> 1]
        if why >= 0:
            is_needed = False
            for k in range(start[why], start[why + 1]):
                x = lits[k] >> 1
                if x != literal >> 1 and seen[x] == 0 and level[x] > 0:
                    is_needed = True
        elif why != CHOSEN:
            x = (-2 - why) >> 1
            is_needed = seen[x] == 0 and level[x] > 0
        if is_needed:
            found[kept], found[n] = literal, found[kept]
            kept += 1
    for n in range(1, size):
        seen[found[n] >> 1] = 0
    return kept


def faded(gain: Any, count: Any, active: Any) -> float:
    """Return what being to blame counts next time: more, so that what was long ago counts less."""
    if gain < HUGE:
        return float(gain / FADING)
    for x in range(count):
        active[x] /= HUGE
    return float(gain / FADING / HUGE)


def filled(count: Any, heap: Any, spot: Any, active: Any) -> int:
    """Put all variables on the heap; return its size."""
    size = 0
    for x in range(count):
        spot[x] = -1
    for x in range(count):
        size = pushed(heap, spot, active, size, x)
    return size


def watched(
    clauses: Any, lits: Any, start: Any, head: Any, after: Any, value: Any, level: Any,
    reason: Any, trail: Any,
) -> int:  # fmt: skip
    """Watch two literals of each clause; let those of one hold. Return how many do, -1 if none can."""
    held = 0
    for clause in range(clauses):
        begin = start[clause]
        if start[clause + 1] - begin > 1:
            for side in range(2):
                after[2 * clause + side] = head[lits[begin + side]]
                head[lits[begin + side]] = 2 * clause + side
        elif start[clause + 1] == begin or value[lits[begin]] < 0:
            return -1
        elif value[lits[begin]] == 0:
            held = forced(lits[begin], CHOSEN, 0, trail, held, value, level, reason)
    return held


def kept(clauses: Any, more: Any, found: Any, lits: Any, start: Any, head: Any, after: Any) -> int:
    """Add a clause; return how many there are."""
    for k in range(more):
        lits[start[clauses] + k] = found[k]
    for side in range(2 if more > 1 else 0):
        after[2 * clauses + side] = head[found[side]]
        head[found[side]] = 2 * clauses + side
    start[clauses + 1] = start[clauses] + more
    return int(clauses + 1)


def searched(
    count: Any, clauses: Any, cap: Any, lits: Any, start: Any, head: Any, after: Any, of_at: Any,
    of: Any, group_at: Any, members: Any, value: Any, level: Any, reason: Any, trail: Any,
    begins: Any, found: Any, seen: Any, two: Any, heap: Any, spot: Any, active: Any, phase: Any,
    made: Any,
) -> int:  # fmt: skip
    """
    Fill `value` with a solution; or tell that there is none, or that the search gave up.

    What is learned is added to the clauses. `made` counts the work, which is to stay below `cap`,
    and the clauses in the end.
    """
    size = filled(count, heap, spot, active)
    held = watched(clauses, lits, start, head, after, value, level, reason, trail)
    done, depth, gain, turn, left = 0, 0, 1.0, 0, STRIDE
    while made[0] < cap and held >= 0:
        held, broken = implied(
            done, held, depth, trail, value, level, reason, lits, start, head, after, of_at, of,
            group_at, members, two, made,
        )  # fmt: skip
        done = held
        if broken != UNHURT and depth == 0:
            return NEVER
        if broken != UNHURT:
            more = resolved(
                broken, two, depth, trail, held, level, reason, lits, start, found, seen, heap,
                spot, active, gain,
            )  # fmt: skip
            if clauses + 2 > len(start) or start[clauses] + more > len(lits):
                return GIVEN_UP if held >= 0 else NEVER
            depth = 0
            for k in range(1, more):
                if level[found[k] >> 1] > depth:
                    depth = level[found[k] >> 1]
                    found[1], found[k] = found[k], found[1]
            size = undone(begins[depth], held, trail, value, phase, heap, spot, active, size)
            why = clauses if more > 1 else CHOSEN
            clauses = kept(clauses, more, found, lits, start, head, after)
            done = begins[depth]
            held = forced(found[0], why, depth, trail, done, value, level, reason)
            made[1] = clauses
            gain = faded(gain, count, active)
            left -= 1
            continue
        if left <= 0:
            turn += 1
            left = STRIDE * stride(turn)
            if depth > 0:
                size = undone(begins[0], held, trail, value, phase, heap, spot, active, size)
                held, done, depth = begins[0], begins[0], 0
        x = -1
        while size > 0 and x < 0:
            x = popped(heap, spot, active, size)
            size -= 1
            if value[2 * x] != 0:
                x = -1
        if x < 0:
            return HOLDS
        begins[depth] = held
        depth += 1
        held = forced(2 * x + phase[x], CHOSEN, depth, trail, held, value, level, reason)
    return GIVEN_UP if held >= 0 else NEVER
