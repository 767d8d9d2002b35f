"""A recorded game for tests of the referee."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.answers.referee import referee_answer
from marchtable.answers.referee_shapes import RefereeShape
from marchtable.files.recorded import judge_files
from marchtable.rules.refereeing import GameFile, Viewer
from tests.vasl.logs import Recorder, men, phase_track

if TYPE_CHECKING:
    from pathlib import Path

    from tests.vasl.saves import Counter

__all__ = ["Game", "squad"]


def squad(nation: str = "ge", name: str = "4-6-7 1sq", **more: Any) -> Counter:
    """Return a squad."""
    return men(nation, name, ("moved;moved58", "false"), **more)


class Game:
    """A recorder with a phase counter and a distant enemy."""

    def __init__(self, boards: Path, tmp_path: Path, phase: str = "MPh", board: str = "01") -> None:
        self.boards, self.folder = boards, tmp_path
        self.rec = Recorder(f"0\t0\t{board}")
        self.track = phase_track("Axis", phase)
        self.rec.place((60, 60), self.track)
        self.enemy = squad("ru", "4-4-7 1sq")
        self.rec.place("M9", self.enemy)

    def judged(
        self, *, viewer: str = "", reveal: bool = False, game: GameFile | None = None
    ) -> dict[str, Any]:
        """Return the answer about the log as it stands."""
        path = self.rec.write(self.folder / "game.vlog")
        found = judge_files([path], self.boards, game or GameFile(), Viewer(viewer, reveal=reveal))
        answer = referee_answer(found)
        msgspec.convert(json.loads(json.dumps(answer)), RefereeShape)
        return answer

    def moves(self, **more: Any) -> list[dict[str, Any]]:
        """Return the moves of all phases."""
        return [move for phase in self.judged(**more)["phases"] for move in phase["moves"]]
