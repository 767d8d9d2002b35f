"""How a dive ends: whether a plan may end where it is, and if not because of whom; for numba."""

from __future__ import annotations

from typing import Any

from marchtable_models.asl.cpsat.convoy.deadends import smaller

__all__ = ["blamed", "fits", "straightened"]


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
    width = len(ahead) // len(moving)
    for i in range(count):
        state = base[i] + states[at[row + i] + config[row + i]]
        code = 0
        for k in range(width):
            p = ahead[state * width + k]
            for other in range(count):
                q = place[base[other] + states[at[row + other] + config[row + other]]]
                if other != i and p == q and p != 0:
                    code |= 1 << k
        if (may_end[((i * size + state - base[i]) << width) + code] >> level) & 1 == 0:
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
    single, joint, width = 0, (1 << count) - 1, len(ahead) // len(moving)
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
        for k in range(width):
            p = ahead[state * width + k]
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
        if (may_end[((i * size + state - base[i]) << width) + code] >> level) & 1 == 0:
            joint = smaller(joint, able)
    return single, joint


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
