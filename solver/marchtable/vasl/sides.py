"""
The features along and across each hexside, measured along its whole length.

VASL looks at one pixel, the middle of the hexside. So it misses roads that cross off centre, and
takes roads along a hexside for roads across it. Here each hexside is sampled along its whole length
on five lines, from two pixels within the hex to two pixels beyond, and for its roads on more lines
that reach deep into both hexes (see :mod:`~marchtable.vasl.roads`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from marchtable.board.board import Hexside
from marchtable.vasl.roads import LINES, REACH, SAMPLES, runs, stretches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.vasl.geometry import Grid
    from marchtable.vasl.losdata import LosData
    from marchtable.vasl.roads import Stretch
    from marchtable.vasl.terrain import TerrainTable

__all__ = ["SideReader", "middle"]

_OFFSETS = (-2, -1, 0, 1, 2)  # pixels into the hex
_NEAR = len(_OFFSETS)
_BATCH = 128  # hexes sampled at a time, to limit memory
# Paths are dashes a few pixels wide that may end at the hexside: a touch is enough.
_PATH_TOUCH = 2
_PATH_SPAN = (0.15, 0.85)
_PATH_ALONG = 0.80
# Terrain along a hexside whose middle is a gap.
_HALF = 0.5

Codes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]


def middle(grid: Grid, direction: int) -> tuple[float, float]:
    """Return the middle of a hexside, relative to the hex's centre, in pixels."""
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
        The meaning of their codes.
    """

    def __init__(self, los: LosData, grid: Grid, table: TerrainTable) -> None:
        self._los = los
        self._grid = grid
        self._table = table
        reach = REACH * grid.hex_height
        self._lines = _lines(grid, (*_OFFSETS, *np.linspace(-reach, reach, LINES)))
        self._step = 2 * reach / (LINES - 1) / (grid.hex_width * 2 / 3)
        # A bridge's deck counts as its road.
        self._road = _lookup(table.codes(lambda kind: kind.is_road or kind.is_bridge))
        self._deck = _lookup(table.codes(lambda kind: kind.is_bridge))
        self._over = _lookup(table.codes(lambda kind: kind.is_over_roads))
        self._low = _lookup(table.codes(lambda kind: kind.is_depression or kind.is_bridge))
        self._path = _lookup(table.codes(lambda kind: kind.is_path))
        self._along = _lookup(table.codes(lambda kind: kind.is_along_hexsides))

    def samples(self) -> Iterator[Codes]:
        """
        Yield the codes along each hex's hexsides, ``[direction, line, sample]``.

        The five lines beside the hexside come first, then those for following roads.
        """
        grid, terrain = self._grid, self._los.terrain
        across, down = (np.ascontiguousarray(part) for part in np.moveaxis(self._lines, -1, 0))
        for start in range(0, len(grid.hexes), _BATCH):
            some = grid.hexes[start : start + _BATCH]
            # Half-hexes are mirrored at the edge of the picture.
            x = _mirror(across, [one.x for one in some], grid.width)
            y = _mirror(down, [one.y for one in some], grid.height)
            yield from terrain.ravel()[x * terrain.shape[1] + y]

    def read(self, codes: Codes, roads: Sequence[Stretch]) -> Hexside:
        """
        Return one hexside.

        Parameters
        ----------
        codes
            Its samples, ``[line, sample]``.
        roads
            The stretches of road on it.
        """
        near = codes[:_NEAR]
        terrain = self._terrain(near)
        crossing = next((one for one in roads if one.crosses), None)
        along = next((one for one in roads if one.is_along), None)
        return Hexside(
            terrain=terrain,
            road=self.road_on(codes, crossing) if crossing else None,
            path=self._path_crosses(near),
            gap=self._gap(near) if terrain else 0,
            along=self.road_on(codes, along) if along and not crossing else None,
            ridge=not self._low[near].any(),
        )

    def stretches(self, codes: Codes) -> list[Stretch]:
        """Return the stretches of road on a hexside, the longest first."""
        deep = codes[_NEAR:]
        return list(stretches(self._road[deep], self._over[deep], self._step))

    def road_on(self, codes: Codes, stretch: Stretch) -> str:
        """Return the road of a stretch: the commonest, and a bridge's deck only if it is alone."""
        at = slice(round(stretch.start * SAMPLES), round(stretch.end * SAMPLES))
        seen = codes[:_NEAR, at]
        seen = seen[self._road[seen]]
        paved = seen[~self._deck[seen]]
        return self._commonest(paved if len(paved) else seen)

    def _terrain(self, codes: Codes) -> str | None:
        found: Flags = self._along[codes]
        if not found.any():
            return None
        # The middle pixel just within either hex, or else half the hexside.
        for line in (3, 1):
            if found[line, SAMPLES // 2]:
                return self._table[int(codes[line, SAMPLES // 2])].name
        if found.any(axis=0).mean() < _HALF:
            return None
        return self._commonest(codes[found])

    def _gap(self, codes: Codes) -> int:
        """Return the widest break between two stretches, in percent of the hexside."""
        clear: Flags = np.logical_not(np.any(self._along[codes], axis=0))
        inner = [(start, end) for start, end in runs(clear) if start > 0 and end < SAMPLES]
        return round(100 * (inner[0][1] - inner[0][0]) / SAMPLES) if inner else 0

    def _path_crosses(self, codes: Codes) -> bool:
        touched: Flags = np.any(self._path[codes], axis=0)
        low, high = (int(share * SAMPLES) for share in _PATH_SPAN)
        return bool(touched[low:high].sum() >= _PATH_TOUCH and touched.mean() < _PATH_ALONG)

    def _commonest(self, codes: Codes) -> str:
        return self._table[int(np.bincount(codes).argmax())].name


def _lines(grid: Grid, offsets: Sequence[float]) -> npt.NDArray[np.float64]:
    """Return the sampled points relative to the hex's centre, ``[direction, line, sample, xy]``."""
    corners = np.array(grid.corners)
    ends = np.roll(corners, -1, axis=0)
    along = ((np.arange(SAMPLES) + 0.5) / SAMPLES)[None, None, :, None]
    inward = -(corners + ends)
    inward /= np.hypot(inward[:, 0], inward[:, 1])[:, None]
    start, step = corners[:, None, None, :], (ends - corners)[:, None, None, :]
    offset = np.array(offsets)[None, :, None, None]
    points: npt.NDArray[np.float64] = start + step * along + inward[:, None, None, :] * offset
    return points


def _lookup(codes: frozenset[int]) -> Flags:
    table = np.zeros(256, np.bool_)
    table[list(codes)] = True
    return table


def _mirror(
    offsets: npt.NDArray[np.float64], centres: Sequence[float], size: int
) -> npt.NDArray[np.int32]:
    """Return the pixels at offsets from each centre, along one axis."""
    points = offsets + np.array(centres)[:, None, None, None]
    values = np.abs(np.rint(points).astype(np.int32))  # a quarter of the time of int64 pairs
    mirrored: npt.NDArray[np.int32] = np.minimum(values, 2 * (size - 1) - values)
    return mirrored.clip(0, size - 1)
