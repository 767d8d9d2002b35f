"""What lies along and across each hexside, measured along its whole length.

VASL looks at one pixel, the middle of the hexside, and so misses roads that cross off centre and
takes roads that run along a hexside for roads across it. Here each hexside is sampled along its
whole length on five lines, from two pixels within the hex to two pixels beyond.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from marchtable.board import Hexside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.vasl.geometry import Grid
    from marchtable.vasl.losdata import LosData
    from marchtable.vasl.terrain import TerrainTable

__all__ = ["SideReader", "middle"]

_OFFSETS = (-2, -1, 0, 1, 2)  # pixels into the hex
_SAMPLES = 48
_BATCH = 256  # hexes sampled at a time, which bounds the memory
# A road crosses where it covers this share of the hexside, unbroken and centred well off both
# ends. One that covers nearly all of it runs along it, unless it fills both hexes.
_CROSSING = 0.24
_CENTRED = (0.20, 0.80)
_ALONG = 0.80
# Paths are dashes a few pixels wide that may end at the hexside: a touch is enough.
_PATH_TOUCH = 2
_PATH_SPAN = (0.15, 0.85)
# What lies along a hexside, where its middle is a gap.
_HALF = 0.5

Codes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]


def middle(grid: Grid, direction: int) -> tuple[float, float]:
    """Return the middle of a hexside, from the hex's centre in pixels."""
    (ax, ay), (bx, by) = grid.corners[direction], grid.corners[(direction + 1) % 6]
    return (ax + bx) / 2, (ay + by) / 2


class SideReader:
    """
    Reads hexsides from pixels.

    Parameters
    ----------
    los
        The pixels.
    grid
        The hexes.
    table
        What their codes mean.
    """

    def __init__(self, los: LosData, grid: Grid, table: TerrainTable) -> None:
        self._los = los
        self._grid = grid
        self._table = table
        self._lines = _lines(grid)
        # The deck of a bridge carries its road.
        self._road = _lookup(table.codes(lambda kind: kind.is_road or kind.is_bridge))
        self._deck = _lookup(table.codes(lambda kind: kind.is_bridge))
        self._path = _lookup(table.codes(lambda kind: kind.is_path))
        self._along = _lookup(table.codes(lambda kind: kind.is_along_hexsides))

    def samples(self) -> Iterator[Codes]:
        """Yield for each hex the codes along its hexsides, ``[direction, line, sample]``."""
        hexes = self._grid.hexes
        for start in range(0, len(hexes), _BATCH):
            centres = np.array([(one.x, one.y) for one in hexes[start : start + _BATCH]])
            points = np.rint(self._lines + centres[:, None, None, None, :]).astype(np.int64)
            # Half-hexes are mirrored at the edge of the picture.
            x = _mirror(points[..., 0], self._grid.width)
            y = _mirror(points[..., 1], self._grid.height)
            yield from self._los.terrain[x, y]

    def read(self, codes: Codes, *, between_roads: bool) -> Hexside:
        """
        Return what one hexside has.

        Parameters
        ----------
        codes
            Its samples, ``[line, sample]``.
        between_roads
            Whether the centres of both hexes are road.
        """
        terrain = self._terrain(codes)
        road = self._crossing_road(codes, between_roads=between_roads)
        return Hexside(
            terrain=terrain,
            road=road,
            path=self._path_crosses(codes),
            gap=self._gap(codes) if terrain else 0,
            along=self._road_along(codes) if road is None else None,
        )

    def is_road(self, code: int) -> bool:
        """Whether a terrain code is a road or the deck of a bridge."""
        return bool(self._road[code])

    def _terrain(self, codes: Codes) -> str | None:
        found: Flags = self._along[codes]
        if not found.any():
            return None
        # The middle pixel just within either hex, or else half the hexside.
        for line in (3, 1):
            if found[line, _SAMPLES // 2]:
                return self._table[int(codes[line, _SAMPLES // 2])].name
        if found.any(axis=0).mean() < _HALF:
            return None
        return self._commonest(codes[found])

    def _crossing_road(self, codes: Codes, *, between_roads: bool) -> str | None:
        road: Flags = self._road[codes]
        through: Flags = road[0] & road[-1]
        for start, end in _runs(through):
            share, centre = (end - start) / _SAMPLES, (start + end) / 2 / _SAMPLES
            centred = _CENTRED[0] <= centre <= _CENTRED[1]
            if share < _CROSSING or not centred or (share >= _ALONG and not between_roads):
                continue
            seen = codes[:, start:end][road[:, start:end]]
            paved = seen[~self._deck[seen]]
            return self._commonest(paved if len(paved) else seen)
        return None

    def _gap(self, codes: Codes) -> int:
        """Return the widest break between two stretches, in percent of the hexside."""
        clear: Flags = np.logical_not(np.any(self._along[codes], axis=0))
        inner = [(start, end) for start, end in _runs(clear) if start > 0 and end < _SAMPLES]
        return round(100 * (inner[0][1] - inner[0][0]) / _SAMPLES) if inner else 0

    def _road_along(self, codes: Codes) -> str | None:
        road: Flags = self._road[codes]
        if (road[0] & road[-1]).mean() < _ALONG:
            return None
        return self._commonest(codes[road])

    def _path_crosses(self, codes: Codes) -> bool:
        touched: Flags = np.any(self._path[codes], axis=0)
        low, high = (int(share * _SAMPLES) for share in _PATH_SPAN)
        return bool(touched[low:high].sum() >= _PATH_TOUCH and touched.mean() < _ALONG)

    def _commonest(self, codes: Codes) -> str:
        return self._table[int(np.bincount(codes).argmax())].name


def _lines(grid: Grid) -> npt.NDArray[np.float64]:
    """Return the sampled points from the hex's centre, ``[direction, line, sample, xy]``."""
    corners = np.array(grid.corners)
    ends = np.roll(corners, -1, axis=0)
    along = ((np.arange(_SAMPLES) + 0.5) / _SAMPLES)[None, None, :, None]
    inward = -(corners + ends)
    inward /= np.hypot(inward[:, 0], inward[:, 1])[:, None]
    start, step = corners[:, None, None, :], (ends - corners)[:, None, None, :]
    offset = np.array(_OFFSETS)[None, :, None, None]
    points: npt.NDArray[np.float64] = start + step * along + inward[:, None, None, :] * offset
    return points


def _lookup(codes: frozenset[int]) -> Flags:
    table = np.zeros(256, np.bool_)
    table[list(codes)] = True
    return table


def _mirror(values: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int64]:
    values = np.abs(values)
    mirrored: npt.NDArray[np.int64] = np.minimum(values, 2 * (size - 1) - values)
    return mirrored.clip(0, size - 1)


def _runs(flags: Flags) -> list[tuple[int, int]]:
    """Return the unbroken runs of True as ``(start, end)``, longest first."""
    if not flags.any():
        return []
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.view(np.int8), [0]))))
    runs = [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    return sorted(runs, key=lambda run: (run[0] - run[1], run[0]))
