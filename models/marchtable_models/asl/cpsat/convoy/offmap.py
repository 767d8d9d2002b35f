"""Off the map: what lies beside those who leave it, and what becomes of the last of a Convoy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable_models.asl.extraction.edge import beyond, span
from marchtable_models.asl.extraction.gaps import last_of_line

if TYPE_CHECKING:
    from collections.abc import Collection

    from marchtable.board.board import Board
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.position import Position
    from marchtable_models.asl.extraction.edge import Spot
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["are_beside", "beside_exit", "freed"]


def are_beside(board: Board, apart: Collection[int], a: Spot, b: Spot) -> bool:
    """Tell whether there is no Gap between two vehicles so far apart, on the map or just gone from it."""
    return span(board, a, b) in apart


def beside_exit(board: Board, apart: Collection[int], at: str) -> list[str]:
    """Return the Locations beside any hex off the map to which one leads."""
    off = beyond(board, at)
    return [name for name in board.index if are_beside(board, apart, off, name)]


def freed(rulebook: Rulebook[Any, Any], position: AslPosition, unit: AslUnit) -> dict[str, Any]:
    """Return what changes of a vehicle as it becomes the last of its Convoy on the map."""
    found = rulebook.edition(position).judge(last_of_line(unit))
    return {each.field: each.value for each in found.forced}
