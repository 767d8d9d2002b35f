"""Opening a VASL board archive: the two entries we need, complete and within limits."""

from __future__ import annotations

import re
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from marchtable.codec.plain import one_line
from marchtable.errors import BadInputError
from marchtable.vasl.xmlfile import MAX_XML_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "DAMAGE", "Archive", "board_name", "check_directory", "damage", "entry_bytes", "entry_of",
    "names_in", "open_archive", "opened_file", "picture_size",
]  # fmt: skip

MAX_ARCHIVE_BYTES = 256_000_000
MAX_DIRECTORY_BYTES = 1_000_000
MAX_LOS_BYTES = 32_000_000
_LOS = "LOSData"
_GIF_HEADER = 10
_SEVEN_ZIP = b"7z\xbc\xaf\x27\x1c"
_OVERLAY = re.compile(r"(?i)ovr")
_END_RECORD = b"PK\x05\x06"
_END_SIZE = 22
_ZIP64_LOCATOR = b"PK\x06\x07"
_LOCATOR_SIZE = 20
_LONGEST_COMMENT = 0xFFFF
# All exceptions that zipfile has been seen to raise for an invalid ZIP file.
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    OverflowError,
    KeyError,
    IndexError,
)


class Archive(msgspec.Struct, frozen=True):
    """
    The content taken from an archive.

    Parameters
    ----------
    source
        Its file name, for messages.
    name
        The board's name: its file name without ``bd`` and leading zeros (``"1"``, ``"1a"``).
    los_data
        The entry ``LOSData``, still gzipped.
    metadata
        The entry ``BoardMetadata.xml``.
    """

    source: str
    name: str
    los_data: bytes
    metadata: bytes


def board_name(path: Path) -> str:
    """Return a board's name from its file name: ``bd01`` is 1, ``bd1a`` is 1a, ``bd00`` is 00."""
    stem = re.sub(r"[^0-9A-Za-z]", "", re.sub(r"(?i)^bd|\.(zip|bd)$", "", path.name))
    return re.sub(r"^0+(?=[1-9])", "", stem) or "board"


def open_archive(path: str | Path) -> Archive:
    """
    Return the content of a board archive.

    Parameters
    ----------
    path
        The archive, as VASL distributes it (``bd01``).

    Raises
    ------
    BadInputError
        If it is not a ZIP archive, is damaged or oversized, or lacks an entry.
    """
    path = Path(path)
    source = path.name
    with _opened(path) as archive:
        if _LOS not in archive.namelist():
            raise BadInputError(_without_los(source, archive.namelist()), source=source)
        metadata = _entry(archive, "BoardMetadata.xml", MAX_XML_BYTES, source)
        los_data = _entry(archive, _LOS, MAX_LOS_BYTES, source)
    return Archive(source, board_name(path), los_data, metadata)


def has_terrain(path: str | Path) -> bool:
    """Return whether an archive has LOS data; True for a non-archive, which reading rejects."""
    try:
        with _opened(Path(path)) as archive:
            return _LOS in archive.namelist()
    except BadInputError:
        return True


def picture_size(path: str | Path) -> tuple[int, int]:
    """Return the width and height of an archive's picture; raise BadInputError if it has none."""
    source = Path(path).name
    with _opened(Path(path)) as archive:
        for info in archive.infolist():
            if info.filename.lower().endswith(".gif"):
                data = entry_bytes(archive, info, MAX_LOS_BYTES, source)
                if data[:3] == b"GIF" and len(data) >= _GIF_HEADER:
                    return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    raise BadInputError("has no picture: expected a board archive of VASL", source=source)


def names_in(path: Path) -> frozenset[str]:
    """Return the names of the entries of an archive."""
    with _opened(path) as archive:
        return frozenset(archive.namelist())


def entry_of(path: Path, name: str, limit: int) -> bytes:
    """Return an unpacked entry of an archive; raise BadInputError if it is missing or too large."""
    with _opened(path) as archive:
        return _entry(archive, name, limit, path.name)


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive; raise BadInputError for any fault, at once or during reading."""
    source = path.name
    try:
        with opened_file(path, source) as file:
            check_directory(file, source)
            with zipfile.ZipFile(file) as archive:
                yield archive
    except BadInputError:
        raise
    except DAMAGE as error:
        raise BadInputError(
            f"not a readable board archive ({damage(error)})", source=source
        ) from None


def opened_file(path: Path, source: str) -> BinaryIO:
    """Open a file for reading; reject a folder, and a pipe, which may never end."""
    if path.exists() and not path.is_file():
        raise BadInputError("expected a file, not a folder or a pipe", source=source)
    return path.open("rb")


def damage(error: Exception) -> str:
    """Return a short description of an archive's fault from one of the errors `DAMAGE`."""
    strerror = getattr(error, "strerror", None)
    return strerror.lower() if strerror else one_line(str(error), 120)


def _without_los(source: str, entries: Sequence[str]) -> str:
    """Return why an archive without terrain pixels is rejected."""
    if "savedGame" in entries:
        return "is a saved game of VASSAL: `marchtable scene import` makes a scene of it"
    if _OVERLAY.match(source):
        return (
            "is a VASL overlay: overlays are pictures laid on boards, and are not read; "
            "expected a board archive"
        )
    if any(name.lower().endswith((".gif", ".png", ".jpg")) for name in entries):
        return (
            f"is a picture without terrain: VASL has no {_LOS} for this board, so what its hexes "
            "hold is not known; draw it as a grid, or wait for a version of the board that has it"
        )
    return f"has no entry {_LOS}: expected a board archive of VASL 6"


def check_directory(file: BinaryIO, source: str, what: str = "board archive") -> None:
    """Reject a file that is no ZIP, or whose list of entries alone would take long to read."""
    if file.read(len(_SEVEN_ZIP)) == _SEVEN_ZIP:
        raise BadInputError(
            "is a 7z archive, which is not read: unpack it and pack its files as a ZIP",
            source=source,
        )
    size = file.seek(0, 2)
    if size > MAX_ARCHIVE_BYTES:
        raise BadInputError(f"larger than {MAX_ARCHIVE_BYTES} bytes", source=source)
    file.seek(max(0, size - _END_SIZE - _LONGEST_COMMENT - _LOCATOR_SIZE))
    tail = file.read()
    file.seek(0)
    end = tail.rfind(_END_RECORD)
    if end < 0 or len(tail) < end + _END_SIZE:
        raise BadInputError(
            f"expected a {what}: not a ZIP archive, or cut short{_written(tail)}", source=source
        )
    directory = int.from_bytes(tail[end + 12 : end + 16], "little")
    locator = tail[max(0, end - _LOCATOR_SIZE) : end]
    if directory > MAX_DIRECTORY_BYTES or locator.startswith(_ZIP64_LOCATOR):
        raise BadInputError(f"its list of entries is too large for a {what}", source=source)


def _written(data: bytes) -> str:
    """Return the end of the message that rejects a file that someone wrote: which commands read it."""
    if b"marchtable/scene/" in data:
        return "; a scene needs no import: `options` and `check` read it"
    if b"marchtable/grid/" in data or b"marchtable/board/" in data:
        return "; a scene names this board: board = FILE"
    return ""


def _entry(archive: zipfile.ZipFile, name: str, limit: int, source: str) -> bytes:
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise BadInputError(
            f"has no entry {name}: expected a board archive of VASL 6", source=source
        ) from None
    return entry_bytes(archive, info, limit, source)


def entry_bytes(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limit: int, source: str) -> bytes:
    """Return an unpacked entry; raise BadInputError if it exceeds `limit` bytes."""
    name = info.filename
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadInputError("packed by a method VASL does not use", source=source, field=name)
    if info.flag_bits & 1:
        raise BadInputError("is encrypted", source=source, field=name)
    with archive.open(info) as entry:
        data = entry.read(limit + 1)
        if len(data) > limit:
            raise BadInputError(f"larger than {limit} bytes", source=source, field=name)
    return data
