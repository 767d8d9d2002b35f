"""Recorded games, judged in the form in which a page shows and replays them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.answers.referee import referee_answer
from marchtable.errors import BadInputError
from marchtable.files.recorded import judge_files, load_game
from marchtable.picture.style import load_styles
from marchtable.rules.refereeing import GameFile, Viewer
from marchtable.web.drawing import board_picture, palette
from marchtable.web.uploads import laid_out

if TYPE_CHECKING:
    from marchtable.service.positions import Positions

__all__ = ["judged"]

LOGS, GAMES = (".vlog", ".vsav"), (".toml", ".json")


def judged(
    positions: Positions, *, files: list[dict[str, Any]], viewer: str = "", reveal: bool = False
) -> dict[str, Any]:
    """
    Judge logs, and return the data for a page to replay them.

    Parameters
    ----------
    positions
        Has the library's boards.
    files
        The logs (:class:`~marchtable.web.uploads.Upload`), archives of boards that the library does
        not have, and a game file.
    viewer, reveal
        The reader of the verdicts, as in :class:`~marchtable.rules.refereeing.Viewer`.

    Returns
    -------
    dict
        The ``answer`` to ``referee``, the boards of its phases (``grounds``: ``board`` as a phase
        has it, and ``svg``), and the colours of the page and of each of the ``sides``.

    Raises
    ------
    BadInputError
        If a file cannot be read.
    """
    with laid_out(positions, files, (*LOGS, *GAMES)) as (folder, found):
        logs = [path for path in found if path.name.lower().endswith(LOGS)]
        games = [path for path in found if path not in logs]
        if not logs or len(games) > 1:
            raise BadInputError(
                "expected the logs of a game (.vlog), and at most one game file (.toml)",
                field="files",
            )
        game, named = (load_game(games[0]), games[0].name) if games else (GameFile(), "")
        recorded = judge_files(logs, folder, game, Viewer(viewer, reveal=reveal), named)
    counters = load_styles().counters
    return {
        "answer": referee_answer(recorded),
        "grounds": [
            {"board": rows, "svg": board_picture(board)}
            for rows, board in zip(recorded.boards, recorded.grounds, strict=True)
        ],
        "colours": palette(),
        "sides": {
            side: {"fill": counters[n % len(counters)].fill, "ink": counters[n % len(counters)].ink}
            for n, side in enumerate(sorted(recorded.sides))
        },
    }
