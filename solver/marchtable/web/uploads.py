"""Uploaded files, written to a folder for code that reads files."""

from __future__ import annotations

import base64
import binascii
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.codec.structs import struct_of
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.service.positions import Positions

__all__ = ["Upload", "laid_out", "written"]

LONGEST = 120
"""Maximum length of names, in bytes."""


class Upload(msgspec.Struct, forbid_unknown_fields=True):
    """A file: its name, and its content as base64."""

    name: str
    data: str


def written(file: Upload, folder: Path) -> Path:
    """Write a file to a folder, and return its path; raise BadInputError."""
    if not _is_plain(file.name):
        raise BadInputError(f"expected a plain file name, got {file.name!r}", field="name")
    try:
        raw = base64.b64decode(file.data, validate=True)
    except binascii.Error:
        raise BadInputError("expected base64", field="data") from None
    path = folder / file.name
    path.unlink(missing_ok=True)  # do not write through a link
    path.write_bytes(raw)
    return path


@contextmanager
def laid_out(
    positions: Positions, files: Sequence[dict[str, Any]], apart: tuple[str, ...]
) -> Iterator[tuple[Path, list[Path]]]:
    """
    Write files beside the library's boards into a folder that lasts as long as the context.

    Parameters
    ----------
    positions
        Has the library's boards.
    files
        The files, as :class:`Upload`.
    apart
        Suffixes of files that are not boards: these are in a folder of their own.

    Yields
    ------
    tuple
        The folder of boards, and the paths of the other files.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        for known in positions.board_files:
            _lend(known, folder / known.name)
        inner = folder / "apart"
        inner.mkdir()
        given = [struct_of(one, Upload) for one in files]
        paths = [
            written(one, inner if one.name.lower().endswith(apart) else folder) for one in given
        ]
        yield folder, [path for path in paths if path.parent == inner]


def _lend(file: Path, to: Path) -> None:
    """Link a file under another name."""
    try:
        to.symlink_to(file)
    except OSError:  # Windows requires a privilege for it
        shutil.copyfile(file, to)


def _is_plain(name: str) -> bool:
    """Return whether a name is a plain file name on any system."""
    return (
        name.isprintable()
        and set(name).isdisjoint('/\\:*?"<>|')
        and not name.startswith(".")
        and 0 < len(name.encode()) <= LONGEST
    )
