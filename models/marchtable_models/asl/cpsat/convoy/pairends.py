"""How two vehicles, one behind the other, may end their MPh: functions numba can compile."""

from __future__ import annotations

from typing import Any

from marchtable_models.asl.cpsat.convoy.pairs import chained

__all__ = ["around", "ended", "standing"]


def ended(
    ends: Any, pairs: Any, masks: Any, last: Any, alike: Any, moving: Any, may_end: Any,
    ahead: Any, places: Any, taken: Any, reach: Any, full: Any,
    count: Any, size: Any, base: Any, place: Any, linked: Any, at: Any, states: Any, pair_at: Any,
    seen: Any,
) -> None:  # fmt: skip
    """
    Fill with what of pairs may end, as `masks` tell of single states; all in Motion or none.

    What must stand before a vehicle is the other of the pair, or one that can be there then.
    """
    for t in range(last + 1):
        around(
            reach, taken, masks, t, ahead, places, count, size, base, place, at, states
        )  # fmt: skip
        for i in range(count - 1):
            if linked[i + 1] == 0:
                continue
            n, here = t * count + i, (t * count + i) * size
            columns = at[n + 2] - at[n + 1]
            begin = pair_at[t * (count - 1) + i]
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
                    if alike and moving[state] != moving[behind]:
                        continue
                    mask &= standing(
                        may_end, (i * size + states[e]) * 4, ahead, state, place[behind], reach,
                        4 * e + 2, full,
                    )  # fmt: skip
                    mask &= standing(
                        may_end, ((i + 1) * size + states[f]) * 4, ahead, behind, place[state],
                        reach, 4 * f, full,
                    )  # fmt: skip
                    ends[k] = mask
        chained(ends, t, count, linked, at, pair_at, seen)


def standing(
    may_end: Any, row: Any, ahead: Any, state: Any, other: Any, reach: Any, begin: Any, full: Any
) -> Any:
    """Return for what sums a vehicle may end in a state, one of its neighbours being in `other`."""
    first, second = reach[begin], reach[begin + 1]
    if other != 0:
        if ahead[2 * state] == other:
            first = full
        if ahead[2 * state + 1] == other:
            second = full
    found = may_end[row] | (may_end[row + 1] & first) | (may_end[row + 2] & second)
    return found | (may_end[row + 3] & first & second)


def around(
    reach: Any, taken: Any, masks: Any, t: Any, ahead: Any, places: Any,
    count: Any, size: Any, base: Any, place: Any, at: Any, states: Any,
) -> None:  # fmt: skip
    """
    Tell of each state left after an Impulse for what sums others can be in the places before it.

    Four entries a state: the two places, the one ahead left out, and again without the one behind.
    `taken` is filled by vehicle and place, and empty again in the end.
    """
    for i in range(count):
        for e in range(at[t * count + i], at[t * count + i + 1]):
            mask = masks[(t * count + i) * size + states[e]]
            taken[i * places + place[base[i] + states[e]]] |= mask
    for i in range(count):
        for e in range(at[t * count + i], at[t * count + i + 1]):
            for k in range(4):
                reach[4 * e + k] = 0
            if masks[(t * count + i) * size + states[e]] == 0:
                continue
            for k in range(2):
                p = ahead[2 * (base[i] + states[e]) + k]
                for j in range(count if p != 0 else 0):
                    if j == i:
                        continue
                    if j != i - 1:
                        reach[4 * e + k] |= taken[j * places + p]
                    if j != i + 1:
                        reach[4 * e + 2 + k] |= taken[j * places + p]
    for i in range(count):
        for e in range(at[t * count + i], at[t * count + i + 1]):
            taken[i * places + place[base[i] + states[e]]] = 0
