"""The answer to ``los``: lines of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.codec.structs import points
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.play.sighting import Eye, halves, pairs_with, place, seen
from marchtable.rules.rulebook import find_rulebook
from marchtable.sight.facts import Viewpoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.answers.requests import LosRequest
    from marchtable.board.board import Board
    from marchtable.rules.rulebook import Rulebook
    from marchtable.sight.facts import Sight
    from marchtable.state.position import Position

__all__ = ["board_los", "los_answer"]

BY_HAND = "lines of sight by whole hexes, as the board has no pixels"


def los_answer(position: Position[Any, Any], request: LosRequest) -> dict[str, Any]:
    """Return the requested lines of sight; raise BadInputError."""
    asked = [request.unit is not None, request.origin is not None or request.to is not None,
             request.pairs is not None]  # fmt: skip
    if sum(asked) != 1 or (request.origin is None) != (request.to is None):
        raise BadInputError(
            "expected a unit, two places (origin and to), or a list of pairs", field="unit"
        )
    rulebook = find_rulebook(position.rulebook)
    if request.pairs is not None:
        pairs = _rows(position.board, request.pairs)
    elif request.unit is not None:
        pairs = pairs_with(position, position.called(request.unit))
    else:
        pairs = [(place(position, request.origin, "origin"), place(position, request.to, "to"))]
    found = seen(position, pairs)
    notes = [*rulebook.notes(position)]
    return _answer(position.board, rulebook, pairs, found, notes)


def board_los(
    board: Board, rulebook: Rulebook[Any, Any], pairs: Sequence[Sequence[Any]]
) -> dict[str, Any]:
    """
    Return lines of sight on an empty board.

    Parameters
    ----------
    board, rulebook
        The board, and the rulebook whose terrain table applies.
    pairs
        Rows of hex, level, hex and level.

    Raises
    ------
    BadInputError
        If a hex is not on the board, a level is invalid, or the rulebook computes no lines of
        sight.
    """
    rows = _rows(board, pairs)
    found = rulebook.sights(board, [(a.point, b.point) for a, b in rows])
    return _answer(board, rulebook, rows, found, [])


def _rows(board: Board, pairs: Sequence[Sequence[Any]]) -> list[tuple[Eye, Eye]]:
    """Return the viewpoints of a table of pairs; repeated ones are the same object."""
    eyes: dict[tuple[Any, Any], Eye] = {}

    def eye(at: Any, level: Any, field: str) -> Eye:
        if (at, level) not in eyes:
            here = board[board.resolve(at)].hex
            eyes[at, level] = Eye(None, Viewpoint(here, halves(level, level, field)))
        return eyes[at, level]

    found = []
    for number, (origin, from_level, to, to_level) in enumerate(pairs):
        field = f"pairs[{number}]"
        try:
            found.append((eye(origin, from_level, field), eye(to, to_level, field)))
        except UnknownNameError as error:
            raise error.located(field=field) from None
    return found


def _answer(
    board: Board,
    rulebook: Rulebook[Any, Any],
    pairs: Sequence[tuple[Eye, Eye]],
    found: Sequence[Sight],
    notes: Sequence[str],
) -> dict[str, Any]:
    """Convert lines of sight to plain data."""
    return {
        "format": "marchtable/los/1",
        "status": "LEGAL",
        "board": board.name,
        "rulebook": rulebook.name,
        "by": "pixels" if board.sheets else "hexes",
        "assumed": [*([] if board.sheets else [BY_HAND]), *notes],
        "sights": [
            {
                "viewer": a.unit, "target": b.unit,
                "from": a.point.at, "from_level": points(a.point.height),
                "to": b.point.at, "to_level": points(b.point.height),
                "range": board.distance(a.point.at, b.point.at),
                "sight": one.verdict, "hex": one.hex, "hindrance": one.hindrance,
                "clause": one.clause or None, "reason": one.reason,
            }
            for (a, b), one in zip(pairs, found, strict=True)
        ],
    }  # fmt: skip
