"""Lines of sight in a position: places by name, and the lines between them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import did_you_mean
from marchtable.rules.rulebook import find_rulebook
from marchtable.sight.facts import Viewpoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.board.board import Board
    from marchtable.sight.facts import Sight
    from marchtable.sight.pairs import SightTable
    from marchtable.state.position import Position

__all__ = ["Eye", "halves", "pairs_with", "place", "seen", "sees", "sight_table", "spot", "visible"]

HIGHEST = 30
"""The highest level allowed, and its negative the lowest."""
AT = "@"
"""Separates a hex from the level of a place in it."""


class Eye(NamedTuple):
    """A viewpoint, and its unit."""

    unit: str | None
    point: Viewpoint


def sees(position: Position[Any, Any], viewer: str, target: str) -> Sight:
    """
    Find whether one place sees another.

    Parameters
    ----------
    position
        The position.
    viewer, target
        Units, or hexes; ``@`` adds a level other than ground level (``"K5@1"``).

    Raises
    ------
    BadInputError
        If there is no such place, or the rulebook computes no lines of sight.
    """
    pair = place(position, viewer, "viewer"), place(position, target, "target")
    return seen(position, [pair])[0]


def visible(position: Position[Any, Any], unit: str) -> dict[str, Sight]:
    """Find whether a unit sees each unit of another side on the map; raise BadInputError."""
    pairs = pairs_with(position, position.called(_name(unit, "unit")))
    found = seen(position, pairs)
    return {str(other.unit): one for (_, other), one in zip(pairs, found, strict=True)}


def sight_table(position: Position[Any, Any]) -> SightTable:
    """
    Trace all lines of sight between the places of a position's board.

    Raises
    ------
    BadInputError
        If the rulebook has no table of terrain's effects on them.
    """
    from marchtable.sight.pairs import SightTable

    rulebook, board = find_rulebook(position.rulebook), position.board
    facts = rulebook.sight_facts(position.conditions)
    if facts is None:
        raise BadInputError(
            f"rulebook {rulebook.name} has no table of terrain for lines of sight", field="rulebook"
        )
    return SightTable(board, facts, rulebook.viewpoints(board), rulebook.obstructions(position))


def seen(position: Position[Any, Any], pairs: Sequence[tuple[Eye, Eye]]) -> list[Sight]:
    """Find the lines of sight of a position; raise BadInputError if its rulebook computes none."""
    ends = [(a.point, b.point) for a, b in pairs]
    return find_rulebook(position.rulebook).sights(position.board, ends, position)


def pairs_with(position: Position[Any, Any], name: str) -> list[tuple[Eye, Eye]]:
    """Return a unit paired with every unit of another side on the map."""
    rulebook = find_rulebook(position.rulebook)
    unit = position.unit(name)
    eye = Eye(unit.id, rulebook.eye(position, unit))
    return [
        (eye, Eye(other.id, rulebook.eye(position, other)))
        for other in position.units
        if other.side != unit.side and other.at is not None
    ]


def place(position: Position[Any, Any], named: str | None, field: str) -> Eye:
    """Return the viewpoint of a unit, or of a hex with its level; raise BadInputError."""
    named = _name(named, field)
    name = position.called(named)
    if name in position.index:
        unit = position.unit(name)
        return Eye(unit.id, find_rulebook(position.rulebook).eye(position, unit))
    try:
        return Eye(None, spot(position.board, named, field))
    except UnknownNameError:
        names = [*position.index, *position.board.index]
        raise UnknownNameError(
            f"no unit and no hex {named!r} here{did_you_mean(named, names)}", field=field
        ) from None


def _name(given: object, field: str) -> str:
    """Return the name of a unit or hex; raise BadInputError if it is not text."""
    if not isinstance(given, str):
        raise BadInputError(
            f"expected the name of a unit or a hex, such as 'K5@1', got {given!r}", field=field
        )
    return given


def spot(board: Board, place: str, field: str) -> Viewpoint:
    """Return the viewpoint of a hex and an optional level; raise BadInputError."""
    at, mark, level = place.partition(AT)
    here = board[board.resolve(at)]
    if not mark:
        return Viewpoint(here.hex, 2 * here.level)
    try:
        height = float(level)
    except ValueError:
        height = math.nan
    return Viewpoint(here.hex, halves(height, level, field))


def halves(height: float, given: object, field: str) -> int:
    """Convert a level to half levels; raise BadInputError if it is invalid."""
    if not math.isfinite(height) or height * 2 != int(height * 2) or abs(height) > HIGHEST:
        raise BadInputError(
            f"expected a level from -{HIGHEST} to {HIGHEST}, .5 allowed, got {given!r}", field=field
        )
    return int(height * 2)
