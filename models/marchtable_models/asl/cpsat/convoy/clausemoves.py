"""What vehicles of a Convoy do, and how their plan ends, as clauses: functions numba can compile."""

from __future__ import annotations

from typing import Any

from marchtable_models.asl.cpsat.convoy.clauses import (
    VARIABLES,
    close,
    dear,
    expensed,
    homes,
    levelled,
    lined,
    put,
    singly,
    sole,
)

__all__ = ["ending", "fanned", "flagged", "moved", "payers", "stopped", "turned", "written"]

HALTED, HALTS = 4, 8


def turned(
    last: Any, count: Any, at: Any, arc_at: Any, arc_to: Any, arc_kind: Any, back_at: Any,
    back_to: Any, back_kind: Any, filled: Any,
) -> None:  # fmt: skip
    """Fill in the arcs backwards; those of a state end where its entry in `filled` tells."""
    used = 0
    for row in range((last + 1) * count):
        for e in range(at[row], at[row + 1]):
            filled[e] = 0
        before = row - count
        for a in range(arc_at[at[before]], arc_at[at[before + 1]]) if row >= count else range(0):
            filled[at[row] + arc_to[a]] += 1
        for e in range(at[row], at[row + 1]):
            back_at[e] = used
            used += filled[e]
            filled[e] = back_at[e]
        for n in range(at[before], at[before + 1]) if row >= count else range(0):
            for a in range(arc_at[n], arc_at[n + 1]):
                e = at[row] + arc_to[a]
                back_to[filled[e]] = n - at[before]
                back_kind[filled[e]] = arc_kind[a]
                filled[e] += 1


def fanned(
    e: Any, there: Any, begin: Any, stop: Any, to: Any, kind: Any, t: Any, kinds: Any, last: Any,
    levels: Any, at: Any, states: Any, count: Any, lits: Any, start: Any, made: Any,
) -> None:  # fmt: skip
    """State where who is in a state is before or after an Impulse, by what that costs."""
    for most in range(kinds):
        is_told = most == kinds - 1
        for a in range(begin, stop):
            stays = states[there + to[a]] == states[e]
            is_told = is_told or kind[a] == most + 1 or (kind[a] == most == 0 and not stays)
        if not is_told:
            continue
        put(lits, made, 2 * e + 1)
        if most < kinds - 1:
            put(lits, made, 2 * dear(t, most + 1, kinds, last, levels, at, count))
        for a in range(begin, stop):
            is_new = kind[a] <= most
            if most == 0:  # the plan has ended
                is_new = is_new and states[there + to[a]] == states[e]
            for b in range(begin, a):
                is_new = is_new and (to[b] != to[a] or kind[b] > most)
            if is_new:
                put(lits, made, 2 * (there + to[a]))
        close(start, made)


def moved(
    last: Any, count: Any, kinds: Any, levels: Any, at: Any, states: Any, arc_at: Any,
    arc_to: Any, arc_kind: Any, back_at: Any, back_to: Any, back_kind: Any, filled: Any,
    lits: Any, start: Any, made: Any,
) -> None:  # fmt: skip
    """State that who is somewhere goes on from there, and has come from somewhere."""
    turned(last, count, at, arc_at, arc_to, arc_kind, back_at, back_to, back_kind, filled)
    for t in range(last + 1):
        for row in range(t * count, (t + 1) * count):
            for e in range(at[row], at[row + 1]):
                if t < last:
                    fanned(
                        e, at[row + count], arc_at[e], arc_at[e + 1], arc_to, arc_kind, t + 1,
                        kinds, last, levels, at, states, count, lits, start, made,
                    )  # fmt: skip
                if t > 0:
                    fanned(
                        e, at[row - count], back_at[e], filled[e], back_to, back_kind, t, kinds,
                        last, levels, at, states, count, lits, start, made,
                    )  # fmt: skip


def payers(
    last: Any, count: Any, kinds: Any, levels: Any, at: Any, arc_at: Any, arc_to: Any,
    arc_kind: Any, lits: Any, start: Any, made: Any,
) -> None:  # fmt: skip
    """State that somebody pays what an Impulse costs."""
    for t in range(1, last + 1):
        for kind in range(1, kinds):
            first = made[VARIABLES]
            for i in range(count):
                row, mine = (t - 1) * count + i, made[VARIABLES]
                for e in range(at[row], at[row + 1]):
                    pays = False
                    for a in range(arc_at[e], arc_at[e + 1]):
                        if arc_kind[a] != kind:
                            continue
                        if not pays:
                            pays = True
                            put(lits, made, 2 * mine + 1)
                            put(lits, made, 2 * e + 1)
                        put(lits, made, 2 * (at[row + count] + arc_to[a]))
                    if pays:
                        close(start, made)
                        made[VARIABLES] = mine + 1
                if made[VARIABLES] == mine:
                    continue
                put(lits, made, 2 * mine + 1)
                for e in range(at[row], at[row + 1]):
                    pays = False
                    for a in range(arc_at[e], arc_at[e + 1]):
                        pays = pays or arc_kind[a] == kind
                    if pays:
                        put(lits, made, 2 * e)
                close(start, made)
            put(lits, made, 2 * dear(t, kind, kinds, last, levels, at, count) + 1)
            if kind < kinds - 1:
                put(lits, made, 2 * dear(t, kind + 1, kinds, last, levels, at, count))
            for mine in range(first, made[VARIABLES]):
                put(lits, made, 2 * mine)
            close(start, made)


def flagged(begin: Any, stop: Any, arc: Any, flag: Any, arc_to: Any, arc_flags: Any) -> bool:
    """Tell whether an arc is the first of those that lead where it does, and all have a flag."""
    for a in range(begin, stop):
        if arc_to[a] == arc_to[arc] and (a < arc or arc_flags[a] & flag == 0):
            return False
    return True


def stopped(
    last: Any, count: Any, halted: Any, at: Any, arc_at: Any, arc_to: Any, arc_flags: Any,
    lits: Any, start: Any, made: Any,
) -> None:  # fmt: skip
    """State that nobody starts once somebody has stopped."""
    over = made[VARIABLES]  # by Impulse and vehicle, after what may have been before
    made[VARIABLES] += last * count + 1
    if halted:
        put(lits, made, 2 * over)
        close(start, made)
    for row in range(last * count):
        put(lits, made, 2 * (over + row) + 1)
        put(lits, made, 2 * (over + row + 1))
        close(start, made)
        for e in range(at[row], at[row + 1]):
            for a in range(arc_at[e], arc_at[e + 1]):
                there = at[row + count] + arc_to[a]
                if flagged(arc_at[e], arc_at[e + 1], a, HALTS, arc_to, arc_flags):
                    put(lits, made, 2 * e + 1)
                    put(lits, made, 2 * there + 1)
                    put(lits, made, 2 * (over + row + 1))
                    close(start, made)
                if flagged(arc_at[e], arc_at[e + 1], a, HALTED, arc_to, arc_flags):
                    put(lits, made, 2 * e + 1)
                    put(lits, made, 2 * there + 1)
                    put(lits, made, 2 * (over + row) + 1)
                    close(start, made)


def ending(
    masks: Any, last: Any, levels: Any, alike: Any, may_end: Any, ahead: Any, moving: Any,
    count: Any, size: Any, base: Any, at: Any, states: Any, home_at: Any, home_place: Any,
    home_var: Any, lits: Any, start: Any, made: Any,
) -> None:  # fmt: skip
    """State that all end in Motion or none, and what is spent and taken where who ends in it is."""
    together, first = made[VARIABLES], at[(last + 1) * count] + last * levels
    made[VARIABLES] += alike
    width = len(ahead) // len(moving)
    for i in range(count):
        row = last * count + i
        for e in range(at[row], at[row + 1]):
            state = base[i] + states[e]
            if alike:
                put(lits, made, 2 * e + 1)
                put(lits, made, 2 * together + (0 if moving[state] else 1))
                close(start, made)
            mask = masks[row * size + states[e]]
            for code in range(1 << width):
                able = mask & may_end[((i * size + states[e]) << width) + code]
                if able == mask:
                    continue
                put(lits, made, 2 * e + 1)
                for x in range(levels):
                    if (able >> x) & 1:
                        put(lits, made, 2 * (first + x))
                for k in range(width):
                    p = ahead[width * state + k]
                    if p == 0 or (code >> k) & 1:
                        continue
                    for other in range(last * count, (last + 1) * count):
                        for n in range(home_at[other], home_at[other + 1]):
                            if other != row and home_place[n] == p:
                                put(lits, made, 2 * home_var[n])
                close(start, made)


def written(
    masks: Any, last: Any, levels: Any, costs: Any, nodes: Any, ended: Any, halts: Any, halted: Any,
    alike: Any, may_end: Any, ahead: Any, moving: Any, u: Any, v: Any, entering: Any, linked: Any,
    places: Any, count: Any, size: Any, base: Any, place: Any, at: Any, states: Any, arc_at: Any,
    arc_to: Any, arc_kind: Any, arc_flags: Any, back_at: Any, back_to: Any, back_kind: Any,
    filled: Any, home: Any, home_at: Any, home_place: Any, home_var: Any, lits: Any, start: Any,
    members: Any, group_at: Any, made: Any,
) -> None:  # fmt: skip
    """
    Write all clauses, and groups of variables of which one holds at most.

    `masks` are of all states on the way or at its end, which lasts; `nodes` and `ended` those of
    what may be spent, and have been when the plan has ended, by Impulse.
    """
    kinds = len(costs)
    for k in range(len(made)):
        made[k] = 0
    made[VARIABLES] = at[(last + 1) * count] + (last + 1) * levels + last * (kinds - 1)
    sole(last, count, at, lits, start, members, group_at, made)
    levelled(
        masks, last, levels, nodes, count, size, at, states, lits, start, members, group_at, made
    )  # fmt: skip
    expensed(last, levels, costs, nodes, ended, count, at, lits, start, made)
    homes(
        last, count, base, place, at, states, home, home_at, home_place, home_var, lits, start, made
    )
    lined(
        last, count, u, v, entering, linked, places, home_at, home_place, home_var, lits, start,
        made,
    )  # fmt: skip
    singly(last, count, home_at, home_place, home_var, members, group_at, made)
    moved(
        last, count, kinds, levels, at, states, arc_at, arc_to, arc_kind, back_at, back_to,
        back_kind, filled, lits, start, made,
    )  # fmt: skip
    payers(last, count, kinds, levels, at, arc_at, arc_to, arc_kind, lits, start, made)
    if halts:
        stopped(last, count, halted, at, arc_at, arc_to, arc_flags, lits, start, made)
    ending(
        masks, last, levels, alike, may_end, ahead, moving, count, size, base, at, states, home_at,
        home_place, home_var, lits, start, made,
    )  # fmt: skip
