"""
The thread: a line of sight traced pixel by pixel.

A line of sight is blocked by what can be seen on both sides of the thread. So two lines are
followed at once, a pixel to the left and a pixel to the right of it. What blocks both at the same
place blocks the thread; where neither is blocked it is clear; anything else changes within a
pixel and is close. Heights are in half levels, coordinates have :data:`FINE` bits after the point,
so that nothing depends on where on the canvas a board lies.

The functions run as they stand, which takes some milliseconds a line. The module
:mod:`~marchtable.sight.compiled` has them compiled by numba.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np

from marchtable.sight.facts import Advantage, Does, Reason
from marchtable.sight.field import FINE, LEVEL_0, NOWHERE, Hex

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "BLOCKED", "BOTTOM", "CLEAR", "CLOSE", "CLOSED", "COMPILED", "FILLS", "FLAT", "GOES_ON", "HID", "HIDDEN", "HIGH",
    "HIGH_TOP", "LOW", "LOW_TOP", "LYING", "ROWS", "many", "scratch",
]  # fmt: skip

F = TypeVar("F", bound="Callable[..., Any]")

CLEAR, BLOCKED, CLOSE, HIDDEN = range(4)
"""Verdicts; what is hidden is not known."""
ROWS = 4
"""Columns of a result: verdict, reason, hex and Hindrance."""
COMPILED = "_compiled"
"""Ends the name of this module where it is loaded to be compiled."""
_ASIDE = 1.25  # pixels from the thread to the lines beside it
_MOST_EVENTS = 24
_SOON = 8  # steps within which both lines meet the same wall
_TO_VERTEX = 0.38  # of a hexside from its middle: farther off is at a vertex
_AROUND = 4  # pixels within which a wall is drawn where it is crossed

# Numba takes plain numbers for constants.
_OPEN, _OBSTACLE, _HINDRANCE, _VEIL, _BARE = (
    int(Does.OPEN), int(Does.OBSTACLE), int(Does.HINDRANCE), int(Does.VEIL), int(Does.BARE),
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
_R_ROADBLOCK, _R_ENTRENCHED, _R_VERTEX = (
    int(Reason.ROADBLOCK), int(Reason.ENTRENCHED), int(Reason.VERTEX),
)  # fmt: skip
_NOT_KNOWN_YET, _FORGONE, _ENTRENCHED = (
    int(Advantage.UNKNOWN), int(Advantage.FORGONE), int(Advantage.ENTRENCHED),
)  # fmt: skip
_R_BRIDGE, _R_ADVANTAGE, _R_CLOSE, _R_TERRAIN, _R_SLOPE, _R_BELOW = (
    int(Reason.BRIDGE), int(Reason.ADVANTAGE), int(Reason.CLOSE), int(Reason.TERRAIN),
    int(Reason.SLOPE), int(Reason.BELOW),
)  # fmt: skip
_U, _V, _X, _Y, _LEVEL, _BASE, _IN = Hex.U, Hex.V, Hex.X, Hex.Y, Hex.LEVEL, Hex.BASE, Hex.IN
_DOES, _TALL, _DRM, _WHOLE, _BUILDING = range(5)
_NEAR, _SIDE, _RISE, _GAP = Hex.NEAR, Hex.SIDE, Hex.RISE, Hex.GAP
_KIND, _ROOF, _BUILT, _STAIRS, _DECK, _NOT_KNOWN, _BARE_HEX = (
    Hex.KIND, Hex.ROOF, Hex.BUILT, Hex.STAIRS, Hex.DECK, Hex.UNKNOWN, Hex.BARE,
)  # fmt: skip


def _compiled(function: F) -> F:
    """Compile a function where this module is loaded to be compiled, kept on disk if that can be written."""
    if not __name__.endswith(COMPILED):
        return function
    from numba import njit

    try:
        made: Any = njit(cache=True, nogil=True)(function)
    except RuntimeError:
        made = njit(nogil=True)(function)
    return cast("F", made)


@_compiled
def apart(hexes: Any, a: int, b: int) -> int:
    """Return the distance of two hexes."""
    du, dv = abs(hexes[a, _U] - hexes[b, _U]), abs(hexes[a, _V] - hexes[b, _V])
    return int(max(du, (du + dv) // 2))


@_compiled
def way_to(hexes: Any, a: int, b: int) -> int:
    """Return the direction in which a hex lies next to another, -1 if it does not."""
    for way in range(6):
        if hexes[a, _NEAR + way] == b:
            return way
    return -1


@_compiled
def is_wall(kinds: Any, hexes: Any, a: int, b: int, height: int) -> bool:
    """Return whether a wall or hedge between two hexes blocks at a height."""
    way = way_to(hexes, a, b) if a >= 0 and b >= 0 else -1
    if way < 0:
        return False
    kind = kinds[hexes[a, _SIDE + way], _DOES]
    if kind == _BOCAGE:
        return bool(height < hexes[a, _RISE + way] + 2)
    return bool(kind == _WALL and height < hexes[a, _RISE + way] + 1)


@_compiled
def vertex_blocks(kinds: Any, hexes: Any, spine: tuple[int, int], third: int, height: int) -> bool:
    """Return whether walls block where a hexspine, along which the thread lies, meets a third hex."""
    a, b = spine
    first = is_wall(kinds, hexes, a, third, height)
    second = is_wall(kinds, hexes, b, third, height)
    if is_wall(kinds, hexes, a, b, height):
        return first and second
    return first or second


@_compiled
def wall_at(field: Any, h: int, x: int, y: int) -> tuple[int, int]:
    """Return the hexes between which the wall lies whose picture is at a pixel of a hex, or -1."""
    kinds, hexes = field[1], field[2]
    best, one, other = np.int64(1) << 62, -1, -1
    for way in range(6):
        n = hexes[h, _NEAR + way]
        if n < 0 or kinds[hexes[h, _SIDE + way], _DOES] != _WALL:
            continue
        across = (hexes[n, _X] + hexes[h, _X]) // 2 - (np.int64(x) << FINE)
        down = (hexes[n, _Y] + hexes[h, _Y]) // 2 - (np.int64(y) << FINE)
        far = (across >> 20) ** 2 + (down >> 20) ** 2
        if far < best:
            best, one, other = far, h, n
    if other >= 0:
        return one, other
    for way in range(6):  # one that ends at a vertex of the hex
        a, b = hexes[h, _NEAR + way], hexes[h, _NEAR + (way + 1) % 6]
        if a < 0 or b < 0:
            continue
        beside = way_to(hexes, a, b)
        if beside < 0 or kinds[hexes[a, _SIDE + beside], _DOES] != _WALL:
            continue
        across = (hexes[a, _X] + hexes[b, _X] + hexes[h, _X]) // 3 - (np.int64(x) << FINE)
        down = (hexes[a, _Y] + hexes[b, _Y] + hexes[h, _Y]) // 3 - (np.int64(y) << FINE)
        far = (across >> 20) ** 2 + (down >> 20) ** 2
        if far < best:
            best, one, other = far, a, b
    return one, other


@_compiled
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
    if height <= 1 or low >= top:
        return 0
    if high <= top:
        return _R_OBSTACLE
    if low >= full:
        return 0  # what rises half a level more hides nobody from above
    blind = (full - low + 1) // 2 + ranges[0] // longest - max(0, (high - full) // 2 - 1)
    return _R_BLIND if ranges[1] <= max(least, blind) else 0


# Columns of a line's state: its pixel, terrain and hex; why it is blocked now and where; the hex that
# it was in before; depression hexsides in a row from either end, whether those from the first go
# on, whether it leaves either end down a depression, and whether it has left the depression since
# the last hexside; what it has met, halls, what is hidden, and what was the same here before.
_PIXEL, _CODE, _HEX, _WHY, _WHERE, _PREV = range(6)
_RUN_S, _RUN_T, _OPEN_S, _EXIT_S, _EXIT_T, _CREST = range(6, 12)
_EVENTS, _HALL_AT, _HALLS, _INSIDE, _HIDDEN_AT, _HIDDEN_WHY, _FLAT, _NOTED = range(12, 20)
_STATES = 20
# Columns of what lies in a hex: what hinders up to a height, and that height; what hinders on the
# ground; whether anything is not modelled (2: not for who is in it either); the terrain that fills
# it; what hinders up to a greater height, and that; from where both rise; the hexsides that are
# closed (a bit each); whether what closes one goes on into the hex.
LOW, LOW_TOP, FLAT, HID, FILLS, HIGH, HIGH_TOP, BOTTOM, CLOSED, GOES_ON = range(10)
LYING = 10
"""Columns of the table of what lies in each hex."""
_NEAR_VERTEX = 2  # pixels from a vertex, where the pictures of three hexes meet
_LONGEST_RANGE = 1024


class Case(NamedTuple):
    """
    What is asked: two ends, the higher one first.

    Parameters
    ----------
    s, hs, t, ht
        Hex and height of either end.
    rng
        Hexes between them.
    same
        Whether both are at one height.
    along
        Whether the thread lies along hexspines.
    slope
        Whether it may be a Continuous Slope.
    s_in, t_in
        Whether either end is IN a depression.
    floor
        The height that ground must exceed to be above the lower end.
    blocking, longest
        The Hindrance that blocks, and the hexes for each further blind hex.
    s_corner, t_corner
        The vertex of its hex where either end is, -1 in the middle.
    s_past, t_past
        What either end sees past bocage and walls of its hex (an :class:`Advantage`).
    outward
        What is added to the Hindrance as the viewer looks out of what drifts over its hex.
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


@_compiled
def scratch() -> tuple[Any, Any, Any]:
    """Return what a trace scribbles on: the state of either line, what it met, its Hindrance by range."""
    return (
        np.zeros((2, _STATES), np.int64),
        np.zeros((2, _MOST_EVENTS, 4), np.int64),
        np.zeros((2, _LONGEST_RANGE), np.int64),
    )


@_compiled
def case_of(hexes: Any, extra: Any, ends: Any, limits: tuple[int, int, int]) -> Case:
    """
    Return what is asked of two ends, the higher one first, of equals that of the lower number.

    The end that is named first looks: it may look out of what drifts over its hex.
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
    # In thirds of a column and of half a row, so that vertices have whole numbers.
    du = 3 * (hexes[t, _U] - hexes[s, _U]) + corner_u(t_corner) - corner_u(s_corner)
    dv = 3 * (hexes[t, _V] - hexes[s, _V]) + corner_v(t_corner) - corner_v(s_corner)
    s_in = hexes[s, _IN] != 0 and hs == hexes[s, _LEVEL]
    t_in = hexes[t, _IN] != 0 and ht == hexes[t, _LEVEL]
    return Case(
        s, hs, t, ht, rng, hs == ht, dv == 0 or abs(dv) == 3 * abs(du),
        hs != ht and hs - ht == 2 * rng, s_in, t_in, ht + 2 if t_in else ht, limits[0], limits[1],
        s_corner, t_corner, s_past, t_past, outward,
    )  # fmt: skip


@_compiled
def corner_u(corner: int) -> int:
    """Return how many thirds of a column a vertex is to the right of its hex's middle."""
    if corner < 0:
        return 0
    across = 2 if corner in (1, 4) else 1
    return across if corner < 3 else -across


@_compiled
def corner_v(corner: int) -> int:
    """Return how many thirds of half a row a vertex is below its hex's middle."""
    if corner < 0 or corner in (1, 4):
        return 0
    return 3 if corner in (2, 3) else -3


@_compiled
def has_wall_at(kinds: Any, hexes: Any, h: int, corner: int) -> bool:
    """Return whether a wall, hedge or bocage ends at a vertex of a hex."""
    one, other = hexes[h, _NEAR + corner], hexes[h, _NEAR + (corner + 1) % 6]
    for a, b in ((h, one), (h, other), (one, other)):
        way = way_to(hexes, a, b) if a >= 0 and b >= 0 else -1
        if way >= 0 and kinds[hexes[a, _SIDE + way], _DOES] in (_WALL, _BOCAGE):
            return True
    return False


@_compiled
def at_once(kinds: Any, hexes: Any, case: Case) -> tuple[int, int, int]:
    """Return the verdict, reason and hex that the ends alone decide; CLEAR where they do not."""
    for end, height in ((case.s, case.hs), (case.t, case.ht)):
        if hexes[end, _NOT_KNOWN]:
            return HIDDEN, _R_TERRAIN, end
        if height < hexes[end, _LEVEL]:
            return HIDDEN, _R_BELOW, end
    for end, corner in ((case.s, case.s_corner), (case.t, case.t_corner)):
        if (
            case.along
            and corner >= 0
            and case.s != case.t
            and has_wall_at(kinds, hexes, end, corner)
        ):
            return HIDDEN, _R_VERTEX, end
    if case.s != case.t or case.same:
        return CLEAR, 0, -1
    if case.s_corner >= 0 or case.t_corner >= 0:
        return HIDDEN, _R_VERTEX, case.s
    deck = hexes[case.s, _DECK]
    if deck != NOWHERE and case.hs >= deck > case.ht:
        return BLOCKED, _R_BRIDGE, case.s
    if hexes[case.s, _BUILT] and not (hexes[case.s, _STAIRS] and case.hs - case.ht <= 2):
        return BLOCKED, _R_BUILDING, case.s
    return CLEAR, 0, -1


@_compiled
def hide(me: Any, h: int, why: int) -> None:
    """Note the first hex where a line meets what is not modelled."""
    if me[_HIDDEN_AT] < 0:
        me[_HIDDEN_AT], me[_HIDDEN_WHY] = h, why


# -- hexsides ----------------------------------------------------------------------------------------


@_compiled
def follow_depression(
    field: Any, me: Any, case: Case, hexside: tuple[int, int, int], into: bool
) -> None:
    """Note whether a line crosses a hexside within a depression, from one hex into the next."""
    hexes = field[2]
    a, h, way = hexside
    if me[_CREST]:  # it has left the depression since the last hexside
        me[_OPEN_S] = me[_RUN_T] = me[_CREST] = 0
    if way >= 0 and hexes[a, _GAP + way] & 2:
        into = False
    if me[_OPEN_S] and into:
        me[_RUN_S] += 1
    else:
        me[_OPEN_S] = 0
    me[_RUN_T] = me[_RUN_T] + 1 if into else 0
    if a == case.s and into and hexes[h, _LEVEL] < case.hs:
        me[_EXIT_S] = me[_OPEN_S]
    if h == case.t and into and hexes[a, _LEVEL] < case.ht:
        me[_EXIT_T] = 1


@_compiled
def leaves_inside(field: Any, case: Case, a: int, h: int, codes: tuple[int, int]) -> bool:
    """Return whether a line leaves an end in a building, or comes to it, through the building."""
    kinds, hexes = field[1], field[2]
    left, entered = kinds[codes[0], _DOES], kinds[codes[1], _DOES]
    if not (kinds[codes[0], _BUILDING] and kinds[codes[1], _BUILDING]) or _HALL in (left, entered):
        return False
    if case.rng == 1 and case.same and hexes[case.s, _BUILT] and hexes[case.t, _BUILT]:
        return False
    open_below = _CANOPY in (left, entered)
    for end, height, is_here in (
        (case.s, case.hs, a == case.s and case.s_corner < 0),
        (case.t, case.ht, h == case.t and case.t_corner < 0),
    ):
        if is_here and hexes[end, _BUILT] and height < hexes[end, _ROOF]:
            if not open_below or height > hexes[end, _BASE]:
                return True
    return False


@_compiled
def cliff_hides(field: Any, case: Case, a: int, h: int) -> bool:
    """Return whether a cliff between two hexes makes the lower end a blind hex."""
    hexes = field[2]
    top = h if hexes[h, _LEVEL] > hexes[a, _LEVEL] else a
    crown = hexes[top, _LEVEL]
    if top in (case.s, case.t) or not case.ht < crown < case.hs:
        return False
    blind = (
        apart(hexes, case.s, top) // case.longest
        - max(0, (case.hs - crown) // 2 - 1)
        + (crown - case.ht + 1) // 2 - 1
    )  # fmt: skip
    return bool(apart(hexes, case.t, top) <= max(1, blind))


@_compiled
def is_drawn(field: Any, a: int, h: int, spot: tuple[int, int]) -> bool:
    """Return whether a wall with a break in it is there where a line crosses its hexside."""
    pixels, kinds, hexes = field[0], field[1], field[2]
    px, py = spot
    across = ((hexes[a, _X] + hexes[h, _X]) // 2 >> FINE) - px
    down = ((hexes[a, _Y] + hexes[h, _Y]) // 2 >> FINE) - py
    wide = float((hexes[a, _X] - hexes[h, _X]) >> FINE)
    high = float((hexes[a, _Y] - hexes[h, _Y]) >> FINE)
    side = math.sqrt((wide * wide + high * high) / 3.0)
    if math.sqrt(float(across * across + down * down)) >= _TO_VERTEX * side:
        return True  # to its vertices a wall reaches, however short it is drawn
    for x in range(max(0, px - _AROUND), min(pixels.shape[0], px + _AROUND + 1)):
        for y in range(max(0, py - _AROUND), min(pixels.shape[1], py + _AROUND + 1)):
            if kinds[pixels[x, y] & 255, _DOES] == _WALL:
                return True
    return False


@_compiled
def side_blocks(
    field: Any, me: Any, case: Case, hexside: tuple[int, int, int], spot: tuple[int, int]
) -> tuple[int, int]:
    """Return why what lies along a hexside blocks a line, and the hex; 0 if it does not."""
    kinds, hexes = field[1], field[2]
    a, h, way = hexside
    kind, rise = kinds[hexes[a, _SIDE + way], _DOES], hexes[a, _RISE + way]
    of_s, of_t = case.s in (a, h), case.t in (a, h)
    if hexes[a, _GAP + way] & 4:
        hide(me, h, _R_SLOPE)
    if kind == _UNKNOWN:
        hide(me, h, _R_TERRAIN)
    elif kind == _CLIFF:
        if not case.same and cliff_hides(field, case, a, h):
            top = h if hexes[h, _LEVEL] > hexes[a, _LEVEL] else a
            return _R_CLIFF, top
    elif kind == _WALL:
        why = 0
        if case.rng > 1 and (
            (of_s and case.s_past == _ENTRENCHED and case.hs < rise + 1)
            or (of_t and case.t_past == _ENTRENCHED and case.same and case.ht < rise + 1)
        ):
            why = _R_ENTRENCHED
        elif case.same and not case.along and not of_s and not of_t and case.hs < rise + 1:
            why = _R_WALL
        if why and (not hexes[a, _GAP + way] & 1 or is_drawn(field, a, h, spot)):
            return why, h
    elif kind == _BOCAGE and case.rng > 1:
        s_behind, t_behind = of_s and case.hs < rise + 2, of_t and case.ht < rise + 2
        if (s_behind and case.s_past >= _FORGONE) or (t_behind and case.t_past >= _FORGONE):
            return _R_ADVANTAGE, h
        if (s_behind and case.s_past == _NOT_KNOWN_YET) or (
            t_behind and case.t_past == _NOT_KNOWN_YET
        ):
            hide(me, h, _R_ADVANTAGE)
        elif not of_s and not of_t:
            ranges = apart(hexes, case.s, h), apart(hexes, case.t, h)
            if obstacle((case.hs, case.ht), rise, 2, ranges, case.longest, 0):
                return _R_BOCAGE, h
    return 0, h


# -- pixels ------------------------------------------------------------------------------------------


@_compiled
def ground_blocks(field: Any, case: Case, h: int, g: int) -> int:
    """Return why ground of a height in a hex between the ends blocks, 0 if it does not."""
    hexes = field[2]
    if case.same:
        return _R_GROUND if g > case.ht else 0
    if g <= case.floor:
        return 0
    r_s, r_t = apart(hexes, case.s, h), apart(hexes, case.t, h)
    if g > case.hs:
        return 0 if case.s_in and g <= case.hs + 2 else _R_RIDGE
    if g == case.hs:
        is_own_crest = r_s == 1 and hexes[h, _LEVEL] < case.hs
        return 0 if is_own_crest or case.s_in else _R_RIDGE
    drop = (g - case.floor + 1) // 2
    blind = r_s // case.longest - max(0, (case.hs - g) // 2 - 1) + drop - 1
    if drop >= 2 and r_t == 1 and hexes[case.t, _LEVEL] + 2 * case.t_in <= g - 4:
        blind = max(1, blind)
    return _R_CREST if r_t <= max(0, blind) else 0


@_compiled
def wall_blocks(field: Any, case: Case, h: int, g: int, spot: tuple[int, int]) -> tuple[int, int]:
    """Return the hexes between which a wall lies whose picture blocks a line, or -1."""
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


@_compiled
def drawn_blocks(field: Any, me: Any, case: Case, h: int, code: int, root: int) -> int:
    """Return why terrain blocks where it is drawn, 0 if it does not."""
    kinds, hexes = field[1], field[2]
    kind = kinds[code, _DOES]
    if kind == _UNKNOWN:
        hide(me, h, _R_TERRAIN)
    if kinds[code, _WHOLE] or not (
        kind in (_OBSTACLE, _HALL)
        or (kind == _CANOPY and not (case.same and case.hs == root))
        or (kind == _VEIL and not case.same)
    ):  # fmt: skip
        return 0
    ranges = apart(hexes, case.s, h), apart(hexes, case.t, h)
    why = obstacle((case.hs, case.ht), root, kinds[code, _TALL], ranges, case.longest, 1)
    if kind == _HALL and why:
        if me[_HALL_AT] < 0:
            me[_HALL_AT] = h
        me[_HALLS] = max(me[_HALLS], ranges[0])
        return 0
    return why


@_compiled
def filling_blocks(field: Any, me: Any, case: Case, h: int, filling: int, rise: int) -> int:
    """Return why terrain that fills its hex blocks, 0 if it does not."""
    kinds, hexes = field[1], field[2]
    kind = kinds[filling, _DOES]
    if kind == _UNKNOWN:
        hide(me, h, _R_TERRAIN)
    if kind != _OBSTACLE and (kind != _VEIL or case.same):
        return 0
    ranges = apart(hexes, case.s, h), apart(hexes, case.t, h)
    return obstacle((case.hs, case.ht), rise, kinds[filling, _TALL], ranges, case.longest, 1)


@_compiled
def hinders(field: Any, case: Case, h: int, code: int, rise: int) -> int:
    """Return the DRM of terrain in a hex between the ends that rises from a height."""
    kinds, hexes = field[1], field[2]
    kind, top = kinds[code, _DOES], rise + kinds[code, _TALL]
    through = case.same and rise <= case.hs < top
    if kind == _HINDRANCE and case.slope and not through:
        level = case.hs - 2 * apart(hexes, case.s, h)
        through = hexes[h, _LEVEL] == level and rise == level
    elif kind == _BARE and not case.same:
        beside = case.hs <= rise + 2 or apart(hexes, case.t, h) == 1
        through = case.hs > rise and case.ht < top and beside
    elif kind == _BRIDGE:
        deck = hexes[h, _DECK] if hexes[h, _DECK] != NOWHERE else rise
        through = case.ht < deck <= case.hs or (case.hs == deck and case.ht == deck)
    elif kind not in (_HINDRANCE, _VEIL, _BARE):
        return 0
    return kinds[code, _DRM] if through else 0


@_compiled
def drifts_over(extra: Any, case: Case, hexes: Any, h: int, top: int) -> bool:
    """Return whether a line of sight goes through what drifts over a hex up to a height."""
    if (h == case.t and case.ht < top) or (h == case.s and case.hs < top):
        return True
    ranges = apart(hexes, case.s, h), apart(hexes, case.t, h)
    bottom = extra[h, BOTTOM]
    return obstacle((case.hs, case.ht), bottom, top - bottom, ranges, case.longest, 1) != 0


@_compiled
def lying(extra: Any, case: Case, hexes: Any, h: int) -> int:
    """Return the DRM of what lies in a hex for the time being."""
    if not extra.shape[0]:
        return 0
    add = 0
    if extra[h, LOW] and drifts_over(extra, case, hexes, h, extra[h, LOW_TOP]):
        add = extra[h, LOW]
    elif extra[h, HIGH] and drifts_over(extra, case, hexes, h, extra[h, HIGH_TOP]):
        add = extra[h, HIGH]
    if extra[h, FLAT] and case.same and case.hs == hexes[h, _BASE] and h not in (case.s, case.t):
        add += extra[h, FLAT]
    return int(add)


@_compiled
def closed(extra: Any, hexes: Any, case: Case, hexside: tuple[int, int, int]) -> bool:
    """Return whether something closes a hexside between the ends like a wall for the time being."""
    a, h, way = hexside
    if not extra.shape[0] or way < 0 or not (extra[a, CLOSED] >> way) & 1 or not case.same:
        return False
    if case.s in (a, h) or case.t in (a, h):
        return False
    return bool(case.hs < max(hexes[a, _BASE], hexes[h, _BASE]) + 1)


@_compiled
def cross(
    field: Any,
    extra: Any,
    me: Any,
    case: Case,
    pair: tuple[int, int],
    codes: tuple[int, int],
    spot: tuple[int, int],
) -> tuple[int, int]:
    """Have a line cross from one hex into another; return why it is blocked there and the hex, or 0."""
    kinds, hexes = field[1], field[2]
    a, h = pair
    me[_PREV] = h
    way = way_to(hexes, a, h)
    into = kinds[codes[0], _DOES] == _DEPRESSION and kinds[codes[1], _DOES] == _DEPRESSION
    follow_depression(field, me, case, (a, h, way), into)
    if extra.shape[0] and h != case.t:
        if extra[h, HID]:
            hide(me, h, _R_TERRAIN)
        if extra[h, GOES_ON] and case.same and case.hs < hexes[h, _BASE] + 1:
            hide(me, h, _R_ROADBLOCK)
    why, where = 0, h
    if way >= 0:
        why, where = side_blocks(field, me, case, (a, h, way), spot)
    if not why and not case.along and closed(extra, hexes, case, (a, h, way)):
        return _R_ROADBLOCK, h
    if leaves_inside(field, case, a, h, codes):
        return _R_BUILDING, h
    return why, where


@_compiled
def meet(
    field: Any, extra: Any, work: Any, case: Case, at: tuple[int, int, Any], spot: tuple[int, int]
) -> tuple[int, int]:
    """
    Have a line meet its next pixel.

    Parameters
    ----------
    field, extra, work, case
        As of :func:`trace`.
    at
        Which line, its step, and the pixel.
    spot
        Where the pixel is.

    Returns
    -------
    tuple
        Why the thread is blocked, as both lines meet the same there, and the hex; or 0.
    """
    kinds, hexes = field[1], field[2]
    state, events, hinder = work
    line, k, pixel = at
    me = state[line]
    before, code, h = me[_CODE], pixel & 255, (pixel >> 16) - 1
    kind = kinds[code, _DOES]
    was = me[_WHY]
    me[_PIXEL], me[_CODE], me[_WHY] = pixel, code, 0
    if kind != _HALL:
        me[_INSIDE] = 0
    me[_HEX] = h
    if h < 0:
        return 0, h
    g, a = 2 * (((pixel >> 8) & 255) - LEVEL_0), me[_PREV]
    r_s = apart(hexes, case.s, h)
    if h != a:
        why, where = cross(field, extra, me, case, (a, h), (before, code), spot)
        hinder[line, r_s] = max(hinder[line, r_s], lying(extra, case, hexes, h))
        if why and both_meet(events, state, line, k, (why, hexside_key(hexes, a, h), where)):
            return why, where
    root = max(g, hexes[h, _BASE])
    if kind == _BAR and case.hs < root + kinds[code, _TALL]:
        me[_WHY], me[_WHERE] = _R_BAR, h
        if was != _R_BAR and both_meet(events, state, line, k, (_R_BAR, -1 - h, h)):
            return _R_BAR, h
    if g > hexes[h, _LEVEL]:
        me[_CREST] = 1
    plain = kind in (_OPEN, _HINDRANCE)
    if h in (case.s, case.t):
        if plain:
            me[_FLAT], me[_NOTED] = pixel >> 8, pixel
        elif case.s_corner >= 0 or case.t_corner >= 0:
            around = case.s_corner if h == case.s else case.t_corner
            if around >= 0:  # what fills its own hex may hide who goes round it
                why = drawn_blocks(field, me, case, h, code, root)
                if why:
                    me[_WHY], me[_WHERE] = why, h
        return 0, h
    why = ground_blocks(field, case, h, g)
    if why == 0:
        why = drawn_blocks(field, me, case, h, code, root)
    if why == 0 and kind == _WALL:
        one, other = wall_blocks(field, case, h, g, spot)
        if one >= 0:
            why = _R_WALL
            key = hexside_key(hexes, one, other)
            if was != _R_WALL and both_meet(events, state, line, k, (_R_WALL, key, h)):
                return _R_WALL, h
    # What fills a hex rises from the hill where that is drawn.
    filling = hexes[h, _KIND]
    if extra.shape[0] and extra[h, FILLS]:
        filling = extra[h, FILLS]
    rise = hexes[h, _BASE] if kind == _DEPRESSION else g
    if why == 0 and filling:
        why = filling_blocks(field, me, case, h, filling, rise)
    add = 0 if kinds[code, _WHOLE] else hinders(field, case, h, code, root)
    if filling:
        add = max(add, hinders(field, case, h, filling, min(rise, hexes[h, _BASE])))
    if add:
        add += lying(extra, case, hexes, h)
        hinder[line, r_s] = max(hinder[line, r_s], add)
    if why:
        me[_WHY], me[_WHERE] = why, h
    elif plain:
        me[_FLAT] = pixel >> 8
        if kind == _HINDRANCE:
            me[_NOTED] = pixel
    return 0, h


@_compiled
def hexside_key(hexes: Any, a: int, b: int) -> int:
    """Return a number for the hexside between two hexes, the same from either."""
    return min(a, b) * len(hexes) + max(a, b)


@_compiled
def both_meet(events: Any, state: Any, line: int, k: int, what: tuple[int, int, int]) -> bool:
    """Note what one line meets (reason, key and hex), and return whether the other line meets it, too."""
    other = 1 - line
    for number in range(state[other, _EVENTS]):
        if events[other, number, 2] == what[0] and (
            events[other, number, 1] == what[1] or abs(k - events[other, number, 0]) <= _SOON
        ):
            return True
    count = state[line, _EVENTS]
    if count < _MOST_EVENTS:
        events[line, count, 0], events[line, count, 1] = k, what[1]
        events[line, count, 2], events[line, count, 3] = what[0], what[2]
        state[line, _EVENTS] = count + 1
    return False


# -- hexspines ---------------------------------------------------------------------------------------


@_compiled
def fills(field: Any, extra: Any, me: Any) -> bool:
    """Return whether a line is blocked in a hex that terrain fills, out to its hexsides."""
    kinds, hexes = field[1], field[2]
    if not me[_WHY]:
        return False
    if extra.shape[0] > 0 and extra[me[_WHERE], FILLS] > 0:
        return True
    return bool(kinds[hexes[me[_WHERE], _KIND], _WHOLE])


@_compiled
def spine_blocks(
    field: Any, extra: Any, state: Any, case: Case, seen: tuple[int, int, int]
) -> tuple[int, int]:
    """
    Return why a thread along hexspines is blocked where its lines came to new hexes, and the hex; or 0.

    Parameters
    ----------
    field, extra, state, case
        As of :func:`meet`.
    seen
        The hexes of both lines before this, and the last hex that the thread went through.
    """
    kinds, hexes = field[1], field[2]
    a, b = state[0, _HEX], state[1, _HEX]
    was_a, was_b, last = seen
    if a < 0 or b < 0:
        me = state[0] if b < 0 else state[1]  # along the edge of the map
        return (me[_WHY], me[_WHERE]) if fills(field, extra, me) else (0, -1)
    if a == b:
        if (
            case.same and was_a != was_b and was_a >= 0 and was_b >= 0 and a != case.t
            and vertex_blocks(kinds, hexes, (was_a, was_b), a, case.hs)
        ):  # fmt: skip
            return _R_WALL, a
        return 0, -1
    if apart(hexes, case.s, a) != apart(hexes, case.s, b):
        return 0, -1
    for line in range(2):
        if fills(field, extra, state[line]):
            return state[line][_WHY], state[line][_WHERE]
    if a == was_a and b == was_b:
        return 0, -1
    if closed(extra, hexes, case, (a, b, way_to(hexes, a, b))):
        touching = (apart(hexes, a, case.s) == 1 and apart(hexes, b, case.s) == 1) or (
            apart(hexes, a, case.t) == 1 and apart(hexes, b, case.t) == 1
        )
        if not touching:
            return _R_ROADBLOCK, a
        hide(state[0], a, _R_ROADBLOCK)
    if (
        case.same and last != case.s
        and vertex_blocks(kinds, hexes, (a, b), last, case.hs)
    ):  # fmt: skip
        return _R_WALL, last
    if not is_wall(kinds, hexes, a, b, case.hs if case.same else case.ht):
        return 0, -1
    way = way_to(hexes, a, b)
    if kinds[hexes[a, _SIDE + way], _DOES] == _BOCAGE:
        ranges = apart(hexes, case.s, a), apart(hexes, case.t, a)
        if obstacle((case.hs, case.ht), hexes[a, _RISE + way], 2, ranges, case.longest, 1):
            return _R_BOCAGE, a
        return 0, -1
    at_s = apart(hexes, a, case.s) == 1 and apart(hexes, b, case.s) == 1
    at_t = apart(hexes, a, case.t) == 1 and apart(hexes, b, case.t) == 1
    if case.rng > 1 and (
        (at_s and case.s_past == _ENTRENCHED) or (at_t and case.t_past == _ENTRENCHED)
    ):
        hide(state[0], a, _R_ENTRENCHED)
    return (_R_WALL, a) if case.same and not at_s and not at_t else (0, -1)


# -- the thread --------------------------------------------------------------------------------------


@_compiled
def ends_block(me: Any, hinder: Any, case: Case) -> tuple[int, int]:
    """Return why a line is blocked by where its ends are, or by a hall that it looks through, or 0."""
    if case.s_in:
        through = me[_RUN_S] >= case.rng or me[_EXIT_S]
        if not through and case.ht - case.hs < 2 * (case.rng - me[_RUN_S]):
            return _R_DEPRESSION, case.s
    if case.t_in:
        run = 0 if me[_CREST] else me[_RUN_T]
        through = run >= case.rng or (me[_EXIT_T] and not me[_CREST])
        if not through and case.hs - case.ht < 2 * (case.rng - run):
            return _R_DEPRESSION, case.t
    if me[_HALL_AT] >= 0:
        if not me[_INSIDE]:
            return _R_OBSTACLE, me[_HALL_AT]
        for r in range(1, min(me[_HALLS], case.rng - 1) + 1):
            hinder[r] = max(hinder[r], 1)
    return 0, -1


@_compiled
def weigh(work: Any, case: Case, first: tuple[int, int], out: Any) -> None:
    """Decide what a thread comes to that nothing has blocked on both lines at once."""
    state, _, hinder = work
    left, left_at = ends_block(state[0], hinder[0], case)
    right, right_at = ends_block(state[1], hinder[1], case)
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
        if state[line, _HIDDEN_AT] >= 0:
            out[0], out[1] = HIDDEN, state[line, _HIDDEN_WHY]
            out[2] = state[line, _HIDDEN_AT]
            return
    if out[3] >= case.blocking:
        out[0], out[1], out[2] = BLOCKED, _R_HINDRANCE, case.t
    elif first[0]:
        out[0], out[1], out[2] = CLOSE, first[0], first[1]
    elif left or right:
        out[0], out[1], out[2] = CLOSE, max(left, right), left_at if left else right_at
    elif most >= case.blocking:
        out[0], out[1], out[2] = CLOSE, _R_HINDRANCE, case.t


@_compiled
def begin(work: Any, extra: Any, hexes: Any, case: Case) -> None:
    """Put both lines at the first end."""
    state, _, hinder = work
    state[:] = 0
    for line in range(2):
        me = state[line]
        me[_PIXEL] = me[_FLAT] = me[_NOTED] = me[_HALL_AT] = me[_HIDDEN_AT] = -1
        me[_HEX] = me[_PREV] = case.s
        me[_OPEN_S] = me[_INSIDE] = 1
        hinder[line, : case.rng + 1] = 0
        if extra.shape[0]:
            hinder[line, 0] = lying(extra, case, hexes, case.s)
            hinder[line, case.rng] = max(hinder[line, case.rng], lying(extra, case, hexes, case.t))
    if extra.shape[0]:
        for end in (case.s, case.t):
            if extra[end, HID] == 2:
                hide(state[0], end, _R_TERRAIN)


@_compiled
def trace(field: Any, extra: Any, work: Any, case: Case, out: Any) -> None:
    """
    Trace the line of sight between two heights in two hexes.

    Parameters
    ----------
    field
        The arrays of a :class:`~marchtable.sight.field.Field`.
    extra
        Of each hex what lies in it for the time being, :data:`LYING` columns; empty if nothing
        lies anywhere.
    work
        What :func:`scratch` returns.
    case
        What is asked.
    out
        Where verdict, reason, hex and Hindrance are put.
    """
    pixels, kinds, hexes, corners, alike = field[0], field[1], field[2], field[3], field[4]
    state = work[0]
    out[0], out[1], out[2] = at_once(kinds, hexes, case)
    out[3] = 0
    if case.s == case.t:
        out[3] = lying(extra, case, hexes, case.s) + case.outward
    if out[0] != CLEAR or case.s == case.t:
        return
    begin(work, extra, hexes, case)
    one = 1 << FINE
    from_x, from_y = hexes[case.s, _X], hexes[case.s, _Y]
    to_x, to_y = hexes[case.t, _X], hexes[case.t, _Y]
    if case.s_corner >= 0:
        from_x, from_y = from_x + corners[case.s_corner, 0], from_y + corners[case.s_corner, 1]
    if case.t_corner >= 0:
        to_x, to_y = to_x + corners[case.t_corner, 0], to_y + corners[case.t_corner, 1]
    dx, dy = to_x - from_x, to_y - from_y
    steps = max(abs(dx), abs(dy)) // one + 1
    step_x, step_y = dx // steps, dy // steps
    length = math.sqrt(float(dx) * dx + float(dy) * dy)
    aside_x, aside_y = int(-dy / length * _ASIDE * one), int(dx / length * _ASIDE * one)
    x, y = from_x + (one >> 1), from_y + (one >> 1)
    first = _NEAR_VERTEX if case.s_corner >= 0 else 0
    final = steps - (_NEAR_VERTEX if case.t_corner >= 0 else 0)
    left_x, left_y, right_x, right_y = x + aside_x, y + aside_y, x - aside_x, y - aside_y
    left, right = np.int64(-1), np.int64(-1)
    first_why, first_at = 0, -1
    was_a, was_b, last = -1, -1, case.s
    # Where nothing lies, and neither a hexspine nor a depression matters, bare hexes change nothing.
    even = not (extra.shape[0] or case.along or case.s_in or case.t_in)
    ahead = 0
    while ahead <= final:
        k = ahead
        px, py, qx, qy = left_x >> FINE, left_y >> FINE, right_x >> FINE, right_y >> FINE
        new_left, new_right = np.int64(pixels[px, py]), np.int64(pixels[qx, qy])
        # As far as all pixels around are the same, no step changes anything.
        leap = 1 if k < first else 1 + int(min(alike[px, py], alike[qx, qy]))
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
            if pixel == me[_PIXEL]:
                continue
            code = pixel & 255
            if pixel >> 8 == me[_FLAT] and (kinds[code, _DOES] == _OPEN or pixel == me[_NOTED]):
                me[_PIXEL], me[_CODE], me[_WHY], me[_INSIDE] = pixel, code, 0, 0
                continue  # as it was here before
            if even and kinds[code, _DOES] == _OPEN:
                h, ground = (pixel >> 16) - 1, 2 * (((pixel >> 8) & 255) - LEVEL_0)
                if h >= 0 and hexes[h, _BARE_HEX] and ground == hexes[h, _BASE] <= case.ht:
                    me[_PIXEL], me[_CODE], me[_WHY], me[_INSIDE] = pixel, code, 0, 0
                    me[_HEX] = me[_PREV] = h
                    me[_FLAT] = pixel >> 8
                    continue  # open ground, and nothing along its hexsides
            fresh = True
            spot = (px, py) if line == 0 else (qx, qy)
            why, at = meet(field, extra, work, case, (line, k, pixel), spot)
            if why:
                out[0], out[1], out[2] = BLOCKED, why, at
                return
        if not fresh:
            continue
        if state[0, _WHY] and state[1, _WHY]:
            out[0], out[1], out[2] = BLOCKED, state[0, _WHY], state[0, _WHERE]
            return
        if case.along:
            why, at = spine_blocks(field, extra, state, case, (was_a, was_b, last))
            if why:
                out[0], out[1], out[2] = BLOCKED, why, at
                return
            a, b = state[0, _HEX], state[1, _HEX]
            if a == b or apart(hexes, case.s, a) == apart(hexes, case.s, b):
                was_a, was_b = a, b
                last = a if a == b and a >= 0 else last
        if first_why == 0:
            for line in range(2):
                if state[line, _WHY]:
                    first_why, first_at = state[line, _WHY], state[line, _WHERE]
    if first_why == 0:
        for line in range(2):
            if state[line, _EVENTS]:
                first_why, first_at = work[1][line, 0, 2], work[1][line, 0, 3]
    weigh(work, case, (first_why, first_at), out)


@_compiled
def many(field: Any, extra: Any, pairs: Any, limits: tuple[int, int, int], out: Any) -> None:
    """Trace many pairs, rows as of :func:`case_of`; a row of `out` is a result."""
    work = scratch()
    for row in range(len(pairs)):
        trace(field, extra, work, case_of(field[2], extra, pairs[row], limits), out[row])
