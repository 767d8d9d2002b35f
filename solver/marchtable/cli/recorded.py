"""The command ``marchtable referee``."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from marchtable.answers.answer import EXIT_CODES
from marchtable.answers.referee import referee_answer
from marchtable.cli.arguments import check_boards
from marchtable.codec.plain import check_target
from marchtable.errors import BadInputError
from marchtable.files.recorded import judge_files, load_game
from marchtable.report.referee import print_referee, verdict_lines
from marchtable.report.terminal import console
from marchtable.rules.refereeing import GameFile
from marchtable.vasl.logs import annotated

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from marchtable.rules.refereeing import Viewer

__all__ = ["judge_logs"]


def judge_logs(
    logs: Sequence[Path],
    boards: Path | None,
    game: Path | None,
    viewer: Viewer,
    annotate: Path | None,
    *,
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
        The folder with the archives of their boards.
    game
        The game file, if there is one.
    viewer
        Who reads the verdicts.
    annotate
        Where to write a copy of the log with the verdicts in its chat.
    brief
        Whether to omit the receipts of legal moves.
    as_json
        Print JSON instead of text.

    Raises
    ------
    BadInputError
        If a file cannot be read or written.
    """
    if boards is None:
        raise BadInputError(
            "expected the folder of the boards' archives (--boards DIR)", source="command line"
        )
    check_boards(boards)
    if annotate is not None:
        _check_annotation(logs, viewer)
        check_target(annotate, *logs, *([game] if game else ()))
    read = GameFile() if game is None else load_game(game)
    answer = referee_answer(judge_files(logs, boards, read, viewer, str(game)))
    if annotate is not None:
        annotate.write_bytes(annotated(logs[0], verdict_lines(answer)))
    if as_json:
        sys.stdout.write(json.dumps(answer, indent=2, ensure_ascii=False) + "\n")
    else:
        print_referee(console(), answer, brief=brief)
    return EXIT_CODES[answer["status"]]


def _check_annotation(logs: Sequence[Path], viewer: Viewer) -> None:
    """Reject annotating several logs, or writing what only one side knows."""
    if viewer != type(viewer)():
        raise BadInputError(
            "both players read an annotated log: use --annotate without --as and --reveal",
            source="command line", field="--annotate",
        )  # fmt: skip
    if len(logs) != 1:
        raise BadInputError(
            "expected one log to annotate", source="command line", field="--annotate"
        )
