"""Looking for one plan among what pairs leave, Impulse by Impulse: functions numba can compile.

After each Impulse there is a sum spent; the Impulse's cost is chosen first, then the vehicles'
moves, front to rear. What led nowhere is learned of as few vehicles as can be blamed, each in its
state, after so many Impulses and for so much: a *dead end*. It is never entered again, whatever the
others do. Sets of vehicles are masks.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "CAPPED", "NONE", "barred", "blamed", "blocked", "deadly", "dive", "fits", "keyed", "lacking", "learned",
    "narrowed", "nearest", "prepared", "smaller", "straightened",
]  # fmt: skip

NONE, CAPPED = -1, -2
"""There is no plan; the search gave up."""
ENTER, PAY, MOVE, LEAVE, REJECT = range(5)
ALIVE = 99
KINDS = 64
"""At most so many costs are told apart."""
HEADS = 16381
KEYS = 3  # of a dead end, before its states
SETS = 40
"""Of so many sets of vehicles are dead ends kept by Impulse and last vehicle."""


def fits(
    config: Any, row: Any, level: Any, alike: Any, gains: Any, points: Any, least: Any,
    may_end: Any, ahead: Any, moving: Any, count: Any, size: Any, base: Any, place: Any, at: Any,
    states: Any,
) -> bool:  # fmt: skip
    """Tell whether a plan may end in a configuration, and comes to what is wanted."""
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


def blamed(
    config: Any, row: Any, level: Any, alike: Any, gains: Any, flat: Any, points: Any, least: Any,
    none: Any, ends: Any, may_end: Any, ahead: Any, moving: Any, count: Any, size: Any, base: Any,
    place: Any, at: Any, states: Any,
) -> tuple[int, int]:  # fmt: skip
    """Return each vehicle because of which alone no plan ends so; else those because of whom."""
    single, joint = 0, (1 << count) - 1
    for i in range(count):
        state = states[at[row + i] + config[row + i]]
        if (ends[(row + i) * size + state] >> level) & 1 == 0:
            single |= 1 << i
    if single:
        return single, 0
    for r in range(len(least)):
        total, those = points[r] * level, 0
        for i in range(count):
            total += gains[(r * count + i) * size + states[at[row + i] + config[row + i]]]
            if flat[r * count + i] == none:
                those |= 1 << i
        if total < least[r]:
            joint = those
    for i in range(count):
        state = base[i] + states[at[row + i] + config[row + i]]
        if alike and i > 0:
            before = base[i - 1] + states[at[row + i - 1] + config[row + i - 1]]
            if moving[state] != moving[before]:
                joint = 3 << (i - 1)
        code, able = 0, 1 << i
        for k in range(2):
            p = ahead[state * 2 + k]
            if p == 0:
                continue
            those, taken = 0, False
            for j in range(count):
                if j == i:
                    continue
                for entry in range(at[row + j], at[row + j + 1]):
                    if place[base[j] + states[entry]] == p:
                        those |= 1 << j
                        taken = taken or entry - at[row + j] == config[row + j]
            if taken:
                code |= 1 << k
            else:
                able |= those
        if (may_end[(i * size + state - base[i]) * 4 + code] >> level) & 1 == 0:
            joint = smaller(joint, able)
    return single, joint


def smaller(those: Any, others: Any) -> int:
    """Return of two sets of vehicles that which has fewer."""
    found, left = int(those), int(others)
    while found and left:
        found &= found - 1
        left &= left - 1
    return int(others if found else those)


def nearest(those: Any, others: Any, count: Any) -> int:
    """Return that of some others that is nearest to those, as a mask; nothing if it is among them."""
    if those & others:
        return 0
    for far in range(1, count):
        found = others & (those << far | those >> far)
        if found:
            return int(found & -found)
    return int(others & -others)


def learned(
    config: Any, t: Any, kind: Any, level: Any, over: Any, those: Any, count: Any, known: Any,
    table: Any, heads: Any, links: Any, sets: Any,
) -> None:  # fmt: skip
    """
    Keep a dead end: of those vehicles, or of some more if too many sets are known already.

    It is one if an Impulse of some kind of cost follows, or, for 0, whatever does.
    """
    last = count - 1
    while (those >> last) & 1 == 0:
        last -= 1
    begin = ((2 * t + (kind > 0)) * count + last) * SETS
    for k in range(SETS):
        if k == SETS - 1:
            those = (2 << last) - 1
        if sets[begin + k] in (0, those):
            sets[begin + k] = those
            break
    place = (t * KINDS + level) * KINDS + kind
    key, row = keyed(config, t, place, those, count), known * (count + KEYS)
    table[row], table[row + 1], table[row + 2] = place, over, those
    for i in range(last + 1):
        table[row + KEYS + i] = config[t * count + i]
    links[known] = heads[key]
    heads[key] = known


def keyed(config: Any, t: Any, key: Any, those: Any, count: Any) -> int:
    """Return where dead ends of those vehicles in their states begin."""
    left, i = those, t * count
    while left:
        if left & 1:
            key = (key * 8191 + config[i] + 1) % 1000000007
        left >>= 1
        i += 1
    return int(key % HEADS)


def deadly(
    config: Any, t: Any, kind: Any, level: Any, over: Any, last: Any, count: Any, table: Any,
    heads: Any, links: Any, sets: Any,
) -> int:  # fmt: skip
    """Return the entry of a dead end whose last vehicle is told, 0 for none."""
    row = ((2 * t + (kind > 0)) * count + last) * SETS
    place = (t * KINDS + level) * KINDS + kind
    for k in range(SETS):
        those = sets[row + k]
        if those == 0:
            break
        entry = heads[keyed(config, t, place, those, count)]
        while entry:
            begin = entry * (count + KEYS)
            same = table[begin] == place and table[begin + 1] <= over and table[begin + 2] == those
            for i in range(last + 1):
                if (those >> i) & 1:
                    same = same and table[begin + KEYS + i] == config[t * count + i]
            if same:
                return int(entry)
            entry = links[entry]
    return 0


def barred(
    config: Any, t: Any, kind: Any, level: Any, over: Any, count: Any, table: Any, heads: Any,
    links: Any, sets: Any,
) -> int:  # fmt: skip
    """Return because of whom an Impulse of some kind of cost leads nowhere, 0 if that is not known."""
    for last in range(count):
        entry = deadly(config, t, kind, level, over, last, count, table, heads, links, sets)
        if entry:
            return int(table[entry * (count + KEYS) + 2])
    return 0


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


def straightened(
    config: Any, t: Any, paid: Any, costs: Any, spent: Any, found: Any, count: Any, at: Any,
    states: Any,
) -> int:  # fmt: skip
    """
    Fill `found` with the states of a plan of so many Impulses, those left out in which nobody moves.

    `spent` is what is spent then, each Impulse costing no more than it must; return how many are
    left.
    """
    after = 0
    for s in range(t + 1):
        if s > 0:
            if paid[s - 1] == 0:
                continue
            after += 1
            spent[after] = spent[after - 1] + costs[paid[s - 1]]
        for i in range(count):
            n = s * count + i
            found[after * count + i] = states[at[n] + config[n]]
    return after


def lacking(blame: Any, t: Any, kinds: Any, lacks: Any, single: Any, count: Any) -> int:
    """Return whom to blame, one of each set of those of whom each one alone is to blame included."""
    found = int(blame)
    for kind in range(kinds):
        others = lacks[t * KINDS + kind] if kind else single
        if others:
            found |= nearest(found, others, count)
    return found


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
