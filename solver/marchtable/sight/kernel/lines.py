"""
The two lines beside the thread (A6.1).

What a line meets at its next pixel, and whether both lines meet the same.
"""

from __future__ import annotations

from typing import Any

from marchtable.sight.field import LEVEL_0
from marchtable.sight.kernel.case import SightCase, apart, hide, way_to
from marchtable.sight.kernel.columns import (
    BAR,
    BASE,
    BUILDING,
    CODE,
    CREST,
    DEPRESSION,
    DOES,
    EVENTS,
    FILLS,
    GOES_ON,
    HALL,
    HEX,
    HID,
    HINDRANCE,
    INSIDE,
    KIND,
    LEVEL,
    MOST_EVENTS,
    NOTED,
    OPEN,
    PIXEL,
    PLAIN,
    PREV,
    R_BAR,
    R_BUILDING,
    R_ROADBLOCK,
    R_TERRAIN,
    R_WALL,
    ROOF,
    TALL,
    WALL,
    WHERE,
    WHOLE,
    WHY,
)
from marchtable.sight.kernel.counters import closed, is_rubble, lying
from marchtable.sight.kernel.depressions import follow_depression
from marchtable.sight.kernel.hexsides import hexside_key, leaves_inside, side_blocks, wall_blocks
from marchtable.sight.kernel.obstacles import drawn_blocks, filling_blocks, ground_blocks, hinders

__all__ = ["both_meet", "cross", "meet"]

SOON = 8
"""Steps within which both lines meet the same wall."""


def cross(
    field: Any,
    extra: Any,
    me: Any,
    case: SightCase,
    pair: tuple[int, int],
    codes: tuple[int, int],
    spot: tuple[int, int],
) -> tuple[int, int]:
    """Move a line from one hex into another; return why it is blocked there and the hex, or 0."""
    kinds, hexes = field[1], field[2]
    a, h = pair
    me[PREV] = h
    way = way_to(hexes, a, h)
    into = kinds[codes[0], DOES] == DEPRESSION and kinds[codes[1], DOES] == DEPRESSION
    follow_depression(field, me, case, (a, h, way), into)
    if extra.shape[0] and h != case.t:
        if extra[h, HID]:
            hide(me, h, R_TERRAIN)
        if extra[h, GOES_ON] and case.same and case.hs < hexes[h, BASE] + 1:
            hide(me, h, R_ROADBLOCK)
    why, where = 0, h
    if way >= 0:
        why, where = side_blocks(field, me, case, (a, h, way), spot)
        if why == R_BAR and is_rubble(extra, kinds, a) and is_rubble(extra, kinds, h):
            why = 0  # B23.71: without its houses there is no bar
    if not why and not case.along and closed(extra, hexes, case, (a, h, way)):
        return R_ROADBLOCK, h
    if leaves_inside(field, case, a, h, codes):
        return R_BUILDING, h
    return why, where


def meet(
    field: Any,
    extra: Any,
    work: Any,
    case: SightCase,
    at: tuple[int, int, Any],
    spot: tuple[int, int],
) -> tuple[int, int]:
    """
    Process a line's next pixel.

    Parameters
    ----------
    field, extra, work, case
        As in :func:`trace`.
    at
        The line, its step, and the pixel.
    spot
        The pixel's coordinates.

    Returns
    -------
    tuple
        Why the thread is blocked, because both lines meet the same there, and the hex; or 0.
    """
    kinds, hexes = field[1], field[2]
    state, events, hinder = work
    line, k, pixel = at
    me = state[line]
    before, code, h = me[CODE], pixel & 255, (pixel >> 16) - 1
    was = me[WHY]
    if kinds[code, DOES] != HALL:
        me[INSIDE] = 0
    if kinds[code, BUILDING] and is_rubble(extra, kinds, h):
        code = 0  # only rubble is left of the building (B24.1), within it of a Factory (B23.743)
    kind = kinds[code, DOES]
    me[PIXEL], me[CODE], me[WHY], me[HEX] = pixel, code, 0, h
    if h < 0:
        return 0, h
    g, a = 2 * (((pixel >> 8) & 255) - LEVEL_0), me[PREV]
    r_s = apart(hexes, case.s, h)
    if h != a:
        why, where = cross(field, extra, me, case, (a, h), (before, code), spot)
        _hinder(field, hinder, line, r_s, lying(extra, case, hexes, h), True)
        if why and both_meet(events, state, line, k, (why, hexside_key(hexes, a, h), where)):
            return why, where
    root = max(g, hexes[h, BASE])
    if kind == BAR and case.hs < max(root + kinds[code, TALL], hexes[h, ROOF]):
        me[WHY], me[WHERE] = R_BAR, h
        if was != R_BAR and both_meet(events, state, line, k, (R_BAR, -1 - h, h)):
            return R_BAR, h
    if g > hexes[h, LEVEL]:
        me[CREST] = 1
    plain = kind in (OPEN, HINDRANCE)
    if h in (case.s, case.t):
        if plain:
            me[PLAIN], me[NOTED] = pixel >> 8, pixel
        elif (case.s_corner if h == case.s else case.t_corner) >= 0:
            why = drawn_blocks(field, me, case, h, code, root)
            if why:  # what fills its own hex may hide a line that passes around it
                me[WHY], me[WHERE] = why, h
        return 0, h
    why = ground_blocks(field, case, h, g)
    if why == 0:
        why = drawn_blocks(field, me, case, h, code, root)
    if why == 0 and kind == WALL:
        one, other = wall_blocks(field, case, h, g, spot)
        if one >= 0:
            why = R_WALL
            key = hexside_key(hexes, one, other)
            if was != R_WALL and both_meet(events, state, line, k, (R_WALL, key, h)):
                return R_WALL, h
    filling = extra[h, FILLS] if extra.shape[0] and extra[h, FILLS] else hexes[h, KIND]
    within, add = 0, 0 if kinds[code, WHOLE] else hinders(field, case, h, code, root)
    if filling:  # it rises from the hill where that is drawn
        rise = hexes[h, BASE] if kind == DEPRESSION else g
        within = hinders(field, case, h, filling, min(rise, hexes[h, BASE]))
        if why == 0:
            why = filling_blocks(field, me, case, h, filling, rise)
    if add or within:
        more = lying(extra, case, hexes, h)
        _hinder(field, hinder, line, r_s, max(add, within) + more, within >= add)
    if why:
        me[WHY], me[WHERE] = why, h
    elif plain:
        me[PLAIN] = pixel >> 8
        if kind == HINDRANCE:
            me[NOTED] = pixel
    return 0, h


def _hinder(field: Any, hinder: Any, line: int, r: int, drm: int, fills: bool) -> None:
    """Add the Hindrance of a hex at a range; to both lines if it fills the hex (B.6)."""
    hinder[line, r] = max(hinder[line, r], drm)
    if fills and not field[4].shape[0]:
        hinder[1 - line, r] = max(hinder[1 - line, r], drm)


def both_meet(events: Any, state: Any, line: int, k: int, what: tuple[int, int, int]) -> bool:
    """Record what one line meets (reason, key, hex); return whether the other does too."""
    other = 1 - line
    for number in range(state[other, EVENTS]):
        if events[other, number, 2] == what[0] and (
            events[other, number, 1] == what[1] or abs(k - events[other, number, 0]) <= SOON
        ):
            return True
    count = state[line, EVENTS]
    if count < MOST_EVENTS:
        events[line, count, 0], events[line, count, 1] = k, what[1]
        events[line, count, 2], events[line, count, 3] = what[0], what[2]
        state[line, EVENTS] = count + 1
    return False
