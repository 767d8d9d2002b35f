"""
Opening a saved game: a ZIP whose entry ``savedGame`` is text, XORed with a key.

The header says how the text is hidden: ``!VCSK`` precedes a key and bytes in hex digits, ``VOBS``
(VASSAL 3.8) a key and raw bytes. Text without a header is plain.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import msgspec

from marchtable.errors import BadInputError
from marchtable.vasl.archive import DAMAGE, check_directory, damage, entry_bytes, opened_file
from marchtable.vasl.saves.sequences import bare, commands

__all__ = ["GAME_ENTRY", "Save", "covered_as", "read_log", "read_save", "read_text", "top_level"]

MAX_SAVED_BYTES = 40_000_000
MAX_COMMANDS = 60_000
MAX_STEPS = 200_000
_MAX_DATA_BYTES = 1_000_000
GAME_ENTRY = "savedGame"
_GAME, _MODULE, _SAVED = GAME_ENTRY, "moduledata", "savedata"
_IN_HEX, _IN_BYTES = b"!VCSK", b"VOBS"
_BEGIN, _END = "begin_save", "end_save"
_STEP = "LOG\t"
_HEX = re.compile(rb"[0-9a-fA-F]*")
_TOP = re.compile(r"(?<!\\)\x1b")
_END_AT = re.compile(r"\x1bend_save(?=\\*\x1b|$)")


class Save(msgspec.Struct, frozen=True):
    """
    A saved game as it was written.

    Parameters
    ----------
    source
        Its file name, for messages.
    module, version, vassal
        The module it was saved with, that module's version, and VASSAL's; ``""`` if not stated.
    commands
        The commands that restore the game, in order.
    steps
        The number of recorded steps that follow.
    date
        When it was saved, in milliseconds; 0 if not stated.
    writer
        The version of VASSAL that wrote it; ``""`` if not given. `vassal` is that of the module.
    """

    source: str
    module: str
    version: str
    vassal: str
    commands: tuple[str, ...]
    steps: int = 0
    date: int = 0
    writer: str = ""


def read_save(path: str | Path) -> Save:
    """
    Return the content of a saved game.

    Parameters
    ----------
    path
        A ``.vsav``, or a ``.vlog``, of which the starting position is read.

    Raises
    ------
    BadInputError
        If it is not a saved game, is damaged or oversized.
    """
    return _read(Path(path))[0]


def read_log(path: str | Path) -> tuple[Save, tuple[str, ...]]:
    """
    Return the starting position of a log, and the text of each recorded step.

    A step is what one press of PgDn plays. A ``.vsav`` is a log without steps. The texts contain
    the players' passwords: decode them (``marchtable.vasl.logs``), never print or store them.

    Raises
    ------
    BadInputError
        If it is not a saved game, is damaged or oversized.
    """
    return _read(Path(path))


def _read(path: Path) -> tuple[Save, tuple[str, ...]]:
    source = path.name
    try:
        with opened_file(path, source) as file:
            check_directory(file, source, "saved game")
            with zipfile.ZipFile(file) as archive:
                listed = archive.namelist()
                limits = {
                    _GAME: MAX_SAVED_BYTES, _MODULE: _MAX_DATA_BYTES, _SAVED: _MAX_DATA_BYTES,
                }  # fmt: skip
                found = {
                    name: entry_bytes(archive, archive.getinfo(name), limit, source)
                    for name, limit in limits.items()
                    if name in listed
                }
    except BadInputError:
        raise
    except DAMAGE as error:
        raise BadInputError(f"not a readable saved game ({damage(error)})", source=source) from None
    if _GAME not in found:
        raise BadInputError(f"has no entry {_GAME}: expected a saved game of VASSAL", source=source)
    if listed.count(_GAME) > 1:
        raise BadInputError(f"has several entries {_GAME}: expected one", source=source)
    about, saved = found.get(_MODULE, b""), found.get(_SAVED, b"")
    restoring, steps = _parts(_plain(found[_GAME], source), source)
    date = _element(saved, "dateSaved")
    save = Save(
        source,
        _element(about, "name"),
        _element(about, "version"),
        _element(about, "VassalVersion"),
        restoring,
        len(steps),
        int(date) if re.fullmatch("[0-9]{1,15}", date) else 0,
        _element(saved, "VassalVersion"),
    )
    return save, steps


def read_text(path: Path) -> tuple[str, tuple[bytes, int]]:
    """
    Return the whole text of a file that :func:`read_log` has read, with its mark and key.

    The text contains the players' passwords.
    """
    with zipfile.ZipFile(path) as archive:
        data = entry_bytes(archive, archive.getinfo(_GAME), MAX_SAVED_BYTES, path.name)
    text = _plain(data, path.name)
    if data.startswith(_IN_HEX):
        digits = data[len(_IN_HEX) : len(_IN_HEX) + 2]
        return text, (_IN_HEX, int(digits, 16))
    if data.startswith(_IN_BYTES):
        return text, (_IN_BYTES, data[len(_IN_BYTES)])
    return text, (b"", 0)


def covered_as(data: bytes, cover: tuple[bytes, int]) -> bytes:
    """Return text hidden with a mark and a key from :func:`read_text`."""
    mark, key = cover
    if not mark:
        return data
    hidden = bytes([key]) + data.translate(bytes(byte ^ key for byte in range(256)))
    return mark + (hidden.hex().encode() if mark == _IN_HEX else hidden)


def top_level(text: str) -> tuple[str, list[str]]:
    """Return a log's text up to its starting position, and the rest split at separators."""
    end = _END_AT.search(text)
    at = len(text) if end is None else end.end()
    return text[:at], _TOP.split(text[at:])


def _plain(data: bytes, source: str) -> str:
    """Return a saved game's text, whichever way it is hidden."""
    hidden, key = data, 0
    if data.startswith(_IN_HEX):
        digits = data[len(_IN_HEX) :].rstrip()
        if len(digits) < 2 or len(digits) % 2 or not _HEX.fullmatch(digits):
            raise BadInputError(
                "expected pairs of hex digits after the mark !VCSK", source=source, field=_GAME
            )
        key, *rest = bytes.fromhex(digits.decode("ascii"))
        hidden = bytes(rest)
    elif data.startswith(_IN_BYTES):
        if len(data) == len(_IN_BYTES):
            raise BadInputError(
                "expected a key after the mark VOBS: it is cut short", source=source, field=_GAME
            )
        key, hidden = data[len(_IN_BYTES)], data[len(_IN_BYTES) + 1 :]
    try:
        return hidden.translate(bytes(byte ^ key for byte in range(256))).decode("utf-8")
    except UnicodeDecodeError:
        raise BadInputError(
            "does not decode to text: damaged, or not of VASSAL", source=source, field=_GAME
        ) from None


def _parts(text: str, source: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the commands that restore a game, and the steps of a log after them."""
    if not text.startswith(_BEGIN):
        raise BadInputError(
            f"does not begin with {_BEGIN}: damaged, or not of VASSAL", source=source, field=_GAME
        )
    end = _END_AT.search(text)
    if end is None:
        raise BadInputError(f"has no {_END}: it is cut short", source=source, field=_GAME)
    restoring = text[: end.start()].rstrip("\\")
    if restoring.count("\x1b") > MAX_COMMANDS:
        raise BadInputError(f"more than {MAX_COMMANDS} commands", source=source, field=_GAME)
    # A step's own commands are nested in it: only unescaped separators divide steps.
    after = _TOP.split(text[end.end() :])
    if _BEGIN in after:
        raise BadInputError("holds a second saved game: expected one", source=source, field=_GAME)
    steps = tuple(
        bare(part.replace("\\\x1b", "\x1b"))
        for part in after
        if part.startswith((_STEP, f"'{_STEP}"))
    )
    if len(steps) > MAX_STEPS:
        raise BadInputError(f"more than {MAX_STEPS} steps", source=source, field=_GAME)
    return tuple(commands(restoring)), steps


def _element(about: bytes, tag: str) -> str:
    """Return the text of an element of ``moduledata`` that has nothing but text."""
    match = re.search(rf"<{tag}>([^<>&]{{1,200}})</{tag}>".encode(), about)
    return match[1].decode("utf-8", "replace").strip() if match else ""
