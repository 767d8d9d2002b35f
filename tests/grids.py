"""Rectangles of hexes, as small as tests need."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from marchtable.board.board import STEPS, Board, EdgeRecord, Hexside, Location

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["adjacent_pairs", "grid_board"]


@cache
def adjacent_pairs(columns: int, rows: int) -> tuple[tuple[str, str], ...]:
    """Return the pairs of adjacent hexes of a rectangle."""
    place = {
        (u, 2 * row + u % 2): f"{'ABC'[u]}{row + 1}" for u in range(columns) for row in range(rows)
    }
    return tuple(
        (name, place[u + across, v + down])
        for (u, v), name in place.items()
        for across, down in STEPS[1:4]
        if (u + across, v + down) in place
    )


def grid_board(
    columns: int,
    rows: int,
    terrain: Sequence[dict[str, Any]],
    hexsides: Sequence[Hexside | None] = (),
    *,
    name: str = "small",
) -> Board:
    """
    Return a rectangle of hexes, A1 to C3 at most.

    Parameters
    ----------
    columns, rows
        Its size.
    terrain
        Fields of each Location, column by column.
    hexsides
        Each pair of adjacent hexes' hexside in order, None where there is no way across; all
        plain if left out.
    """
    names = [(u, row) for u in range(columns) for row in range(rows)]
    locations = [
        Location(f"{'ABC'[u]}{row + 1}", f"{'ABC'[u]}{row + 1}", u, 2 * row + u % 2, **fields)
        for (u, row), fields in zip(names, terrain, strict=True)
    ]
    pairs = adjacent_pairs(columns, rows)
    edges = [
        EdgeRecord(a, b, hexside)
        for (a, b), hexside in zip(pairs, hexsides or [Hexside()] * len(pairs), strict=True)
        if hexside is not None
    ]
    return Board(name, locations, edges)
