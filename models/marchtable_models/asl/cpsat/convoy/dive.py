"""Looking for one plan among what pairs leave, Impulse by Impulse: functions numba can compile.

After each Impulse there is a sum spent; the Impulse's cost is chosen first, then the vehicles'
moves, front to rear. What led nowhere is learned as a dead end: see :mod:`.deadends`.
"""

from __future__ import annotations

from typing import Any

from marchtable_models.asl.cpsat.convoy.deadends import (
    KEYS,
    KINDS,
    barred,
    deadly,
    lacking,
    learned,
)
from marchtable_models.asl.cpsat.convoy.divemoves import ALIVE, blocked, prepared
from marchtable_models.asl.cpsat.convoy.divends import blamed, fits, straightened

__all__ = ["CAPPED", "NONE", "dive"]

NONE, CAPPED = -1, -2
"""There is no plan; the search gave up."""
ENTER, PAY, MOVE, LEAVE, REJECT = range(5)


def dive(
    pairs: Any, masks: Any, ends: Any, pays: Any, last: Any, costs: Any, levels: Any, halts: Any, halted: Any,
    alike: Any, gains: Any, flat: Any, points: Any, least: Any, none: Any, may_end: Any,
    ahead: Any, moving: Any, count: Any, size: Any, base: Any, place: Any, u: Any, v: Any,
    linked: Any, at: Any, states: Any, arc_at: Any, arc_to: Any, arc_kind: Any, arc_flags: Any,
    pair_at: Any, cap: Any, idle: Any, room: Any, width: Any, table: Any, heads: Any, links: Any,
    sets: Any, lacks: Any, config: Any, spent: Any, over: Any, blame: Any, trial: Any, paid: Any,
    pointer: Any, many: Any, reach: Any, because: Any, those: Any, dearest: Any, stopping: Any,
    moves: Any, needs: Any, found: Any, after: Any,
) -> int:  # fmt: skip
    """
    Fill `found` and `after` with a plan's states and what is spent; return how many Impulses it has.

    `may_end` tells by state, and by which of the places `ahead` are taken by the Convoy, for which
    sums spent it may end its MPh. Who is `idle` tries first to stay. Of dead ends there is `room`
    for so many. An Impulse may cost more than it must as long as no plan comes of it: what leads
    nowhere then is as good a dead end.
    """
    kinds, everybody = len(costs), (1 << count) - 1
    for i in range(count):
        config[i] = 0
    spent[0], over[0] = 0, halted
    known, work, t, j, mode, whom = 1, 0, 0, 0, ENTER, 0
    while work < cap:
        row = t * count
        if mode == ENTER:
            work += count
            mode, blame[t], trial[t] = PAY, 0, 0
            for kind in range(kinds):
                lacks[t * KINDS + kind] = 0
            if t > 0 and fits(
                config, row, spent[t], alike, gains, points, least, may_end, ahead, moving, count,
                size, base, place, at, states,
            ):  # fmt: skip
                short = straightened(config, t, paid, costs, after, found, count, at, states)
                if after[short] == spent[t] or fits(
                    config, row, after[short], alike, gains, points, least, may_end, ahead, moving,
                    count, size, base, place, at, states,
                ):  # fmt: skip
                    return int(short)
                t -= 1  # an Impulse that has cost too much is to blame
                while costs[paid[t]] == costs[trial[t]]:
                    t -= 1
                mode, whom = REJECT, everybody
        elif mode == PAY:
            trial[t] += 1
            if t == last or trial[t] == kinds:
                mode = LEAVE
                continue
            level = spent[t] + costs[trial[t]]
            if level >= levels or (pays[t * kinds + trial[t]] >> spent[t]) & 1 == 0:
                continue
            work += count
            why = barred(config, t, trial[t], spent[t], over[t], count, table, heads, links, sets)
            if why > 0:
                blame[t] |= why
                continue
            why = prepared(
                config, t, trial[t], level, over[t], lacks, pairs, masks, halts, idle, count,
                size, base, place, u, v, linked, at, states, arc_at, arc_to, arc_kind, arc_flags,
                pair_at, width, moves, needs, many, reach,
            )  # fmt: skip
            if why >= 0:
                blame[t] |= why
                continue
            mode, j = MOVE, 0
            pointer[row], because[row], those[row] = 0, 0, 0
        elif mode == LEAVE:
            if t == 0:
                return NONE
            single, joint = blamed(
                config, row, spent[t], alike, gains, flat, points, least, none, ends, may_end,
                ahead, moving, count, size, base, place, at, states,
            )  # fmt: skip
            whom = lacking(blame[t] | joint, t, kinds if t < last else 1, lacks, single, count)
            if whom and known < room:
                learned(
                    config, t, 0, spent[t], over[t], whom, count, known, table, heads, links, sets
                )
                known += 1
            t -= 1
            mode = REJECT
        elif mode == REJECT:
            mode = PAY
            if whom:
                j = count - 1
                while (whom >> j) & 1 == 0:
                    j -= 1
                because[row + j] |= whom & ~(1 << j)
                mode = MOVE
        else:
            n, level = row + j, spent[t] + costs[trial[t]]
            was = place[base[j] + states[at[n] + config[n]]]
            before = stopping[n - 1] if j > 0 else over[t]
            chosen = -1
            while pointer[n] < many[n]:
                a = moves[n * width + pointer[n]]
                pointer[n] += 1
                if needs[n * width + pointer[n] - 1] != ALIVE:
                    continue
                work += 1
                if j > 0 and linked[j]:
                    wide = at[n + count + 1] - at[n + count]
                    pair = pair_at[(t + 1) * (count - 1) + j - 1] + config[n + count - 1] * wide
                    if (pairs[pair + arc_to[a]] >> level) & 1 == 0:
                        because[n] |= 1 << (j - 1)
                        continue
                if halts and arc_flags[a] & 4 and before:
                    because[n] |= (1 << j) - 1
                    continue
                p = place[base[j] + states[at[n + count] + arc_to[a]]]
                other = blocked(p, was, config, row, j, count, base, place, u, v, at, states)
                if other >= count:
                    those[n] |= 1 << (other - count)
                    continue
                if other >= 0:
                    because[n] |= 1 << other
                    continue
                config[n + count] = arc_to[a]
                stopping[n] = before | (1 if halts and arc_flags[a] & 8 else 0)
                entry = deadly(
                    config, t + 1, 0, level, stopping[n], j, count, table, heads, links, sets
                )
                if entry:
                    begin = entry * (count + KEYS)
                    because[n] |= table[begin + 2] & ~(1 << j)
                    if table[begin + 1] > over[t]:
                        because[n] |= (1 << j) - 1
                    continue
                chosen = a
                dearest[n] = arc_kind[a]
                if j > 0:
                    dearest[n] = max(arc_kind[a], dearest[n - 1])
                break
            if chosen < 0:
                those[n] |= (1 << (max(reach[n], j) + 1)) - (1 << j)
                if because[n] == 0:
                    blame[t] |= those[n]
                    mode = PAY
                    if known < room:
                        learned(
                            config, t, trial[t], spent[t], over[t], those[n], count, known, table,
                            heads, links, sets,
                        )  # fmt: skip
                        known += 1
                    continue
                k = j - 1
                while (because[n] >> k) & 1 == 0:
                    k -= 1
                because[row + k] |= because[n] & ~(1 << k)
                those[row + k] |= those[n]
                j = k
            elif j < count - 1:
                j += 1
                pointer[n + 1], because[n + 1], those[n + 1] = 0, 0, 0
            else:
                paid[t] = dearest[n]
                spent[t + 1] = level
                over[t + 1] = stopping[n]
                t += 1
                mode = ENTER
    return CAPPED
