"""The extent of a building, and whether it is secured (A12.153), read off a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.corners import opposite
from marchtable_models.asl.views.chart import row_of
from marchtable_models.asl.views.clearance import BUILDINGS

if TYPE_CHECKING:
    from marchtable.board.board import Board
    from marchtable_models.asl.model import AslPosition, AslUnit

RUBBLE = ("wooden-rubble", "stone-rubble")
GONE = (*RUBBLE, "blaze")
"""Counters that take a Location out of its building for Mopping Up."""


def building_at(position: AslPosition, at: str) -> tuple[frozenset[str], bool]:
    """Return a building's ground level Locations, and whether the board states all of them."""
    board = position.board
    if not _is_built(position, at):
        return frozenset(), True
    found, waiting, known = {at}, [at], True
    while waiting:
        here = waiting.pop()
        for way, name in board.neighbours(here):
            if name in found or not _is_built(position, name):
                continue
            joined = _is_joined(board, here, name, way)
            known &= joined is not None
            if joined:
                found.add(name)
                waiting.append(name)
    return frozenset(found), known


def _is_built(position: AslPosition, at: str) -> bool:
    built = row_of(position.board[at].terrain) in BUILDINGS
    return built and not set(GONE) & set(position.markers.get(at, ()))


def _is_joined(board: Board, a: str, b: str, way: int) -> bool | None:
    """Return whether a hexside lies within one building, None if unknown."""
    here, there, hexside = board[a], board[b], board.hexside(a, b)
    if hexside is None or hexside.terrain is not None:
        return False
    if row_of(here.terrain) != row_of(there.terrain):
        return False
    if here.level != there.level or not (here.clear and there.clear):
        return None
    return here.clear[way] == there.clear[opposite(way)] == 0


def secured(position: AslPosition, prisoner: AslUnit, captor: AslUnit) -> bool:
    """Return whether both are in a building just secured: mopped up, with nobody concealed."""
    if position.phase != "PFPh" or captor.side != position.side or prisoner.at is None:
        return False
    hexes, known = building_at(position, prisoner.at)
    inside = [unit for unit in position.units if unit.at in hexes]
    return (
        known
        and captor in inside
        and any(unit.side == captor.side and unit.status.ti for unit in inside)
        and not any(unit.side != captor.side and unit.concealment.concealed for unit in inside)
    )
