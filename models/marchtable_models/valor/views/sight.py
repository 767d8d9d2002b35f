"""Lines of sight, cover, hindrances and smoke between hexes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from marchtable.board.board import Board
from marchtable.sight.facts import Sight as Seen
from marchtable.sight.facts import Verdict
from marchtable_models.valor.data import figure, ground_of, hinders, works
from marchtable_models.valor.model import Sight, ValorPosition
from marchtable_models.valor.views.ground import terrain_of
from marchtable_models.valor.views.sightlines import line_of_sight


def sight(position: ValorPosition, a: str, b: str) -> Sight | None:
    """Return the line of sight between two hexes, stated or computed; else None."""
    found = given(position, a, b)
    if found is not None or position.conditions.sight != "computed":
        return found
    line = line_of_sight(position.board, a, b, bunkers(position.markers))
    return None if line.unknown and not line.sight.blocked else line.sight


def given(position: ValorPosition, a: str, b: str) -> Sight | None:
    """Return the line of sight between two hexes, if it is stated."""
    for found in position.conditions.sights:
        if {found.a, found.b} == {a, b}:
            return found
    return None


def bunkers(markers: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """Return the hexes with a counter that blocks lines of sight (V20.5)."""
    blocking = {kind for kind, row in works().items() if row.blocks}
    return frozenset(at for at, kinds in markers.items() if not blocking.isdisjoint(kinds))


class Hindrances(NamedTuple):
    """Hindering hexsides crossed, those of the own hex, those fired along, hexes, and total smoke."""

    over: int
    own: int
    along: int
    through: int
    smoke: int


def cover(position: ValorPosition, target: str) -> int | None:
    """Return the cover modifier of a hex, with the best entrenchment or fortification in it."""
    terrain = ground_of(terrain_of(position.board[target]))
    if terrain is None:
        return None
    found = [works()[kind] for kind in position.markers.get(target, ()) if kind in works()]
    return max([terrain.cover, *(w.cover + (terrain.cover if w.adds else 0) for w in found)])


def hindrances(position: ValorPosition, at: str, target: str) -> Hindrances:
    """Return the hindrances to fire from one hex at another."""
    found = sight(position, at, target)
    return _hindrances(position.board, position.markers, (at, target), found)


def _hindrances(
    board: Board, markers: Mapping[str, Sequence[str]], ends: tuple[str, str], found: Sight | None
) -> Hindrances:
    between, beside = (tuple(found.through), tuple(found.beside)) if found else ((), ())
    smoke = sum(
        figure("V10", kind)
        for hex_ in (*ends, *between)
        for kind in markers.get(hex_, ())
        if kind in ("smoke1", "smoke2")
    )
    through = sum(
        bool((row := ground_of(terrain_of(board[hex_]))) and row.hindrance)
        for hex_ in (*between, *beside)
    )
    over = _sides(board, found.over) if found else [ends]
    hinder = [pair for pair in over if _hinders(board, pair)]
    along = [pair for pair in _sides(board, found.along if found else ()) if _hinders(board, pair)]
    own = sum(ends[0] in pair for pair in hinder)
    return Hindrances(len(hinder), own, len(along), through, smoke)


def _sides(board: Board, named: Iterable[str]) -> list[tuple[str, str]]:
    pairs = [name.partition("-") for name in named]
    return [(board.resolve(a), board.resolve(b)) for a, _, b in pairs]


def _hinders(board: Board, pair: tuple[str, str]) -> bool:
    hexside = board.hexside(*pair)
    return hexside is not None and hinders(hexside.terrain)


def sides_named(found: Sight) -> tuple[str, ...]:
    """Return every hexside that a line of sight names."""
    return (*found.over, *found.along)


def sight_of(board: Board, a: str, b: str, position: ValorPosition | None) -> Seen:
    """
    Find whether one hex sees another, as stated in a position or else computed.

    The Hindrance is the modifier to the dice of fire from the first at the second, without its
    cover.
    """
    markers = {} if position is None else position.markers
    traced = line_of_sight(board, a, b, bunkers(markers))
    found = traced.sight
    known = None if position is None else given(position, a, b)
    if known is not None:
        found = known
    sides, own, along, through, smoke = _hindrances(board, markers, (a, b), found)
    hindrance = (sides - own + along + through) * figure("V10", "hindrance") + smoke
    if known is not None:
        verdict: Verdict = "blocked" if known.blocked else "clear"
        return Seen(verdict, None, hindrance, "V9.1" if known.blocked else "", "as it is given")
    if found.blocked:
        return Seen("blocked", traced.where, hindrance, traced.clause, traced.reason)
    if traced.unknown:
        names = ", ".join(name for _, name in traced.unknown)
        return Seen("unknown", None, hindrance, traced.unknown[0][0], f"not modelled: {names}")
    return Seen("clear", None, hindrance, "", "")


def can_see(position: ValorPosition, a: str, b: str) -> bool:
    """Return whether one hex sees another, as far as known."""
    found = sight(position, a, b)
    return found is None or not found.blocked
