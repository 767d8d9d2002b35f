"""
Whether the picture of a board archive matches its data.

VASL derives the data from the picture's colours. So most pixels other than Open Ground agree with
the terrain that their colour stands for elsewhere on the board: at least 73 % on the boards
examined, but at most 20 % where the data are another board's.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.errors import BadInputError
from marchtable.vasl.archive import board_name, entry_of, names_in, open_archive
from marchtable.vasl.losdata import read_los_data
from marchtable.vasl.metadata import read_metadata
from marchtable.vasl.suspicious import Suspicion

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

__all__ = ["picture_suspicions"]

_LEAST = 0.4
_NUMBERED = re.compile(r"[0-9]+[a-z]?")
_MOST_BYTES = 32_000_000
_MASKED = 4  # pixels by which the picture's size may differ


def picture_suspicions(path: Path) -> Iterator[Suspicion]:
    """Yield the differences of an archive's picture from its data; raise BadInputError."""
    archive = open_archive(path)
    metadata = read_metadata(archive.metadata, archive.source)
    terrain = read_los_data(archive.los_data, archive.source).terrain
    if _NUMBERED.fullmatch(metadata.name):  # some have a title as their name
        named = board_name(Path(f"bd{metadata.name}"))
        if named.lower() != archive.name.lower():
            yield Suspicion("picture", "all", f"its BoardMetadata.xml is that of board {named}")
    if not metadata.picture:
        return
    there = {name.lower(): name for name in names_in(path)}
    picture = there.get(metadata.picture.lower())
    if picture is None:
        yield Suspicion("picture", "all", f"its picture {metadata.picture[:60]} is not in it")
        return
    colours = _colours(entry_of(path, picture, _MOST_BYTES))
    if colours is None:
        return
    wide, high = terrain.shape
    if abs(colours.shape[0] - wide) > _MASKED or abs(colours.shape[1] - high) > _MASKED:
        size = f"{colours.shape[0]} x {colours.shape[1]}"
        yield Suspicion(
            "picture", "all", f"its picture has {size} pixels, its data {wide} x {high}"
        )
        return
    share = _agreement(colours, terrain)
    if share < _LEAST:
        text = (
            f"its picture shows something else than its data: {share:.0%} of what is drawn agrees"
        )
        yield Suspicion("picture", "all", text)


def _colours(data: bytes) -> npt.NDArray[Any] | None:
    """
    Return a picture's colours as numbers, indexed ``[x, y]``; None if it cannot be read.

    Raises BadInputError without matplotlib.
    """
    try:
        from matplotlib.image import imread
    except ImportError:
        text = "reading pictures of boards needs matplotlib: pip install 'marchtable[pictures]'"
        raise BadInputError(text) from None
    if (
        data[:3] != b"GIF"
        or int.from_bytes(data[6:8], "little") * int.from_bytes(data[8:10], "little") > _MOST_BYTES
    ):
        return None
    try:
        found = np.asarray(imread(io.BytesIO(data), format="gif"))
    except (OSError, ValueError, SyntaxError, EOFError, IndexError):
        return None
    if found.ndim != 3 or found.shape[2] < 3:
        return None
    parts = found[..., :3].astype(np.int64)
    packed = (parts[..., 0] << 16) | (parts[..., 1] << 8) | parts[..., 2]
    return np.ascontiguousarray(packed.T)


def _agreement(colours: npt.NDArray[Any], terrain: npt.NDArray[np.uint8]) -> float:
    """Return the share of drawn pixels whose terrain is the commonest of their colour."""
    wide, high = (min(a, b) for a, b in zip(colours.shape, terrain.shape, strict=True))
    here = terrain[:wide, :high].reshape(-1)
    _, kinds = np.unique(colours[:wide, :high].reshape(-1), return_inverse=True)
    pairs, times = np.unique(kinds.astype(np.int64) * 256 + here, return_counts=True)
    order = np.argsort(times, kind="stable")
    usual = np.zeros(int(kinds.max()) + 1, np.int64)
    usual[pairs[order] // 256] = pairs[order] % 256  # the commonest is written last
    drawn = here != 0
    return float((usual[kinds[drawn]] == here[drawn]).mean()) if drawn.any() else 1.0
