"""The map between two hexes, and the rows of the terrain effects chart for it."""

from __future__ import annotations

from collections import Counter

from marchtable.board.board import Board, Location
from marchtable.rules.facts import Facts
from marchtable_models.panzer.data import count, hexside_rows, rows
from marchtable_models.panzer.model import PanzerConditions, TerrainRow

ROADS = ("Dirt Road", "Paved Road", "Elevated Road", "Sunken Road")
OPEN = "Open Ground"


class Lie(Facts, frozen=True):
    """The map's own data on a crossing."""

    adjacent: bool
    here: str
    there: str
    hexside: str
    road: bool
    rise: bool


def row_named(conditions: PanzerConditions, name: str) -> tuple[TerrainRow | None, bool]:
    """Return the chart row of a terrain, and whether it is the scene's own."""
    for row in conditions.terrain:
        if name in row.names:
            return row, True
    return rows().get(name), False


def hexside_named(conditions: PanzerConditions, name: str) -> TerrainRow | None:
    """Return the row of the terrain on a hexside: the scene's own, or the chart's."""
    own = next((row for row in conditions.terrain if name in row.names), None)
    return own or hexside_rows().get(name)


def terrain_of(location: Location) -> str:
    """Return the terrain of a hex: its depression's, or that its road runs through."""
    if location.depression is not None and "Bridge" not in location.terrain:
        return location.depression
    if "Bridge" in location.terrain or location.terrain in (*ROADS, "Path"):
        for name, share in location.also:
            if share >= count("x-terrain", "share") and _is_ground(name):
                return name
        return OPEN
    return location.terrain


def _is_ground(name: str) -> bool:
    return name in rows() and name not in (*ROADS, "Path", OPEN) and name not in hexside_rows()


def lie(board: Board, a: str, b: str) -> Lie:
    """Return the map's data on going from a to b."""
    known: dict[tuple[str, str], Lie] = board.notes.setdefault("panzer", {})
    found = known.get((a, b))
    if found is None:
        found = known[a, b] = _lie(board, a, b)
    return found


def _lie(board: Board, a: str, b: str) -> Lie:
    here, there, hexside = board[a], board[b], board.hexside(a, b)
    return Lie(
        adjacent=hexside is not None,
        here=terrain_of(here),
        there=terrain_of(there),
        hexside=hexside.terrain or "" if hexside else "",
        road=hexside is not None and hexside.road in ROADS,
        rise=there.level > here.level and here.depression is None,
    )


def coming_on(board: Board, to: str) -> Lie:
    """Return the map's data on entering an edge hex from beyond: by road if one leads off."""
    there = board[to]
    road = there.terrain in ROADS or any(side.road in ROADS for _, side in there.rim)
    return Lie(True, "", terrain_of(there), "", road, rise=False)


def uncovered(board: Board) -> dict[str, int]:
    """Return the number of hexes and hexsides by uncharted terrain, commonest first."""
    found: Counter[str] = Counter()
    for location in board.locations:
        if (name := terrain_of(location)) not in rows():
            found[name] += 1
    sides = {
        frozenset(board[name].hex for name in (edge.a, edge.b)): edge.hexside.terrain
        for edge in board.edges
    }
    found.update(name for name in sides.values() if name and name not in hexside_rows())
    return dict(found.most_common())
