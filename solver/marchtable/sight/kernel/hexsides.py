"""
Terrain along hexsides.

Walls and hedges (B9), bocage (B9.5), cliffs (B11), and buildings across them (B23.25).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from marchtable.sight.field import FINE
from marchtable.sight.kernel.case import SightCase, apart, hide, way_to
from marchtable.sight.kernel.columns import (
    BAR,
    BASE,
    BOCAGE,
    BUILDING,
    BUILT,
    CANOPY,
    CLIFF,
    DOES,
    ENTRENCHED,
    FORGONE,
    GAP,
    HALL,
    LEVEL,
    NEAR,
    NOT_KNOWN_YET,
    R_ADVANTAGE,
    R_BAR,
    R_BOCAGE,
    R_CLIFF,
    R_ENTRENCHED,
    R_SLOPE,
    R_TERRAIN,
    R_WALL,
    RISE,
    ROOF,
    SIDE,
    TALL,
    UNKNOWN,
    WALL,
    X,
    Y,
)
from marchtable.sight.kernel.obstacles import obstacle

__all__ = [
    "cliff_hides",
    "has_wall_at",
    "hexside_key",
    "is_drawn",
    "is_wall",
    "leaves_inside",
    "side_blocks",
    "wall_at",
    "wall_blocks",
]

TO_VERTEX = 0.38
"""Distance from a hexside's middle, in hexsides, beyond which a point is at a vertex."""
AROUND = 4
"""Pixels within which a wall is drawn where it is crossed."""


def is_wall(kinds: Any, hexes: Any, a: int, b: int, height: int) -> bool:
    """Return whether a wall or hedge between two hexes blocks at a height."""
    way = way_to(hexes, a, b) if a >= 0 and b >= 0 else -1
    if way < 0:
        return False
    kind = kinds[hexes[a, SIDE + way], DOES]
    if kind == BOCAGE:
        return bool(height < hexes[a, RISE + way] + 2)
    return bool(kind == WALL and height < hexes[a, RISE + way] + 1)


def wall_at(field: Any, h: int, x: int, y: int) -> tuple[int, int]:
    """Return the hexes of the wall whose picture is at a pixel of a hex, or -1."""
    kinds, hexes = field[1], field[2]
    best, one, other = np.int64(1) << 62, -1, -1
    for way in range(6):
        n = hexes[h, NEAR + way]
        if n < 0 or kinds[hexes[h, SIDE + way], DOES] != WALL:
            continue
        across = (hexes[n, X] + hexes[h, X]) // 2 - (np.int64(x) << FINE)
        down = (hexes[n, Y] + hexes[h, Y]) // 2 - (np.int64(y) << FINE)
        far = (across >> 20) ** 2 + (down >> 20) ** 2
        if far < best:
            best, one, other = far, h, n
    if other >= 0:
        return one, other
    for way in range(6):  # a wall that ends at a vertex of the hex
        a, b = hexes[h, NEAR + way], hexes[h, NEAR + (way + 1) % 6]
        if a < 0 or b < 0:
            continue
        beside = way_to(hexes, a, b)
        if beside < 0 or kinds[hexes[a, SIDE + beside], DOES] != WALL:
            continue
        across = (hexes[a, X] + hexes[b, X] + hexes[h, X]) // 3 - (np.int64(x) << FINE)
        down = (hexes[a, Y] + hexes[b, Y] + hexes[h, Y]) // 3 - (np.int64(y) << FINE)
        far = (across >> 20) ** 2 + (down >> 20) ** 2
        if far < best:
            best, one, other = far, a, b
    return one, other


def wall_blocks(
    field: Any, case: SightCase, h: int, g: int, spot: tuple[int, int]
) -> tuple[int, int]:
    """Return the hexes of a wall whose picture blocks a line, or -1."""
    hexes = field[2]
    if not case.same or case.along or case.hs >= g + 1:
        return -1, -1
    one, other = wall_at(field, h, spot[0], spot[1])
    for end in (case.s, case.t):
        if one < 0 or end in (one, other):
            return -1, -1
        if apart(hexes, one, end) == 1 and apart(hexes, other, end) == 1:
            return -1, -1  # it ends at a vertex of the end's hex
    return one, other


def has_wall_at(kinds: Any, hexes: Any, h: int, corner: int) -> bool:
    """Return whether a wall, hedge or bocage ends at a vertex of a hex."""
    one, other = hexes[h, NEAR + corner], hexes[h, NEAR + (corner + 1) % 6]
    for a, b in ((h, one), (h, other), (one, other)):
        way = way_to(hexes, a, b) if a >= 0 and b >= 0 else -1
        if way >= 0 and kinds[hexes[a, SIDE + way], DOES] in (WALL, BOCAGE):
            return True
    return False


def is_drawn(field: Any, a: int, h: int, spot: tuple[int, int]) -> bool:
    """Return whether a wall with a break exists where a line crosses its hexside."""
    pixels, kinds, hexes = field[0], field[1], field[2]
    px, py = spot
    across = ((hexes[a, X] + hexes[h, X]) // 2 >> FINE) - px
    down = ((hexes[a, Y] + hexes[h, Y]) // 2 >> FINE) - py
    wide = float((hexes[a, X] - hexes[h, X]) >> FINE)
    high = float((hexes[a, Y] - hexes[h, Y]) >> FINE)
    side = math.sqrt((wide * wide + high * high) / 3.0)
    if math.sqrt(float(across * across + down * down)) >= TO_VERTEX * side:
        return True  # a wall reaches its vertices, however short it is drawn
    for x in range(max(0, px - AROUND), min(pixels.shape[0], px + AROUND + 1)):
        for y in range(max(0, py - AROUND), min(pixels.shape[1], py + AROUND + 1)):
            if kinds[pixels[x, y] & 255, DOES] == WALL:
                return True
    return False


def cliff_hides(field: Any, case: SightCase, a: int, h: int) -> bool:
    """Return whether a cliff between two hexes makes the lower end a blind hex."""
    hexes = field[2]
    top = h if hexes[h, LEVEL] > hexes[a, LEVEL] else a
    crown = hexes[top, LEVEL]
    if top in (case.s, case.t) or not case.ht < crown < case.hs:
        return False
    blind = (
        apart(hexes, case.s, top) // case.longest
        - max(0, (case.hs - crown) // 2 - 1)
        + (crown - case.ht + 1) // 2 - 1
    )  # fmt: skip
    return bool(apart(hexes, case.t, top) <= max(1, blind))


def side_blocks(
    field: Any, me: Any, case: SightCase, hexside: tuple[int, int, int], spot: tuple[int, int]
) -> tuple[int, int]:
    """Return why terrain along a hexside blocks a line, and the hex; 0 if it does not."""
    kinds, hexes = field[1], field[2]
    a, h, way = hexside
    kind, rise = kinds[hexes[a, SIDE + way], DOES], hexes[a, RISE + way]
    of_s, of_t = case.s in (a, h), case.t in (a, h)
    if hexes[a, GAP + way] & 4:
        hide(me, h, R_SLOPE)
    if kind == UNKNOWN:
        hide(me, h, R_TERRAIN)
    elif kind == CLIFF:
        if not case.same and cliff_hides(field, case, a, h):
            top = h if hexes[h, LEVEL] > hexes[a, LEVEL] else a
            return R_CLIFF, top
    elif kind == BAR:  # pixels show it where they are known
        top = max(rise + kinds[hexes[a, SIDE + way], TALL], hexes[a, ROOF], hexes[h, ROOF])
        if not field[4].shape[0] and case.hs < top:
            return R_BAR, h
    elif kind == WALL:
        why = 0
        if case.rng > 1 and (
            (of_s and case.s_past == ENTRENCHED and case.hs < rise + 1)
            or (of_t and case.t_past == ENTRENCHED and case.same and case.ht < rise + 1)
        ):
            why = R_ENTRENCHED
        elif case.same and not case.along and not of_s and not of_t and case.hs < rise + 1:
            why = R_WALL
        if why and (not hexes[a, GAP + way] & 1 or is_drawn(field, a, h, spot)):
            return why, h
    elif kind == BOCAGE and case.rng > 1:
        s_behind, t_behind = of_s and case.hs < rise + 2, of_t and case.ht < rise + 2
        if (s_behind and case.s_past >= FORGONE) or (t_behind and case.t_past >= FORGONE):
            return R_ADVANTAGE, h
        if (s_behind and case.s_past == NOT_KNOWN_YET) or (
            t_behind and case.t_past == NOT_KNOWN_YET
        ):
            hide(me, h, R_ADVANTAGE)
        elif not of_s and not of_t:
            ranges = apart(hexes, case.s, h), apart(hexes, case.t, h)
            if obstacle((case.hs, case.ht), rise, 2, ranges, case.longest, 0):
                return R_BOCAGE, h
    return 0, h


def leaves_inside(field: Any, case: SightCase, a: int, h: int, codes: tuple[int, int]) -> bool:
    """Return whether a line leaves or enters an end in a building through the building."""
    kinds, hexes = field[1], field[2]
    left, entered = kinds[codes[0], DOES], kinds[codes[1], DOES]
    if not (kinds[codes[0], BUILDING] and kinds[codes[1], BUILDING]) or HALL in (left, entered):
        return False
    if case.rng == 1 and case.same and hexes[case.s, BUILT] and hexes[case.t, BUILT]:
        return False
    open_below = CANOPY in (left, entered)
    for end, height, is_here in (
        (case.s, case.hs, a == case.s and case.s_corner < 0),
        (case.t, case.ht, h == case.t and case.t_corner < 0),
    ):
        if is_here and hexes[end, BUILT] and height < hexes[end, ROOF]:
            if not open_below or height > hexes[end, BASE]:
                return True
    return False


def hexside_key(hexes: Any, a: int, b: int) -> int:
    """Return a number for the hexside between two hexes, equal from either side."""
    return min(a, b) * len(hexes) + max(a, b)
