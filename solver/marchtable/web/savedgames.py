"""Saved games of other programs taken in, as a page shows them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from marchtable.codec.structs import builtins_of, struct_of
from marchtable.errors import BadInputError
from marchtable.files.boards import find_board
from marchtable.files.saved import import_report, named_boards, scene_of_file
from marchtable.files.scenes import SCENE_FORMAT
from marchtable.importing import Wishes
from marchtable.web.uploads import Upload, written

if TYPE_CHECKING:
    from marchtable.service.positions import Positions

__all__ = ["taken_in"]


_OPTION = re.compile(r" \(--[a-z-]+\)")
"""What the command line says of its options."""


def taken_in(
    positions: Positions, *, files: list[dict[str, Any]], mover: str = "", phase: str = ""
) -> dict[str, Any]:
    """
    Return a saved game as a scene.

    Parameters
    ----------
    positions
        Where the library's boards are had from.
    files
        The saved game (:class:`Upload`), and archives of boards that the library has not.
    mover, phase
        Whose turn it is, and the phase, in place of what the save tells.

    Returns
    -------
    dict
        The ``scene``, its board told in full, and what is ``told`` of it: line by line what is
        assumed, and what no unit stands for.

    Raises
    ------
    BadInputError
        If it cannot be read, or has no boards.
    """
    with TemporaryDirectory() as name:
        folder, wishes = Path(name), Wishes(mover=mover, phase=phase)
        for known in positions.board_files:
            _lend(known, folder / known.name)
        saves, given = folder / "saves", [struct_of(one, Upload) for one in files]
        saves.mkdir()
        paths = [written(one, saves if _is_save(one) else folder) for one in given]
        found = [path for path in paths if path.parent == saves]
        if len(found) != 1:
            raise BadInputError("expected one saved game (.vsav or .vlog)", field="files")
        try:
            scene, boards, told = scene_of_file(found[0], folder, wishes, None)
            board = builtins_of(find_board(named_boards(boards)).file()) if boards else None
        except BadInputError as error:
            raise BadInputError(error.message, source=found[0].name, field=error.field) from None
        lines = import_report(scene, boards, told, None)[1].splitlines()
    if board is None:
        raise BadInputError("has no boards, so its counters lie on no hexes", source=found[0].name)
    data = {"format": SCENE_FORMAT, **scene.data, "board": board, "name": found[0].stem}
    return {"scene": data, "told": [_OPTION.sub("", line) for line in lines]}


def _lend(file: Path, to: Path) -> None:
    """Have a file under another name, too."""
    try:
        to.symlink_to(file)
    except OSError:  # Windows wants a right for it
        shutil.copyfile(file, to)


def _is_save(file: Upload) -> bool:
    return file.name.lower().endswith((".vsav", ".vlog"))
