"""A question about two ends, and the geometry of hexes and vertices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from marchtable.sight.kernel.columns import (
    FILLS,
    HEX,
    HIDDEN_AT,
    HIDDEN_WHY,
    HIGH_TOP,
    IN,
    LEFT,
    LEVEL,
    LONGEST_RANGE,
    LOW,
    MOST_EVENTS,
    NEAR,
    PREV,
    R_OFF,
    ROOF,
    STATES,
    U,
    V,
    X,
    Y,
)

__all__ = [
    "SightCase",
    "apart",
    "case_of",
    "corner_u",
    "corner_v",
    "ends_at",
    "hide",
    "leave_map",
    "scratch",
    "way_to",
]


class SightCase(NamedTuple):
    """
    A question: two ends, the higher one first.

    Parameters
    ----------
    s, hs, t, ht
        Hex and height of each end.
    rng
        Hexes between them.
    same
        Whether both are at one height.
    along
        Whether the thread runs along hexspines.
    slope
        Whether it may be a Continuous Slope.
    s_in, t_in
        Whether each end is IN a depression.
    floor
        The height that ground must exceed to be above the lower end.
    blocking, longest
        The Hindrance that blocks, and the hexes for each further blind hex.
    s_corner, t_corner
        The vertex of its hex where each end is, -1 for the centre.
    s_past, t_past
        Each end's view past bocage and walls of its hex (an :class:`Advantage`).
    outward
        What is added to the Hindrance if the viewer is in drifting SMOKE.
    from_roof
        Whether it leads from the roof of a building to a place below the roof of another hex.
    """

    s: int
    hs: int
    t: int
    ht: int
    rng: int
    same: bool
    along: bool
    slope: bool
    s_in: bool
    t_in: bool
    floor: int
    blocking: int
    longest: int
    s_corner: int
    t_corner: int
    s_past: int
    t_past: int
    outward: int
    from_roof: bool


def scratch() -> tuple[Any, Any, Any]:
    """Return a trace's work arrays: each line's state, what it met, its Hindrance by range."""
    return (
        np.zeros((2, STATES), np.int64),
        np.zeros((2, MOST_EVENTS, 4), np.int64),
        np.zeros((2, LONGEST_RANGE), np.int64),
    )


def case_of(hexes: Any, extra: Any, ends: Any, limits: tuple[int, int, int]) -> SightCase:
    """
    Return the question about two ends: the higher one first, of equals the lower number.

    The end that is named first is the viewer, who may look out of drifting SMOKE.
    """
    s, hs, t, ht = ends[0], ends[1], ends[2], ends[3]
    s_corner, t_corner, s_past, t_past = ends[4], ends[5], ends[6], ends[7]
    outward = 0
    if extra.shape[0] and extra[s, LOW] and hs < extra[s, HIGH_TOP]:
        outward = limits[2]
    if ht > hs or (ht == hs and t < s):
        s, hs, t, ht = t, ht, s, hs
        s_corner, t_corner, s_past, t_past = t_corner, s_corner, t_past, s_past
    rng = apart(hexes, s, t)
    # In thirds of a column and of half a row, so that vertices have integer coordinates.
    du = 3 * (hexes[t, U] - hexes[s, U]) + corner_u(t_corner) - corner_u(s_corner)
    dv = 3 * (hexes[t, V] - hexes[s, V]) + corner_v(t_corner) - corner_v(s_corner)
    s_in = hexes[s, IN] != 0 and hs == hexes[s, LEVEL]
    t_in = hexes[t, IN] != 0 and ht == hexes[t, LEVEL]
    # Rubble has no roof.
    is_open = extra.shape[0] > 0 and (extra[s, FILLS] != 0 or extra[t, FILLS] != 0)
    from_roof = s != t and hs == hexes[s, ROOF] and ht < hexes[t, ROOF] and not is_open
    return SightCase(
        s, hs, t, ht, rng, hs == ht, dv == 0 or abs(dv) == 3 * abs(du),
        hs != ht and hs - ht == 2 * rng, s_in, t_in, ht + 2 if t_in else ht, limits[0], limits[1],
        s_corner, t_corner, s_past, t_past, outward, from_roof,
    )  # fmt: skip


def apart(hexes: Any, a: int, b: int) -> int:
    """Return the distance of two hexes."""
    du, dv = abs(hexes[a, U] - hexes[b, U]), abs(hexes[a, V] - hexes[b, V])
    return int(max(du, (du + dv) // 2))


def way_to(hexes: Any, a: int, b: int) -> int:
    """Return the direction of a hex from an adjacent one, -1 if they are not adjacent."""
    for way in range(6):
        if hexes[a, NEAR + way] == b:
            return way
    return -1


def corner_u(corner: int) -> int:
    """Return how many thirds of a column a vertex is to the right of its hex's centre."""
    if corner < 0:
        return 0
    across = 2 if corner in (1, 4) else 1
    return across if corner < 3 else -across


def corner_v(corner: int) -> int:
    """Return how many thirds of half a row a vertex is below its hex's centre."""
    if corner < 0 or corner in (1, 4):
        return 0
    return 3 if corner in (2, 3) else -3


def ends_at(hexes: Any, corners: Any, case: SightCase) -> tuple[Any, Any, Any, Any]:
    """Return the canvas coordinates of both ends: across and down."""
    from_x, from_y = hexes[case.s, X], hexes[case.s, Y]
    to_x, to_y = hexes[case.t, X], hexes[case.t, Y]
    if case.s_corner >= 0:
        from_x, from_y = from_x + corners[case.s_corner, 0], from_y + corners[case.s_corner, 1]
    if case.t_corner >= 0:
        to_x, to_y = to_x + corners[case.t_corner, 0], to_y + corners[case.t_corner, 1]
    return from_x, from_y, to_x, to_y


def hide(me: Any, h: int, why: int) -> None:
    """Record the first hex where a line meets something unmodelled."""
    if me[HIDDEN_AT] < 0:
        me[HIDDEN_AT], me[HIDDEN_WHY] = h, why


def leave_map(state: Any, case: SightCase) -> None:
    """
    Record where both lines leave the map and come back: there it has no hex.

    Along its edge one line alone is off it, and an end's vertex may be too.
    """
    if state[0, HEX] < 0 and state[1, HEX] < 0:
        if state[0, PREV] != case.s or case.s_corner < 0:
            state[0, LEFT] = state[0, PREV] + 1
    elif state[0, LEFT]:
        if max(state[0, HEX], state[1, HEX]) != case.t or case.t_corner < 0:
            hide(state[0], int(state[0, LEFT]) - 1, R_OFF)
        state[0, LEFT] = 0
