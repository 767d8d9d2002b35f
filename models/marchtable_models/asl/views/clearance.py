"""Hexsides along which the map leaves room to bypass an obstacle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.data import count
from marchtable_models.asl.views.chart import hexside_of, row_of

if TYPE_CHECKING:
    from marchtable.board.board import Board, Hexside


BUILDINGS = frozenset({"wooden-building", "stone-building", "lumberyard", "factory"})
_THIN = frozenset({"wall", "hedge", "bocage"})
"""Extensions of the hexside they lie along (A4.31)."""


def bypass_sides(board: Board, name: str, *, vehicle: bool) -> tuple[int, ...] | None:
    """
    Return the hexsides of a Location along which its buildings or woods can be bypassed.

    Parameters
    ----------
    board
        The map.
    name
        The Location.
    vehicle
        Whether the room is for a vehicle (D2.3) or for Infantry (A4.3).

    Returns
    -------
    tuple of int, or None
        Hexsides 0 to 5 with enough room beside any wall, hedge or bocage along them, and with
        nothing else along them; Narrow Streets always (B31.11). None if the board does not state
        the obstacle's clearance.
    """
    location = board[name]
    if not location.clear:
        return None
    least = count("D2.3", "clear") if vehicle else count("A4.3", "clear")
    around = dict(location.rim)
    for way, other in board.neighbours(location.name):
        hexside = board.hexside(location.name, other)
        if hexside is not None:
            around[way] = hexside
    narrow = streets(board, name)
    return tuple(
        way
        for way, width in enumerate(location.clear)
        if way in narrow or _is_clear(width, least, around.get(way))
    )


def _is_clear(width: int, least: int, hexside: Hexside | None) -> bool:
    """Return whether an obstacle leaves that much room beside the terrain along a hexside."""
    lined = hexside_of(hexside.terrain) if hexside is not None else ""
    if not lined:
        return width >= least
    return lined in _THIN and width >= least + count("x-clear", "hexside")


def streets(board: Board, name: str) -> tuple[int, ...]:
    """Return a Location's hexsides that are Narrow Streets: roads along them, by a building."""
    return tuple(
        way
        for way, other in board.neighbours(name)
        if (hexside := board.hexside(name, other))
        and hexside.along
        and (_is_building(board, name) or _is_building(board, other))
    )


def _is_building(board: Board, name: str) -> bool:
    return row_of(board[name].terrain) in BUILDINGS


def has_wide_gap(hexside: Hexside) -> bool:
    """Return whether the terrain along a hexside has an obvious gap (B9.4)."""
    return hexside.gap >= count("B9.4", "gap")
