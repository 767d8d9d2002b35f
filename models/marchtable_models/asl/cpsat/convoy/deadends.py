"""Dead ends of a dive: vehicles that, in their states, lead nowhere; functions numba can compile.

A dead end tells of as few vehicles as can be blamed, each in its state, after so many Impulses and
for so much spent. It is never entered again, whatever the others do. Sets of vehicles are masks.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "HEADS",
    "KEYS",
    "KINDS",
    "SETS",
    "barred",
    "deadly",
    "keyed",
    "lacking",
    "learned",
    "nearest",
    "smaller",
]

KINDS = 64
"""At most so many costs are told apart."""
HEADS = 16381
KEYS = 3  # of a dead end, before its states
SETS = 40
"""Of so many sets of vehicles are dead ends kept by Impulse and last vehicle."""


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


def lacking(blame: Any, t: Any, kinds: Any, lacks: Any, single: Any, count: Any) -> int:
    """Return whom to blame, one of each set of those of whom each one alone is to blame included."""
    found = int(blame)
    for kind in range(kinds):
        others = lacks[t * KINDS + kind] if kind else single
        if others:
            found |= nearest(found, others, count)
    return found


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
