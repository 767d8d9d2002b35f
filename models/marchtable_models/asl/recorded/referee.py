"""The referee of a recorded game."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.recorded.judging import judge_recorded
from marchtable_models.asl.recorded.viewer import show_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.refereeing import GameFile, Judgement, Recorded, Viewer
    from marchtable.vasl.logs import Show
    from marchtable.vasl.saves import Piece


class AslReferee(NamedTuple):
    """Judges the moves that logs of VASL record."""

    game: GameFile
    viewer: Viewer
    phases: Sequence[str]

    def show(self, piles: Sequence[Sequence[Piece]]) -> Show:
        """Return the pieces of a stack that the reader sees: none that others hid, nothing under their `?`."""
        return show_of(piles, self.game, self.viewer)

    def judge(self, recorded: Recorded) -> Judgement:
        """Judge the moves of a part of the game."""
        return judge_recorded(recorded, self.phases)
