"""A rulebook's hooks for lines of sight; all of them are optional."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Generic

from marchtable.errors import BadInputError
from marchtable.sight.facts import Viewpoint
from marchtable.state.position import C, Position, U

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.board.board import Board
    from marchtable.rules.plan_model import PlanSpace
    from marchtable.sight.facts import Obstruction, Sight, SightFacts

__all__ = ["SightHooks"]


class SightHooks(Generic[U, C]):
    """The hooks of a rulebook for lines of sight."""

    name: ClassVar[str]

    def sight_facts(self, conditions: C | None = None) -> SightFacts | None:
        """Return the effects of terrain on lines of sight; None if the rulebook has no table of them."""
        return None

    def sights(
        self, board: Board, pairs: Sequence[tuple[Viewpoint, Viewpoint]],
        position: Position[U, C] | None = None,
    ) -> list[Sight]:  # fmt: skip
        """
        Find lines of sight for pairs of viewer and target; without a position, over an empty board.

        Raises
        ------
        BadInputError
            If the rulebook computes none, or a hex is not on the board.
        """
        raise BadInputError(f"rulebook {self.name} computes no lines of sight", field="rulebook")

    def eye(self, position: Position[U, C], unit: U) -> Viewpoint:
        """Return a unit's viewpoint; raise BadInputError if it is not on the map."""
        if unit.at is None:
            raise BadInputError(f"{unit.id} is not on the map", field="unit")
        here = position.board[unit.at]
        return Viewpoint(here.hex, 2 * here.level)

    def viewpoints(self, board: Board) -> Sequence[Viewpoint]:
        """Return the possible viewpoints on a board: each hex, and its upper levels."""
        return [Viewpoint(one.hex, 2 * one.level) for one in board.locations if one.name == one.hex]

    def obstructions(self, position: Position[U, C]) -> Sequence[Obstruction]:
        """Return the temporary obstructions of lines of sight on the map."""
        return ()

    def notes(
        self,
        position: Position[U, C],
        units: Sequence[str] | None = None,
        space: PlanSpace | None = None,
    ) -> Sequence[str]:
        """
        Return notes on an answer.

        What the actions of these units assume about lines of sight (without units: what the lines
        assume), and which units stay in place in all plans of a `space`.
        """
        return ()
