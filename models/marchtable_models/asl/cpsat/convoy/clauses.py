"""The decision whether a Convoy has a plan, as clauses: functions numba can compile.

Literals are twice a variable's number, and one more for its negation. The variables are, in this
order: the states as :class:`Pairs` has them; what is spent after each Impulse; whether an Impulse
is of some kind of cost or a dearer one (see :func:`dear`); what :func:`homes` and others make. What
is stated is part of what :class:`Logic` states: if it has no solution there is no plan.
"""

from __future__ import annotations

from typing import Any

from marchtable_models.asl.cpsat.convoy.pairs import beside

__all__ = [
    "CLAUSES",
    "GROUPS",
    "LITERALS",
    "MEMBERS",
    "VARIABLES",
    "close",
    "dear",
    "expensed",
    "homes",
    "join",
    "levelled",
    "lined",
    "put",
    "shut",
    "singly",
    "sole",
]

LITERALS, CLAUSES, MEMBERS, GROUPS, VARIABLES = range(5)
"""What `made` counts."""


def put(lits: Any, made: Any, literal: Any) -> None:
    """Add a literal to the clause that is being written."""
    if made[LITERALS] < len(lits):
        lits[made[LITERALS]] = literal
    made[LITERALS] += 1


def close(start: Any, made: Any) -> None:
    """End the clause that is being written."""
    made[CLAUSES] += 1
    if made[CLAUSES] < len(start):
        start[made[CLAUSES]] = made[LITERALS]


def join(members: Any, made: Any, variable: Any) -> None:
    """Add a variable to the group that is being written."""
    if made[MEMBERS] < len(members):
        members[made[MEMBERS]] = variable
    made[MEMBERS] += 1


def shut(group_at: Any, made: Any) -> None:
    """End the group that is being written: at most one of them holds."""
    made[GROUPS] += 1
    if made[GROUPS] < len(group_at):
        group_at[made[GROUPS]] = made[MEMBERS]


def dear(t: Any, kind: Any, kinds: Any, last: Any, levels: Any, at: Any, count: Any) -> int:
    """Return the variable of an Impulse's costing as much as a kind from 1 on, or more."""
    return int(at[(last + 1) * count] + (last + 1) * levels + (t - 1) * (kinds - 1) + kind - 1)


def sole(
    last: Any, count: Any, at: Any, lits: Any, start: Any, members: Any, group_at: Any, made: Any
) -> None:
    """State that each vehicle is in one state after each Impulse."""
    for row in range((last + 1) * count):
        for e in range(at[row], at[row + 1]):
            put(lits, made, 2 * e)
            join(members, made, e)
        close(start, made)
        shut(group_at, made)


def levelled(
    masks: Any, last: Any, levels: Any, nodes: Any, count: Any, size: Any, at: Any, states: Any,
    lits: Any, start: Any, members: Any, group_at: Any, made: Any,
) -> None:  # fmt: skip
    """State that so much is spent after each Impulse, and who is where for what."""
    first = at[(last + 1) * count]
    for t in range(last + 1):
        for x in range(levels):
            if (nodes[t] >> x) & 1:
                put(lits, made, 2 * (first + t * levels + x))
                join(members, made, first + t * levels + x)
        close(start, made)
        shut(group_at, made)
        for x in range(levels):
            if (nodes[t] >> x) & 1 == 0:
                put(lits, made, 2 * (first + t * levels + x) + 1)
                close(start, made)
        for row in range(t * count, (t + 1) * count):
            for e in range(at[row], at[row + 1]):
                mask = masks[row * size + states[e]]
                if mask & nodes[t] == nodes[t]:
                    continue
                put(lits, made, 2 * e + 1)
                for x in range(levels):
                    if (mask >> x) & 1:
                        put(lits, made, 2 * (first + t * levels + x))
                close(start, made)


def expensed(
    last: Any, levels: Any, costs: Any, nodes: Any, ended: Any, count: Any, at: Any, lits: Any,
    start: Any, made: Any,
) -> None:  # fmt: skip
    """State what Impulses cost, the first something, and none more when the plan has ended."""
    first, kinds = at[(last + 1) * count], len(costs)
    for t in range(1, last + 1):
        for kind in range(1, kinds):
            if kind > 1:
                put(lits, made, 2 * dear(t, kind, kinds, last, levels, at, count) + 1)
            if kind > 1 or t == 1:
                other = max(1, kind - 1)
                put(lits, made, 2 * dear(t, other, kinds, last, levels, at, count))
                close(start, made)
        if t > 1:
            put(lits, made, 2 * dear(t, 1, kinds, last, levels, at, count) + 1)
            put(lits, made, 2 * dear(t - 1, 1, kinds, last, levels, at, count))
            close(start, made)
        for x in range(levels):
            for kind in range(kinds if (nodes[t - 1] >> x) & 1 else 0):
                after = x + costs[kind]
                put(lits, made, 2 * (first + (t - 1) * levels + x) + 1)
                if kind > 0:
                    put(lits, made, 2 * dear(t, kind, kinds, last, levels, at, count) + 1)
                if kind < kinds - 1:
                    put(lits, made, 2 * dear(t, kind + 1, kinds, last, levels, at, count))
                ends = kind > 0 or (ended[t - 1] >> x) & 1
                if ends and after < levels and (nodes[t] >> after) & 1:
                    put(lits, made, 2 * (first + t * levels + after))
                close(start, made)


def homes(
    last: Any, count: Any, base: Any, place: Any, at: Any, states: Any, home: Any, home_at: Any,
    home_place: Any, home_var: Any, lits: Any, start: Any, made: Any,
) -> None:  # fmt: skip
    """Give the places of each vehicle after each Impulse numbers, and state who is there."""
    used, first = 0, at[(last + 1) * count]
    for row in range((last + 1) * count):
        home_at[row] = used
        for e in range(at[row], at[row + 1]):
            p, k = place[base[row % count] + states[e]], home_at[row]
            while k < used and home_place[k] != p:
                k += 1
            home[e] = k
            if k == used:
                home_place[k], home_var[k] = p, e
                used += 1
            elif home_var[k] < first:
                home_var[k] = made[VARIABLES]
                made[VARIABLES] += 1
        for k in range(home_at[row], used):
            if home_var[k] < first:
                continue
            for e in range(at[row], at[row + 1]):
                if home[e] == k:
                    put(lits, made, 2 * e + 1)
                    put(lits, made, 2 * home_var[k])
                    close(start, made)
            put(lits, made, 2 * home_var[k] + 1)
            for e in range(at[row], at[row + 1]):
                if home[e] == k:
                    put(lits, made, 2 * e)
            close(start, made)
    home_at[(last + 1) * count] = used


def lined(
    last: Any, count: Any, u: Any, v: Any, entering: Any, linked: Any, places: Any, home_at: Any,
    home_place: Any, home_var: Any, lits: Any, start: Any, made: Any,
) -> None:  # fmt: skip
    """State that each vehicle is beside the next."""
    for row in range((last + 1) * count):
        i = row % count
        if i == count - 1 or linked[i + 1] == 0:
            continue
        for way in range(2):
            here, there = row + way, row + 1 - way
            for k in range(home_at[here], home_at[here + 1]):
                put(lits, made, 2 * home_var[k] + 1)
                for other in range(home_at[there], home_at[there + 1]):
                    p, q = home_place[k], home_place[other]
                    if way == 1:
                        p, q = q, p
                    if beside(p, q, entering[(i + 1) * places + p], u, v):
                        put(lits, made, 2 * home_var[other])
                close(start, made)


def singly(
    last: Any, count: Any, home_at: Any, home_place: Any, home_var: Any, members: Any,
    group_at: Any, made: Any,
) -> None:  # fmt: skip
    """State that nobody enters where another still stands: those ahead move first."""
    for row in range((last + 1) * count):
        i, first = row % count, row - row % count
        for k in range(home_at[row], home_at[row + 1]):
            p = home_place[k]
            if p == 0:
                continue
            for j in range(count):
                other = first + j if j <= i else first + j - count
                if other < 0:
                    continue
                for n in range(home_at[other], home_at[other + 1]):
                    if home_place[n] == p:
                        join(members, made, home_var[n])
            shut(group_at, made)
