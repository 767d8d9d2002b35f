"""The thread: a line of sight traced pixel by pixel, and its result."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from marchtable.sight.field import FINE, LEVEL_0, NOWHERE
from marchtable.sight.kernel.case import (
    SightCase,
    apart,
    case_of,
    corner_u,
    corner_v,
    ends_at,
    hide,
    leave_map,
    scratch,
)
from marchtable.sight.kernel.columns import (
    BARE_HEX,
    BASE,
    BLOCKED,
    BUILT,
    CLEAR,
    CLOSE,
    CODE,
    DECK,
    DOES,
    DOT_X,
    DOT_Y,
    DRM,
    EVENTS,
    HALL_AT,
    HEX,
    HID,
    HIDDEN,
    HIDDEN_AT,
    HIDDEN_WHY,
    HINDRANCE,
    INSIDE,
    LEVEL,
    NOT_KNOWN,
    NOTED,
    OPEN,
    OPEN_S,
    PIXEL,
    PLAIN,
    PREV,
    R_BELOW,
    R_BRIDGE,
    R_BUILDING,
    R_HINDRANCE,
    R_TERRAIN,
    R_VERTEX,
    ROOF,
    STAIRS,
    TALL,
    WHERE,
    WHOLE,
    WHY,
    U,
    V,
)
from marchtable.sight.kernel.counters import lying
from marchtable.sight.kernel.depressions import ends_block
from marchtable.sight.kernel.hexsides import has_wall_at
from marchtable.sight.kernel.hexspines import seen_now, step_blocks
from marchtable.sight.kernel.lines import meet
from marchtable.sight.kernel.whole import follow_hexes

__all__ = [
    "at_once", "at_one_spot", "begin", "changes_nothing", "follow_pixels", "is_free",
    "is_free_between", "is_free_drawn", "many", "meets_nothing", "touches", "trace", "weigh",
]  # fmt: skip

ASIDE = 1.249
"""Distance (pixels) of the lines from the thread; just below 1.25, as quarters round unequally."""
NEAR_VERTEX = 2
"""Pixels around a vertex, where the pictures of three hexes meet."""
TIE = 1 << FINE >> 16
"""A fraction of a pixel that exceeds the rounding of steps along a thread."""


def at_once(kinds: Any, hexes: Any, case: SightCase) -> tuple[int, int, int]:
    """Return the verdict, reason and hex if the ends alone decide; else CLEAR."""
    for end, height in ((case.s, case.hs), (case.t, case.ht)):
        if hexes[end, NOT_KNOWN]:
            return HIDDEN, R_TERRAIN, end
        if height < hexes[end, LEVEL]:
            return HIDDEN, R_BELOW, end
    for end, corner in ((case.s, case.s_corner), (case.t, case.t_corner)):
        if (
            case.along
            and corner >= 0
            and case.s != case.t
            and has_wall_at(kinds, hexes, end, corner)
        ):
            return HIDDEN, R_VERTEX, end
    if case.s != case.t or case.same:
        return CLEAR, 0, -1
    if case.s_corner >= 0 or case.t_corner >= 0:
        return HIDDEN, R_VERTEX, case.s
    deck = hexes[case.s, DECK]
    if deck != NOWHERE and case.hs >= deck > case.ht:
        return BLOCKED, R_BRIDGE, case.s
    # Stairs lead from each rooftop to the level below (B23.8).
    joined = max(hexes[case.s, STAIRS], int(case.hs == hexes[case.s, ROOF]))
    if hexes[case.s, BUILT] and case.hs - case.ht > joined:
        return BLOCKED, R_BUILDING, case.s
    return CLEAR, 0, -1


def at_one_spot(hexes: Any, case: SightCase) -> bool:
    """Return whether both ends are at one vertex, each of a hex of its own."""
    du = corner_u(case.t_corner) - corner_u(case.s_corner)
    dv = corner_v(case.t_corner) - corner_v(case.s_corner)
    return bool(
        3 * (hexes[case.t, U] - hexes[case.s, U]) + du == 0
        and 3 * (hexes[case.t, V] - hexes[case.s, V]) + dv == 0
    )


def begin(work: Any, extra: Any, hexes: Any, case: SightCase) -> None:
    """Start both lines at the first end."""
    state, _, hinder = work
    state[:] = 0
    for line in range(2):
        me = state[line]
        me[PIXEL] = me[PLAIN] = me[NOTED] = me[HALL_AT] = me[HIDDEN_AT] = -1
        me[HEX] = me[PREV] = case.s
        me[OPEN_S] = me[INSIDE] = 1
        hinder[line, : case.rng + 1] = 0
        if extra.shape[0]:
            hinder[line, 0] = lying(extra, case, hexes, case.s)
            hinder[line, case.rng] = max(hinder[line, case.rng], lying(extra, case, hexes, case.t))
    if extra.shape[0]:
        for end in (case.s, case.t):
            if extra[end, HID] == 2:
                hide(state[0], end, R_TERRAIN)


def trace(field: Any, extra: Any, work: Any, case: SightCase, out: Any) -> None:
    """
    Trace the line of sight between two heights in two hexes.

    Parameters
    ----------
    field
        The arrays of a :class:`~marchtable.sight.field.Field`.
    extra
        The temporary contents of each hex, :data:`LYING` columns; empty if there are none.
    work
        The result of :func:`scratch`.
    case
        The question.
    out
        Receives verdict, reason, hex and Hindrance.
    """
    kinds, hexes = field[1], field[2]
    out[0], out[1], out[2] = at_once(kinds, hexes, case)
    out[3] = 0
    if case.s == case.t:
        out[3] = lying(extra, case, hexes, case.s) + case.outward
    if out[0] != CLEAR or case.s == case.t:
        return
    begin(work, extra, hexes, case)
    if at_one_spot(hexes, case):
        weigh(work, case, (0, -1), True, out)
        return
    if not field[4].shape[0]:
        wall, wall_at = follow_hexes(field, extra, work, case, out)
        if out[0] == CLEAR:
            weigh(work, case, (wall, wall_at), True, out)
        return
    follow_pixels(field, extra, work, case, out)
    if out[0] == CLOSE and out[1] != R_HINDRANCE and case.s_corner < 0 and case.t_corner < 0:
        if is_free(field, extra, work, case):
            out[0], out[1], out[2] = CLEAR, 0, -1


def follow_pixels(field: Any, extra: Any, work: Any, case: SightCase, out: Any) -> None:
    """Follow both lines pixel by pixel, and store the result; arguments as in :func:`trace`."""
    pixels, kinds, hexes = field[0], field[1], field[2]
    alike, bare, within = field[4], field[5], field[6]
    state, events, hinder = work
    low = case.ht // 2 + LEVEL_0
    one = 1 << FINE
    from_x, from_y, to_x, to_y = ends_at(hexes, field[3], case)
    dx, dy = to_x - from_x, to_y - from_y
    steps = max(abs(dx), abs(dy)) // one + 1
    step_x, step_y = dx // steps, dy // steps
    length = math.sqrt(float(dx) * dx + float(dy) * dy)
    aside_x, aside_y = int(-dy / length * ASIDE * one), int(dx / length * ASIDE * one)
    x, y = from_x + (one >> 1), from_y + (one >> 1)
    first = NEAR_VERTEX if case.s_corner >= 0 else 0
    final = steps - (NEAR_VERTEX if case.t_corner >= 0 else 0)
    left_x, left_y, right_x, right_y = x + aside_x, y + aside_y, x - aside_x, y - aside_y
    left, right = np.int64(-1), np.int64(-1)
    first_why, first_at = 0, -1
    seen = (-1, -1, case.s)
    # Without contents, hexspines and depressions that matter, bare hexes change nothing.
    even = not (extra.shape[0] or case.along or case.s_in or case.t_in)
    ahead = 0
    while ahead <= final:
        k = ahead
        px, py, qx, qy = left_x >> FINE, left_y >> FINE, right_x >> FINE, right_y >> FINE
        new_left, new_right = np.int64(pixels[px, py]), np.int64(pixels[qx, qy])
        leap = 1
        if k >= first:
            if even and max((new_left >> 8) & 255, (new_right >> 8) & 255) <= low:
                ahead_left, ahead_right = int(bare[px, py]), int(bare[qx, qy])
                # The hex's hindrance is recorded: neither it nor its gaps change anything more.
                if state[0, NOTED] >> 8 == new_left >> 8:
                    ahead_left = max(ahead_left, int(within[px, py]))
                if state[1, NOTED] >> 8 == new_right >> 8:
                    ahead_right = max(ahead_right, int(within[qx, qy]))
                leap += min(ahead_left, ahead_right)
            else:
                leap += int(min(alike[px, py], alike[qx, qy]))
        left_x += leap * step_x
        left_y += leap * step_y
        right_x += leap * step_x
        right_y += leap * step_y
        ahead += leap
        if (new_left == left and new_right == right) or k < first:
            continue
        left, right = new_left, new_right
        fresh = False
        for line in range(2):
            pixel, me = (left if line == 0 else right), state[line]
            if pixel == me[PIXEL] or changes_nothing(
                kinds, hexes, me, hinder[line], case, even, pixel
            ):
                continue
            fresh = True
            spot = (px, py) if line == 0 else (qx, qy)
            why, at = meet(field, extra, work, case, (line, k, pixel), spot)
            if why:
                out[0], out[1], out[2] = BLOCKED, why, at
                return
        leave_map(state, case)
        if not fresh:
            continue
        why, at = step_blocks(field, extra, state, case, seen)
        if why:
            out[0], out[1], out[2] = BLOCKED, why, at
            return
        seen = seen_now(hexes, state, case, seen)
        for line in range(2):
            if first_why == 0 and state[line, WHY]:
                first_why, first_at = state[line, WHY], state[line, WHERE]
    for line in range(2):
        if first_why == 0 and state[line, EVENTS]:
            first_why, first_at = events[line, 0, 2], events[line, 0, 3]
    weigh(work, case, (first_why, first_at), False, out)


def changes_nothing(
    kinds: Any, hexes: Any, me: Any, hinder: Any, case: SightCase, even: bool, pixel: Any
) -> bool:
    """
    Accept a pixel equal to earlier ones here, or open ground or grain in a bare hex.

    Returns whether it did.
    """
    code = pixel & 255
    is_open = kinds[code, DOES] == OPEN
    if pixel >> 8 == me[PLAIN] and (is_open or pixel == me[NOTED]):
        me[PIXEL], me[CODE], me[WHY], me[INSIDE] = pixel, code, 0, 0
        return True
    hindering = case.same and kinds[code, DOES] == HINDRANCE and not kinds[code, WHOLE]
    h, ground = (pixel >> 16) - 1, 2 * (((pixel >> 8) & 255) - LEVEL_0)
    if not even or not (hindering or is_open) or h < 0 or not hexes[h, BARE_HEX]:
        return False
    if ground != hexes[h, BASE] or ground > case.ht:
        return False
    me[PIXEL], me[CODE], me[WHY], me[INSIDE] = pixel, code, 0, 0
    me[HEX] = me[PREV] = h
    me[PLAIN] = pixel >> 8
    if hindering:
        me[NOTED] = pixel
        if h not in (case.s, case.t) and case.hs < ground + kinds[code, TALL]:
            r = apart(hexes, case.s, int(h))
            hinder[r] = max(hinder[r], kinds[code, DRM])
    return True


def is_free(field: Any, extra: Any, work: Any, case: SightCase) -> bool:
    """
    Return whether nothing blocks the thread itself, however it is drawn.

    Then nothing is on both sides of it (A6.1).
    """
    for way in range(4):
        if not is_free_drawn(field, extra, work, case, way):
            return False
    below = is_free_between(field, extra, work, case, TIE)
    return below and is_free_between(field, extra, work, case, -TIE)


def is_free_drawn(field: Any, extra: Any, work: Any, case: SightCase, way: int) -> bool:
    """
    Return whether nothing blocks the pixels of VASL's drawing of the thread, column by column.

    Drawing 0 is from the first end, 1 from the other one, slightly higher or lower; 2 and 3 are
    these on the rotated board.
    """
    hexes = field[2]
    x, y = hexes[case.s, DOT_X], hexes[case.s, DOT_Y]
    end_x, end_y = hexes[case.t, DOT_X], hexes[case.t, DOT_Y]
    columns, fall = abs(end_x - x) + 1, end_y - y
    across, down = 1 if end_x > x else -1, 1 if end_y > y else -1
    start = end_y if way & 1 else y
    begin(work, extra, hexes, case)
    for column in range(columns):
        done = column - columns if way & 1 else column
        first, last = fall * done // columns, fall * (done + 1) // columns
        if way & 2:  # rounded up
            first, last = -(-fall * done // columns), -(-fall * (done + 1) // columns)
        for row in range(abs(last - first) + 1):
            spot = (x + across * column, start + first + down * row)
            if touches(field, extra, work, case, spot):
                return False
    return meets_nothing(work, case)


def is_free_between(field: Any, extra: Any, work: Any, case: SightCase, tie: int) -> bool:
    """
    Return whether nothing blocks the pixels from centre to centre, which VASL rounds.

    Two steps per pixel miss no pixel that the thread crosses for half a pixel. A tie chooses
    between two equally near pixels; both signs are tried, so that a rotated board gives the same
    result.
    """
    from_x, from_y, to_x, to_y = ends_at(field[2], field[3], case)
    steps = 2 * (max(abs(to_x - from_x), abs(to_y - from_y)) >> FINE) + 1
    step_x, step_y = (to_x - from_x) // steps, (to_y - from_y) // steps
    x, y = from_x + (1 << FINE >> 1) + tie, from_y + (1 << FINE >> 1) + tie
    begin(work, extra, field[2], case)
    for k in range(steps + 1):
        spot = ((x + k * step_x) >> FINE, (y + k * step_y) >> FINE)
        if touches(field, extra, work, case, spot):
            return False
    return meets_nothing(work, case)


def touches(field: Any, extra: Any, work: Any, case: SightCase, spot: tuple[int, int]) -> bool:
    """Process a pixel for the thread itself, and return whether anything blocks it there."""
    me, pixel = work[0][0], np.int64(field[0][spot])
    if pixel == me[PIXEL]:
        return False
    meet(field, extra, work, case, (0, 0, pixel), spot)
    return bool(me[WHY] or me[EVENTS])


def meets_nothing(work: Any, case: SightCase) -> bool:
    """Return whether the thread itself is free as a whole, too."""
    me, drm = work[0][0], case.outward + work[2][0, : case.rng + 1].sum()
    return bool(ends_block(me, case)[0] == 0 and me[HIDDEN_AT] < 0 and drm < case.blocking)


def weigh(work: Any, case: SightCase, first: tuple[int, int], exact: bool, out: Any) -> None:
    """
    Decide a thread that nothing has blocked on both lines at once.

    If it is `exact`, what only one line meets does not block (A6.1), unless it is `first`.
    """
    state, _, hinder = work
    left, left_at = ends_block(state[0], case)
    right, right_at = ends_block(state[1], case)
    if left and right:
        out[0], out[1], out[2] = BLOCKED, left, left_at
        return
    least = most = case.outward
    for r in range(case.rng + 1):
        least += min(hinder[0, r], hinder[1, r])
        most += max(hinder[0, r], hinder[1, r])
    # Along a hexside the larger one of its two hexes counts.
    out[3] = most if case.along else least
    for line in range(2):
        if state[line, HIDDEN_AT] >= 0:
            out[0], out[1] = HIDDEN, state[line, HIDDEN_WHY]
            out[2] = state[line, HIDDEN_AT]
            return
    if out[3] >= case.blocking:
        out[0], out[1], out[2] = BLOCKED, R_HINDRANCE, case.t
    elif exact:
        if first[0]:
            out[0], out[1], out[2] = BLOCKED, first[0], first[1]
    elif first[0]:
        out[0], out[1], out[2] = CLOSE, first[0], first[1]
    elif left or right:
        out[0], out[1], out[2] = CLOSE, max(left, right), left_at if left else right_at
    elif most >= case.blocking:
        out[0], out[1], out[2] = CLOSE, R_HINDRANCE, case.t


def many(field: Any, extra: Any, pairs: Any, limits: tuple[int, int, int], out: Any) -> None:
    """Trace many pairs, rows as in :func:`case_of`; a row of `out` is a result."""
    work = scratch()
    for row in range(len(pairs)):
        trace(field, extra, work, case_of(field[2], extra, pairs[row], limits), out[row])
