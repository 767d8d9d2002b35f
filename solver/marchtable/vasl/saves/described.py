"""The boards that a saved game describes: the place and changes of each."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError
from marchtable.vasl.saves.sequences import whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Described", "described_boards"]

MAX_BOARDS = 60
_OVERLAY = "OVR"
_HEX = re.compile(r"[A-Z]{1,2}[0-9]{1,2}")
# No separator follows a board's description if it ends in SSR.
_NEXT_BOARD = re.compile(r"\t?bd\t(?=-?\d+\t-?\d+\t)")


class Described(msgspec.Struct, frozen=True):
    """A board's description in a save: its cell, name, version, crop (pixels) and changes."""

    column: int
    row: int
    name: str
    turned: bool
    crop: tuple[int, int, int, int]
    version: str
    overlays: tuple[str, ...]
    ssr: tuple[str, ...]
    zoom: float


def described_boards(commands: Sequence[str]) -> list[Described]:
    """Return the boards described by the save's last command about them."""
    found: list[Described] = []
    for command in commands:
        if command.startswith("bd\t"):
            parts = _NEXT_BOARD.split(command[3:]) if command[3:].strip() else []
            if len(parts) > MAX_BOARDS:
                raise BadInputError(f"more than {MAX_BOARDS} boards")
            found = [_described(part) for part in parts]
    return found


def _described(text: str) -> Described:
    words = [word for word in text.split("\t") if word]
    if len(words) < 3:
        raise BadInputError(f"expected column, row and name of a board, not {text[:60]!r}")
    column, row = (whole(word, "a board's place") for word in words[:2])
    name, rest = words[2], words[3:]
    crop = (0, 0, -1, -1)
    if len(rest) >= 4 and all(word.lstrip("-").isdecimal() for word in rest[:4]):
        x, y, width, height = (whole(word, "a board's crop") for word in rest[:4])
        crop, rest = (x, y, width, height), rest[4:]
    version, zoom = "", 1.0
    if rest[:1] == ["VER"]:
        version, rest = "".join(rest[1:2]), rest[2:]
    if "ZOOM" in rest:
        at = rest.index("ZOOM")
        zoom, rest = _zoom("".join(rest[at + 1 : at + 2])), rest[:at]
    at = rest.index("SSR") if "SSR" in rest else len(rest)
    turned = name.startswith("r") and len(name) > 1
    return Described(
        column=column,
        row=row,
        name=name[1:] if turned else name,
        turned=turned,
        crop=crop,
        version=version,
        overlays=tuple(_overlays(rest[:at])),
        ssr=tuple(rest[at + 1 :]),
        zoom=zoom,
    )


def _overlays(words: Sequence[str]) -> Iterator[str]:
    """Yield a board's overlays in the scenes' form: ``OVR``, a name, and up to two hexes."""
    starts = [number for number, word in enumerate(words) if word == _OVERLAY]
    for start, end in pairwise([*starts, len(words)]):
        name, *laid_by = words[start + 1 : end] or [""]
        hexes = [word.upper() for word in laid_by if _HEX.fullmatch(word.upper())]
        yield ":".join([re.sub(r"[^0-9A-Za-z_.-]", "", name)[:20] or "unknown", *hexes])


def _zoom(text: str) -> float:
    try:
        zoom = float(text)
    except ValueError:
        zoom = 0.0
    if not 0.05 <= zoom <= 20:
        raise BadInputError(f"expected a board's magnification, not {text[:40]!r}")
    return zoom
