"""The distance of buildings and woods from each hexside of their hex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from marchtable.vasl.geometry import Grid, GridHex

__all__ = ["ClearanceReader"]

# Pixels are squares around their centres; the line printed along a hexside is a pixel wide.
_TOUCHING = 1.0

Distances = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


class ClearanceReader:
    """
    Measures the clear strip along hexsides.

    Parameters
    ----------
    grid
        The hexes.
    """

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        # Hexes have few different subpixel offsets: distances are computed once for each.
        self._held: dict[tuple[float, float, int, int], Distances] = {}

    def read(self, place: GridHex, window: tuple[slice, slice], obstacle: Mask) -> tuple[int, ...]:
        """
        Return the clear width along hexsides 0 to 5, in percent of the hex's height.

        Parameters
        ----------
        place
            The hex.
        window
            The pixels to examine.
        obstacle
            Which of them are in the hex and belong to an obstacle.

        Returns
        -------
        tuple of int
            Rounded down, 0 where the obstacle touches; empty if the hex has none.
        """
        if not obstacle.any():
            return ()
        distances = self._distances(place, window)[:, obstacle].min(axis=1)
        clear = np.maximum(distances - _TOUCHING, 0) / self._grid.hex_height
        return tuple(int(width) for width in np.floor(100 * clear))

    def _distances(self, place: GridHex, window: tuple[slice, slice]) -> Distances:
        """Return the distance of each window pixel from each hexside, ``[direction, x, y]``."""
        left, top = window[0].start - place.x, window[1].start - place.y
        wide, high = (side.stop - side.start for side in window)
        key = (round(left, 3), round(top, 3), wide, high)
        if key not in self._held:
            self._held[key] = self._measured(left, top, wide, high)
        return self._held[key]

    def _measured(self, left: float, top: float, wide: int, high: int) -> Distances:
        across = (np.arange(wide) + 0.5 + left)[:, None]
        down = (np.arange(high) + 0.5 + top)[None, :]
        found = np.empty((6, wide, high), np.float32)
        corners = self._grid.corners
        for way in range(6):
            (ax, ay), (bx, by) = corners[way], corners[(way + 1) % 6]
            along = (across - ax) * (bx - ax) + (down - ay) * (by - ay)
            part = np.clip(along / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1)
            found[way] = np.hypot(across - ax - part * (bx - ax), down - ay - part * (by - ay))
        return found
