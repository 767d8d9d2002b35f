"""
A board's own artwork: the pictures in VASL's archives from which its sheets were read.

The archives are the user's. Nothing of them is stored: a picture goes from the archive to a player
who may read the game.
"""

from __future__ import annotations

import base64
import re
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from marchtable.board.overlays import OVERLAID
from marchtable.errors import BadInputError
from marchtable.files.boards import find_board, is_archive
from marchtable.picture.geometry import HALF
from marchtable.picture.vectors import UNIT
from marchtable.rules.rulebook import find_rulebook
from marchtable.vasl.archive import board_name, entry_of, names_in, open_archive
from marchtable.vasl.metadata import read_metadata

if TYPE_CHECKING:
    from marchtable.board.sheets import BoardPicture
    from marchtable.files.scenes import Scene
    from marchtable.service.positions import Positions

__all__ = ["archives", "picture", "sheets"]

MOST_BYTES = 32_000_000
KINDS = {b"GIF8": "image/gif", b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}


def sheets(scene: Scene) -> dict[str, Any]:
    """
    Return the sheets of a game's board: the place of each on the map, and a digest of its pixels.

    A board with overlays, or on ground of another colour (snow, mud), has none: its artwork would
    show something else.
    """
    board = scene.position.board
    if (
        OVERLAID in board.name
        or find_rulebook(scene.position.rulebook).overall(scene.position).tint
    ):
        return {"names": [], "sheets": []}
    names = [part.split(" ")[0] for part in re.split(r"[+/]", board.name)]
    return {"names": names, "sheets": [_placed(sheet) for sheet in board.sheets]}


def _placed(sheet: BoardPicture) -> dict[str, Any]:
    """Return the SVG transform of a sheet's pixels to the map, its size, and part of the map."""
    (x, right), (y, below) = sheet.across, sheet.down
    wide, high = 1.5 * UNIT, HALF * UNIT
    matrix = (wide / right, 0, 0, high / below, -x * wide / right, -y * high / below)
    u0, u1, v0, v1 = sheet.part
    box = (u0 * wide - UNIT, v0 * high - high, (u1 - u0) * wide + 2 * UNIT, (v1 - v0 + 2) * high)
    return {
        "digest": _digest(sheet),
        "width": sheet.width,
        "height": sheet.height,
        "transform": f"matrix({' '.join(f'{part:.6g}' for part in matrix)})",
        "box": [round(part, 1) for part in box],
    }


def _digest(sheet: BoardPicture) -> str:
    return blake2b(sheet.pixels.encode(), digest_size=16).hexdigest()


def archives(positions: Positions, *, names: list[str], digests: list[str]) -> list[str | None]:
    """
    Return the library's archive from which each sheet was read, or None.

    Parameters
    ----------
    positions
        Has the library.
    names
        The boards' names.
    digests
        Digests of the sheets' pixels: an archive with other pixels (an SSR or another version) is
        not it.
    """
    known: dict[str, str] = {}
    for path in positions.board_files:
        if board_name(path) in names and is_archive(path):
            try:
                board = find_board(str(path), folder="/")
            except BadInputError:
                continue
            known |= {_digest(sheet): str(path) for sheet in board.sheets}
    return [known.get(digest) for digest in digests]


def picture(positions: Positions, *, path: str) -> dict[str, str] | None:
    """Return the picture in a library archive as base64, with its media type, or None."""
    file = Path(path)
    if file not in positions.board_files:
        return None
    named = read_metadata(open_archive(file).metadata, file.name).picture.lower()
    entry = next((name for name in names_in(file) if named and name.lower() == named), None)
    if entry is None:
        return None
    data = entry_of(file, entry, MOST_BYTES)
    kind = next((kind for head, kind in KINDS.items() if data.startswith(head)), None)
    return None if kind is None else {"kind": kind, "data": base64.b64encode(data).decode()}
