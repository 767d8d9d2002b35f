"""What ``marchtable referee`` does."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from marchtable.answers.answer import EXIT_CODES
from marchtable.answers.referee import referee_answer
from marchtable.errors import BadInputError
from marchtable.files.recorded import judge_files, load_game
from marchtable.report.referee import print_referee
from marchtable.report.terminal import console
from marchtable.rules.refereeing import GameFile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["judge_logs"]


def judge_logs(
    logs: Sequence[Path],
    boards: Path | None,
    game: Path | None,
    viewer: str,
    *,
    reveal: bool,
    brief: bool,
    as_json: bool,
) -> int:
    """
    Print the verdicts on logs, and return the exit code.

    Parameters
    ----------
    logs
        The logs.
    boards
        The folder of their boards' archives.
    game
        The game file, if there is one.
    viewer, reveal
        Whose hidden and concealed units are named.
    brief
        Whether to leave out the receipts of legal moves.
    as_json
        As JSON, not as text.

    Raises
    ------
    BadInputError
        If a file cannot be read.
    """
    if boards is None:
        raise BadInputError(
            "expected the folder of the boards' archives (--boards DIR)", source="command line"
        )
    read = GameFile() if game is None else load_game(game)
    answer = referee_answer(judge_files(logs, boards, read), viewer=viewer, reveal=reveal)
    if as_json:
        sys.stdout.write(json.dumps(answer, indent=2, ensure_ascii=False) + "\n")
    else:
        print_referee(console(), answer, brief=brief)
    return EXIT_CODES[answer["status"]]
