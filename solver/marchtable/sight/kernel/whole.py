"""
The thread over whole hexes, on a board drawn by hand: exact, so that nothing is close.

The two lines beside the thread (A6.1) are at most a hexside's width away, which is zero. They pass
through the same hexes, except where the thread runs along a hexside or exactly through a vertex.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from marchtable.sight.field import FINE, LEVEL_0
from marchtable.sight.kernel.case import SightCase, corner_u, corner_v, ends_at, leave_map
from marchtable.sight.kernel.columns import (
    BLOCKED,
    EVENTS,
    NEAR,
    R_BOCAGE,
    R_ENTRENCHED,
    R_ROADBLOCK,
    R_WALL,
    WHERE,
    WHY,
    U,
    V,
    X,
    Y,
)
from marchtable.sight.kernel.hexspines import fills, seen_now, step_blocks
from marchtable.sight.kernel.lines import meet

__all__ = [
    "follow_hexes", "go", "leaving", "number_at", "starts_in", "step_u", "step_v", "wall_alone",
]  # fmt: skip

AT_ONCE = 1e-9
"""As a share of the thread: points closer than this are the same."""


def step_u(way: int) -> int:
    """Return how many columns the next hex in a direction is to the right."""
    return 0 if way in (0, 3) else 1 if way < 3 else -1


def step_v(way: int) -> int:
    """Return how many half rows the next hex in a direction is below."""
    return (-2, -1, 1, 2, 1, -1)[way]


def leaving(
    line: int, thread: tuple[int, int, int, int], u: int, v: int
) -> tuple[int, float, float]:
    """
    Find where one of the lines leaves a hex.

    Parameters
    ----------
    line
        0: the line clockwise of the thread, 1: the other.
    thread
        Its start and extent, in thirds of a column and of half a row.
    u, v
        The hex.

    Returns
    -------
    tuple
        The hexside, -1 if the line misses the hex, and the shares of the thread at which it enters
        and leaves the hex.
    """
    x, y, dx, dy = thread
    way, entered, left = -1, 0.0, 0.0
    for side in range(6):
        before = (side + 5) % 6
        ax, ay = 3 * u + corner_u(before) - x, 3 * v + corner_v(before) - y
        bx, by = 3 * u + corner_u(side) - x, 3 * v + corner_v(side) - y
        a, b = dx * ay - dy * ax, dx * by - dy * bx
        # A vertex on the thread is on the far side of each line as seen from the other.
        beyond_a = a > 0 if line == 0 else a >= 0
        beyond_b = b > 0 if line == 0 else b >= 0
        if beyond_a == beyond_b:
            continue
        part = a / (a - b)
        at = ((ax + part * (bx - ax)) * dx + (ay + part * (by - ay)) * dy) / (dx * dx + dy * dy)
        if beyond_b:
            way, left = side, at
        else:
            entered = at
    return way, entered, left


def number_at(hexes: Any, u: int, v: int) -> int:
    """Return the number of the hex at a place, -1 if there is none."""
    for h in range(len(hexes)):
        if hexes[h, U] == u and hexes[h, V] == v:
            return h
    return -1


def starts_in(hexes: Any, case: SightCase, line: int, thread: tuple[int, int, int, int]) -> int:
    """Return the direction from the first end of the hex in which a line starts, -1 for its own."""
    if case.s_corner < 0:
        return -1
    u, v = hexes[case.s, U], hexes[case.s, V]
    for way in (-1, case.s_corner, (case.s_corner + 1) % 6):
        at_u, at_v = (u, v) if way < 0 else (u + step_u(way), v + step_v(way))
        side, entered, left = leaving(line, thread, at_u, at_v)
        if side >= 0 and entered < AT_ONCE < left:
            return way
    return -1


def follow_hexes(field: Any, extra: Any, work: Any, case: SightCase, out: Any) -> tuple[int, int]:
    """
    Follow both lines from hex to hex.

    Parameters
    ----------
    field, extra, work, case, out
        As in :func:`~marchtable.sight.kernel.thread.trace`. `out` is filled if the thread is
        blocked.

    Returns
    -------
    tuple
        Why the thread is blocked although only one line meets it, and the hex; or 0. A wall reaches
        its vertices (B9.2): one of them on the thread is enough to block it.
    """
    pixels, hexes = field[0], field[2]
    state, events, _ = work
    x = 3 * hexes[case.s, U] + corner_u(case.s_corner)
    y = 3 * hexes[case.s, V] + corner_v(case.s_corner)
    dx = 3 * hexes[case.t, U] + corner_u(case.t_corner) - x
    dy = 3 * hexes[case.t, V] + corner_v(case.t_corner) - y
    thread = (x, y, dx, dy)
    from_x, from_y, to_x, to_y = ends_at(hexes, field[3], case)
    long = max(abs(to_x - from_x), abs(to_y - from_y)) >> FINE
    at = np.zeros((2, 3), np.int64)  # for each line the hex: column, row and number
    came = np.ones(2, np.int64)
    for line in range(2):
        at[line, 0], at[line, 1], at[line, 2] = hexes[case.s, U], hexes[case.s, V], case.s
        go(hexes, at[line], starts_in(hexes, case, line, thread))
    seen, now = (-1, -1, case.s), 0.0
    while now < 1 - AT_ONCE:
        k = int(now * long)
        spot = (
            int(from_x + now * (to_x - from_x)) >> FINE, int(from_y + now * (to_y - from_y)) >> FINE,
        )  # fmt: skip
        for line in range(2):
            if not came[line]:
                continue
            h = at[line, 2]
            pixel = np.int64(LEVEL_0 << 8)
            if h >= 0:
                pixel = np.int64(pixels[hexes[h, X] >> FINE, hexes[h, Y] >> FINE])
            why, where = meet(field, extra, work, case, (line, k, pixel), spot)
            if why:
                out[0], out[1], out[2] = BLOCKED, why, where
                return 0, -1
        leave_map(state, case)
        why, where = step_blocks(field, extra, state, case, seen)
        for line in range(2):
            if why == 0 and fills(field, extra, state[line], case):  # its vertex is enough (B.6)
                why, where = state[line, WHY], state[line, WHERE]
        if why:
            out[0], out[1], out[2] = BLOCKED, why, where
            return 0, -1
        seen = seen_now(hexes, state, case, seen)
        first_way, _, first = leaving(0, thread, at[0, 0], at[0, 1])
        second_way, _, second = leaving(1, thread, at[1, 0], at[1, 1])
        now = min(first, second)
        for line in range(2):
            way, there = (first_way, first) if line == 0 else (second_way, second)
            came[line] = there - now < AT_ONCE
            if came[line]:
                go(hexes, at[line], way)
    return wall_alone(state, events)


def go(hexes: Any, at: Any, way: int) -> None:
    """Move a line to the next hex in a direction; off the map the number is -1."""
    if way < 0:
        return
    at[0] += step_u(way)
    at[1] += step_v(way)
    at[2] = hexes[at[2], NEAR + way] if at[2] >= 0 else number_at(hexes, at[0], at[1])


def wall_alone(state: Any, events: Any) -> tuple[int, int]:
    """Return the first wall that only one line has met, and the hex; or 0."""
    for line in range(2):
        for number in range(state[line, EVENTS]):
            why = events[line, number, 2]
            if why in (R_WALL, R_BOCAGE, R_ROADBLOCK, R_ENTRENCHED):
                return why, events[line, number, 3]
    return 0, -1
