"""The names that maps may use: VASL's, and those that a rulebook adds."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from marchtable.board.overlays import COVERED
from marchtable.errors import UnknownNameError
from marchtable.nearest import did_you_mean
from marchtable.rules.rulebook import find_rulebook, rulebook_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from marchtable.board.board import Board
    from marchtable.board.places import Hexside, Location
    from marchtable.vasl.terrain import TerrainType

__all__ = ["KINDS", "check_board", "check_name", "names_of"]

KINDS = ("terrain", "hexside", "road", "depression", "bridge")
OVERLAID = ("terrain", "hexside")
"""Kinds of names that can follow the overlay that hides them."""


@cache
def _vasl(kind: str) -> tuple[str, ...]:
    """Return VASL's names of a kind."""
    from marchtable.vasl.terrain import load_terrain

    return tuple(dict.fromkeys(t.name for t in load_terrain().by_code.values() if _IS[kind](t)))


_IS: dict[str, Callable[[TerrainType], bool]] = {
    "terrain": lambda _: True,
    "hexside": lambda one: one.is_along_hexsides,
    "road": lambda one: one.is_road or one.name in ("Runway", "Railroad, Ground Level"),
    "depression": lambda one: one.is_depression,
    "bridge": lambda one: one.is_bridge or one.name in ("Pontoon Bridge", "Foot Bridge"),
}


@cache
def names_of(kind: str) -> tuple[str, ...]:
    """
    Return the names of one of the :data:`KINDS`: VASL's, and those of installed rulebooks.

    The terrain of a hex can be any VASL name, because it is the terrain at the hex's centre.
    """
    added = [
        name
        for book in map(find_rulebook, rulebook_names())
        for name in (book.map_names() or {}).get(kind, ())
    ]
    return tuple(dict.fromkeys([*_vasl(kind), *added]))


def check_name(kind: str, name: str, field: str, added: Iterable[str] = ()) -> None:
    """Raise UnknownNameError for a name not of its kind, with the nearest names."""
    if name in _vasl(kind) or name in added or name in names_of(kind):
        return
    if kind in OVERLAID and name.startswith(COVERED):
        return
    known = (*names_of(kind), *added)
    near = did_you_mean(name, known)
    raise UnknownNameError(
        f"no {kind} {name!r}{near} (`marchtable terrain` lists all)", field=field
    )


def check_board(board: Board, added: Mapping[str, Iterable[str]] = MappingProxyType({})) -> None:
    """
    Raise UnknownNameError for the first unknown name on a board.

    Parameters
    ----------
    board
        The board; it is marked as checked.
    added
        Known names in addition to VASL's and those of installed rulebooks, by kind.
    """
    if "names" in board.notes:
        return
    seen: set[tuple[str, str]] = set()
    for kind, name, field in _used(board):
        if (kind, name) not in seen:
            check_name(kind, name, field, added.get(kind, ()))
            seen.add((kind, name))
    board.notes["names"] = True


def _used(board: Board) -> Iterator[tuple[str, str, str]]:
    for number, one in enumerate(board.locations):
        yield from _location_names(one, f"locations[{number}]")
        for place, (_, hexside) in enumerate(one.rim):
            yield from _hexside_names(hexside, f"locations[{number}].rim[{place}]")
    for number, edge in enumerate(board.edges):
        yield from _hexside_names(edge.hexside, f"edges[{number}].hexside")


def _location_names(one: Location, field: str) -> Iterable[tuple[str, str, str]]:
    yield "terrain", one.terrain, f"{field}.terrain"
    for name, _ in one.also:
        yield "terrain", name, f"{field}.also"
    if one.depression is not None:
        yield "depression", one.depression, f"{field}.depression"


def _hexside_names(hexside: Hexside, field: str) -> Iterable[tuple[str, str, str]]:
    if hexside.terrain is not None:
        yield "hexside", hexside.terrain, f"{field}.terrain"
    if hexside.road is not None:
        yield "road", hexside.road, f"{field}.road"
    if hexside.along is not None:
        yield "road", hexside.along, f"{field}.along"
