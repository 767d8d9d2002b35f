"""Which moves a dive has in an Impulse: functions numba can compile."""

from __future__ import annotations

from typing import Any

from marchtable_models.asl.cpsat.convoy.deadends import KINDS

__all__ = ["ALIVE", "blocked", "narrowed", "prepared"]

ALIVE = 99
"""A move that nobody stands against yet."""


def prepared(
    config: Any, t: Any, kind: Any, level: Any, over: Any, lacks: Any, pairs: Any, masks: Any,
    halts: Any, idle: Any, count: Any, size: Any, base: Any, place: Any, u: Any, v: Any,
    linked: Any, at: Any, states: Any, arc_at: Any, arc_to: Any, arc_kind: Any, arc_flags: Any,
    pair_at: Any, width: Any, moves: Any, needs: Any, many: Any, reach: Any,
) -> int:  # fmt: skip
    """
    Fill `moves` with what each vehicle may do in an Impulse; return -1, or whom to blame if one cannot.

    Each vehicle that has no move whatever the others do is put among those that it `lacks`, and
    nobody is blamed yet. `reach` tells how far behind it the vehicles are because of which moves
    are left out.
    """
    row, without = t * count, 0
    for j in range(count):
        n = row + j
        entry, found = at[n] + config[n], 0
        for k in range(arc_at[entry + 1] - arc_at[entry]):
            a = arc_at[entry + 1] - 1 - k if idle else arc_at[entry] + k
            if arc_kind[a] > kind or (halts and over and arc_flags[a] & 4):
                continue
            if (masks[(n + count) * size + states[at[n + count] + arc_to[a]]] >> level) & 1:
                moves[n * width + found] = a
                needs[n * width + found] = ALIVE
                found += 1
        many[n] = found
        if found == 0:
            without |= 1 << j
    lacks[t * KINDS + kind] = without
    if without:
        return 0
    for j in range(count - 1, -1, -1):
        reach[row + j] = j
        if j < count - 1 and linked[j + 1]:
            worst = narrowed(
                config, t, j, level, pairs, count, base, place, u, v, at, states, arc_to, pair_at,
                width, moves, needs, many,
            )  # fmt: skip
            if worst < 0:
                return int((1 << -worst) - (1 << j))
            reach[row + j] = max(j, worst)
    return -1


def narrowed(
    config: Any, t: Any, j: Any, level: Any, pairs: Any, count: Any, base: Any, place: Any,
    u: Any, v: Any, at: Any, states: Any, arc_to: Any, pair_at: Any, width: Any, moves: Any,
    needs: Any, many: Any,
) -> int:  # fmt: skip
    """
    Tell in `needs` which moves of a vehicle those behind it can go with, each with the next.

    What cannot be gone with is told by the last vehicle because of which that is so. Return the
    last of these, or less than 0, by one more, if no move is left.
    """
    n = t * count + j
    ahead, behind = at[n + count], at[n + count + 1]
    wide = at[n + count + 2] - behind
    begin = pair_at[(t + 1) * (count - 1) + j]
    was = place[base[j] + states[at[n] + config[n]]]
    stood = place[base[j + 1] + states[at[n + 1] + config[n + 1]]]
    kept, worst = 0, 0
    for k in range(many[n]):
        a = moves[n * width + k]
        p = place[base[j] + states[ahead + arc_to[a]]]
        need = j + 1
        if p in (0, was) or u[p] != u[stood] or v[p] != v[stood]:
            line = begin + arc_to[a] * wide
            for other in range(many[n + 1]):
                b = moves[(n + 1) * width + other]
                if (pairs[line + arc_to[b]] >> level) & 1:
                    need = max(need, needs[(n + 1) * width + other])
                    if need == ALIVE:
                        break
        needs[n * width + k] = need
        if need == ALIVE:
            kept += 1
        else:
            worst = max(worst, need)
    return int(worst if kept else -worst - 1)


def blocked(p: Any, was: Any, config: Any, row: Any, j: Any, count: Any, base: Any, place: Any,
            u: Any, v: Any, at: Any, states: Any) -> int:  # fmt: skip
    """Return who keeps vehicle j from going to p: who is there already, or (+ count) stands there yet."""
    if p == 0:
        return -1
    for k in range(count):
        if k < j:
            entry = at[row + count + k] + config[row + count + k]
        elif k > j and p != was:
            entry = at[row + k] + config[row + k]
        else:
            continue
        q = place[base[k] + states[entry]]
        if q != 0 and u[p] == u[q] and v[p] == v[q]:
            return int(k) if k < j else int(count + k)
    return -1
