"""
Suspicious places on a board: ways that break off, bridges to nowhere, levels that jump.

The pixels of a board may be misread, and on boards that no one has checked, no one knows. Misread
features are mostly inconsistent: a road that is lost on one hexside ends at the next. So this
module checks the board's consistency, not the reading. A finding need not be a fault: tracks do end
in woods, and gullies begin somewhere.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Literal

import msgspec

from marchtable.board.board import STEPS
from marchtable.board.bridges import BRIDGE
from marchtable.vasl.terrain import load_terrain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from marchtable.board.board import Board, Location
    from marchtable.vasl.terrain import TerrainType

__all__ = ["Suspicion", "suspicions"]

_CLIFF = "Cliff"
_DRAWN = 5  # percent of a hex: spill over a hexside is less
_PHANTOM = 98  # percent of a hex without the building that it should have

Kind = Literal["road", "depression", "bridge", "level", "building", "picture"]


class Suspicion(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """
    One possible misreading.

    Parameters
    ----------
    kind
        Its subject.
    at
        The hex, or the two hexes of a hexside with ``-`` between them.
    text
        The suspicion.
    """

    kind: Kind
    at: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind} {self.at}: {self.text}"


def suspicions(board: Board) -> list[Suspicion]:
    """Return the inconsistencies of a board, by kind and place."""
    looks = (_roads, _depressions, _bridges, _levels, _buildings)
    return [found for look in looks for found in look(board)]


# -- roads -------------------------------------------------------------------------------------


def _roads(board: Board) -> Iterator[Suspicion]:
    exits = _exits(board)
    for one in board.locations:
        ways = exits[one.name]
        if one.name.endswith(BRIDGE):
            continue
        if (
            ways == 1
            and not _at_edge(board, one)
            and not any(_is_building(name) for name in _terrain(one))
        ):
            where = next((f"{other}-{one.name}" for other in _by_road(board, one.name)), one.name)
            yield Suspicion("road", where, f"the road ends in {one.name}, where no building stands")
        elif not ways and _road_share(one) >= _DRAWN and not _at_edge(board, one):
            yield Suspicion("road", one.name, "a road is drawn in it, and none leads there")


def _road_share(one: Location) -> int:
    """Return the percentage of a hex that is road; 100 if its centre is."""
    if _is_road(one.terrain):
        return 100
    return sum(share for name, share in one.also if _is_road(name))


def _exits(board: Board) -> Counter[str]:
    """Return the number of hexsides (and vertices) by which roads and paths leave Locations."""
    found: Counter[str] = Counter()
    for edge in board.edges:
        if edge.hexside.road or edge.hexside.path:
            found.update((edge.a, edge.b))
        if edge.hexside.along:
            both = {name for _, name in board.neighbours(edge.a)}
            met = [name for _, name in board.neighbours(edge.b) if name in both]
            found.update((*met, edge.a, edge.b))
    for one in board.locations:
        found[one.name] += sum(bool(side.road or side.path or side.along) for _, side in one.rim)
    return found


def _by_road(board: Board, name: str) -> Iterator[str]:
    for _, other in board.neighbours(name):
        side = board.hexside(name, other)
        if side is not None and (side.road or side.path or side.along):
            yield other


# -- depressions and water ---------------------------------------------------------------------


def _depressions(board: Board) -> Iterator[Suspicion]:
    for one in board.locations:
        if one.depression is None:
            continue
        around = [board[other] for _, other in board.neighbours(one.name)]
        low = sum(other.depression is not None or _is_low(other.terrain) for other in around)
        if low < 2 and not _at_edge(board, one):
            ends = "ends here" if low else "stands alone"
            yield Suspicion("depression", one.name, f"the {one.depression} {ends}")
        dry = [other.level for other in around if other.depression is None]
        if dry and max(dry) <= one.level:
            yield Suspicion(
                "depression", one.name, f"the {one.depression} lies no lower than all around"
            )


# -- bridges -----------------------------------------------------------------------------------


def _bridges(board: Board) -> Iterator[Suspicion]:
    exits = _exits(board)
    for one in board.locations:
        if one.name.endswith(BRIDGE):
            if exits[one.name] < 2 and not _at_edge(board, one):
                yield Suspicion("bridge", one.hex, "no road leads across the bridge")
            if not any(_low(board[other]) for _, other in board.neighbours(one.hex)):
                under = board[one.hex].terrain
                yield Suspicion("bridge", one.hex, f"nothing low leads on beneath ({under})")
        elif exits[one.name] > 1 and one.hex + BRIDGE not in board:
            drawn = _low_in(one)
            ways = [way for way, other in board.neighbours(one.name) if _low(board[other])]
            crosses = (
                not _low(one) or sum(not _low(board[at]) for at in _by_road(board, one.name)) > 1
            )
            across = any(2 <= (a - b) % len(STEPS) <= 4 for a in ways for b in ways)
            if drawn and crosses and across:
                yield Suspicion("bridge", one.hex, f"a road, {drawn} on both sides, and no bridge")


def _low_in(one: Location) -> str:
    """Return the low feature, other than a road, drawn in a hex, or ``""``."""
    names = (one.depression or one.terrain, *(name for name, share in one.also if share >= _DRAWN))
    return next((name for name in names if _is_low(name) and not _is_road(name)), "")


# -- levels ------------------------------------------------------------------------------------


def _levels(board: Board) -> Iterator[Suspicion]:
    for edge in board.edges:
        a, b = board[edge.a], board[edge.b]
        rise = abs(_base(a) - _base(b))
        if rise > 1 and edge.hexside.terrain != _CLIFF:
            yield Suspicion(
                "level",
                f"{a.name}-{b.name}",
                f"the ground jumps by {rise} levels, and there is no cliff",
            )


def _base(one: Location) -> int:
    """Return a Location's level or, in a depression, that of the ground around."""
    return one.level + (one.depression is not None)


# -- buildings ---------------------------------------------------------------------------------


def _buildings(board: Board) -> Iterator[Suspicion]:
    for one in board.locations:
        if _is_building(one.terrain) and sum(share for _, share in one.also) >= _PHANTOM:
            yield Suspicion(
                "building", one.name, f"{one.terrain} is said to be where none is drawn"
            )


# -- terrain kinds -----------------------------------------------------------------------------


@cache
def _kinds() -> dict[str, TerrainType]:
    return {kind.name: kind for kind in load_terrain().by_code.values()}


def _is(name: str, what: Callable[[TerrainType], bool]) -> bool:
    kind = _kinds().get(name)
    return kind is not None and what(kind)


def _is_road(name: str) -> bool:
    return _is(name, lambda kind: kind.is_road)


def _is_building(name: str) -> bool:
    return _is(name, lambda kind: kind.is_building)


def _is_low(name: str) -> bool:
    return _is(name, lambda kind: kind.is_depression or kind.is_water or kind.is_marshy)


def _terrain(one: Location) -> tuple[str, ...]:
    return (one.terrain, *(name for name, _ in one.also))


def _low(one: Location) -> bool:
    return one.depression is not None or _is_low(one.terrain)


def _at_edge(board: Board, one: Location) -> bool:
    return len(board.neighbours(one.hex)) < len(STEPS)
