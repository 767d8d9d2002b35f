"""Recorded games: logs of VASSAL with their boards, and the game file beside them."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.codec.plain import checked, read
from marchtable.codec.structs import struct_of
from marchtable.errors import BadInputError
from marchtable.files.boards import find_board
from marchtable.files.saved import named_boards, sound_position
from marchtable.files.scenes import SCENE_FORMAT, position_of
from marchtable.rules.refereeing import OLDER_GAME_FORMATS, GameFile, Recorded, Viewer
from marchtable.rules.rulebook import find_rulebook
from marchtable.vasl.logs import LiveTable, read_recording
from marchtable.vasl.saves import Layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.board.board import Board
    from marchtable.importing import SavedScene
    from marchtable.rules.refereeing import Judgement
    from marchtable.state.position import Position
    from marchtable.vasl.logs import RecordedPart, Recording

__all__ = ["JudgedGame", "judge_files", "load_game"]

_ACCEPTED = re.compile(r"(?:.+:)?[1-9][0-9]{0,8}")


class JudgedGame(NamedTuple):
    """
    A recording with its verdicts.

    Parameters
    ----------
    recording
        The recording.
    judgements
        The rulebook's verdicts on each part of it.
    boards
        The boards of each part as a scene names them, without their folder.
    grounds
        The boards of each part, joined.
    notes
        Notes on the boards.
    viewer
        Who reads the verdicts.
    """

    recording: Recording
    judgements: tuple[Judgement, ...]
    boards: tuple[list[list[str]], ...]
    grounds: tuple[Board, ...]
    notes: tuple[str, ...]
    viewer: Viewer = Viewer()

    @property
    def sides(self) -> list[str]:
        """The sides that play."""
        return list(dict.fromkeys(side for one in self.judgements for side in one.sides))


def load_game(path: str | Path) -> GameFile:
    """Return the content of a game file; raise BadInputError that names the field."""
    data, source = read(path)
    checked(data, source=source)
    if not isinstance(data, dict):
        raise BadInputError("expected a table", source=source)
    if data.get("format") in OLDER_GAME_FORMATS:
        data = {key: value for key, value in data.items() if key != "format"}
    found: GameFile = struct_of(data, GameFile, source=source)
    for number, accepted in enumerate(found.accept):
        if not _ACCEPTED.fullmatch(str(accepted)):
            raise BadInputError(
                f"expected a step, such as 12 or 'mine.vlog:12', got {accepted!r}",
                source=source,
                field=f"accept[{number}]",
            )
    return found


def judge_files(
    paths: Sequence[str | Path],
    boards: Path,
    game: GameFile,
    viewer: Viewer = Viewer(),  # noqa: B008 - immutable
    named: str = "the game file",
) -> JudgedGame:
    """
    Judge recorded logs.

    Parameters
    ----------
    paths
        The logs.
    boards
        The folder with the archives of their boards.
    game
        The content of the game file.
    viewer
        Who reads the verdicts.
    named
        What to call the game file in messages.

    Raises
    ------
    BadInputError
        If a log or a board cannot be read, or the game file names what there is not.
    """
    try:
        book = find_rulebook(game.rulebook or None)
        referee = book.referee(game, viewer)
    except BadInputError as error:
        raise error.located(source=named) from None
    recording = read_recording(paths, referee.show)
    if all(Path(path).suffix.lower() == ".vsav" for path in paths) and not any(
        one.steps for one in recording.files
    ):
        raise BadInputError(
            "a saved game holds no moves; expected a log (.vlog), which does "
            "(`marchtable scene import` makes a scene of a saved game)",
            source=recording.files[0].file,
        )
    judgements: list[Judgement] = []
    rows: list[list[list[str]]] = []
    grounds: list[Board] = []
    notes: list[str] = []
    for part in recording.parts:
        layout, board = _laid(part, boards)
        _check_game(game, book.name, board, named)
        notes += layout.notes
        rows.append([[Path(name).name for name in row] for row in layout.boards])
        grounds.append(board)
        maker = _Maker(board, game, part.save.source)
        try:
            recorded = Recorded(part, layout, game, maker.position, viewer)
            judgements.append(referee.judge(recorded))
        except BadInputError as error:
            raise error.located(source=part.save.source) from None
    notes += _not_recorded(game, recording)
    return JudgedGame(
        recording,
        tuple(judgements),
        tuple(rows),
        tuple(grounds),
        tuple(dict.fromkeys(notes)),
        viewer,
    )


def _check_game(game: GameFile, rulebook: str, board: Board, named: str) -> None:
    """Reject a game file that fits no scene; raise BadInputError."""
    scene = {
        "format": SCENE_FORMAT, "rulebook": rulebook, "board": "", "units": [], "side": game.side or "?",
        "phase": game.phase or find_rulebook(rulebook).phases[0],
        "conditions": _conditions(game), "interpretations": dict(game.readings),
    }  # fmt: skip
    try:
        position_of(scene, source=named, board=board, trusted=True)
    except BadInputError as error:
        field = error.field.replace("interpretations", "readings")
        raise type(error)(error.message, source=error.source, field=field) from None


def _conditions(game: GameFile) -> dict[str, Any]:
    """Return the conditions of a scene in a game file, with its date."""
    date = {name: value for name in ("year", "month") if (value := getattr(game, name))}
    return {**date, **game.conditions}


def _not_recorded(game: GameFile, recording: Recording) -> Iterator[str]:
    """Yield the agreed steps, of files that are present, that are not recorded."""
    steps = {one.file: one.steps for one in recording.files}
    for accepted in game.accept:
        file, _, number = str(accepted).rpartition(":")
        if int(number) > steps.get(file, max(steps.values()) if not file else sys.maxsize):
            yield f"accept: step {number} is not recorded{f' in {file}' if file else ''}"


def _laid(part: RecordedPart, folder: Path) -> tuple[Layout, Board]:
    """Return the boards of a recording, laid out and joined; empty boards can be left out."""
    try:
        layout = Layout(part.save, folder, reads_all=False)
    except BadInputError as error:
        raise error.located(source=part.save.source) from None
    if not layout.boards:
        raise BadInputError(
            "has no boards that can be read, so its counters are not on hexes",
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
    """Makes positions from scenes on one board, under the conditions of a game file."""

    def __init__(self, board: Board, game: GameFile, source: str) -> None:
        self._board, self._game, self._source = board, game, source
        self._is_trusted = False

    def position(self, found: SavedScene) -> Position[Any, Any]:
        """Return the position of a scene."""
        game = self._game
        conditions = {**found.data.get("conditions", {}), **_conditions(game)}
        found.data["rulebook"] = find_rulebook(game.rulebook or None).name
        if conditions:
            found.data["conditions"] = conditions
        if game.readings:
            found.data["interpretations"] = dict(game.readings)
        position = sound_position(found, self._board, self._source, trusted=self._is_trusted)
        self._is_trusted = True
        return position
