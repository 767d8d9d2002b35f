"""Where two members of a line, one behind the other, can be at once: functions numba can compile.

As in :mod:`marchtable.planning.line.sweep`, but masks are of pairs of states. Of each
round and member only the states left are numbered; the pairs of a member and the next are a
matrix in one long array. Since a line is a chain, what pairs agree on for one sum spent after
one round is exact; only what two different pairs need before may differ.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "apart", "around", "chained", "ended", "numbered", "paired", "payable", "shown", "standing",
    "traced_pairs",
]  # fmt: skip


def numbered(masks: Any, laid: Any, moves: Any, line: Any) -> int:
    """Lay out what is left, and the arcs between; return how many pairs."""
    count, size, base, span = line.members, line.size, line.base, line.span
    last, first, to, kind, linked = moves.last, moves.first, moves.to, moves.kind, line.linked
    at, states, rank, pair_at = laid.at, laid.states, laid.rank, laid.pair_at
    arc_at, arc_to, arc_kind = laid.arc_at, laid.arc_to, laid.arc_kind
    used, arcs, pairs = 0, 0, 0
    for t in range(last + 1):
        for i in range(count):
            at[t * count + i] = used
            here = (t * count + i) * size
            for s in range(span[i]):
                rank[here + s] = -1
                if masks[here + s]:
                    rank[here + s] = used - at[t * count + i]
                    states[used] = s
                    used += 1
    at[(last + 1) * count] = used
    for t in range(last + 1):
        for i in range(count):
            if i < count - 1:
                pair_at[t * (count - 1) + i] = pairs
                row = (at[t * count + i + 1] - at[t * count + i]) * linked[i + 1]
                pairs += row * (at[t * count + i + 2] - at[t * count + i + 1])
            there = ((t + 1) * count + i) * size
            for e in range(at[t * count + i], at[t * count + i + 1]):
                arc_at[e] = arcs
                if t == last:
                    continue
                state = base[i] + states[e]
                for a in range(first[state], first[state + 1]):
                    if kind[a] >= 0 and rank[there + to[a]] >= 0:
                        arc_to[arcs] = rank[there + to[a]]
                        arc_kind[arcs] = kind[a]
                        arcs += 1
                if rank[there + moves.idle[state]] >= 0:
                    arc_to[arcs] = rank[there + moves.idle[state]]
                    arc_kind[arcs] = 0
                    arcs += 1
    arc_at[used] = arcs
    pair_at[(last + 1) * (count - 1)] = pairs
    return pairs


def apart(pairs: Any, t: Any, i: Any, laid: Any, line: Any) -> None:
    """Leave out pairs of a member and the next after a round that are not beside each other."""
    at, states, place, near, seen = laid.at, laid.states, line.place, line.near, line.seen
    n, places = t * line.members + i, len(seen)
    wide = at[n + 2] - at[n + 1]
    for e in range(at[n], at[n + 1]):
        p = place[line.base[i] + states[e]]
        if p == 0:
            continue
        row = laid.pair_at[t * (line.members - 1) + i] + (e - at[n]) * wide
        seen[0] = line.entering[(i + 1) * places + p]
        for k in range(line.near_at[p], line.near_at[p + 1]):
            seen[near[k]] = 1
        for f in range(at[n + 1], at[n + 2]):
            if seen[place[line.base[i + 1] + states[f]]] == 0:
                pairs[row + f - at[n + 1]] = 0
        seen[0] = 0
        for k in range(line.near_at[p], line.near_at[p + 1]):
            seen[near[k]] = 0


def chained(pairs: Any, t: Any, laid: Any, line: Any) -> int:
    """Keep pairs that agree with their neighbours' after a round; return what may be spent."""
    count, linked, seen = line.members, line.linked, line.some
    at, pair_at = laid.at, laid.pair_at
    for way in range(2):
        for step in range(count - 2):
            i = step if way == 0 else count - 2 - step  # the pair that tells
            other = i + 1 if way == 0 else i - 1
            if linked[i + 1] == 0 or linked[other + 1] == 0:
                continue
            n = t * count
            rows, columns = at[n + i + 1] - at[n + i], at[n + i + 2] - at[n + i + 1]
            begin = pair_at[t * (count - 1) + i]
            shared = columns if way == 0 else rows
            for k in range(shared):
                seen[k] = 0
            for a in range(rows):
                for b in range(columns):
                    seen[b if way == 0 else a] |= pairs[begin + a * columns + b]
            rows, columns = at[n + other + 1] - at[n + other], at[n + other + 2] - at[n + other + 1]
            begin = pair_at[t * (count - 1) + other]
            for a in range(rows):
                for b in range(columns):
                    pairs[begin + a * columns + b] &= seen[a if way == 0 else b]
    common = -1
    for i in range(count - 1):
        if linked[i + 1]:
            n, found = t * (count - 1) + i, 0
            for k in range(pair_at[n], pair_at[n + 1]):
                found |= pairs[k]
            common &= found
    return common


def paired(pairs: Any, limits: Any, masks: Any, pays: Any, laid: Any, moves: Any, line: Any) -> int:
    """Fill masks of pairs forwards from the start, within limits and those of single states."""
    count, base, place, hexes = line.members, line.base, line.place, line.hexes
    linked = line.linked
    at, states, pair_at = laid.at, laid.states, laid.pair_at
    arc_at, arc_to, arc_kind = laid.arc_at, laid.arc_to, laid.arc_kind
    last, costs, ladder, joint = moves.last, moves.costs, moves.ladder, moves.joint
    size, kinds = line.size, len(costs)
    for i in range(count - 1):
        if linked[i + 1]:
            pairs[pair_at[i]] = 1
    for t in range(last):
        for i in range(count - 1):
            if linked[i + 1] == 0:
                continue
            n, m = t * count + i, (t + 1) * count + i
            columns, wide = at[n + 2] - at[n + 1], at[m + 2] - at[m + 1]
            begin, then = pair_at[t * (count - 1) + i], pair_at[(t + 1) * (count - 1) + i]
            for e in range(at[n], at[n + 1]):
                for f in range(at[n + 1], at[n + 2]):
                    mask = pairs[begin + (e - at[n]) * columns + f - at[n + 1]]
                    if mask == 0:
                        continue
                    was, stood = place[base[i] + states[e]], place[base[i + 1] + states[f]]
                    waits = line.in_turn and was == 0 and stood == 0
                    ladder[kinds] = 0
                    for k in range(kinds - 1, 0, -1):
                        told = (mask & pays[t * kinds + k]) << costs[k]
                        ladder[k] = ladder[k + 1] | told & moves.full
                    ladder[0] = ladder[1]
                    for a in range(arc_at[e], arc_at[e + 1]):
                        p = place[base[i] + states[at[m] + arc_to[a]]]
                        if p not in (0, was) and hexes[p] == hexes[stood]:
                            continue
                        row, dear = then + arc_to[a] * wide, arc_kind[a] * kinds
                        for b in range(arc_at[f], arc_at[f + 1]):
                            if line.follows or waits:
                                q = place[base[i + 1] + states[at[m + 1] + arc_to[b]]]
                                if q != stood and (waits or q != was or p == was):
                                    continue
                            pairs[row + arc_to[b]] |= ladder[joint[dear + arc_kind[b]]]
            here = ((t + 1) * count + i) * size
            for e in range(at[m], at[m + 1]):
                for f in range(at[m + 1], at[m + 2]):
                    k = then + (e - at[m]) * wide + f - at[m + 1]
                    pairs[k] &= masks[here + states[e]] & masks[here + size + states[f]]
                    if len(limits) > 0:
                        pairs[k] &= limits[k]
            apart(pairs, t + 1, i, laid, line)
        if chained(pairs, t + 1, laid, line) == 0:
            return int(t + 1)  # whoever is there then must have ended
    return int(last + 1)


def traced_pairs(
    pairs: Any, ahead: Any, ends: Any, pays: Any, laid: Any, moves: Any, line: Any
) -> int:
    """Fill backwards with what of the pairs ahead leads to an end; return the masks of the start."""
    count, base, place, hexes = line.members, line.base, line.place, line.hexes
    linked = line.linked
    at, states, pair_at = laid.at, laid.states, laid.pair_at
    arc_at, arc_to, arc_kind = laid.arc_at, laid.arc_to, laid.arc_kind
    last, costs, ladder, joint = moves.last, moves.costs, moves.ladder, moves.joint
    kinds, common = len(costs), 0
    for t in range(last, -1, -1):
        for i in range(count - 1):
            if linked[i + 1] == 0:
                continue
            n, m = t * count + i, (t + 1) * count + i
            columns = at[n + 2] - at[n + 1]
            begin = pair_at[t * (count - 1) + i]
            wide, then = 0, 0
            if t < last:
                wide, then = at[m + 2] - at[m + 1], pair_at[(t + 1) * (count - 1) + i]
            for e in range(at[n], at[n + 1]):
                for f in range(at[n + 1], at[n + 2]):
                    here = begin + (e - at[n]) * columns + f - at[n + 1]
                    mask, found = ahead[here], 0
                    if mask == 0:
                        continue
                    if t < last:
                        was, stood = place[base[i] + states[e]], place[base[i + 1] + states[f]]
                        waits = line.in_turn and was == 0 and stood == 0
                        for k in range(kinds):
                            ladder[k] = 0
                        for a in range(arc_at[e], arc_at[e + 1]):
                            p = place[base[i] + states[at[m] + arc_to[a]]]
                            if p not in (0, was) and hexes[p] == hexes[stood]:
                                continue
                            row, dear = then + arc_to[a] * wide, arc_kind[a] * kinds
                            for b in range(arc_at[f], arc_at[f + 1]):
                                if line.follows or waits:
                                    q = place[base[i + 1] + states[at[m + 1] + arc_to[b]]]
                                    if q != stood and (waits or q != was or p == was):
                                        continue
                                ladder[joint[dear + arc_kind[b]]] |= pairs[row + arc_to[b]]
                        onward = ladder[0]
                        for k in range(1, kinds):
                            onward |= ladder[k]
                            found |= (onward >> costs[k]) & pays[t * kinds + k]
                    pairs[here] = mask & found | ends[here]
        common = chained(pairs, t, laid, line)
    return common


def payable(pays: Any, masks: Any, moves: Any, line: Any) -> None:
    """Fill in by round and kind of cost the sums before which some member can pay just that."""
    count, size, base, span = line.members, line.size, line.base, line.span
    last, first, to, kind, costs = moves.last, moves.first, moves.to, moves.kind, moves.costs
    kinds = len(costs)
    for t in range(last):
        for i in range(count):
            here = (t * count + i) * size
            for s in range(span[i]):
                mask = masks[here + s]
                if mask == 0:
                    continue
                for a in range(first[base[i] + s], first[base[i] + s + 1]):
                    k = kind[a]
                    if k > 0:
                        found = masks[here + count * size + to[a]] >> costs[k]
                        pays[t * kinds + k] |= mask & found


def shown(masks: Any, pairs: Any, alone: Any, last: Any, laid: Any, line: Any) -> None:
    """Fill masks of single states with what pairs leave of them, if they are in any, or `alone`."""
    count, size, linked = line.members, line.size, line.linked
    at, states, pair_at = laid.at, laid.states, laid.pair_at
    for t in range(last + 1):
        for i in range(count):
            n, here = t * count + i, (t * count + i) * size
            if i < count - 1 and linked[i + 1]:
                columns = at[n + 2] - at[n + 1]
                begin = pair_at[t * (count - 1) + i]
                for e in range(at[n], at[n + 1]):
                    for f in range(at[n + 1], at[n + 2]):
                        mask = pairs[begin + (e - at[n]) * columns + f - at[n + 1]]
                        masks[here + states[e]] |= mask
                        masks[here + size + states[f]] |= mask
            elif i == 0 or linked[i] == 0:
                for e in range(at[n], at[n + 1]):
                    masks[here + states[e]] = alone[here + states[e]]


# -- how they may end ----------------------------------------------------------------------------


def ended(ends: Any, pairs: Any, masks: Any, last: Any, before: Any, laid: Any, line: Any) -> None:
    """
    Fill with what of pairs may end, as `masks` tell of single states; all moving or none.

    What must stand before a member is the other of the pair, or one that can be there then.
    """
    count, size, base, place = line.members, line.size, line.base, line.place
    at, states, moving = laid.at, laid.states, before.moving
    for t in range(last + 1):
        around(masks, t, before, laid, line)
        for i in range(count - 1):
            if line.linked[i + 1] == 0:
                continue
            n, here = t * count + i, (t * count + i) * size
            columns = at[n + 2] - at[n + 1]
            begin = laid.pair_at[t * (count - 1) + i]
            for e in range(at[n], at[n + 1]):
                mine = masks[here + states[e]]
                if mine == 0:
                    continue
                state = base[i] + states[e]
                for f in range(at[n + 1], at[n + 2]):
                    k = begin + (e - at[n]) * columns + f - at[n + 1]
                    mask = pairs[k] & mine & masks[here + size + states[f]]
                    if mask == 0:
                        continue
                    behind = base[i + 1] + states[f]
                    if before.alike and moving[state] != moving[behind]:
                        continue
                    mine_too = standing(
                        before, i * size + states[e], state, place[behind], 2 * e + 1
                    )
                    other = (i + 1) * size + states[f]
                    ends[k] = mask & mine_too & standing(before, other, behind, place[state], 2 * f)
        chained(ends, t, laid, line)


def standing(before: Any, row: Any, state: Any, other: Any, side: Any) -> Any:
    """Return for what sums a member may end in a state, one of its neighbours being in `other`."""
    width, may_end, ahead, reach = before.width, before.may_end, before.ahead, before.reach
    row, begin = row << width, side * width
    found = may_end[row]
    for code in range(1, 1 << width):
        mask = may_end[row + code]
        for k in range(width):
            if (code >> k) & 1 and (other == 0 or ahead[width * state + k] != other):
                mask &= reach[begin + k]
        found |= mask
    return found


def around(masks: Any, t: Any, before: Any, laid: Any, line: Any) -> None:
    """
    Tell of each state left after a round for what sums others can be in the places before it.

    So many entries a state: the `width` places, the one ahead left out, and again without the one
    behind.
    `taken` is filled by member and place, and empty again in the end.
    """
    count, size, base, place = line.members, line.size, line.base, line.place
    at, states, places = laid.at, laid.states, len(line.seen)
    width, ahead, taken, reach = before.width, before.ahead, before.taken, before.reach
    for i in range(count):
        for e in range(at[t * count + i], at[t * count + i + 1]):
            mask = masks[(t * count + i) * size + states[e]]
            taken[i * places + place[base[i] + states[e]]] |= mask
    for i in range(count):
        for e in range(at[t * count + i], at[t * count + i + 1]):
            for k in range(2 * width):
                reach[2 * width * e + k] = 0
            if masks[(t * count + i) * size + states[e]] == 0:
                continue
            for k in range(width):
                p = ahead[width * (base[i] + states[e]) + k]
                for j in range(count if p != 0 else 0):
                    if j == i:
                        continue
                    if j != i - 1:
                        reach[2 * width * e + k] |= taken[j * places + p]
                    if j != i + 1:
                        reach[(2 * e + 1) * width + k] |= taken[j * places + p]
    for i in range(count):
        for e in range(at[t * count + i], at[t * count + i + 1]):
            taken[i * places + place[base[i] + states[e]]] = 0
