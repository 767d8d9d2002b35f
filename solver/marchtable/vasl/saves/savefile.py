"""Opening a saved game: a ZIP whose entry ``savedGame`` is text, XORed with a key and in hex."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import msgspec

from marchtable.errors import BadInputError
from marchtable.vasl.archive import DAMAGE, check_directory, entry_bytes
from marchtable.vasl.saves.sequences import commands

__all__ = ["Save", "read_save"]

MAX_SAVED_BYTES = 40_000_000
MAX_COMMANDS = 60_000
_MAX_DATA_BYTES = 1_000_000
_GAME, _MODULE = "savedGame", "moduledata"
_MARK = b"!VCSK"
_BEGIN, _END = "begin_save", "end_save"
_HEX = re.compile(rb"[0-9a-fA-F]*")


class Save(msgspec.Struct, frozen=True):
    """
    A saved game as it was written.

    Parameters
    ----------
    source
        Its file name, for messages.
    module, version, vassal
        The module it was saved with, that module's version, and VASSAL's; ``""`` where not told.
    commands
        What restores the game, in order.
    """

    source: str
    module: str
    version: str
    vassal: str
    commands: tuple[str, ...]


def read_save(path: str | Path) -> Save:
    """
    Return what a saved game holds.

    Parameters
    ----------
    path
        A ``.vsav``, or a ``.vlog``, of which the position it begins with is read.

    Raises
    ------
    BadInputError
        If it is not a saved game, is damaged or oversized.
    """
    path = Path(path)
    source = path.name
    try:
        with path.open("rb") as file:
            check_directory(file, source, "saved game")
            with zipfile.ZipFile(file) as archive:
                names = set(archive.namelist())
                limits = {_GAME: MAX_SAVED_BYTES, _MODULE: _MAX_DATA_BYTES}
                found = {
                    name: entry_bytes(archive, archive.getinfo(name), limit, source)
                    for name, limit in limits.items()
                    if name in names
                }
    except BadInputError:
        raise
    except DAMAGE as error:
        reason = " ".join(str(error).split())[:120]
        raise BadInputError(f"not a readable saved game ({reason})", source=source) from None
    if _GAME not in found:
        raise BadInputError(f"has no entry {_GAME}: expected a saved game of VASSAL", source=source)
    about = found.get(_MODULE, b"")
    return Save(
        source,
        _told(about, "name"),
        _told(about, "version"),
        _told(about, "VassalVersion"),
        _restoring(_plain(found[_GAME], source), source),
    )


def _plain(data: bytes, source: str) -> str:
    """Return a saved game's text, which VASSAL also takes as it is."""
    if data.startswith(_MARK):
        key, digits = data[len(_MARK) : len(_MARK) + 2], data[len(_MARK) + 2 :].rstrip()
        if len(key) < 2 or len(digits) % 2 or not _HEX.fullmatch(key + digits):
            raise BadInputError(
                "expected pairs of hex digits after the mark !VCSK", source=source, field=_GAME
            )
        table = bytes(byte ^ int(key, 16) for byte in range(256))
        data = bytes.fromhex(digits.decode("ascii")).translate(table)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadInputError(
            "does not decode to text: damaged, or not of VASSAL", source=source, field=_GAME
        ) from None


def _restoring(text: str, source: str) -> tuple[str, ...]:
    """Return the commands from the beginning of a save to its end; those of a log come after."""
    if not text.startswith(_BEGIN):
        raise BadInputError(
            f"does not begin with {_BEGIN}: damaged, or not of VASSAL", source=source, field=_GAME
        )
    if text.count("\x1b") > MAX_COMMANDS:
        raise BadInputError(f"more than {MAX_COMMANDS} commands", source=source, field=_GAME)
    found = commands(text)
    if _END not in found:
        raise BadInputError(f"has no {_END}: it is cut short", source=source, field=_GAME)
    return tuple(found[: found.index(_END)])


def _told(about: bytes, tag: str) -> str:
    """Return the text of an element of ``moduledata`` that has nothing but text."""
    match = re.search(rf"<{tag}>([^<>&]{{1,200}})</{tag}>".encode(), about)
    return match[1].decode("utf-8", "replace").strip() if match else ""
