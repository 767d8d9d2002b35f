"""A copy of a log with chat lines after some of its steps."""

from __future__ import annotations

import html
import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from marchtable.codec.plain import one_line
from marchtable.errors import BadInputError
from marchtable.vasl.archive import DAMAGE, damage, entry_bytes
from marchtable.vasl.saves.savefile import GAME_ENTRY, covered_as, read_log, read_text, top_level

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["annotated"]

ESCAPE = "\x1b"
STEP = "LOG\t"
MOST = 64_000_000
"""Maximum unpacked size of an archive entry beside the log, in bytes."""


def annotated(path: str | Path, lines: Mapping[int, Sequence[str]]) -> bytes:
    """
    Return a log with added chat lines.

    Everything else is unchanged byte for byte. An added line is a step of its own, which needs no
    counter definition.

    Parameters
    ----------
    path
        The log.
    lines
        The lines to add after a step, by the step's number (from 1).

    Raises
    ------
    BadInputError
        If the file is no log of VASSAL.
    """
    path = Path(path)
    read_log(path)  # rejects a file that is no log, in one line
    text, cover = read_text(path)
    head, parts = top_level(text)
    written: list[str] = []
    number = 0
    for part in parts:
        written.append(part)
        if part.startswith((STEP, f"'{STEP}")):
            number += 1
            written += [f"{STEP}CHAT- {_safe(line)}" for line in lines.get(number, ())]
    game = covered_as((head + ESCAPE.join(written)).encode(), cover)
    packed = io.BytesIO()
    try:
        with (
            zipfile.ZipFile(path) as old,
            zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new,
        ):
            for info in old.infolist():
                kept = info.filename != GAME_ENTRY
                new.writestr(info, entry_bytes(old, info, MOST, path.name) if kept else game)
    except DAMAGE as error:
        raise BadInputError(f"cannot be packed again ({damage(error)})", source=path.name) from None
    return packed.getvalue()


def _safe(line: str) -> str:
    """Return a chat line without anything that VASSAL would read as markup or a separator."""
    return html.escape(one_line(line), quote=False).replace("\\", "/")
