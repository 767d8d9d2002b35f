"""Terrain of a board that the Terrain Chart does not cover: actions there are UNSUPPORTED."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from marchtable_models.asl.data import count
from marchtable_models.asl.views.chart import hexside_of, is_hexside, row_named, row_of
from marchtable_models.asl.views.clearance import streets
from marchtable_models.asl.views.ground import ROADS, ground_row, is_plain, within_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.board.board import Board, Hexside, Location

SLOPE = "Slope"
STREET = "Narrow Street"


def uncovered(board: Board) -> dict[str, int]:
    """Return the number of Locations and hexsides by kind of uncovered terrain, commonest first."""
    found: Counter[str] = Counter()
    for location in board.locations:
        found.update(set(_location_lines(location)))
    sides: dict[frozenset[str], Hexside] = {}
    for edge in board.edges:  # a hexside below a bridge is two
        hexes = frozenset(board[name].hex for name in (edge.a, edge.b))
        sides[hexes] = edge.hexside.merged(sides.get(hexes, edge.hexside))
    for edge in board.edges:
        found[STREET] += board.direction(edge.a, edge.b) in streets(board, edge.a)
    for hexside in sides.values():
        found.update(set(_hexside_lines(hexside)))
    return dict((+found).most_common())


def _location_lines(location: Location) -> Iterator[str]:
    rows = {row for row in (ground_row(location), within_row(location)) if row}
    if within_row(location) and rows & {"sunken-road", "elevated-road"}:  # B4.4
        yield location.depression or location.terrain
    for name in _names(location):
        if row_of(name) in rows and not row_named(row_of(name)).modelled:
            yield name


def _names(location: Location) -> Iterator[str]:
    yield location.terrain
    if location.depression is not None:
        yield location.depression
    for name, share in location.also:
        drawn = share >= count("x-terrain", "share")
        if drawn and name not in ROADS and not is_hexside(name):
            yield name


def _hexside_lines(hexside: Hexside) -> Iterator[str]:
    row = hexside_of(hexside.terrain)
    if hexside.terrain and not row_named(row).covered:
        yield hexside.terrain
    if hexside.road and not is_plain(hexside.road):
        yield hexside.road
    if hexside.slope:
        yield SLOPE
