"""
Boards cropped to a part of their hexes, as scenarios use half boards.

The remaining hexes are whole. Hexsides between them and removed hexes lead off the map.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from marchtable.board.board import Board, split_name
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from marchtable.board.board import Location

__all__ = ["CROPPED", "crop"]

CROPPED = " crop "
"""Precedes, in a board's name, the part that it is cropped to."""

_PART = re.compile(r"([A-Z]{1,2})(\d{0,2})-([A-Z]{1,2})(\d{0,2})")
_FIELD = "crop"


def crop(board: Board, part: str) -> Board:
    """
    Return a part of a board.

    Parameters
    ----------
    board
        A single board; its hexes keep their names.
    part
        The columns to keep (``"A-P"``), or columns and rows (``"A1-P10"``): hexes with rows from
        the first to the second number, so that the half-hexes of row 0 need a 0.

    Raises
    ------
    BadInputError
        If the part is invalid, or has no hex on the board.
    """
    match = _PART.fullmatch(part)
    if match is None or bool(match[2]) != bool(match[4]):
        raise BadInputError(f"expected columns such as A-P or hexes such as A1-P10, not {part!r}",
                            field=_FIELD)  # fmt: skip
    columns = _column(match[1]), _column(match[3])
    rows = (int(match[2]), int(match[4])) if match[2] else None
    for letters in (match[1], match[3]):
        if len(set(letters)) > 1:
            raise BadInputError(f"{part}: {letters} is no column", field=_FIELD)
    here = {_place(one)[0] for one in board.locations}
    if columns[0] > columns[1] or not set(columns) <= here:
        first, last = board.locations[0].hex, board.locations[-1].hex
        raise BadInputError(
            f"{part}: expected two columns of board {board.name} ({first} to {last}), left to right",
            field=_FIELD,
        )
    kept = {
        one.name
        for one in board.locations
        if columns[0] <= _place(one)[0] <= columns[1]
        and (rows is None or rows[0] <= _place(one)[1] <= rows[1])
    }
    every = {_place(one)[1] for one in board.locations}
    if rows is not None and (rows[0] > rows[1] or not set(rows) <= every):
        raise BadInputError(
            f"{part}: expected rows {min(every)} to {max(every)} of board {board.name}, top to bottom",
            field=_FIELD,
        )
    if not kept:
        raise BadInputError(f"{part}: board {board.name} has no hex there", field=_FIELD)
    places = [(one.u, one.v) for one in board.locations if one.name in kept]
    us, vs = zip(*places, strict=True)
    return Board(
        f"{board.name}{CROPPED}{part}",
        [_cut(board, one, kept) for one in board.locations if one.name in kept],
        [edge for edge in board.edges if edge.a in kept and edge.b in kept],
        sheets=[sheet.cropped((min(us), max(us), min(vs), max(vs))) for sheet in board.sheets],
    )


def _cut(board: Board, one: Location, kept: set[str]) -> Location:
    """Return a Location whose hexsides to removed hexes lead off the map."""
    rim = dict(one.rim)
    for way, other in board.neighbours(one.name):
        hexside = board.hexside(one.name, other)
        if other not in kept and hexside is not None:
            rim[way] = rim[way].merged(hexside) if way in rim else hexside
    return msgspec.structs.replace(one, rim=tuple(sorted(rim.items())))


def _place(one: Location) -> tuple[int, int]:
    parts = split_name(one.hex)
    if parts is None or parts[0]:
        raise BadInputError(f"only a single board can be cropped, and {one.hex} is not one of its hexes",
                            field=_FIELD)  # fmt: skip
    return _column(parts[1]), parts[2]


def _column(letters: str) -> int:
    return 26 * (len(letters) - 1) + ord(letters[0]) - ord("A")
