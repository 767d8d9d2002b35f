"""
The thread: a line of sight traced pixel by pixel, compiled.

A line of sight is blocked by what can be seen on both sides of the thread. So two lines are
followed at once, a pixel to the left and a pixel to the right of it. What blocks both at the same
place blocks the thread; where neither is blocked it is clear; anything else changes within a
pixel and is close. Heights are in half levels, coordinates have :data:`FINE` bits after the point,
so that nothing depends on where on the canvas a board lies.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numba import njit

from marchtable.sight.facts import Does, Reason
from marchtable.sight.field import FINE, LEVEL_0, NOWHERE, Hex

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BLOCKED", "CLEAR", "CLOSE", "HIDDEN", "ROWS", "many", "scratch"]

F = TypeVar("F", bound="Callable[..., Any]")

CLEAR, BLOCKED, CLOSE, HIDDEN = range(4)
"""Verdicts; what is hidden is not known."""
ROWS = 4
"""Columns of a result: verdict, reason, hex and Hindrance."""
_ASIDE = 1.25  # pixels from the thread to the lines beside it
_MOST_EVENTS = 24
_SOON = 8  # steps within which both lines meet the same wall

# Numba takes plain numbers for constants.
_OBSTACLE, _HINDRANCE, _VEIL, _BARE = (
    int(Does.OBSTACLE), int(Does.HINDRANCE), int(Does.VEIL), int(Does.BARE),
)  # fmt: skip
_DEPRESSION, _WALL, _BOCAGE, _CLIFF = (
    int(Does.DEPRESSION), int(Does.WALL), int(Does.BOCAGE), int(Does.CLIFF),
)  # fmt: skip
_BAR, _BRIDGE, _HALL, _CANOPY, _UNKNOWN = (
    int(Does.BAR), int(Does.BRIDGE), int(Does.HALL), int(Does.CANOPY), int(Does.UNKNOWN),
)  # fmt: skip
_R_GROUND, _R_RIDGE, _R_CREST, _R_CLIFF = (
    int(Reason.GROUND), int(Reason.RIDGE), int(Reason.CREST), int(Reason.CLIFF),
)  # fmt: skip
_R_OBSTACLE, _R_BLIND, _R_HALF, _R_WALL, _R_BOCAGE = (
    int(Reason.OBSTACLE), int(Reason.BLIND), int(Reason.HALF), int(Reason.WALL),
    int(Reason.BOCAGE),
)  # fmt: skip
_R_DEPRESSION, _R_BUILDING, _R_BAR, _R_HINDRANCE = (
    int(Reason.DEPRESSION), int(Reason.BUILDING), int(Reason.BAR), int(Reason.HINDRANCE),
)  # fmt: skip
_R_BRIDGE, _R_ADVANTAGE, _R_CLOSE, _R_TERRAIN, _R_SLOPE, _R_BELOW = (
    int(Reason.BRIDGE), int(Reason.ADVANTAGE), int(Reason.CLOSE), int(Reason.TERRAIN),
    int(Reason.SLOPE), int(Reason.BELOW),
)  # fmt: skip
_U, _V, _X, _Y, _LEVEL, _BASE, _IN = Hex.U, Hex.V, Hex.X, Hex.Y, Hex.LEVEL, Hex.BASE, Hex.IN
_KIND, _ROOF, _BUILT, _STAIRS, _DECK, _NOT_KNOWN = (
    Hex.KIND, Hex.ROOF, Hex.BUILT, Hex.STAIRS, Hex.DECK, Hex.UNKNOWN,
)  # fmt: skip


def _compiled(function: F) -> F:
    """Compile a function, kept on disk where that can be written."""
    try:
        made: F = njit(cache=True, nogil=True)(function)
    except RuntimeError:
        made = njit(nogil=True)(function)
    return made


@_compiled
def apart(hexes: Any, a: int, b: int) -> int:
    """Return the distance of two hexes."""
    du, dv = abs(hexes[a, _U] - hexes[b, _U]), abs(hexes[a, _V] - hexes[b, _V])
    return max(du, (du + dv) // 2)


@_compiled
def way_to(near: Any, a: int, b: int) -> int:
    """Return the direction in which a hex lies next to another, -1 if it does not."""
    for way in range(6):
        if near[a, way] == b:
            return way
    return -1


@_compiled
def is_wall(near: Any, sides: Any, base: Any, does: Any, a: int, b: int, height: int) -> bool:
    """Return whether a wall or hedge between two hexes blocks at a height."""
    way = way_to(near, a, b) if a >= 0 and b >= 0 else -1
    if way < 0:
        return False
    kind = does[sides[a, way]]
    if kind == _BOCAGE:
        return height < base[a, way] + 2
    return kind == _WALL and height < base[a, way] + 1


@_compiled
def vertex_blocks(
    near: Any, sides: Any, base: Any, does: Any, spine: tuple[int, int], third: int, height: int
) -> bool:
    """Return whether walls block where a hexspine, along which the thread lies, meets a third hex."""
    a, b = spine
    first = is_wall(near, sides, base, does, a, third, height)
    second = is_wall(near, sides, base, does, b, third, height)
    if is_wall(near, sides, base, does, a, b, height):
        return first and second
    return first or second


@_compiled
def wall_at(field: Any, h: int, x: int, y: int) -> tuple[int, int]:
    """Return the hexes between which the wall lies whose picture is at a pixel of a hex, or -1."""
    does, hexes, near, sides = field[1], field[6], field[7], field[8]
    best, one, other = np.int64(1) << 62, -1, -1
    for way in range(6):
        n = near[h, way]
        if n < 0 or does[sides[h, way]] != _WALL:
            continue
        across = (hexes[n, _X] + hexes[h, _X]) // 2 - (np.int64(x) << FINE)
        down = (hexes[n, _Y] + hexes[h, _Y]) // 2 - (np.int64(y) << FINE)
        far = (across >> 20) ** 2 + (down >> 20) ** 2
        if far < best:
            best, one, other = far, h, n
    if other >= 0:
        return one, other
    for way in range(6):  # one that ends at a vertex of the hex
        a, b = near[h, way], near[h, (way + 1) % 6]
        if a < 0 or b < 0:
            continue
        beside = way_to(near, a, b)
        if beside < 0 or does[sides[a, beside]] != _WALL:
            continue
        across = (hexes[a, _X] + hexes[b, _X] + hexes[h, _X]) // 3 - (np.int64(x) << FINE)
        down = (hexes[a, _Y] + hexes[b, _Y] + hexes[h, _Y]) // 3 - (np.int64(y) << FINE)
        far = (across >> 20) ** 2 + (down >> 20) ** 2
        if far < best:
            best, one, other = far, a, b
    return one, other


@_compiled
def obstacle(
    ends: tuple[int, int], bottom: int, height: int, ranges: tuple[int, int], longest: int, least: int
) -> int:
    """
    Return why an obstacle blocks, 0 if it does not.

    Parameters
    ----------
    ends
        Heights of the higher and the lower end.
    bottom, height
        Where the obstacle rises from, and how high.
    ranges
        Hexes from the higher end to it, and from it to the lower one.
    longest
        Hexes for each further blind hex.
    least
        The least number of blind hexes behind it.
    """
    high, low = ends
    top = bottom + height
    full = top - height % 2
    if high == low:
        if low >= top:
            return 0
        return _R_OBSTACLE if height > 1 else _R_HALF
    if height <= 1 or low >= full:
        return 0
    if high <= top:
        return _R_OBSTACLE
    blind = (full - low + 1) // 2 + ranges[0] // longest - max(0, (high - full) // 2 - 1)
    return _R_BLIND if ranges[1] <= max(least, blind) else 0


@_compiled
def in_hex(
    hexes: Any, s: int, hs: int, ht: int
) -> int:
    """Return why two heights in one hex do not see each other, 0 if they do."""
    if hs == ht:
        return 0
    deck = hexes[s, _DECK]
    if deck != NOWHERE and hs >= deck > ht:
        return _R_BRIDGE
    if hexes[s, _BUILT] and not (hexes[s, _STAIRS] and hs - ht <= 2):
        return _R_BUILDING
    return 0


@_compiled
def scratch() -> tuple[Any, Any, Any]:
    """Return what a trace scribbles on."""
    return (
        np.zeros((2, 20), np.int64),
        np.zeros((2, _MOST_EVENTS, 3), np.int64),
        np.zeros((2, 1024), np.int32),
    )


# Columns of a line's state.
_AT, _PIXEL, _HEX, _WHY, _WHERE, _PREV, _CODE = 0, 1, 2, 3, 4, 5, 6
_RUN_S, _RUN_T, _OPEN_S, _EXIT_S, _EXIT_T, _CREST = 7, 8, 9, 10, 11, 12
_EVENTS, _HALL_AT, _INSIDE, _HIDDEN_AT, _HIDDEN_WHY, _HALLS = 13, 14, 15, 16, 17, 18


@_compiled
def trace(
    field: Any, extra: Any, work: Any, ends: tuple[int, int, int, int], limits: tuple[int, int],
    out: Any,
) -> None:  # fmt: skip
    """
    Trace the line of sight between two heights in two hexes.

    Parameters
    ----------
    field
        The arrays of a :class:`~marchtable.sight.field.Field`.
    extra
        Of each hex what lies in it for the time being: the DRM of what hinders up to a height,
        that height, the DRM of what hinders on the ground alone, whether anything there is not
        modelled; empty if nothing lies anywhere.
    work
        What :func:`scratch` returns.
    ends
        The hex and the height of either end.
    limits
        The Hindrance that blocks, and the hexes for each further blind hex.
    out
        Where verdict, reason, hex and Hindrance are put.
    """
    pixels, does, tall, drm, whole, built, hexes, near, sides, base, gaps = field
    state, events, hinder = work
    s, hs, t, ht = ends
    if ht > hs or (ht == hs and t < s):
        s, hs, t, ht = t, ht, s, hs
    out[0], out[1], out[2], out[3] = CLEAR, 0, -1, 0
    s_in = hexes[s, _IN] != 0 and hs == hexes[s, _LEVEL]
    t_in = hexes[t, _IN] != 0 and ht == hexes[t, _LEVEL]
    for end, height in ((s, hs), (t, ht)):
        if hexes[end, _NOT_KNOWN]:
            out[0], out[1], out[2] = HIDDEN, _R_TERRAIN, end
            return
        if height < hexes[end, _LEVEL]:
            out[0], out[1], out[2] = HIDDEN, _R_BELOW, end
            return
    if s == t:
        why = in_hex(hexes, s, hs, ht)
        if why:
            out[0], out[1], out[2] = BLOCKED, why, s
        return

    wide, high = pixels.shape
    same = hs == ht
    rng = apart(hexes, s, t)
    dx, dy = hexes[t, _X] - hexes[s, _X], hexes[t, _Y] - hexes[s, _Y]
    one = 1 << FINE
    steps = max(abs(dx), abs(dy)) // one + 1
    step_x, step_y = dx // steps, dy // steps
    length = math.sqrt(float(dx) * dx + float(dy) * dy)
    aside_x, aside_y = int(-dy / length * _ASIDE * one), int(dx / length * _ASIDE * one)
    du, dv = hexes[t, _U] - hexes[s, _U], hexes[t, _V] - hexes[s, _V]
    along = dv == 0 or abs(dv) == 3 * abs(du)
    slope = not same and hs - ht == 2 * rng
    floor = ht + 2 if t_in else ht
    state[:] = 0
    for line in range(2):
        state[line, _PIXEL] = -1
        state[line, _HEX] = state[line, _PREV] = s
        state[line, _OPEN_S] = 1
        state[line, _HALL_AT] = state[line, _HIDDEN_AT] = -1
        state[line, _INSIDE] = 1
    for r in range(rng + 1):
        hinder[0, r] = hinder[1, r] = 0
    first_why, first_hex = 0, -1
    was_a, was_b, last = -1, -1, s
    half = one >> 1
    left_x, left_y = hexes[s, _X] + aside_x + half, hexes[s, _Y] + aside_y + half
    right_x, right_y = hexes[s, _X] - aside_x + half, hexes[s, _Y] - aside_y + half

    for k in range(steps + 1):
        x = min(max(left_x >> FINE, 0), wide - 1)
        y = min(max(left_y >> FINE, 0), high - 1)
        left = np.int64(pixels[x, y])
        x = min(max(right_x >> FINE, 0), wide - 1)
        y = min(max(right_y >> FINE, 0), high - 1)
        right = np.int64(pixels[x, y])
        left_x += step_x
        left_y += step_y
        right_x += step_x
        right_y += step_y
        if left == state[0, _PIXEL] and right == state[1, _PIXEL]:
            continue
        for line in range(2):
            pixel = left if line == 0 else right
            me = state[line]
            if pixel == me[_PIXEL]:
                continue
            before, me[_PIXEL] = me[_CODE], pixel
            code = pixel & 255
            g = 2 * (((pixel >> 8) & 255) - LEVEL_0)
            h = (pixel >> 16) - 1
            me[_CODE] = code
            kind = does[code]
            was_thin = me[_WHY] == _R_WALL or me[_WHY] == _R_BAR
            me[_WHY] = 0
            me[_HEX] = h
            if h < 0:
                continue
            a = me[_PREV]
            r_s, r_t = apart(hexes, s, h), apart(hexes, t, h)
            px = (left_x - step_x if line == 0 else right_x - step_x) >> FINE
            py = (left_y - step_y if line == 0 else right_y - step_y) >> FINE
            if h != a:  # a hexside is crossed
                me[_PREV] = h
                way = way_to(near, a, h)
                # depressions
                into = kind == _DEPRESSION and does[before] == _DEPRESSION
                if me[_CREST]:  # the thread has left the depression since the last hexside
                    me[_OPEN_S] = me[_RUN_T] = me[_CREST] = 0
                if way >= 0 and gaps[a, way] & 2:
                    into = False
                if me[_OPEN_S] and into:
                    me[_RUN_S] += 1
                else:
                    me[_OPEN_S] = 0
                me[_RUN_T] = me[_RUN_T] + 1 if into else 0
                if a == s and into and hexes[h, _LEVEL] < hs:
                    me[_EXIT_S] = me[_OPEN_S]
                if h == t and into and hexes[a, _LEVEL] < ht:
                    me[_EXIT_T] = 1
                event, where = 0, h
                # out of or into a building through its inside
                if built[code] and built[before] and kind != _HALL and does[before] != _HALL:
                    joined = rng == 1 and same and hexes[s, _BUILT] and hexes[t, _BUILT]
                    if a == s and hexes[s, _BUILT] and hs < hexes[s, _ROOF] and not joined:
                        if not (kind == _CANOPY or does[before] == _CANOPY) or hs > hexes[s, _BASE]:
                            event, where = _R_BUILDING, (t if h == t else h)
                    if h == t and hexes[t, _BUILT] and ht < hexes[t, _ROOF] and not joined:
                        if not (kind == _CANOPY or does[before] == _CANOPY) or ht > hexes[t, _BASE]:
                            event, where = _R_BUILDING, t
                if way >= 0:
                    side = sides[a, way]
                    sort = does[side]
                    ours = a == s or h == s
                    theirs = a == t or h == t
                    if sort == _CLIFF and not same:
                        top = h if hexes[h, _LEVEL] > hexes[a, _LEVEL] else a
                        crown = hexes[top, _LEVEL]
                        if top != s and top != t and ht < crown < hs:
                            blind = (
                                apart(hexes, s, top) // limits[1]
                                - max(0, (hs - crown) // 2 - 1)
                                + (crown - ht + 1) // 2 - 1
                            )
                            if apart(hexes, t, top) <= max(1, blind):
                                event, where = _R_CLIFF, top
                    elif sort == _WALL and same and not along and not ours and not theirs:
                        if hs < base[a, way] + 1:
                            drawn = True
                            if gaps[a, way] & 1:
                                mx, my = (hexes[a, _X] + hexes[h, _X]) // 2, (hexes[a, _Y] + hexes[h, _Y]) // 2
                                off_x, off_y = abs(px - (mx >> FINE)), abs(py - (my >> FINE))
                                side_long = math.sqrt(
                                    float(hexes[a, _X] - hexes[h, _X]) ** 2
                                    + float(hexes[a, _Y] - hexes[h, _Y]) ** 2
                                ) / one / math.sqrt(3.0)
                                if off_x * off_x + off_y * off_y < (0.38 * side_long) ** 2:
                                    drawn = False
                                    for i in range(max(0, px - 4), min(wide, px + 5)):
                                        for j in range(max(0, py - 4), min(high, py + 5)):
                                            if does[pixels[i, j] & 255] == _WALL:
                                                drawn = True
                            if drawn:
                                event, where = _R_WALL, h
                    elif sort == _BOCAGE and rng > 1:
                        rise = base[a, way]
                        if (ours or theirs) and hs < rise + 2 and (not same or hs < rise + 2):
                            if me[_HIDDEN_AT] < 0:
                                me[_HIDDEN_AT], me[_HIDDEN_WHY] = h, _R_ADVANTAGE
                        elif theirs and hs > ht:
                            if me[_HIDDEN_AT] < 0:
                                me[_HIDDEN_AT], me[_HIDDEN_WHY] = h, _R_ADVANTAGE
                        elif obstacle((hs, ht), rise, 2, (r_s, r_t), limits[1], 0):
                            event, where = _R_BOCAGE, h
                    elif sort == _UNKNOWN and me[_HIDDEN_AT] < 0:
                        me[_HIDDEN_AT], me[_HIDDEN_WHY] = h, _R_TERRAIN
                    if gaps[a, way] & 4 and me[_HIDDEN_AT] < 0:
                        me[_HIDDEN_AT], me[_HIDDEN_WHY] = h, _R_SLOPE
                if event:
                    key = min(a, h) * len(hexes) + max(a, h)
                    if _both(events, state, line, k, key, event):
                        out[0], out[1], out[2] = BLOCKED, event, where
                        return
                    if first_why == 0:
                        first_why, first_hex = event, where
                # what lies there for the time being
                if extra.shape[0]:
                    add = 0
                    if extra[h, 0] and ht < extra[h, 1]:
                        add += extra[h, 0]
                    if extra[h, 2] and h != t and same and hs == hexes[h, _BASE]:
                        add += extra[h, 2]
                    if extra[h, 3] and h != t and me[_HIDDEN_AT] < 0:
                        me[_HIDDEN_AT], me[_HIDDEN_WHY] = h, _R_TERRAIN
                    hinder[line, r_s] = max(hinder[line, r_s], add)
            # a wall between houses
            if kind != _HALL:
                me[_INSIDE] = 0
            if kind == _BAR:
                root = max(g, hexes[h, _BASE])
                if hs < root + tall[code]:
                    me[_WHY], me[_WHERE] = _R_BAR, h
                    if not was_thin:
                        if _both(events, state, line, k, -1 - h, _R_BAR):
                            out[0], out[1], out[2] = BLOCKED, _R_BAR, h
                            return
            if g > hexes[h, _LEVEL]:
                me[_CREST] = 1
            if h in (s, t):
                continue
            why = 0
            # ground
            if g > floor:
                if same:
                    why = _R_GROUND
                elif g > hs:
                    if not (s_in and g <= hs + 2):
                        why = _R_RIDGE
                elif g == hs:
                    if not (r_s == 1 and hexes[h, _LEVEL] < hs) and not s_in:
                        why = _R_RIDGE
                else:
                    drop = (g - floor + 1) // 2
                    blind = r_s // limits[1] - max(0, (hs - g) // 2 - 1) + drop - 1
                    if drop >= 2 and r_t == 1 and hexes[t, _LEVEL] + 2 * t_in <= g - 4:
                        blind = max(1, blind)
                    if r_t <= max(0, blind):
                        why = _R_CREST
            elif same and g > ht:
                why = _R_GROUND
            # terrain where it is drawn
            root = max(g, hexes[h, _BASE])
            if why == 0 and not whole[code]:
                if kind == _OBSTACLE:
                    why = obstacle((hs, ht), root, tall[code], (r_s, r_t), limits[1], 1)
                elif kind == _CANOPY:
                    if not (same and hs == root):
                        why = obstacle((hs, ht), root, tall[code], (r_s, r_t), limits[1], 1)
                elif kind == _VEIL and not same:
                    why = obstacle((hs, ht), root, tall[code], (r_s, r_t), limits[1], 1)
                elif kind == _HALL:
                    if obstacle((hs, ht), root, tall[code], (r_s, r_t), limits[1], 1):
                        if me[_HALL_AT] < 0:
                            me[_HALL_AT] = h
                        hinder[line, r_s] = max(hinder[line, r_s], 0)
                        me[_HALLS] = max(me[_HALLS], r_s)
                elif kind == _WALL and same and not along and hs < g + 1:
                    mine, other = wall_at(field, h, px, py)
                    ends_at = mine == s or mine == t or other == s or other == t
                    if other >= 0 and not ends_at:
                        at_s = apart(hexes, mine, s) == 1 and apart(hexes, other, s) == 1
                        at_t = apart(hexes, mine, t) == 1 and apart(hexes, other, t) == 1
                        if not at_s and not at_t:
                            why = _R_WALL
                            if not was_thin:
                                key = min(mine, other) * len(hexes) + max(mine, other)
                                if _both(events, state, line, k, key, _R_WALL):
                                    out[0], out[1], out[2] = BLOCKED, _R_WALL, h
                                    return
            if kind == _UNKNOWN and me[_HIDDEN_AT] < 0:
                me[_HIDDEN_AT], me[_HIDDEN_WHY] = h, _R_TERRAIN
            # terrain that fills its hex
            filling = hexes[h, _KIND]
            if why == 0 and filling:
                sort = does[filling]
                # It rises from the hill where that is drawn.
                rise = hexes[h, _BASE] if kind == _DEPRESSION else min(g, hexes[h, _BASE]) if g < hexes[h, _BASE] else g
                if sort == _OBSTACLE or (sort == _VEIL and not same):
                    why = obstacle((hs, ht), rise, tall[filling], (r_s, r_t), limits[1], 1)
                elif sort == _UNKNOWN and me[_HIDDEN_AT] < 0:
                    me[_HIDDEN_AT], me[_HIDDEN_WHY] = h, _R_TERRAIN
            # hindrances
            add = 0
            for which in range(2):
                if which == 0:
                    if whole[code]:
                        continue
                    n, sort, rise = np.int64(code), kind, root
                else:
                    n = filling
                    if n == 0:
                        continue
                    sort = does[n]
                    rise = hexes[h, _BASE] if kind == _DEPRESSION or g > hexes[h, _BASE] else g
                on_slope = slope and hexes[h, _LEVEL] == hs - 2 * r_s and rise == hexes[h, _LEVEL]
                if sort == _HINDRANCE:
                    if (same and rise <= hs < rise + tall[n]) or on_slope:
                        add = max(add, drm[n])
                elif sort == _VEIL:
                    if same and rise <= hs < rise + tall[n]:
                        add = max(add, drm[n])
                elif sort == _BARE:
                    if same:
                        if rise <= hs < rise + tall[n]:
                            add = max(add, drm[n])
                    elif hs > rise and ht < rise + tall[n] and (hs <= rise + 2 or r_t == 1):
                        add = max(add, drm[n])
                elif sort == _BRIDGE:
                    deck = hexes[h, _DECK]
                    if deck == NOWHERE:
                        deck = rise
                    if (hs == deck and ht == deck) or (ht < deck <= hs):
                        add = max(add, drm[n])
            if add:
                if extra.shape[0]:
                    if extra[h, 0] and ht < extra[h, 1]:
                        add += extra[h, 0]
                    if extra[h, 2] and same and hs == hexes[h, _BASE]:
                        add += extra[h, 2]
                hinder[line, r_s] = max(hinder[line, r_s], add)
            if why:
                me[_WHY], me[_WHERE] = why, h
                if first_why == 0:
                    first_why, first_hex = why, h
        a, b = state[0, _HEX], state[1, _HEX]
        if state[0, _WHY] and state[1, _WHY]:
            out[0], out[1], out[2] = BLOCKED, state[0, _WHY], state[0, _WHERE]
            return
        if not along:
            continue
        # The thread lies along hexspines, and goes through other hexes from vertex to vertex.
        spine = a != b and a >= 0 and b >= 0 and apart(hexes, s, a) == apart(hexes, s, b)
        if spine:
            for line in range(2):
                me = state[line]
                if me[_WHY] and whole[hexes[me[_WHERE], _KIND]]:
                    out[0], out[1], out[2] = BLOCKED, me[_WHY], me[_WHERE]
                    return
        if (a != b and not spine) or (a == was_a and b == was_b):
            continue
        if spine:
            if same and last != s and vertex_blocks(near, sides, base, does, (a, b), last, hs):
                out[0], out[1], out[2] = BLOCKED, _R_WALL, last
                return
            if is_wall(near, sides, base, does, a, b, hs if same else ht):
                at_s = apart(hexes, a, s) == 1 and apart(hexes, b, s) == 1
                at_t = apart(hexes, a, t) == 1 and apart(hexes, b, t) == 1
                way = way_to(near, a, b)
                if does[sides[a, way]] == _BOCAGE:
                    r = apart(hexes, s, a), apart(hexes, t, a)
                    if obstacle((hs, ht), base[a, way], 2, r, limits[1], 1):
                        out[0], out[1], out[2] = BLOCKED, _R_BOCAGE, a
                        return
                elif same and not at_s and not at_t:
                    out[0], out[1], out[2] = BLOCKED, _R_WALL, a
                    return
        else:
            if (
                same and was_a != was_b and was_a >= 0 and a != t and a >= 0
                and vertex_blocks(near, sides, base, does, (was_a, was_b), a, hs)
            ):  # fmt: skip
                out[0], out[1], out[2] = BLOCKED, _R_WALL, a
                return
            last = a if a >= 0 else last
        was_a, was_b = a, b

    # units IN depressions, and halls that are not seen through
    blocked, why, where = 0, 0, -1
    for line in range(2):
        me = state[line]
        failed = 0
        if s_in:
            through = me[_RUN_S] >= rng or me[_EXIT_S]
            if not through and ht - hs < 2 * (rng - me[_RUN_S]):
                failed, why, where = 1, _R_DEPRESSION, s
        if t_in:
            if me[_CREST]:
                me[_RUN_T] = 0
            through = me[_RUN_T] >= rng or (me[_EXIT_T] and not me[_CREST])
            if not through and hs - ht < 2 * (rng - me[_RUN_T]):
                failed, why, where = 1, _R_DEPRESSION, t
        if me[_HALL_AT] >= 0:
            if me[_INSIDE]:
                for r in range(1, min(me[_HALLS], rng - 1) + 1):
                    hinder[line, r] = max(hinder[line, r], 1)
            else:
                failed, why, where = 1, _R_OBSTACLE, me[_HALL_AT]
        blocked += failed
    if blocked == 2:
        out[0], out[1], out[2] = BLOCKED, why, where
        return
    least, total, most = 0, 0, np.zeros(2, np.int64)
    spines = along
    for r in range(rng + 1):
        low, top = min(hinder[0, r], hinder[1, r]), max(hinder[0, r], hinder[1, r])
        least += low
        total += top
        most[0] += hinder[0, r]
        most[1] += hinder[1, r]
    out[3] = total if spines else least
    if state[0, _HIDDEN_AT] >= 0 or state[1, _HIDDEN_AT] >= 0:
        line = 0 if state[0, _HIDDEN_AT] >= 0 else 1
        out[0], out[1], out[2] = HIDDEN, state[line, _HIDDEN_WHY], state[line, _HIDDEN_AT]
        return
    if least >= limits[0]:
        out[0], out[1], out[2] = BLOCKED, _R_HINDRANCE, t
        return
    if first_why or blocked or total >= limits[0]:
        out[0] = CLOSE
        out[1] = first_why if first_why else why if blocked else _R_HINDRANCE
        out[2] = first_hex if first_why else where if blocked else t


@_compiled
def _both(events: Any, state: Any, line: int, k: int, key: int, why: int) -> bool:
    """Note what one line meets, and return whether the other one meets it, too."""
    other = 1 - line
    for number in range(state[other, _EVENTS]):
        if events[other, number, 2] == why and (
            events[other, number, 1] == key or abs(k - events[other, number, 0]) <= _SOON
        ):
            return True
    count = state[line, _EVENTS]
    if count < _MOST_EVENTS:
        events[line, count, 0], events[line, count, 1], events[line, count, 2] = k, key, why
        state[line, _EVENTS] = count + 1
    return False


@_compiled
def many(field: Any, extra: Any, pairs: Any, limits: tuple[int, int], out: Any) -> None:
    """Trace many pairs, rows of hex, height, hex and height; a row of `out` is a result."""
    work = scratch()
    for row in range(len(pairs)):
        ends = (pairs[row, 0], pairs[row, 1], pairs[row, 2], pairs[row, 3])
        trace(field, extra, work, ends, limits, out[row])
