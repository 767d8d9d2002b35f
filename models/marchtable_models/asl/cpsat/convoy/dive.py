"""Looking for one plan among what pairs leave, Impulse by Impulse: functions numba can compile.

After each Impulse there is a sum spent; the Impulse's cost is chosen first, then the vehicles'
moves, front to rear. What led nowhere is learned as a dead end: see :mod:`.deadends`.
"""

from __future__ import annotations

from typing import Any

from marchtable_models.asl.cpsat.convoy.deadends import KINDS, barred, learned
from marchtable_models.asl.cpsat.convoy.divemoves import prepared
from marchtable_models.asl.cpsat.convoy.divesteps import (
    CAPPED,
    NONE,
    ended_here,
    failed,
    gone_from,
    picked,
)

__all__ = ["CAPPED", "NONE", "dive"]

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
    kinds = len(costs)
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
            end = ended_here(
                config, t, spent, paid, costs, alike, gains, points, least, may_end, ahead, moving,
                count, size, base, place, at, states, found, after,
            )  # fmt: skip
            if end >= 0:
                return end
            if end == CAPPED:
                t -= 1  # an Impulse that has cost too much is to blame
                while costs[paid[t]] == costs[trial[t]]:
                    t -= 1
                mode, whom = REJECT, (1 << count) - 1
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
            if why == 0:
                why = prepared(
                    config, t, trial[t], level, over[t], lacks, pairs, masks, halts, idle, count,
                    size, base, place, u, v, linked, at, states, arc_at, arc_to, arc_kind,
                    arc_flags, pair_at, width, moves, needs, many, reach,
                )  # fmt: skip
            if why >= 0:
                blame[t] |= why
                continue
            mode, j = MOVE, 0
            pointer[row], because[row], those[row] = 0, 0, 0
        elif mode == LEAVE:
            if t == 0:
                return NONE
            whom = gone_from(
                config, t, last, kinds, spent, over, blame, lacks, known, room, alike, gains, flat,
                points, least, none, ends, may_end, ahead, moving, count, size, base, place, at,
                states, table, heads, links, sets,
            )  # fmt: skip
            known += 1 if whom and known < room else 0
            t, mode = t - 1, REJECT
        elif mode == REJECT:
            mode = PAY
            if whom:
                j, mode = count - 1, MOVE
                while (whom >> j) & 1 == 0:
                    j -= 1
                because[row + j] |= whom & ~(1 << j)
        else:
            n, level = row + j, spent[t] + costs[trial[t]]
            a, tried = picked(
                config, t, j, level, over, pairs, halts, count, base, place, u, v, linked, at,
                states, arc_to, arc_flags, pair_at, width, moves, needs, many, pointer, because,
                those, stopping, table, heads, links, sets,
            )  # fmt: skip
            work += tried
            if a < 0:
                j = failed(row, j, reach, because, those)
                if j >= 0:
                    continue
                blame[t] |= those[n]
                mode = PAY
                if known < room:
                    learned(
                        config, t, trial[t], spent[t], over[t], those[n], count, known, table,
                        heads, links, sets,
                    )  # fmt: skip
                    known += 1
                continue
            dearest[n] = arc_kind[a] if j == 0 else max(arc_kind[a], dearest[n - 1])
            if j < count - 1:
                j += 1
                pointer[n + 1], because[n + 1], those[n + 1] = 0, 0, 0
            else:
                paid[t], over[t + 1], spent[t + 1] = dearest[n], stopping[n], level
                t, mode = t + 1, ENTER
    return CAPPED
