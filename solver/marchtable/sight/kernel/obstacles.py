"""
Ground, obstacles, Hindrances between the ends: A6.2, A6.4, A6.7, B.1-B.6, B10, B12-B15, B23.

Terrain blocks where it is drawn or, if it fills its hex, wherever the thread passes that hex.
"""

from __future__ import annotations

from typing import Any

from marchtable.sight.field import NOWHERE
from marchtable.sight.kernel.case import SightCase, apart, hide
from marchtable.sight.kernel.columns import (
    BARE,
    BRIDGE,
    CANOPY,
    DECK,
    DOES,
    DRM,
    HALL,
    HALL_AT,
    HINDRANCE,
    LEVEL,
    OBSTACLE,
    R_BLIND,
    R_CREST,
    R_GROUND,
    R_HALF,
    R_OBSTACLE,
    R_RIDGE,
    R_TERRAIN,
    TALL,
    UNKNOWN,
    VEIL,
    WHOLE,
)

__all__ = ["drawn_blocks", "filling_blocks", "ground_blocks", "hinders", "obstacle"]


def obstacle(
    ends: tuple[int, int],
    bottom: int,
    height: int,
    ranges: tuple[int, int],
    longest: int,
    least: int,
) -> int:
    """
    Return why an obstacle blocks, 0 if it does not.

    Parameters
    ----------
    ends
        Heights of the higher and the lower end.
    bottom, height
        The obstacle's base and height.
    ranges
        Hexes from the higher end to it, and from it to the lower one.
    longest
        Hexes for each further blind hex.
    least
        The minimum number of blind hexes behind it.
    """
    high, low = ends
    top = bottom + height
    full = top - height % 2
    if high == low:
        if low >= top:
            return 0
        return R_OBSTACLE if height > 1 else R_HALF
    if height <= 1 or low >= top:
        return 0
    if high <= top:
        return R_OBSTACLE
    if low >= full:
        return 0  # half a level more hides no one from above
    blind = (full - low + 1) // 2 + ranges[0] // longest - max(0, (high - full) // 2 - 1)
    return R_BLIND if ranges[1] <= max(least, blind) else 0


def ground_blocks(field: Any, case: SightCase, h: int, g: int) -> int:
    """Return why ground of a height in a hex between the ends blocks, 0 if it does not."""
    hexes = field[2]
    if case.same:
        return R_GROUND if g > case.ht else 0
    if g <= case.floor:
        return 0
    r_s, r_t = apart(hexes, case.s, h), apart(hexes, case.t, h)
    if g > case.hs:
        return 0 if case.s_in and g <= case.hs + 2 else R_RIDGE
    if g == case.hs:
        is_own_crest = r_s == 1 and hexes[h, LEVEL] < case.hs
        return 0 if is_own_crest or case.s_in else R_RIDGE
    drop = (g - case.floor + 1) // 2
    blind = r_s // case.longest - max(0, (case.hs - g) // 2 - 1) + drop - 1
    if drop >= 2 and r_t == 1 and hexes[case.t, LEVEL] + 2 * case.t_in <= g - 4:
        blind = max(1, blind)
    return R_CREST if r_t <= max(0, blind) else 0


def drawn_blocks(field: Any, me: Any, case: SightCase, h: int, code: int, root: int) -> int:
    """Return why terrain blocks where it is drawn, 0 if it does not."""
    kinds, hexes = field[1], field[2]
    kind = kinds[code, DOES]
    if kind == UNKNOWN:
        hide(me, h, R_TERRAIN)
    if kinds[code, WHOLE] or not (
        kind in (OBSTACLE, HALL)
        or (kind == CANOPY and not (case.same and case.hs == root))
        or (kind == VEIL and not case.same)
    ):  # fmt: skip
        return 0
    ranges = apart(hexes, case.s, h), apart(hexes, case.t, h)
    why = obstacle((case.hs, case.ht), root, kinds[code, TALL], ranges, case.longest, 1)
    if kind == HALL and why:
        if me[HALL_AT] < 0:
            me[HALL_AT] = h
        return 0
    return why


def filling_blocks(field: Any, me: Any, case: SightCase, h: int, filling: int, rise: int) -> int:
    """Return why terrain that fills its hex blocks, 0 if it does not."""
    kinds, hexes = field[1], field[2]
    kind = kinds[filling, DOES]
    if kind == UNKNOWN:
        hide(me, h, R_TERRAIN)
    if kind != OBSTACLE and (kind != VEIL or case.same):
        return 0
    ranges = apart(hexes, case.s, h), apart(hexes, case.t, h)
    return obstacle((case.hs, case.ht), rise, kinds[filling, TALL], ranges, case.longest, 1)


def hinders(field: Any, case: SightCase, h: int, code: int, rise: int) -> int:
    """Return the DRM of terrain in a hex between the ends, from its base height."""
    kinds, hexes = field[1], field[2]
    kind, top = kinds[code, DOES], rise + kinds[code, TALL]
    through = case.same and rise <= case.hs < top
    if kind == HINDRANCE and case.slope and not through:
        level = case.hs - 2 * apart(hexes, case.s, h)
        through = hexes[h, LEVEL] == level and rise == level
    elif kind == BARE and not case.same:
        beside = case.hs <= rise + 2 or apart(hexes, case.t, h) == 1
        through = case.hs > rise and case.ht < top and beside
    elif kind == BRIDGE:
        deck = hexes[h, DECK] if hexes[h, DECK] != NOWHERE else rise
        through = case.ht < deck <= case.hs or (case.hs == deck and case.ht == deck)
    elif kind not in (HINDRANCE, VEIL, BARE, HALL):
        return 0
    return kinds[code, DRM] if through else 0
