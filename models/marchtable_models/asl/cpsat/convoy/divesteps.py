"""The steps of a dive, one vehicle or one Impulse at a time: functions numba can compile."""

from __future__ import annotations

from typing import Any

from marchtable_models.asl.cpsat.convoy.deadends import KEYS, deadly, lacking, learned
from marchtable_models.asl.cpsat.convoy.divemoves import ALIVE, blocked
from marchtable_models.asl.cpsat.convoy.divends import blamed, fits, straightened

__all__ = ["CAPPED", "NONE", "barring", "doomed", "ended_here", "failed", "gone_from", "picked"]

NONE, CAPPED = -1, -2
"""There is no plan; the search gave up."""


def ended_here(
    config: Any, t: Any, spent: Any, paid: Any, costs: Any, alike: Any, gains: Any, points: Any,
    least: Any, may_end: Any, ahead: Any, moving: Any, count: Any, size: Any, base: Any,
    place: Any, at: Any, states: Any, found: Any, after: Any,
) -> int:  # fmt: skip
    """Return how many Impulses a plan has that ends here, NONE if none may, CAPPED if it cost too much."""
    row = t * count
    if t == 0 or not fits(
        config, row, spent[t], alike, gains, points, least, may_end, ahead, moving, count, size,
        base, place, at, states,
    ):  # fmt: skip
        return NONE
    short = straightened(config, t, paid, costs, after, found, count, at, states)
    if after[short] == spent[t] or fits(
        config, row, after[short], alike, gains, points, least, may_end, ahead, moving, count,
        size, base, place, at, states,
    ):  # fmt: skip
        return int(short)
    return CAPPED


def gone_from(
    config: Any, t: Any, last: Any, kinds: Any, spent: Any, over: Any, blame: Any, lacks: Any,
    known: Any, room: Any, alike: Any, gains: Any, flat: Any, points: Any, least: Any, none: Any,
    ends: Any, may_end: Any, ahead: Any, moving: Any, count: Any, size: Any, base: Any,
    place: Any, at: Any, states: Any, table: Any, heads: Any, links: Any, sets: Any,
) -> int:  # fmt: skip
    """Return because of whom nothing comes of a configuration, and learn that if there is room."""
    single, joint = blamed(
        config, t * count, spent[t], alike, gains, flat, points, least, none, ends, may_end, ahead,
        moving, count, size, base, place, at, states,
    )  # fmt: skip
    whom = lacking(blame[t] | joint, t, kinds if t < last else 1, lacks, single, count)
    if whom and known < room:
        learned(config, t, 0, spent[t], over[t], whom, count, known, table, heads, links, sets)
    return int(whom)


def picked(
    config: Any, t: Any, j: Any, level: Any, over: Any, pairs: Any, halts: Any, count: Any,
    base: Any, place: Any, u: Any, v: Any, linked: Any, at: Any, states: Any, arc_to: Any,
    arc_flags: Any, pair_at: Any, width: Any, moves: Any, needs: Any, many: Any, pointer: Any,
    because: Any, those: Any, stopping: Any, table: Any, heads: Any, links: Any, sets: Any,
) -> tuple[int, int]:  # fmt: skip
    """Make a vehicle's next move that nothing bars; return it, -1 for none, and how many were tried."""
    row, tried = t * count, 0
    n = row + j
    was = place[base[j] + states[at[n] + config[n]]]
    before = stopping[n - 1] if j > 0 else over[t]
    while pointer[n] < many[n]:
        k = n * width + pointer[n]
        pointer[n] += 1
        if needs[k] != ALIVE:
            continue
        a, tried = moves[k], tried + 1
        p = place[base[j] + states[at[n + count] + arc_to[a]]]
        mine, behind = barring(
            config, t, j, a, p, was, level, before, pairs, halts, count, base, place, u, v, linked,
            at, states, arc_to, arc_flags, pair_at,
        )  # fmt: skip
        if mine or behind:
            because[n] |= mine
            those[n] |= behind
            continue
        config[n + count] = arc_to[a]
        stopping[n] = before | (1 if halts and arc_flags[a] & 8 else 0)
        if not doomed(
            config, t, j, level, over, because, stopping, count, table, heads, links, sets
        ):
            return int(a), tried
    return -1, tried


def barring(
    config: Any, t: Any, j: Any, a: Any, p: Any, was: Any, level: Any, before: Any, pairs: Any,
    halts: Any, count: Any, base: Any, place: Any, u: Any, v: Any, linked: Any, at: Any,
    states: Any, arc_to: Any, arc_flags: Any, pair_at: Any,
) -> tuple[int, int]:  # fmt: skip
    """Return who of those ahead, and of those behind, keeps a vehicle from a move to p; or nobody."""
    n = t * count + j
    if j > 0 and linked[j]:
        wide = at[n + count + 1] - at[n + count]
        pair = pair_at[(t + 1) * (count - 1) + j - 1] + config[n + count - 1] * wide
        if (pairs[pair + arc_to[a]] >> level) & 1 == 0:
            return 1 << (j - 1), 0
    if halts and arc_flags[a] & 4 and before:
        return (1 << j) - 1, 1 << j
    other = blocked(p, was, config, t * count, j, count, base, place, u, v, at, states)
    if other >= count:
        return 0, 1 << (other - count)
    return (1 << other if other >= 0 else 0), 0


def doomed(
    config: Any, t: Any, j: Any, level: Any, over: Any, because: Any, stopping: Any, count: Any,
    table: Any, heads: Any, links: Any, sets: Any,
) -> bool:  # fmt: skip
    """Tell whether what the vehicles up to one have done now is known to lead nowhere, and blame some."""
    n = t * count + j
    entry = deadly(config, t + 1, 0, level, stopping[n], j, count, table, heads, links, sets)
    if entry == 0:
        return False
    begin = entry * (count + KEYS)
    because[n] |= table[begin + 2] & ~(1 << j)
    if table[begin + 1] > over[t]:
        because[n] |= (1 << j) - 1
    return True


def failed(row: Any, j: Any, reach: Any, because: Any, those: Any) -> int:
    """Return to whom to go back from a vehicle that has no move left; -1 if nobody ahead is to blame."""
    n = row + j
    those[n] |= (1 << (max(reach[n], j) + 1)) - (1 << j)
    if because[n] == 0:
        return -1
    k = j - 1
    while (because[n] >> k) & 1 == 0:
        k -= 1
    because[row + k] |= because[n] & ~(1 << k)
    those[row + k] |= those[n]
    return int(k)
