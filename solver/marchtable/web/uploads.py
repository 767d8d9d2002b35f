"""Files that come with a request, put into a folder for those who read files."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Upload", "written"]

LONGEST = 120
"""Of names, in bytes."""


class Upload(msgspec.Struct, forbid_unknown_fields=True):
    """A file: its name, and what it holds as base64."""

    name: str
    data: str


def written(file: Upload, folder: Path) -> Path:
    """Write a file into a folder, and return where it is; raises BadInputError."""
    if not _is_plain(file.name):
        raise BadInputError(f"expected a plain file name, got {file.name!r}", field="name")
    try:
        raw = base64.b64decode(file.data, validate=True)
    except binascii.Error:
        raise BadInputError("expected base64", field="data") from None
    path = folder / file.name
    path.unlink(missing_ok=True)  # a link is not written through
    path.write_bytes(raw)
    return path


def _is_plain(name: str) -> bool:
    """Return whether a name is that of a file in a folder, wherever one is."""
    return (
        name.isprintable()
        and set(name).isdisjoint('/\\:*?"<>|')
        and not name.startswith(".")
        and 0 < len(name.encode()) <= LONGEST
    )
