"""Saved games of other programs, and scenes with their boards, imported for a page."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from marchtable.codec.structs import builtins_of, struct_of
from marchtable.errors import BadInputError
from marchtable.files.boards import find_board
from marchtable.files.saved import import_report, named_boards, scene_of_file
from marchtable.files.scenes import SCENE_FORMAT
from marchtable.importing import Wishes
from marchtable.service.settings import Library, library_of
from marchtable.web.uploads import Upload, laid_out, written

if TYPE_CHECKING:
    from marchtable.service.positions import Positions

__all__ = ["scene_taken_in", "taken_in"]


_OPTION = re.compile(r" \(--[a-z-]+\)")
"""References to command-line options, which are removed from messages."""


def taken_in(positions: Positions, *, files: list[dict[str, Any]], **wishes: Any) -> dict[str, Any]:
    """
    Return a saved game as a scene.

    Parameters
    ----------
    positions
        Has the library's boards.
    files
        The saved game (:class:`Upload`), and archives of boards that the library does not have.
    wishes
        ``mover``, ``phase``, ``counters``, ``place`` and ``values``, as in
        :class:`~marchtable.importing.Wishes`.

    Returns
    -------
    dict
        The ``scene`` with its board in full, and the report on it: its ``lines`` of text, and
        ``tray`` and ``left_out`` as in ``scene import --json``.

    Raises
    ------
    BadInputError
        If it cannot be read, or has no boards.
    """
    with laid_out(positions, files, (".vsav", ".vlog")) as (folder, found):
        if len(found) != 1:
            raise BadInputError("expected one saved game (.vsav or .vlog)", field="files")
        try:
            scene, boards, notes = scene_of_file(found[0], folder, Wishes(**wishes), None)
            board = builtins_of(find_board(named_boards(boards)).file()) if boards else None
        except BadInputError as error:
            raise BadInputError(error.message, source=found[0].name, field=error.field) from None
        report, text = import_report(scene, boards, notes, None)
    if board is None:
        raise BadInputError("has no boards, so its counters are not on hexes", source=found[0].name)
    data = {"format": SCENE_FORMAT, **scene.data, "board": board, "name": found[0].stem}
    lines = [_OPTION.sub("", line) for line in text.splitlines()]
    return {"scene": data, "lines": lines, "tray": report["tray"], "left_out": report["left_out"]}


def scene_taken_in(positions: Positions, *, files: list[dict[str, Any]]) -> dict[str, Any]:
    """
    Return an uploaded scene: its ``name``, and the ``scene`` with its board in full.

    Raises
    ------
    BadInputError
        If none of the files (:class:`Upload`) is a scene, the scene is invalid, or its board is
        neither among the files nor in the library.
    """
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for one in files:
            written(struct_of(one, Upload), folder)
        found = library_of(folder=folder)
        if len(found.scenes) != 1:
            raise BadInputError("expected one scene, and files of its boards", field="files")
        # A scene can name any path: only uploaded files are read.
        boards = {
            named: path
            for named, path in found.boards.items()
            if Path(path).parent == folder and Path(path).is_file()
        }
        beside = positions.beside(Library(found.scenes, boards))
        (stem,) = found.scenes
        try:
            data = beside.named(stem)
            board = builtins_of(beside.scene(data).position.board.file())
        except BadInputError as error:
            named = Path(found.scenes[stem]).name
            raise BadInputError(error.message, source=named, field=error.field) from None
    return {"name": stem[:60], "scene": {**data, "board": board}}
