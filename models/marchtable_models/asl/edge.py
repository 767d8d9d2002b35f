"""Reads the facts of crossing the map's edge: whether a Location lies at it, and by road or not."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import msgspec

from marchtable.board import STEPS, split_name
from marchtable_models.asl.corners import ahead
from marchtable_models.asl.data import vehicle_tables
from marchtable_models.asl.facts import Ground, Lie
from marchtable_models.asl.ground import ROADS, lie
from marchtable_models.asl.model import SPINES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from marchtable.board import Board
    from marchtable_models.asl.model import AslUnit

__all__ = ["OFF_BOARD", "coming_on", "going_off", "outer_sides", "ways"]

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
"""Staying where a unit waits off the board: Open Ground."""
_PLACES: WeakKeyDictionary[Board, frozenset[tuple[int, int]]] = WeakKeyDictionary()


def ways(unit: AslUnit) -> Sequence[int]:
    """Return the hexsides that a unit may cross, as its VCA has it; see :func:`corners.ahead`."""
    if unit.facing is None:
        return range(len(SPINES))
    return ahead(SPINES.index(unit.facing), unit.bypass, reverse=unit.reverse)


def outer_sides(board: Board, at: str) -> tuple[int, ...]:
    """Return the hexsides of a Location beyond which the map ends."""
    places = _PLACES.get(board)
    if places is None:
        places = _PLACES[board] = frozenset((x.u, x.v) for x in board.locations)
    here = board[at]
    return tuple(
        side for side in ALL_SIDES
        if (here.u + STEPS[side][0], here.v + STEPS[side][1]) not in places
    )  # fmt: skip


def _by_road(board: Board, at: str, side: int) -> bool:
    """Tell whether a road runs off the map there: in some hexrows, or along the middle of a board."""
    name = split_name(board[at].hex)
    if name is None or board[at].terrain not in ROADS[:2]:
        return False
    _, letters, row = name
    if STEPS[side][0] == 0:  # over a long edge
        return letters in vehicle_tables().offboard.hexrows
    return row == vehicle_tables().offboard.row


def _side(board: Board, at: str, sides: Collection[int]) -> tuple[int, bool]:
    """Return the outer side to cross, one of these if there is any, and whether by road."""
    outer = outer_sides(board, at)
    fitting = [side for side in outer if side in sides] or list(outer)
    for side in fitting:
        if _by_road(board, at, side):
            return side, True
    return fitting[0], False


def coming_on(board: Board, to: str, sides: Collection[int] = ALL_SIDES) -> Lie:
    """Return the facts of entering an edge hex, over a side that lies ahead if there is one."""
    side, road = _side(board, to, {(x + OPPOSITE) % len(STEPS) for x in sides})
    ground = msgspec.structs.replace(
        lie(board, to, to).ground, here="open", road=road, rise=board[to].level,
        from_depression=False, road_here=False, edge="on",
    )  # fmt: skip
    return Lie(ground, (side + OPPOSITE) % len(STEPS))


def going_off(board: Board, at: str, sides: Collection[int] = ALL_SIDES) -> Lie:
    """Return the facts of leaving the map from an edge hex, into that hex's mirror image."""
    side, road = _side(board, at, sides)
    ground = msgspec.structs.replace(lie(board, at, at).ground, road=road, rise=0, edge="off")
    return Lie(ground, side)
