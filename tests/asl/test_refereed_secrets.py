"""What the referee reports is the same whatever its reader cannot see."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from marchtable.answers.referee import referee_answer
from marchtable.files.recorded import judge_files
from marchtable.report.referee import print_referee, verdict_lines
from marchtable.rules.refereeing import Eyes, GameFile
from tests.asl.forged_games import forge_board
from tests.asl.secret_games import SECRET_SIDES, forge_secrets
from tests.slowly import slow_after

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a board."""
    return forge_board(tmp_path_factory.mktemp("boards"))


def told(path: Path, boards: Path, viewer: str) -> dict[str, Any]:
    """Return all that a reader gets: the answer, its text, the lines for the log, and the sides."""
    game = judge_files([path], boards, GameFile(), Eyes(viewer))
    answer = referee_answer(game)
    out = io.StringIO()
    print_referee(Console(file=out, width=100), answer)
    lines = verdict_lines(answer) if not viewer else {}
    return {"answer": answer, "text": out.getvalue(), "lines": lines, "sides": game.sides}


@pytest.mark.parametrize("seed", slow_after(3, range(120)))
def test_nothing_out_of_sight_changes_a_report(boards: Path, tmp_path: Path, seed: int) -> None:
    """Games that differ in what one side may not know have the same report for it, and for both."""
    games = [forge_secrets(tmp_path / str(variant), seed, variant) for variant in range(2)]
    owner = games[0][1]
    (other,) = set(SECRET_SIDES.values()) - {owner}
    for viewer in ("", other):
        one, two = (told(path, boards, viewer) for path, _ in games)
        assert one == two
        assert json.dumps(one) == json.dumps(two)
        assert "hunter2" not in json.dumps(one)
    own = [told(path, boards, owner) for path, _ in games]
    assert own[0] != own[1]
