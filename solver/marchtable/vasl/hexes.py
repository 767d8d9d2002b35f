"""What lies within each hex, read from its pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np
import numpy.typing as npt

from marchtable.vasl.clearance import ClearanceReader
from marchtable.vasl.sides import middle

if TYPE_CHECKING:
    from marchtable.vasl.geometry import Grid, GridHex
    from marchtable.vasl.losdata import LosData
    from marchtable.vasl.terrain import TerrainTable, TerrainType

__all__ = ["Bridge", "HexReader", "HexReading"]

# A bridge in the next hex may spill some pixels over the hexside: less of the hex than this is
# no bridge of its own.
_LEAST_BRIDGE = 0.02
_FILLED = (0,) * 6

Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Levels = npt.NDArray[np.int8]


class Bridge(msgspec.Struct, frozen=True):
    """A bridge in a hex: its VASL name and the level of its road."""

    name: str
    level: int


class HexReading(msgspec.Struct, frozen=True):
    """
    What was read of one hex.

    Parameters
    ----------
    terrain
        VASL name of the ground's terrain.
    level
        Level of the ground.
    depression
        Name of the depression at its centre, or None.
    also
        Other terrain as ``(name, percent)``, largest first.
    centre
        Terrain code of the pixel at the centre.
    bridge
        The bridge above the ground, or None.
    clear
        Clear width along each hexside (see :class:`~marchtable.board.Location`).
    """

    terrain: str
    level: int
    depression: str | None
    also: tuple[tuple[str, int], ...]
    centre: int
    bridge: Bridge | None
    clear: tuple[int, ...]


class HexReader:
    """
    Reads hexes from pixels.

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
        self._middles = [middle(grid, direction) for direction in range(6)]
        self._inherent = np.array(sorted(table.codes(lambda kind: kind.inherent)), np.uint8)
        self._obstacle = np.zeros(256, np.bool_)
        self._obstacle[list(table.codes(lambda kind: kind.is_obstacle))] = True
        self._clearance = ClearanceReader(grid)

    def read(self, place: GridHex) -> HexReading:
        """Return what lies in one hex."""
        window = self._window(place)
        codes, levels = self._los.terrain[window], self._los.elevation[window]
        inside = self._inside(place, window)
        x, y = self._on_picture(place.x, place.y)
        centre = int(self._los.terrain[x, y])
        ground, level = self._table[centre], int(self._los.elevation[x, y])
        counts = np.bincount(codes[inside], minlength=256)
        bridge = self._bridge(codes, levels, inside, counts, ground)
        if bridge is not None and ground.is_bridge:
            ground = self._under(counts)
            level = _usual(levels[inside & (codes == ground.code)])
        inherent = self._inherent_terrain(place, window, codes)
        terrain = inherent or self._table.within(self._building(place, ground))
        clear = self._clearance.read(place, window, inside & self._obstacle[codes])
        return HexReading(
            terrain=terrain.name,
            level=level,
            depression=ground.name if ground.is_depression else None,
            also=self._also(counts, terrain),
            centre=centre,
            bridge=bridge,
            # Inherent terrain fills the hex, whatever its pixels show.
            clear=_FILLED if inherent and inherent.is_obstacle else clear,
        )

    def _on_picture(self, x: float, y: float) -> tuple[int, int]:
        return (
            min(max(int(x), 0), self._grid.width - 1),
            min(max(int(y), 0), self._grid.height - 1),
        )

    def _window(self, place: GridHex) -> tuple[slice, slice]:
        """Return the pixels of the rectangle around a hex."""
        side, half = self._grid.hex_width * 2 / 3, self._grid.hex_height / 2
        left, top = self._on_picture(place.x - side, place.y - half)
        right, bottom = self._on_picture(place.x + side, place.y + half)
        return slice(left, right + 1), slice(top, bottom + 1)

    def _inside(self, place: GridHex, window: tuple[slice, slice]) -> Mask:
        """Return which pixels of the rectangle lie in the hex."""
        side, high = self._grid.hex_width * 2 / 3, self._grid.hex_height
        across = np.abs(np.arange(window[0].start, window[0].stop) - place.x)[:, None]
        down = np.abs(np.arange(window[1].start, window[1].stop) - place.y)[None, :]
        inside: Mask = (down <= high / 2) & (across + down * (side / high) <= side)
        return inside

    def _inherent_terrain(
        self, place: GridHex, window: tuple[slice, slice], codes: Bytes
    ) -> TerrainType | None:
        """Return inherent terrain with a pixel nearer to the centre than to any hexside."""
        xs, ys = np.nonzero(np.isin(codes, self._inherent))
        if not len(xs):
            return None
        across, down = xs + window[0].start - place.x, ys + window[1].start - place.y
        to_centre = across**2 + down**2
        nearest = np.ones(len(xs), np.bool_)
        for x, y in self._middles:
            nearest &= to_centre <= (across - x) ** 2 + (down - y) ** 2
        if not nearest.any():
            return None
        first = int(nearest.argmax())
        return self._table[int(codes[xs[first], ys[first]])]

    def _building(self, place: GridHex, ground: TerrainType) -> TerrainType:
        """Return the building that touches a hexside's middle, or else the ground."""
        if ground.is_building:
            return ground
        for x, y in self._middles:
            # One pixel towards the centre, as VASL looks.
            reach = 1 - 1 / float(np.hypot(x, y))
            at = int(place.x + x * reach), int(place.y + y * reach)
            if at != self._on_picture(*at):
                continue
            kind = self._table[int(self._los.terrain[at])]
            if kind.is_building:
                return kind
        return ground

    def _bridge(
        self,
        codes: Bytes,
        levels: Levels,
        inside: Mask,
        counts: npt.NDArray[np.intp],
        ground: TerrainType,
    ) -> Bridge | None:
        if not (ground.is_bridge or ground.is_depression or ground.is_water):
            return None
        shares = {code: int(counts[code]) for code in self._table.codes(lambda k: k.is_bridge)}
        if sum(shares.values()) < max(1, _LEAST_BRIDGE * int(counts.sum())):
            return None
        code = max(shares, key=lambda one: (shares[one], -one))
        deck = _usual(levels[inside & (codes == code)])
        under = self._under(counts) if ground.is_bridge else ground
        below = levels[inside & (codes == under.code)]
        if under.is_depression and len(below):
            deck = max(deck, _usual(below) + 1)
        return Bridge(self._table[code].name, deck)

    def _under(self, counts: npt.NDArray[np.intp]) -> TerrainType:
        """Return what a bridge spans: a depression, else water, else the commonest terrain."""
        kinds = [self._table[int(code)] for code in np.flatnonzero(counts)]
        kinds = [kind for kind in kinds if not kind.is_bridge]
        if not kinds:
            return self._table[0]
        return max(
            kinds,
            key=lambda one: (one.is_depression, one.is_water, not one.is_road, counts[one.code]),
        )

    def _also(
        self, counts: npt.NDArray[np.intp], terrain: TerrainType
    ) -> tuple[tuple[str, int], ...]:
        total = max(1, int(counts.sum()))
        shares = [
            (self._table[int(code)].name, round(100 * int(counts[code]) / total))
            for code in np.flatnonzero(counts)
            if int(code) != terrain.code
        ]
        shares = [(name, percent) for name, percent in shares if percent]
        return tuple(sorted(shares, key=lambda share: (-share[1], share[0])))


def _usual(levels: Levels) -> int:
    """Return the commonest level, 0 where there is none."""
    if not len(levels):
        return 0
    values, times = np.unique(levels, return_counts=True)
    return int(values[times.argmax()])
