"""Looking for one plan among what pairs leave, Impulse by Impulse: functions numba can compile."""

from __future__ import annotations

from typing import Any

__all__ = ["CAPPED", "NONE", "dive", "fits", "met"]

NONE, CAPPED = -1, -2
"""There is no plan; the search gave up."""


def fits(
    config: Any, t: Any, level: Any, alike: Any, gains: Any, points: Any, least: Any,
    may_end: Any, ahead: Any, moving: Any, count: Any, size: Any, base: Any, place: Any, at: Any,
    states: Any,
) -> bool:  # fmt: skip
    """Tell whether a plan may end in a configuration, and comes to what is wanted."""
    row = t * count
    for r in range(len(least)):
        total = points[r] * level
        for i in range(count):
            total += gains[(r * count + i) * size + states[at[row + i] + config[row + i]]]
        if total < least[r]:
            return False
    first = base[0] + states[at[row] + config[row]]
    for i in range(count):
        state = base[i] + states[at[row + i] + config[row + i]]
        code = 0
        for k in range(2):
            p = ahead[state * 2 + k]
            for other in range(count):
                q = place[base[other] + states[at[row + other] + config[row + other]]]
                if other != i and p == q and p != 0:
                    code |= 1 << k
        if (may_end[(i * size + state - base[i]) * 4 + code] >> level) & 1 == 0:
            return False
        if alike and moving[state] != moving[first]:
            return False
    return True


def met(
    config: Any, t: Any, level: Any, over: Any, count: Any, known: Any, table: Any, heads: Any,
    links: Any,
) -> int:  # fmt: skip
    """Tell whether a configuration is among those known, as 1; else put it there."""
    row = t * count
    key = level * 31 + over + t * 1009
    for i in range(count):
        key = (key * 8191 + config[row + i] + 1) % 1000000007
    entry = heads[key % len(heads)]
    while entry:
        begin = entry * (count + 3)
        same = table[begin + count] == t and table[begin + count + 1] == level
        same = same and table[begin + count + 2] == over
        for i in range(count):
            same = same and table[begin + i] == config[row + i]
        if same:
            return 1
        entry = links[entry]
    begin = (known + 1) * (count + 3)
    for i in range(count):
        table[begin + i] = config[row + i]
    table[begin + count], table[begin + count + 1], table[begin + count + 2] = t, level, over
    links[known + 1] = heads[key % len(heads)]
    heads[key % len(heads)] = known + 1
    return 0


def dive(
    pairs: Any, masks: Any, last: Any, costs: Any, halts: Any, halted: Any, alike: Any,
    gains: Any, points: Any, least: Any, may_end: Any, ahead: Any, moving: Any,
    count: Any, size: Any, base: Any, place: Any, u: Any, v: Any, linked: Any,
    at: Any, states: Any, arc_at: Any, arc_to: Any, arc_kind: Any, arc_flags: Any, pair_at: Any,
    cap: Any, idle: Any, room: Any, table: Any, heads: Any, links: Any,
    config: Any, spent: Any, over: Any, pointer: Any, dearest: Any, alive: Any, stopping: Any,
) -> int:  # fmt: skip
    """
    Fill `config` and `spent` with a plan; return after how many Impulses it ends.

    `may_end` tells by state, and by which of the places `ahead` are taken by the Convoy, for which
    sums spent it may end its MPh. Who is `idle` tries first to stay. Configurations that lead nowhere are kept in `table`, of which
    there is `room` for so many, each with its Impulse, what is spent and whether somebody stopped.
    """
    for i in range(count):
        config[i] = 0
    spent[0], over[0] = 0, halted
    known, work, t, j = 0, 0, 0, -1
    while True:
        if j < 0:  # a new configuration
            if t > 0 and fits(
                config, t, spent[t], alike, gains, points, least, may_end, ahead, moving, count,
                size, base, place, at, states,
            ):  # fmt: skip
                return int(t)
            failed = t == last
            if not failed and t > 0:
                code = met(config, t, spent[t], over[t], count, known, table, heads, links)
                failed = code == 1
                if code == 0:  # told now: if it is met again, it has led nowhere
                    known += 1
                    if known + 1 >= room:
                        return CAPPED
            if failed:
                if t == 0:
                    return NONE
                t -= 1
                j = count - 1
            else:
                j = 0
                pointer[t * count] = arc_at[at[t * count] + config[t * count]]
        # the next move of vehicle j
        row, n = t * count, t * count + j
        entry = at[n] + config[n]
        was = place[base[j] + states[entry]]
        chosen = -1
        while pointer[n] < arc_at[entry + 1]:
            a = pointer[n]
            if idle:
                a = arc_at[entry] + arc_at[entry + 1] - 1 - a
            pointer[n] += 1
            work += 1
            flags = arc_flags[a]
            stopped = stopping[n - 1] if j > 0 else over[t]
            if halts and flags & 4 and stopped:
                continue
            kind = arc_kind[a]
            if j > 0 and dearest[n - 1] > kind:
                kind = dearest[n - 1]
            after = (t + 1) * count + j
            s = states[at[after] + arc_to[a]]
            mask = masks[(t + 1) * count * size + j * size + s]
            if j > 0:
                mask &= alive[n - 1]
                if linked[j]:
                    wide = at[after + 1] - at[after]
                    begin = pair_at[(t + 1) * (count - 1) + j - 1]
                    mask &= pairs[begin + config[after - 1] * wide + arc_to[a]]
            paid = spent[t] + costs[max(kind, 1)]
            if mask >> paid == 0:
                continue
            if j == count - 1 and (kind == 0 or (mask >> paid) & 1 == 0):
                continue
            p = place[base[j] + s]
            clear = True
            if p != 0:
                for k in range(count):
                    if k < j:
                        other = (t + 1) * count + k
                        q = place[base[k] + states[at[other] + config[other]]]
                    elif k > j and p != was:
                        q = place[base[k] + states[at[row + k] + config[row + k]]]
                    else:
                        continue
                    if q != 0 and u[p] == u[q] and v[p] == v[q]:
                        clear = False
                        break
            if clear:
                chosen = a
                dearest[n], alive[n] = kind, mask
                stopping[n] = stopped | (1 if flags & 8 else 0)
                config[after] = arc_to[a]
                break
        if work > cap:
            return CAPPED
        if chosen < 0:
            j -= 1
            if j < 0:
                if t == 0:
                    return NONE
                t -= 1
                j = count - 1
        elif j < count - 1:
            j += 1
            pointer[row + j] = arc_at[at[row + j] + config[row + j]]
        else:
            spent[t + 1] = spent[t] + costs[dearest[n]]
            over[t + 1] = stopping[n]
            t += 1
            j = -1
