"""Map facts of a hex and of going from one hex to the next."""

from __future__ import annotations

from collections import Counter

from marchtable.board.board import STEPS, Board, Location
from marchtable.rules.facts import Facts
from marchtable_models.valor.data import ground_of, hexside_of
from marchtable_models.valor.model import FACINGS, ValorPosition, ValorUnit

ROADS = ("Dirt Road", "Paved Road", "Elevated Road", "Sunken Road")


class Lie(Facts, frozen=True):
    """The map facts of a crossing."""

    # whether the hexes are adjacent, and the number of their common hexside (-1: none)
    adjacent: bool
    direction: int
    # row ids of both hexes, ``""`` if there is none
    here: str
    there: str
    road: bool  # whether a road crosses the hexside
    side: str  # row id of the terrain along it, ``""`` for none
    unknown: str  # names of terrain without a row
    # levels up or down, and the higher level
    climb: int
    top: int


def terrain_of(location: Location) -> str:
    """Return the terrain of a hex: for one in a depression, the depression's."""
    row = ground_of(location.terrain)
    if location.depression is not None and (row is None or row.id in ("open", "road", "field")):
        return location.depression
    return location.terrain


def lie(board: Board, a: str, b: str) -> Lie:
    """Return the map facts of going from a to b."""
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
    """Return the map facts of entering an edge hex from beyond it."""
    there = board[to]
    row = ground_of(terrain_of(there))
    road = any(side.road in ROADS for _, side in there.rim) or there.terrain in ROADS
    return Lie(
        True, -1, "", row.id if row else "", road, "", "" if row else terrain_of(there), 0, level_of(there)
    )  # fmt: skip


def level_of(location: Location) -> int:
    """Return the level of the ground; for a depression, that of its surroundings."""
    return location.level + (location.depression is not None)


def uncovered(board: Board) -> dict[str, int]:
    """Return the number of hexes and hexsides by uncovered terrain, commonest first."""
    found = Counter(
        terrain_of(place) for place in board.locations if ground_of(terrain_of(place)) is None
    )
    sides = {
        frozenset(board[name].hex for name in (edge.a, edge.b)): edge.hexside.terrain
        for edge in board.edges
    }
    found.update(name for name in sides.values() if name and hexside_of(name) is None)
    return dict(found.most_common())


HALF_TURN, FULL_TURN = 3, 6


def way(unit: ValorUnit, lie: Lie) -> str:
    """Return whether a vehicle would go ahead, reverse or aside; ``""`` without facing."""
    if unit.facing is None or lie.direction < 0:
        return ""
    off = (lie.direction - FACINGS.index(unit.facing)) % FULL_TURN
    return {0: "ahead", HALF_TURN: "behind"}.get(off, "aside")


def is_in_arc(board: Board, at: str, facing: str | None, target: str) -> bool:
    """Return whether a hex is in the FFA: the wedge of the two front hexsides, edges included."""
    if facing is None:
        return True
    ahead = FACINGS.index(facing)
    here, there = board[at], board[target]
    u, v = there.u - here.u, there.v - here.v
    (lu, lv), (ru, rv) = STEPS[ahead - 1], STEPS[(ahead + 1) % len(STEPS)]
    across = lu * rv - lv * ru
    left, right = (u * rv - v * ru) * across, (lu * v - lv * u) * across
    return left >= 0 and right >= 0 and (left, right) != (0, 0)


def is_wooded(position: ValorPosition, at: str) -> bool:
    """Return whether a hex is woods or jungle."""
    row = ground_of(terrain_of(position.board[at]))
    return row is not None and row.id == "woods"


def has_bunker(position: ValorPosition, at: str) -> bool:
    """Return whether a hex has a bunker."""
    return any("bunker" in kind for kind in position.markers.get(at, ()))
