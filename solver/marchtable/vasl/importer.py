"""A VASL board archive as a :class:`~marchtable.board.board.Board`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from marchtable.board.board import CHANGED, STEPS, Board, EdgeRecord, Hexside, Location
from marchtable.board.bridges import BRIDGE, connect, on_levels
from marchtable.board.sheets import BoardPicture, packed
from marchtable.errors import BadInputError
from marchtable.vasl.archive import open_archive
from marchtable.vasl.geometry import CORNERS, lay_out
from marchtable.vasl.hexes import HexReader
from marchtable.vasl.losdata import read_los_data
from marchtable.vasl.metadata import read_metadata
from marchtable.vasl.roads import by_corners
from marchtable.vasl.sides import SideReader, middle
from marchtable.vasl.ssr import applied
from marchtable.vasl.terrain import load_terrain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from marchtable.vasl.geometry import Grid, GridHex
    from marchtable.vasl.hexes import HexReading
    from marchtable.vasl.losdata import LosData
    from marchtable.vasl.metadata import Metadata
    from marchtable.vasl.roads import Stretch
    from marchtable.vasl.sides import Codes
    from marchtable.vasl.terrain import TerrainTable

__all__ = ["BoardReport", "import_board", "report"]

Sides = dict[tuple[int, int], Hexside]


def import_board(
    path: str | Path, terrain_table: str | Path | None = None, *, ssr: Sequence[str] = ()
) -> Board:
    """
    Return the board in a VASL archive.

    Parameters
    ----------
    path
        The archive, such as ``boards/bd01``. The board is named after it: ``"1"``.
    terrain_table
        The ``SharedBoardMetadata.xml`` of the user's VASL module, to replace the built-in terrain
        table.
    ssr
        Board SSR that change its terrain, by their VASL names (``"NoRoads"``), in the order in
        which they apply. The board's name lists them.

    Raises
    ------
    BadInputError
        If either file is damaged, oversized or invalid; if an SSR is unknown, or VASL's tables do
        not state its changes.
    """
    table = load_terrain(terrain_table)
    archive = open_archive(path)
    metadata = read_metadata(archive.metadata, archive.source)
    los = read_los_data(archive.los_data, archive.source)
    _check(los, metadata, table, archive.source)
    los = applied(ssr, los, table, metadata, archive.source)
    width, height = los.terrain.shape
    grid = lay_out(metadata, width, height, len(los.stairways), archive.source)
    reader = HexReader(los, grid, table)
    readings = [reader.read(place) for place in grid.hexes]
    sides = _with_metadata(_read_sides(los, grid, table), grid, metadata)
    name = archive.name + (CHANGED + ",".join(ssr) if ssr else "")
    sheet = _sheet(los, grid, table)
    return _assemble(name, grid, sheet, los, readings, sides)


def _check(los: LosData, metadata: Metadata, table: TerrainTable, source: str) -> None:
    """Reject pixels that the metadata or the terrain table contradicts."""
    if (los.columns, los.rows) != (metadata.columns, metadata.rows):
        raise BadInputError(
            f"LOSData has {los.columns} x {los.rows} hexes, "
            f"BoardMetadata.xml {metadata.columns} x {metadata.rows}",
            source=source,
        )
    seen = np.bincount(los.terrain.reshape(-1), minlength=256)
    unknown = [int(code) for code in np.flatnonzero(seen) if int(code) not in table]
    if unknown:
        raise BadInputError(
            f"uses terrain code {unknown[0]}, which the terrain table lacks: give the "
            "SharedBoardMetadata.xml of your VASL module",
            source=source,
            field="LOSData",
        )


def _neighbours(grid: Grid) -> list[dict[int, int]]:
    """Return the number of each hex's neighbours by direction."""
    at = {(place.u, place.v): number for number, place in enumerate(grid.hexes)}
    found: list[dict[int, int]] = []
    for place in grid.hexes:
        steps = (at.get((place.u + du, place.v + dv)) for du, dv in STEPS)
        found.append({way: other for way, other in enumerate(steps) if other is not None})
    return found


def _read_sides(los: LosData, grid: Grid, table: TerrainTable) -> Sides:
    """Return each hexside once, keyed by the hex listed first and the direction from it."""
    reader = SideReader(los, grid, table)
    around = _neighbours(grid)
    sides: Sides = {}
    roads: dict[tuple[int, int], list[Stretch]] = {}
    held: dict[tuple[int, int], Codes] = {}
    for number, codes in enumerate(reader.samples()):
        for way in range(6):
            other = around[number].get(way)
            if other is None and not _on_picture(grid, grid.hexes[number], way):
                sides[number, way] = Hexside()
            elif other is None or other > number:
                key = number, way
                roads[key] = found = reader.stretches(codes[way])
                sides[key] = reader.read(codes[way], found)
                if any(one.leads_on and not one.crosses for one in found):
                    held[key] = codes[way]
    beside_corners = by_corners(roads, lambda side: _ends(grid.hexes[side[0]], side[1]))
    for key, one in beside_corners.items():
        road = sides[key].road or reader.road_on(held[key], one)
        sides[key] = msgspec.structs.replace(sides[key], road=road)
    return sides


def _ends(place: GridHex, direction: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the corners of a hexside; hexes that share a corner get equal values."""
    start, end = (
        (3 * place.u + across, place.v + down)
        for across, down in (CORNERS[direction], CORNERS[(direction + 1) % 6])
    )
    return start, end


def _on_picture(grid: Grid, place: GridHex, direction: int) -> bool:
    """Return whether the middle of a hexside is visible; beyond half-hexes it is not."""
    x, y = middle(grid, direction)
    slack = 2.0
    return (
        -slack <= place.x + x <= grid.width + slack and -slack <= place.y + y <= grid.height + slack
    )


def _with_metadata(sides: Sides, grid: Grid, metadata: Metadata) -> Sides:
    """Return the hexsides with the slopes and the terrain that the metadata adds."""
    numbers = {place.name: number for number, place in enumerate(grid.hexes)}
    around = _neighbours(grid)
    added = [(key, Hexside(slope=True)) for key in sorted(metadata.slopes)]
    added += [(key, Hexside(terrain=name)) for key, name in metadata.hexsides.items()]
    for (name, way), extra in added:
        # VASL skips hexes that are not on the board.
        if name not in numbers:
            continue
        key = (numbers[name], way)
        if key not in sides:
            key = (around[key[0]][way], (way + 3) % 6)
        sides[key] = extra.merged(sides[key])
    return sides


def _sheet(los: LosData, grid: Grid, table: TerrainTable) -> BoardPicture:
    """Return the pixels with the places of the hexes."""
    codes = np.flatnonzero(np.bincount(los.terrain.reshape(-1), minlength=256))
    one = grid.hexes[0]
    us, vs = [place.u for place in grid.hexes], [place.v for place in grid.hexes]
    return BoardPicture(
        packed(los.elevation, los.terrain),
        grid.width,
        grid.height,
        tuple((int(code), table[int(code)].name) for code in codes),
        (one.x - grid.hex_width * one.u, grid.hex_width),
        (one.y - grid.hex_height / 2 * one.v, grid.hex_height / 2),
        (min(us), max(us), min(vs), max(vs)),
    )


def _assemble(
    name: str,
    grid: Grid,
    sheet: BoardPicture,
    los: LosData,
    readings: Sequence[HexReading],
    sides: Sides,
) -> Board:
    around = _neighbours(grid)
    bridges = {place.name for place, read in zip(grid.hexes, readings, strict=True) if read.bridge}
    locations: list[Location] = []
    edges: list[EdgeRecord] = []
    for number, place in enumerate(grid.hexes):
        rim = {
            way: msgspec.structs.replace(sides[number, way], ridge=False)
            for way in range(6)
            if way not in around[number]
        }
        ground = _location(place, readings[number], bool(los.stairways[number] == 1))
        locations += on_levels(ground, rim, _bridge(place, readings[number]))
        for way, other in around[number].items():
            if other > number:
                side = sides[number, way]
                if side.ridge and not (readings[number].depression and readings[other].depression):
                    side = msgspec.structs.replace(side, ridge=False)
                edges += connect(place.name, grid.hexes[other].name, side, bridges)
    return Board(name, locations, edges, sheets=[sheet])


def _location(place: GridHex, reading: HexReading, stairway: bool) -> Location:
    return Location(
        name=place.name,
        hex=place.name,
        u=place.u,
        v=place.v,
        level=reading.level,
        terrain=reading.terrain,
        also=reading.also,
        depression=reading.depression,
        stairway=stairway,
        clear=reading.clear,
    )


def _bridge(place: GridHex, reading: HexReading) -> Location | None:
    if reading.bridge is None:
        return None
    return Location(
        name=place.name + BRIDGE,
        hex=place.name,
        u=place.u,
        v=place.v,
        level=reading.bridge.level,
        terrain=reading.bridge.name,
    )


class BoardReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    The contents of a board, in numbers.

    Parameters
    ----------
    name
        The board.
    hexes
        Number of hexes.
    bridges
        Number of bridge Locations.
    terrain
        Number of Locations by the terrain at their centre, commonest first.
    hexsides
        Number of hexsides by the terrain along them, commonest first.
    roads
        Number of hexsides by the road that crosses them, commonest first.
    paths, slopes
        Number of hexsides crossed by a path, and of Slope hexsides.
    gaps, along
        Number of hexsides with a break in the wall or hedge, and of those that roads run along.
    bypassed
        Number of hexsides that the buildings or woods of their hex do not touch.
    stairways
        Number of hexes with a stairway.
    levels
        Lowest and highest level.
    """

    name: str
    hexes: int
    bridges: int
    terrain: dict[str, int]
    hexsides: dict[str, int]
    roads: dict[str, int]
    paths: int
    slopes: int
    gaps: int
    along: int
    bypassed: int
    stairways: int
    levels: tuple[int, int]


def report(board: Board) -> BoardReport:
    """Return the numbers of a board, for comparison with the map."""
    levels = [location.level for location in board.locations]
    sides = [edge.hexside for edge in board.edges]
    # A hexside below a bridge is two edges: only the ground's counts, except for its road.
    ground = [edge.hexside for edge in board.edges if ":" not in edge.a + edge.b]
    return BoardReport(
        name=board.name,
        hexes=len({location.hex for location in board.locations}),
        bridges=sum(location.name.endswith(BRIDGE) for location in board.locations),
        terrain=dict(Counter(location.terrain for location in board.locations).most_common()),
        hexsides=dict(Counter(side.terrain for side in ground if side.terrain).most_common()),
        roads=dict(Counter(side.road for side in sides if side.road).most_common()),
        paths=sum(side.path for side in ground),
        slopes=sum(side.slope for side in ground),
        gaps=sum(side.gap > 0 for side in ground),
        along=sum(side.along is not None for side in ground),
        bypassed=sum(width > 0 for location in board.locations for width in location.clear),
        stairways=sum(location.stairway for location in board.locations),
        levels=(min(levels), max(levels)),
    )
