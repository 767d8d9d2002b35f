"""The board room: boards of the library and of one's own, joined and turned, as a page shows them."""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.board.board import Board, BoardFile
from marchtable.board.joining import join, reverse
from marchtable.codec.structs import builtins_of, struct_of
from marchtable.errors import BadInputError
from marchtable.files.boards import load_board
from marchtable.web.drawing import board_picture, palette
from marchtable.web.hexes import facts

if TYPE_CHECKING:
    from marchtable.service.positions import Positions

__all__ = ["Place", "laid", "taken_in"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,40}")


class Place(msgspec.Struct, forbid_unknown_fields=True):
    """A board in a row: the library's by name, or one told in full; ``turned`` by 180 degrees."""

    named: str | None = None
    board: dict[str, Any] | None = None
    turned: bool = False


def laid(positions: Positions, *, rows: list[list[Any]]) -> dict[str, Any]:
    """Return boards laid side by side: the picture, what each hex is, and how scenes name it."""
    boards = [
        [_board(positions, msgspec.convert(one, Place)) for one in row] for row in rows if row
    ]
    if not boards:
        raise BadInputError("expected at least one board", field="rows")
    whole = boards[0][0] if len(boards) == len(boards[0]) == 1 else join(boards)
    hexes = {one.name: facts(whole, one.name) for one in whole.locations}
    return {
        "name": whole.name,
        "count": len({one.hex for one in whole.locations}),
        "svg": board_picture(whole),
        "colours": palette(),
        "hexes": hexes,
        "board": builtins_of(whole.file()),
    }


def _board(positions: Positions, place: Place) -> Board:
    if (place.named is None) == (place.board is None):
        raise BadInputError("expected named or board", field="rows")
    if place.named is not None:
        found = positions.board(place.named, None)
    else:
        found = Board.of_file(struct_of(place.board, BoardFile, source="board"))
    return reverse(found) if place.turned else found


def taken_in(positions: Positions, *, name: str, data: str) -> dict[str, Any]:  # noqa: ARG001
    """Return the board that a file holds, told in full: a VASL archive, a board or a grid."""
    if not _NAME.fullmatch(name):
        raise BadInputError(f"expected a plain file name, got {name!r}", field="name")
    try:
        raw = base64.b64decode(data, validate=True)
    except binascii.Error:
        raise BadInputError("expected base64", field="data") from None
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(raw)
        try:
            found = load_board(path)
        except BadInputError as error:
            raise BadInputError(error.message, source=name, field=error.field) from None
    return {"name": found.name, "board": builtins_of(found.file())}
