"""How two vehicles, one behind the other, may end their MPh: functions numba can compile."""

from __future__ import annotations

from typing import Any

from marchtable_models.asl.cpsat.convoy.pairs import chained

__all__ = ["around", "ended", "standing"]


def ended(
    ends: Any, pairs: Any, masks: Any, last: Any, alike: Any, moving: Any, may_end: Any,
    ahead: Any, places: Any, taken: Any, reach: Any,
    count: Any, size: Any, base: Any, place: Any, linked: Any, at: Any, states: Any, pair_at: Any,
    seen: Any,
) -> None:  # fmt: skip
    """
    Fill with what of pairs may end, as `masks` tell of single states; all in Motion or none.

    What must stand before a vehicle is the other of the pair, or one that can be there then.
    """
    width = len(ahead) // len(moving)
    for t in range(last + 1):
        around(
            reach, taken, masks, t, ahead, width, places, count, size, base, place, at, states
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
                        may_end, (i * size + states[e]) << width, ahead, state, place[behind],
                        reach, (2 * e + 1) * width, width,
                    )  # fmt: skip
                    mask &= standing(
                        may_end, ((i + 1) * size + states[f]) << width, ahead, behind, place[state],
                        reach, 2 * f * width, width,
                    )  # fmt: skip
                    ends[k] = mask
        chained(ends, t, count, linked, at, pair_at, seen)


def standing(
    may_end: Any, row: Any, ahead: Any, state: Any, other: Any, reach: Any, begin: Any, width: Any
) -> Any:
    """Return for what sums a vehicle may end in a state, one of its neighbours being in `other`."""
    found = may_end[row]
    for code in range(1, 1 << width):
        mask = may_end[row + code]
        for k in range(width):
            if (code >> k) & 1 and (other == 0 or ahead[width * state + k] != other):
                mask &= reach[begin + k]
        found |= mask
    return found


def around(
    reach: Any, taken: Any, masks: Any, t: Any, ahead: Any, width: Any, places: Any,
    count: Any, size: Any, base: Any, place: Any, at: Any, states: Any,
) -> None:  # fmt: skip
    """
    Tell of each state left after an Impulse for what sums others can be in the places before it.

    So many entries a state: the `width` places, the one ahead left out, and again without the one
    behind.
    `taken` is filled by vehicle and place, and empty again in the end.
    """
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
