"""Reads off the map alone what moving and firing there depends on."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from marchtable.board.board import STEPS
from marchtable_models.valor.data import ground_of, hexside_of
from marchtable_models.valor.facts.moves import Lie

if TYPE_CHECKING:
    from marchtable.board.board import Board, Location

__all__ = ["coming_on", "level_of", "lie", "terrain_of", "uncovered"]

ROADS = ("Dirt Road", "Paved Road", "Elevated Road", "Sunken Road")


def terrain_of(location: Location) -> str:
    """Return the terrain of a hex: of one that lies low, what it lies in."""
    row = ground_of(location.terrain)
    if location.depression is not None and (row is None or row.id in ("open", "road", "field")):
        return location.depression
    return location.terrain


def lie(board: Board, a: str, b: str) -> Lie:
    """Return what the map tells of going from a to b."""
    known: dict[tuple[str, str], Lie] = board.notes.setdefault("valor", {})
    found = known.get((a, b))
    if found is None:
        found = known[a, b] = _lie(board, a, b)
    return found


def _lie(board: Board, a: str, b: str) -> Lie:
    here, there, hexside = board[a], board[b], board.hexside(a, b)
    step = (there.u - here.u, there.v - here.v)
    rows = [ground_of(terrain_of(here)), ground_of(terrain_of(there))]
    side = hexside_of(hexside.terrain) if hexside else None
    unknown = [] if rows[1] else [terrain_of(there)]
    if hexside and hexside.terrain and side is None:
        unknown.append(hexside.terrain)
    levels = [level_of(here), level_of(there)]
    return Lie(
        hexside is not None, STEPS.index(step) if step in STEPS else -1,
        rows[0].id if rows[0] else "", rows[1].id if rows[1] else "",
        bool(hexside and hexside.road in ROADS), side.id if side else "", ", ".join(unknown),
        levels[1] - levels[0], max(levels),
    )  # fmt: skip


def coming_on(board: Board, to: str) -> Lie:
    """Return what the map tells of entering an edge hex from beyond it."""
    there = board[to]
    row = ground_of(terrain_of(there))
    road = any(side.road in ROADS for _, side in there.rim) or there.terrain in ROADS
    return Lie(
        True, -1, "", row.id if row else "", road, "", "" if row else terrain_of(there), 0, level_of(there)
    )  # fmt: skip


def level_of(location: Location) -> int:
    """Return the level of the ground; of a depression, that of what surrounds it."""
    return location.level + (location.depression is not None)


def uncovered(board: Board) -> dict[str, int]:
    """Return how many hexes and hexsides hold what the table has no row for, commonest first."""
    found = Counter(
        terrain_of(place) for place in board.locations if ground_of(terrain_of(place)) is None
    )
    sides = {
        frozenset(board[name].hex for name in (edge.a, edge.b)): edge.hexside.terrain
        for edge in board.edges
    }
    found.update(name for name in sides.values() if name and hexside_of(name) is None)
    return dict(found.most_common())
