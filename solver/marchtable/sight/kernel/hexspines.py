"""
A thread exactly along hexspines.

Walls that meet it at vertices (B9.2), and the hexes on either side of it (A6.1).
"""

from __future__ import annotations

from typing import Any

from marchtable.sight.kernel.case import SightCase, apart, hide, way_to
from marchtable.sight.kernel.columns import (
    BOCAGE,
    DOES,
    ENTRENCHED,
    HEX,
    KIND,
    OBSTACLE,
    R_BLIND,
    R_BOCAGE,
    R_ENTRENCHED,
    R_HALF,
    R_OBSTACLE,
    R_ROADBLOCK,
    R_WALL,
    RISE,
    SIDE,
    VEIL,
    WHERE,
    WHOLE,
    WHY,
)
from marchtable.sight.kernel.counters import closed, is_rubble
from marchtable.sight.kernel.hexsides import is_wall
from marchtable.sight.kernel.obstacles import obstacle

__all__ = ["fills", "seen_now", "spine_blocks", "step_blocks", "vertex_blocks"]


def vertex_blocks(kinds: Any, hexes: Any, spine: tuple[int, int], third: int, height: int) -> bool:
    """Return whether walls block a thread along a hexspine where that meets a third hex."""
    a, b = spine
    first = is_wall(kinds, hexes, a, third, height)
    second = is_wall(kinds, hexes, b, third, height)
    if is_wall(kinds, hexes, a, b, height):
        return first and second
    return first or second


def fills(field: Any, extra: Any, me: Any, case: SightCase) -> bool:
    """Return whether terrain that fills its hex, up to the hexsides, blocks a line."""
    kinds, hexes = field[1], field[2]
    if me[WHY] not in (R_OBSTACLE, R_BLIND, R_HALF):
        return False
    if is_rubble(extra, kinds, me[WHERE]):
        return True
    kind = hexes[me[WHERE], KIND]
    blocks = kinds[kind, DOES] == OBSTACLE or (kinds[kind, DOES] == VEIL and not case.same)
    return bool(kinds[kind, WHOLE] and blocks)


def step_blocks(
    field: Any, extra: Any, state: Any, case: SightCase, seen: tuple[int, int, int]
) -> tuple[int, int]:
    """Return why the thread is blocked here, and the hex; or 0. See :func:`spine_blocks`."""
    if state[0, WHY] and state[1, WHY]:
        return state[0, WHY], state[0, WHERE]
    if case.along:
        return spine_blocks(field, extra, state, case, seen)
    return 0, -1


def seen_now(
    hexes: Any, state: Any, case: SightCase, seen: tuple[int, int, int]
) -> tuple[int, int, int]:
    """Return the hexes of both lines, and the thread's last hex, for the next step."""
    a, b = int(state[0, HEX]), int(state[1, HEX])
    if not case.along or (a != b and apart(hexes, case.s, a) != apart(hexes, case.s, b)):
        return seen
    return a, b, a if a == b and a >= 0 else seen[2]


def spine_blocks(
    field: Any, extra: Any, state: Any, case: SightCase, seen: tuple[int, int, int]
) -> tuple[int, int]:
    """
    Return why a thread along hexspines is blocked where its lines enter hexes, and the hex; or 0.

    Parameters
    ----------
    field, extra, state, case
        As in :func:`meet`.
    seen
        The previous hexes of both lines, and the last hex of the thread.
    """
    kinds, hexes = field[1], field[2]
    a, b = state[0, HEX], state[1, HEX]
    was_a, was_b, last = seen
    if a < 0 or b < 0:
        me = state[0] if b < 0 else state[1]  # along the edge of the map
        return (me[WHY], me[WHERE]) if fills(field, extra, me, case) else (0, -1)
    if a == b:
        if (
            case.same and was_a != was_b and was_a >= 0 and was_b >= 0 and a != case.t
            and vertex_blocks(kinds, hexes, (was_a, was_b), a, case.hs)
        ):  # fmt: skip
            return R_WALL, a
        return 0, -1
    if apart(hexes, case.s, a) != apart(hexes, case.s, b):
        return 0, -1
    for line in range(2):
        if fills(field, extra, state[line], case):
            return state[line][WHY], state[line][WHERE]
    if a == was_a and b == was_b:
        return 0, -1
    if closed(extra, hexes, case, (a, b, way_to(hexes, a, b))):
        touching = (apart(hexes, a, case.s) == 1 and apart(hexes, b, case.s) == 1) or (
            apart(hexes, a, case.t) == 1 and apart(hexes, b, case.t) == 1
        )
        if not touching:
            return R_ROADBLOCK, a
        hide(state[0], a, R_ROADBLOCK)
    if (
        case.same and last != case.s
        and vertex_blocks(kinds, hexes, (a, b), last, case.hs)
    ):  # fmt: skip
        return R_WALL, last
    if not is_wall(kinds, hexes, a, b, case.hs if case.same else case.ht):
        return 0, -1
    way = way_to(hexes, a, b)
    if kinds[hexes[a, SIDE + way], DOES] == BOCAGE:
        ranges = apart(hexes, case.s, a), apart(hexes, case.t, a)
        if obstacle((case.hs, case.ht), hexes[a, RISE + way], 2, ranges, case.longest, 1):
            return R_BOCAGE, a
        return 0, -1
    at_s = apart(hexes, a, case.s) == 1 and apart(hexes, b, case.s) == 1
    at_t = apart(hexes, a, case.t) == 1 and apart(hexes, b, case.t) == 1
    if case.rng > 1 and (
        (at_s and case.s_past == ENTRENCHED) or (at_t and case.t_past == ENTRENCHED)
    ):
        hide(state[0], a, R_ENTRENCHED)
    return (R_WALL, a) if case.same and not at_s and not at_t else (0, -1)
