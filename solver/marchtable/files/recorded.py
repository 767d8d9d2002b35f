"""Recorded games: logs of VASSAL with their boards, and the game file beside them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.codec.plain import checked, read
from marchtable.codec.structs import struct_of
from marchtable.errors import BadInputError
from marchtable.files.boards import find_board
from marchtable.files.saved import named_boards, sound_position
from marchtable.rules.refereeing import Eyes, GameFile, Recorded
from marchtable.rules.rulebook import find_rulebook
from marchtable.vasl.logs import LiveTable, read_recording
from marchtable.vasl.saves import Layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.board.board import Board
    from marchtable.importing import SavedScene
    from marchtable.rules.refereeing import Judgement
    from marchtable.state.position import Position
    from marchtable.vasl.logs import Part, Recording

__all__ = ["GAME_FORMAT", "JudgedGame", "judge_files", "load_game"]

GAME_FORMAT = "marchtable/game/1"


class JudgedGame(NamedTuple):
    """
    A recording with its verdicts.

    Parameters
    ----------
    recording
        What was recorded.
    judgements
        The rulebook's verdicts on each part of it.
    boards
        The boards of each part as a scene names them, without their folder.
    grounds
        The boards of each part, joined.
    notes
        Notes on the boards.
    eyes
        Who reads the verdicts.
    """

    recording: Recording
    judgements: tuple[Judgement, ...]
    boards: tuple[list[list[str]], ...]
    grounds: tuple[Board, ...]
    notes: tuple[str, ...]
    eyes: Eyes = Eyes()

    @property
    def sides(self) -> list[str]:
        """The sides that play."""
        return list(dict.fromkeys(side for one in self.judgements for side in one.sides))


def load_game(path: str | Path) -> GameFile:
    """Return what a game file says; raises BadInputError that names the field."""
    data, source = read(path)
    checked(data, source=source)
    if not isinstance(data, dict):
        raise BadInputError("expected a table", source=source)
    found: GameFile = struct_of(data, GameFile, source=source)
    if found.format != GAME_FORMAT:
        raise BadInputError(
            f"expected format = {GAME_FORMAT!r}, got {found.format[:60]!r}",
            source=source,
            field="format",
        )
    return found


def judge_files(
    paths: Sequence[str | Path],
    boards: Path,
    game: GameFile,
    eyes: Eyes = Eyes(),  # noqa: B008 - immutable
) -> JudgedGame:
    """
    Judge what logs record.

    Parameters
    ----------
    paths
        The logs.
    boards
        The folder of their boards' archives.
    game
        What the game file says.
    eyes
        Who reads the verdicts.

    Raises
    ------
    BadInputError
        If a log or a board cannot be read.
    """
    referee = find_rulebook(game.rulebook or None).referee(game, eyes)
    recording = read_recording(paths, referee.show)
    judgements: list[Judgement] = []
    rows: list[list[list[str]]] = []
    grounds: list[Board] = []
    notes: list[str] = []
    for part in recording.parts:
        layout, board = _laid(part, boards)
        notes += layout.notes
        rows.append([[Path(name).name for name in row] for row in layout.boards])
        grounds.append(board)
        maker = _Maker(board, game, part.save.source)
        try:
            recorded = Recorded(part, layout, game, maker.position, eyes)
            judgements.append(referee.judge(recorded))
        except BadInputError as error:
            raise error.located(source=part.save.source) from None
    return JudgedGame(
        recording, tuple(judgements), tuple(rows), tuple(grounds), tuple(dict.fromkeys(notes)), eyes
    )


def _laid(part: Part, folder: Path) -> tuple[Layout, Board]:
    """Return the boards of a recording, laid out and joined; those on which nothing lies may be left out."""
    try:
        layout = Layout(part.save, folder, reads_all=False)
    except BadInputError as error:
        raise error.located(source=part.save.source) from None
    if not layout.boards:
        raise BadInputError(
            "has no boards that can be read, so its counters lie on no hexes",
            source=part.save.source,
        )
    try:
        return layout, find_board(named_boards(layout.boards))
    except BadInputError:
        table = layout.table(LiveTable(part.save).stacks(layout))
        if not 0 < len(table.bare) < sum(map(len, table.boards)):
            raise
        smaller = Layout(part.save, folder, table.bare, reads_all=False)
        return smaller, find_board(named_boards(smaller.boards))


class _Maker:
    """Makes positions of scenes on one board, under the conditions of a game file."""

    def __init__(self, board: Board, game: GameFile, source: str) -> None:
        self._board, self._game, self._source = board, game, source
        self._is_trusted = False

    def position(self, found: SavedScene) -> Position[Any, Any]:
        """Return the position of a scene."""
        game = self._game
        date = {name: value for name in ("year", "month") if (value := getattr(game, name))}
        conditions = {**found.data.get("conditions", {}), **date, **game.conditions}
        found.data["rulebook"] = find_rulebook(game.rulebook or None).name
        if conditions:
            found.data["conditions"] = conditions
        if game.readings:
            found.data["interpretations"] = dict(game.readings)
        position = sound_position(found, self._board, self._source, trusted=self._is_trusted)
        self._is_trusted = True
        return position
