"""What fire meets on its way: cover of the target hex, hindrances and smoke."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.valor.data import figure, ground_of, hinders, works
from marchtable_models.valor.extraction import reading
from marchtable_models.valor.extraction.ground import terrain_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.model import Sight

__all__ = ["cover", "line", "sides_named"]


def cover(position: ValorPosition, target: str) -> int | None:
    """Return the cover modifier of a hex, with the best entrenchment or fortification in it."""
    terrain = ground_of(terrain_of(position.board[target]))
    if terrain is None:
        return None
    found = [works()[kind] for kind in position.markers.get(target, ()) if kind in works()]
    return max([terrain.cover, *(w.cover + (terrain.cover if w.adds else 0) for w in found)])


def line(position: ValorPosition, at: str, target: str) -> tuple[int, int, int, int, int]:
    """Return hindering hexsides crossed, those of the own hex, those fired along, hexes, and smoke."""
    board, found = position.board, reading.sight(position, at, target)
    between = tuple(found.through) if found else ()
    smoke = sum(
        figure("V10", kind)
        for hex_ in (at, target, *between)
        for kind in position.markers.get(hex_, ())
        if kind in ("smoke1", "smoke2")
    )
    through = sum(
        bool((row := ground_of(terrain_of(board[hex_]))) and row.hindrance) for hex_ in between
    )
    over = _sides(position, found.over) if found else [(at, target)]
    hinder = [pair for pair in over if _hinders(position, pair)]
    along = [
        pair for pair in _sides(position, found.along if found else ()) if _hinders(position, pair)
    ]
    return len(hinder), sum(at in pair for pair in hinder), len(along), through, smoke


def _sides(position: ValorPosition, named: Iterable[str]) -> list[tuple[str, str]]:
    pairs = [name.partition("-") for name in named]
    return [(position.board.resolve(a), position.board.resolve(b)) for a, _, b in pairs]


def _hinders(position: ValorPosition, pair: tuple[str, str]) -> bool:
    hexside = position.board.hexside(*pair)
    return hexside is not None and hinders(hexside.terrain)


def sides_named(found: Sight) -> tuple[str, ...]:
    """Return every hexside that a line of sight names."""
    return (*found.over, *found.along)
