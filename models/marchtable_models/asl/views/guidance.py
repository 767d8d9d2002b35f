"""Features that guide units at night: roads, paths, gullies, streams, banks, trenches (E1.531)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from marchtable_models.asl.counterkinds import AT_DITCH, TRENCH
from marchtable_models.asl.views.chart import row_named, row_of
from marchtable_models.asl.views.ground import RUNWAY, is_plain

if TYPE_CHECKING:
    from marchtable.board.board import Board
    from marchtable_models.asl.model import AslPosition

RIVERS = ("River", "Shallow River")
"""Names of waters with a river bank; unknown for what a map calls only water."""
_UNGUIDED: WeakKeyDictionary[Board, frozenset[str]] = WeakKeyDictionary()


def unguided(board: Board) -> frozenset[str]:
    """Return the Locations without, and not adjacent to, anything a unit can follow at night."""
    found = _UNGUIDED.get(board)
    if found is None:
        guides = {name for name in board.index if _guides(board, name)}
        found = _UNGUIDED[board] = frozenset(
            name
            for name in board.index
            if name not in guides and not any(n in guides for _, n in board.neighbours(name))
        )
    return found


def is_unguided(position: AslPosition, at: str | None) -> bool:
    """Return whether a unit can follow nothing in or next to a Location, not even trenches."""
    board = position.board
    if at is None or at not in unguided(board):
        return False
    near = (at, *(name for _, name in board.neighbours(at)))
    return not any(
        kind in position.markers.get(name, ()) for name in near for kind in (TRENCH, AT_DITCH)
    )


def _guides(board: Board, at: str) -> bool:
    """Return whether a Location has a road (no runway), path, gully, stream or river."""
    names = (board[at].depression, board[at].terrain)
    if any(name in RIVERS or row_named(row_of(name)).guides for name in names if name):
        return True
    sides = (board.hexside(at, name) for _, name in board.neighbours(at))
    return any(s and (s.path or (s.road not in (None, RUNWAY) and is_plain(s.road))) for s in sides)
