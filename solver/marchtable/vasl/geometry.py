"""The places of a board's hexes in its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from marchtable.vasl.metadata import Metadata

__all__ = ["CORNERS", "Grid", "GridHex", "lay_out"]

CORNERS = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""The corners of a hex from its centre, in thirds of its column's width and half-heights."""

# A hex belongs to the board if its centre is on it, within this fraction of a hex, because the
# sizes in the metadata are rounded.
_SLACK = 0.25


class GridHex(msgspec.Struct, frozen=True):
    """
    One hex of a grid.

    Parameters
    ----------
    name
        Its label, such as ``"Y6"``.
    u, v
        Doubled coordinates.
    x, y
        Its centre in pixels; a half-hex's may be just off the picture.
    """

    name: str
    u: int
    v: int
    x: float
    y: float


class Grid(msgspec.Struct, frozen=True):
    """
    The hexes of a board and their size.

    Parameters
    ----------
    hexes
        The hexes, column by column.
    hex_width
        From column to column in pixels; a hexside is two thirds of it.
    hex_height
        From row to row in pixels.
    width, height
        Size of the picture in pixels.
    """

    hexes: tuple[GridHex, ...]
    hex_width: float
    hex_height: float
    width: int
    height: int

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """The corners of a hex from its centre; hexside i runs from corner i to i + 1."""
        wide, half = self.hex_width / 3, self.hex_height / 2
        return tuple((across * wide, down * half) for across, down in CORNERS)


def lay_out(metadata: Metadata, width: int, height: int, hexes: int, source: str) -> Grid:
    """
    Return the hex grid of a board.

    Parameters
    ----------
    metadata
        Its metadata.
    width, height
        Size of its picture in pixels.
    hexes
        The number of hexes in ``LOSData``.
    source
        Its archive, for messages.

    Raises
    ------
    BadInputError
        If the grid does not fit the picture or the number of hexes.
    """
    wide, high = metadata.hex_width, metadata.hex_height
    first = _first(metadata.a1_x, wide)
    columns = [first + number for number in range(metadata.columns)]
    left, right = metadata.a1_x + first * wide, metadata.a1_x + columns[-1] * wide
    if first < 0 or not left <= right <= width + _SLACK * wide:
        raise BadInputError(
            f"{metadata.columns} columns of {wide:g} pixels do not fit {width} pixels",
            source=source,
        )
    if height > (metadata.rows + 2) * high:
        raise BadInputError(
            f"{metadata.rows} rows of {high:g} pixels do not fill {height} pixels", source=source
        )
    found = tuple(hexagon for column in columns for hexagon in _column(metadata, column, height))
    if any(place.v < -1 for place in found):
        raise BadInputError("there are rows above row 0", source=source)
    if len(found) != hexes:
        raise BadInputError(
            f"its grid has {len(found)} hexes, LOSData lists {hexes}", source=source
        )
    return Grid(found, wide, high, width, height)


def _first(origin: float, step: float) -> int:
    """Return the least integer n for which origin + n * step is on the picture."""
    return -int((origin + _SLACK * step) // step)


def _column(metadata: Metadata, column: int, height: int) -> list[GridHex]:
    high = metadata.hex_height
    shift = (-1 if metadata.alternate_grain else 1) * (column % 2)
    origin = metadata.a1_y - high + shift * high / 2
    first = _first(origin, high)
    last = int((height + _SLACK * high - origin) // high)
    x = metadata.a1_x + column * metadata.hex_width
    return [
        GridHex(
            name=f"{_letters(column)}{row}",
            u=column,
            v=2 * row - 1 + shift,
            x=x,
            y=origin + row * high,
        )
        for row in range(first, last + 1)
    ]


def _letters(column: int) -> str:
    """Return a column's letters: A to Z, then AA, BB and so on."""
    return chr(ord("A") + column % 26) * (column // 26 + 1)
