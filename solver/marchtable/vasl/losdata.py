"""``LOSData``: gzip, then a Java block stream, then elevation and terrain of every pixel."""

from __future__ import annotations

import struct
import zlib

import msgspec
import numpy as np
import numpy.typing as npt

from marchtable.errors import BadInputError
from marchtable.vasl.metadata import MAX_COLUMNS

__all__ = ["LosData", "read_los_data"]

MAX_PIXELS = 24_000_000
MAX_HEXES = 10_000
_MAGIC = b"\xac\xed\x00\x05"
_BLOCK = 0x77
_LONG_BLOCK = 0x7A
_HEADER = struct.Struct(">4i")
_GZIP = 16 + zlib.MAX_WBITS
_FIRST_BYTES = 4096
# Java frames 1,024 bytes in 5; a stream with much more framing was not written by VASL.
_MOST_FRAMING = 0.01


class LosData(msgspec.Struct, frozen=True):
    """
    The decoded pixels of a board.

    Parameters
    ----------
    columns, rows
        Size in hexes (the rows of an even column).
    elevation
        Level of each pixel, indexed ``[x, y]``.
    terrain
        Terrain code of each pixel, indexed ``[x, y]``.
    stairways
        A 1 for each hex with a stairway, column by column.
    """

    columns: int
    rows: int
    elevation: npt.NDArray[np.int8]
    terrain: npt.NDArray[np.uint8]
    stairways: npt.NDArray[np.uint8]


def read_los_data(data: bytes, source: str) -> LosData:
    """
    Return the decoded ``LOSData``.

    Parameters
    ----------
    data
        The gzipped entry.
    source
        Its archive, for messages.

    Raises
    ------
    BadInputError
        If it is damaged, truncated, or larger than it declares or than a board can be.
    """
    try:
        return _read(data)
    except zlib.error as error:
        raise BadInputError(
            f"damaged gzip data ({error})", source=source, field="LOSData"
        ) from None
    except BadInputError as error:
        raise error.located(source=source, field="LOSData") from None


def _read(data: bytes) -> LosData:
    stream = zlib.decompressobj(_GZIP)
    head = stream.decompress(data, _FIRST_BYTES)
    if not head.startswith(_MAGIC):
        raise BadInputError("not a Java object stream")
    start = _payload(head, whole=False)[: _HEADER.size]
    if len(start) < _HEADER.size:
        raise BadInputError("cut short in its header")
    columns, rows, width, height = _HEADER.unpack(start)
    _check_size(columns, rows, width, height)
    pixels = 2 * width * height
    # At most one hex per column more than the header's rows: the half-hexes.
    most = _HEADER.size + pixels + columns * (rows + 1)
    limit = len(_MAGIC) + int(most * (1 + _MOST_FRAMING)) + _FIRST_BYTES
    rest = stream.decompress(stream.unconsumed_tail, limit - len(head) + 1)
    if len(head) + len(rest) > limit:
        raise BadInputError("longer than its header says")
    if not stream.eof:
        raise BadInputError("cut short")
    payload = _payload(head + rest, whole=True)
    if len(payload) < _HEADER.size + pixels:
        raise BadInputError("holds fewer pixels than its header says")
    pairs = np.frombuffer(payload, np.uint8, pixels, _HEADER.size).reshape(width, height, 2)
    return LosData(
        columns,
        rows,
        np.ascontiguousarray(pairs[..., 0]).view(np.int8),
        np.ascontiguousarray(pairs[..., 1]),
        np.frombuffer(payload, np.uint8, offset=_HEADER.size + pixels),
    )


def _check_size(columns: int, rows: int, width: int, height: int) -> None:
    fits = 1 <= columns <= MAX_COLUMNS and 1 <= rows <= MAX_COLUMNS
    if not fits or columns * rows > MAX_HEXES:
        raise BadInputError(f"declares {columns} x {rows} hexes: expected at most {MAX_HEXES}")
    if width < 1 or height < 1 or width * height > MAX_PIXELS:
        raise BadInputError(
            f"declares {width} x {height} pixels: expected at most {MAX_PIXELS} in all"
        )


def _payload(stream: bytes, *, whole: bool) -> bytes:
    """Return the contents of the block records; with ``whole`` the last must be complete."""
    blocks: list[memoryview] = []
    view = memoryview(stream)
    at, end = len(_MAGIC), len(stream)
    most_blocks = int(end * _MOST_FRAMING / 2) + _FIRST_BYTES
    while at < end:
        if len(blocks) > most_blocks:
            raise BadInputError("cut into more blocks than VASL writes")
        tag = stream[at]
        if tag == _BLOCK:
            size = int.from_bytes(stream[at + 1 : at + 2], "big")
            at += 2
        elif tag == _LONG_BLOCK:
            size = int.from_bytes(stream[at + 1 : at + 5], "big")
            at += 5
        else:
            raise BadInputError(f"expected a block of bytes, not a Java record 0x{tag:02x}")
        if whole and not 0 < size <= end - at:
            raise BadInputError("a block is empty or cut short")
        blocks.append(view[at : at + size])
        at += size
    return b"".join(blocks)
