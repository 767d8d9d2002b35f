"""Where units of a plan end: Locations, and having left the map by one.

An end is told by name and by number: those of Locations, and beyond them, one for each Location,
those of having left the map by it. Who is off the map from the start, and stays there, is NOWHERE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.score import Stand
from marchtable_models.asl.extraction.outlook import BYPASS

if TYPE_CHECKING:
    from marchtable.board.board import Board
    from marchtable_models.asl.model import AslUnit

__all__ = [
    "NOWHERE",
    "WAITING",
    "end_name",
    "end_number",
    "home_of",
    "left_by",
    "off_by",
    "stand_of",
    "to_end",
    "to_stand",
]

OFF = "off the map by "
NOWHERE = "off the map"
"""The end of a unit that is off the map from the start."""
WAITING = -1
"""Its number: what arrays tell of it comes last."""


def end_name(board: Board, number: int) -> str:
    """Return the name of an end by its number."""
    if number == WAITING:
        return NOWHERE
    size = len(board)
    name = board.locations[number % size].name
    return name if number < size else off_by(name)


def off_by(name: str) -> str:
    """Return the name of having left the map by a Location."""
    return OFF + name


def end_number(board: Board, name: str) -> int:
    """Return the number of an end by its name."""
    if name == NOWHERE:
        return WAITING
    by = left_by(name)
    return board.index[name] if by is None else len(board) + board.index[by]


def home_of(unit: AslUnit) -> str:
    """Return the end of a unit that stays where it is."""
    return unit.at or NOWHERE


def left_by(name: str) -> str | None:
    """Return the Location by which the map is left, None for an end on the map."""
    return name.removeprefix(OFF) if name.startswith(OFF) else None


def stand_of(name: str, *, carried: bool = False) -> Stand:
    """Return where a unit is that ends so."""
    if name == NOWHERE:
        return Stand(None, carried)
    by = left_by(name)
    return Stand(name, carried) if by is None else Stand(None, carried, by)


def to_end(mode: Any) -> bool:
    """Return whether a unit on foot may end its MPh in a mode: not in Bypass."""
    return mode[BYPASS] is None


def to_stand(mode: Any) -> bool:
    """Return whether a vehicle has stopped, not in Bypass."""
    return mode[BYPASS] is None and not mode[1]
