"""Fabricate small VASL board archives, sound and damaged."""

from __future__ import annotations

import gzip
import io
import re
import struct
import zipfile
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

CODES = {
    "Open Ground": 0,
    "Water": 8,
    "River": 10,
    "Marsh": 14,
    "Shellholes": 15,
    "Grain": 24,
    "Brush": 25,
    "Gully": 30,
    "Shallow Stream": 32,
    "Stone Building": 40,
    "Stone Building, 1 Level": 41,
    "Stone Building, 2 Level": 42,
    "Stone Factory Wall, 1.5 Level": 45,
    "Stone Factory, 1.5 Level": 47,
    "Stone Market Place": 49,
    "Woods": 60,
    "Orchard": 63,
    "Dirt Road": 65,
    "Paved Road": 66,
    "Sunken Road": 68,
    "Runway": 69,
    "Path": 70,
    "Wall": 72,
    "Hedge": 73,
    "Bocage": 74,
    "Rowhouse Wall, 1 Level": 77,
    "Single Hex Stone Bridge": 82,
    "Stone Bridge": 84,
    "Stone Rubble": 90,
    "Scrub": 100,
    "Hammada": 101,
    "Broken Ground": 120,
    "Dense Jungle": 127,
    "Swamp": 133,
}


class Forge:
    """A board to be painted: geomorphic hexes unless stated otherwise."""

    def __init__(
        self,
        columns: int = 5,
        rows: int = 4,
        *,
        hex_width: float = 56.25,
        hex_height: float = 64.5,
        **attributes: str,
    ) -> None:
        self.columns, self.rows = columns, rows
        self.hex_width, self.hex_height = hex_width, hex_height
        self.width, self.height = round((columns - 1) * hex_width), round(rows * hex_height)
        self.terrain = np.zeros((self.width, self.height), np.uint8)
        self.elevation = np.zeros((self.width, self.height), np.int8)
        self.attributes = {"name": "x", "width": str(columns), "height": str(rows), **attributes}
        self.elements = ""
        self.stairways = [0] * sum(rows + column % 2 for column in range(columns))

    def centre(self, name: str) -> tuple[float, float]:
        """Return the centre of a hex in pixels."""
        match = re.fullmatch(r"([A-Z])(\d+)", name)
        assert match
        column, row = ord(match[1]) - ord("A"), int(match[2])
        half = self.hex_height / 2
        return column * self.hex_width, row * self.hex_height - half * (1 - column % 2)

    def corner(self, name: str, number: int) -> tuple[float, float]:
        """Return a corner of a hex in pixels, clockwise from the left end of its top."""
        x, y = self.centre(name)
        side, half = self.hex_width * 2 / 3, self.hex_height / 2
        across = (-side / 2, side / 2, side, side / 2, -side / 2, -side)[number % 6]
        down = (-half, -half, 0, half, half, 0)[number % 6]
        return x + across, y + down

    def line(
        self, *points: str | tuple[float, float], what: str, wide: float = 14, level: int = 0
    ) -> Forge:
        """Paint a band through hex centres or points."""
        places = [self.centre(one) if isinstance(one, str) else one for one in points]
        xs, ys = np.mgrid[0 : self.width, 0 : self.height]
        for (ax, ay), (bx, by) in pairwise(places):
            along = (xs - ax) * (bx - ax) + (ys - ay) * (by - ay)
            part = np.clip(along / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1)
            away = np.hypot(xs - ax - part * (bx - ax), ys - ay - part * (by - ay))
            self.terrain[away <= wide / 2] = CODES[what]
            self.elevation[away <= wide / 2] = level
        return self

    def disc(self, at: str | tuple[float, float], radius: float, what: str) -> Forge:
        """Paint a disc."""
        x, y = self.centre(at) if isinstance(at, str) else at
        xs, ys = np.mgrid[0 : self.width, 0 : self.height]
        self.terrain[np.hypot(xs - x, ys - y) <= radius] = CODES[what]
        return self

    def payload(self) -> bytes:
        """Return the decoded ``LOSData``."""
        pixels = np.stack([self.elevation.view(np.uint8), self.terrain], axis=-1)
        header = struct.pack(">4i", self.columns, self.rows, self.width, self.height)
        return header + pixels.tobytes() + bytes(self.stairways)

    def metadata(self) -> bytes:
        """Return ``BoardMetadata.xml``."""
        attributes = " ".join(f'{key}="{value}"' for key, value in self.attributes.items())
        text = f'<?xml version="1.0"?><boardMetadata {attributes}>{self.elements}</boardMetadata>'
        return text.encode()

    def los_data(self) -> bytes:
        """Return the entry ``LOSData``."""
        return gzip.compress(framed(self.payload()), mtime=0)

    def write(self, path: Path) -> Path:
        """Write the archive and return its path."""
        return pack(path, self.los_data(), self.metadata())


def framed(payload: bytes) -> bytes:
    """Return bytes as a Java stream of blocks."""
    blocks = [b"\xac\xed\x00\x05"]
    for at in range(0, len(payload), 1024):
        block = payload[at : at + 1024]
        short = len(block) < 256
        head = struct.pack(">BB" if short else ">BI", 0x77 if short else 0x7A, len(block))
        blocks.append(head + block)
    return b"".join(blocks)


def pack(path: Path, los_data: bytes | None, metadata: bytes | None, **entries: bytes) -> Path:
    """Write an archive of these entries (None leaves one out) and return its path."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {"LOSData": los_data, "BoardMetadata.xml": metadata, **entries}.items():
            if data is not None:
                archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    path.write_bytes(packed.getvalue())
    return path
