"""Files that come with a request, put into a folder for those who read files."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Upload", "written"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.,'()+ -]{0,80}")


class Upload(msgspec.Struct, forbid_unknown_fields=True):
    """A file: its name, and what it holds as base64."""

    name: str
    data: str


def written(file: Upload, folder: Path) -> Path:
    """Write a file into a folder, and return where it is; raises BadInputError."""
    if not _NAME.fullmatch(file.name):
        raise BadInputError(f"expected a plain file name, got {file.name!r}", field="name")
    try:
        raw = base64.b64decode(file.data, validate=True)
    except binascii.Error:
        raise BadInputError("expected base64", field="data") from None
    path = folder / file.name
    path.unlink(missing_ok=True)  # a link is not written through
    path.write_bytes(raw)
    return path
