"""Facts of crossing the map's edge: whether a Location lies at it, and whether by road."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import msgspec

from marchtable.board.board import STEPS, hexes_between, split_name
from marchtable.state.records import replace
from marchtable_models.asl.corners import ahead
from marchtable_models.asl.data import vehicle_tables
from marchtable_models.asl.model import SPINES
from marchtable_models.asl.views.chart import hexside_of
from marchtable_models.asl.views.clearance import has_wide_gap
from marchtable_models.asl.views.ground import (
    PLAIN_ROADS,
    ROADS,
    ends_road,
    holds_road,
    is_plain,
    lie,
)  # fmt: skip
from marchtable_models.asl.views.ground_facts import Ground, Lie

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from marchtable.board.board import Board, Hexside
    from marchtable_models.asl.model import AslUnit

Spot = str | frozenset[tuple[int, int]]
"""A Location, or the places of the off-map hexes that a unit might be in."""
OPPOSITE = len(STEPS) // 2
ALL_SIDES = tuple(range(len(STEPS)))
OFF_BOARD = Lie(
    Ground(
        here="open", there="open", hexside="", road=False, path=False, rise=0,
        from_depression=False, into_depression=False, wooden=False, road_here=False,
        slope=False, strange_road=False,
    ),
    -1,
)  # fmt: skip
"""Staying in place off the board: Open Ground."""
_PLACES: WeakKeyDictionary[Board, frozenset[tuple[int, int]]] = WeakKeyDictionary()


def ways(unit: AslUnit) -> Sequence[int]:
    """Return the hexsides that a unit can cross, given its VCA; see :func:`corners.ahead`."""
    if unit.facing is None:
        return range(len(SPINES))
    return ahead(SPINES.index(unit.facing), unit.place.bypass, reverse=unit.motion.reverse)


def outer_sides(board: Board, at: str) -> tuple[int, ...]:
    """Return the hexsides of a Location that lie on the map's edge."""
    places = _PLACES.get(board)
    if places is None:
        places = _PLACES[board] = frozenset((x.u, x.v) for x in board.locations)
    here = board[at]
    return tuple(
        side for side in ALL_SIDES
        if (here.u + STEPS[side][0], here.v + STEPS[side][1]) not in places
    )  # fmt: skip


def _rim(board: Board, at: str, side: int) -> Hexside | None:
    """Return the map's data on a hexside that leads off it, None if there are none."""
    return dict(board[at].rim).get(side)


def _by_road(board: Board, at: str, side: int) -> bool:
    """
    Return whether a road runs off the map there, according to the map's rim.

    Without rim data, one does in some hexrows, or along the middle of a board.
    """
    hexside = _rim(board, at, side)
    if hexside is not None:
        if _along_to(board, at, side):
            return not ends_road(board, at)
        goes_on = holds_road(board[at]) or not ends_road(board, at)
        return hexside.road is not None and is_plain(hexside.road) and goes_on
    name = split_name(board[at].hex)
    if name is None or board[at].terrain not in ROADS[:2]:
        return False
    _, letters, row = name
    if STEPS[side][0] == 0:  # over a long edge
        return letters in vehicle_tables().offboard.hexrows
    return row == vehicle_tables().offboard.row


def _along_to(board: Board, at: str, side: int) -> bool:
    """Return whether a road along the hexside next to an outer one leads off the map between them."""
    next_to = {(side + 1) % len(STEPS), (side - 1) % len(STEPS)}
    return any(
        way in next_to and (hexside := board.hexside(at, other)) and hexside.along in PLAIN_ROADS
        for way, other in board.neighbours(at)
    )


def _side(board: Board, at: str, sides: Collection[int]) -> tuple[int, bool]:
    """Return the outer side to cross, preferably one of these, and whether by road."""
    outer = outer_sides(board, at)
    fitting = [side for side in outer if side in sides] or list(outer)
    for side in fitting:
        if _by_road(board, at, side):
            return side, True
    bare = [side for side in fitting if not _is_lined(_rim(board, at, side))]
    return (bare or fitting)[0], False


def _is_lined(hexside: Hexside | None) -> bool:
    return hexside is not None and bool(hexside.terrain or hexside.slope or hexside.road)


def _rimmed(ground: Ground, hexside: Hexside | None) -> Ground:
    """Return the facts of a crossing, with the terrain along the map's rim there."""
    if hexside is None:
        return ground
    return msgspec.structs.replace(
        ground,
        hexside=hexside_of(hexside.terrain),
        path=hexside.path,
        slope=hexside.slope,
        gap=has_wide_gap(hexside),
        strange_road=hexside.road is not None and not is_plain(hexside.road),
    )


def coming_on(board: Board, to: str, sides: Collection[int] = ALL_SIDES) -> Lie:
    """Return the facts of entering an edge hex, preferably over a side ahead."""
    side, road = _side(board, to, {(x + OPPOSITE) % len(STEPS) for x in sides})
    ground = replace(
        lie(board, to, to).ground, here="open", road=road, rise=board[to].level,
        levels=abs(board[to].level),
        from_depression=False, road_here=False, edge="on",
    )  # fmt: skip
    ground = _rimmed(ground, _rim(board, to, side))
    return Lie(ground, (side + OPPOSITE) % len(STEPS))


def going_off(board: Board, at: str, sides: Collection[int] = ALL_SIDES) -> Lie:
    """Return the facts of leaving the map from an edge hex, into its mirror image."""
    side, road = _side(board, at, sides)
    ground = replace(lie(board, at, at).ground, road=road, rise=0, edge="off")
    ground = _rimmed(ground, _rim(board, at, side))
    return Lie(ground, side)


def beyond(board: Board, at: str, sides: Collection[int] = ALL_SIDES) -> Spot:
    """
    Return the places of the hexes off the map that these sides of an edge hex lead to.

    For another hex, its own place.
    """
    outer, here = outer_sides(board, at), board[at]
    steps = [STEPS[side] for side in outer if side in sides] or [STEPS[side] for side in outer]
    return frozenset((here.u + x, here.v + y) for x, y in steps or [(0, 0)])


def span(board: Board, a: Spot, b: Spot) -> int:
    """Return the distance between two hexes, on the map or beyond its edge."""
    known = board.notes.setdefault("spans", {})
    found: int | None = known.get((a, b))
    if found is None:
        found = known[a, b] = min(
            hexes_between(u - x, v - y) for u, v in _places(board, a) for x, y in _places(board, b)
        )
    return found


def _places(board: Board, at: Spot) -> Collection[tuple[int, int]]:
    return ((board[at].u, board[at].v),) if isinstance(at, str) else at
