"""How two members, one behind the other, may end their turn: functions numba can compile."""

from __future__ import annotations

from typing import Any

from marchtable.planning.line.pairs import chained

__all__ = ["around", "ended", "standing"]


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
