"""
The content of each hex, read from its pixels.

VASL looks at the pixel at the centre. So does this reader, but it also considers what is around it:

* **A bridge is where a hex shows both bridge and low terrain**, whatever is at its centre. That is
  mostly road, because only the parapets are printed as bridge. The commonest low terrain is below.
  On bd12's and bd23's bridges at least 15 % of the hex is bridge and at least 20 % low; in hexes
  into which a bridge spills, 0.03 %. A bridge over lower ground spans any low terrain on that
  ground, even a trace.
* **A depression is where one comes near the centre**: woods and brush on its banks may cover the
  centre. Marsh is different: a hex is marsh if its centre is, even if a stream flows beside it
  (B16.1, B20.1).
* **Terrain printed as specks** (shellholes, runways, scrub, hammada, broken ground) also counts
  beside a centre of open ground, unless it is a mere trace: on the boards examined it covers at
  least 10 % of the hex, and never spills into the next.
* **A building anywhere in a hex** makes it a building hex (B.1), except for a trace of one: on the
  boards examined it covers at least 9 % of such hexes, and 1 % of those into which one spills. If
  one touches a hexside, where VASL looks, 2 % are enough.
* **Grain is printed as dots** with open ground between them: the majority of a few pixels counts.
* **Terrain that dominates a hex** counts even if it leaves the centre free (B.1): in board 2's M4,
  which the rules call woods, woods cover 41 %.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from marchtable.vasl.clearance import ClearanceReader
from marchtable.vasl.sides import middle

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.vasl.geometry import Grid, GridHex
    from marchtable.vasl.losdata import LosData
    from marchtable.vasl.terrain import TerrainTable, TerrainType

__all__ = ["Bridge", "HexReader", "HexReading"]

# Terrain of the next hex may spill a few pixels over the hexside: a smaller share of the hex than
# this is ignored.
_LEAST = 0.02
_TRACE = 0.01
_LEAST_OFF_CENTRE = 0.05
_NEAR = 1 / 8  # of a hex's height
_DOT = 1 / 15
_DOMINANT = 0.4
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
    The reading of one hex.

    Parameters
    ----------
    terrain
        VASL name of the ground's terrain.
    level
        Level of the ground.
    depression
        Name of the depression it is in, or None.
    also
        Other terrain as ``(name, percent)``, largest first.
    bridge
        The bridge above the ground, or None.
    clear
        Clear width along each hexside (see :class:`~marchtable.board.board.Location`).
    """

    terrain: str
    level: int
    depression: str | None
    also: tuple[tuple[str, int], ...]
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
        The meaning of their codes.
    """

    def __init__(self, los: LosData, grid: Grid, table: TerrainTable) -> None:
        self._los = los
        self._grid = grid
        self._table = table
        self._middles = [middle(grid, direction) for direction in range(6)]
        self._inherent = self._flags(lambda kind: kind.inherent)
        self._obstacle = self._flags(lambda kind: kind.is_obstacle)
        self._building = self._flags(lambda kind: kind.is_building)
        self._bridge = self._flags(lambda kind: kind.is_bridge)
        self._deck = self._flags(lambda kind: kind.is_bridge or kind.is_road)
        self._depression = self._flags(lambda kind: kind.is_depression)
        self._low = self._flags(lambda kind: kind.is_depression or kind.is_water)
        self._cover = self._flags(lambda kind: kind.is_ground_cover)
        self._marsh = self._flags(lambda kind: kind.is_marshy)
        self._scattered = self._flags(lambda kind: kind.is_scattered)
        self._clearance = ClearanceReader(grid)

    def _flags(self, wanted: Callable[[TerrainType], bool]) -> Mask:
        """Return by code which types satisfy `wanted`."""
        flags = np.zeros(256, np.bool_)
        flags[list(self._table.codes(wanted))] = True
        return flags

    def read(self, place: GridHex) -> HexReading:
        """Return the content of one hex."""
        window = self._window(place)
        inside = self._inside(place, window)
        seen = self._seen(place, window, inside)
        at = self._on_picture(place.x, place.y)
        centre, level = self._table[int(self._los.terrain[at])], int(self._los.elevation[at])
        under = self._under_bridge(seen, centre)
        low: TerrainType | None
        inherent: TerrainType | None
        if under is not None:
            (terrain, level), inherent = under, None
            low = terrain
        else:
            low, level = self._low_at(seen, centre, level)
            inherent = self._inherent_terrain(seen)
            terrain = inherent or self._terrain(place, seen, low or centre, centre)
        clear = self._clearance.read(
            place, window, inside & self._obstacle[self._los.terrain[window]]
        )
        return HexReading(
            terrain=terrain.name,
            level=level,
            depression=low.name if low and low.is_depression else None,
            also=self._also(seen, terrain, bridged=under is not None),
            bridge=self._bridge_over(seen, *under) if under else None,
            # Inherent terrain fills the hex, whatever its pixels show.
            clear=_FILLED if inherent and inherent.is_obstacle else clear,
        )

    def _on_picture(self, x: float, y: float) -> tuple[int, int]:
        return (
            min(max(int(x), 0), self._grid.width - 1),
            min(max(int(y), 0), self._grid.height - 1),
        )

    def _window(self, place: GridHex) -> tuple[slice, slice]:
        """Return the bounding rectangle of a hex, in pixels."""
        side, half = self._grid.hex_width * 2 / 3, self._grid.hex_height / 2
        left, top = self._on_picture(place.x - side, place.y - half)
        right, bottom = self._on_picture(place.x + side, place.y + half)
        return slice(left, right + 1), slice(top, bottom + 1)

    def _inside(self, place: GridHex, window: tuple[slice, slice]) -> Mask:
        """Return which pixels of the rectangle are in the hex."""
        side, high = self._grid.hex_width * 2 / 3, self._grid.hex_height
        across = np.abs(np.arange(window[0].start, window[0].stop) - place.x)[:, None]
        down = np.abs(np.arange(window[1].start, window[1].stop) - place.y)[None, :]
        inside: Mask = (down <= high / 2) & (across + down * (side / high) <= side)
        return inside

    def _seen(self, place: GridHex, window: tuple[slice, slice], inside: Mask) -> _Pixels:
        xs, ys = np.nonzero(inside)
        return _Pixels(
            self._los.terrain[window][inside],
            self._los.elevation[window][inside],
            xs + window[0].start - place.x,
            ys + window[1].start - place.y,
        )

    # -- bridges ---------------------------------------------------------------------------

    def _under_bridge(self, seen: _Pixels, centre: TerrainType) -> tuple[TerrainType, int] | None:
        """Return the terrain below a bridge and its level, or None without a bridge."""
        bridge = self._bridge[seen.codes]
        if bridge.mean() < _LEAST:
            return None
        ground = ~self._deck[seen.codes]
        lower = ground & (seen.levels < seen.level(bridge))
        low = self._low[seen.codes]
        marsh = self._marsh[seen.codes]
        for found in (low, marsh, lower, ground & centre.is_bridge):
            if found.mean() >= _LEAST_OFF_CENTRE:
                if found is lower and low.mean() >= _TRACE:
                    return self._table[seen.usual(low)], seen.level(lower)
                code = seen.usual(found)
                return self._table[code], seen.level(found & (seen.codes == code))
        return None

    def _bridge_over(self, seen: _Pixels, under: TerrainType, level: int) -> Bridge:
        bridge = self._bridge[seen.codes]
        deck = seen.level(bridge)
        if under.is_depression:
            deck = max(deck, level + 1)
        return Bridge(self._table[seen.usual(bridge)].name, deck)

    # -- the ground ------------------------------------------------------------------------

    def _low_at(
        self, seen: _Pixels, centre: TerrainType, level: int
    ) -> tuple[TerrainType | None, int]:
        """Return the depression near the centre with its level, or None and the centre's level."""
        if centre.is_depression:
            return centre, level
        low = self._depression[seen.codes]
        if low.mean() < _LEAST_OFF_CENTRE or centre.is_water or centre.is_marsh:
            return None, level
        near = low & (np.hypot(seen.across, seen.down) <= _NEAR * self._grid.hex_height)
        if not near.any():
            return None, level
        # A road, a building or a footbridge may be on firm ground beside it.
        below = seen.level(near)
        firm = centre.is_road or centre.is_building or centre.name.endswith("Bridge")
        if firm and below != level:
            return None, level
        return self._table[seen.usual(near)], below

    def _inherent_terrain(self, seen: _Pixels) -> TerrainType | None:
        """Return inherent terrain with a pixel nearer to the centre than to any hexside."""
        here = np.flatnonzero(self._inherent[seen.codes])
        across, down = seen.across[here], seen.down[here]
        nearest = np.ones(len(here), np.bool_)
        for x, y in self._middles:
            nearest &= across**2 + down**2 <= (across - x) ** 2 + (down - y) ** 2
        return self._table[int(seen.codes[here[nearest][0]])] if nearest.any() else None

    def _terrain(
        self, place: GridHex, seen: _Pixels, ground: TerrainType, centre: TerrainType
    ) -> TerrainType:
        """Return the terrain of a hex's ground: that of its centre, or what replaces it."""
        building = self._building[seen.codes]
        if building.mean() >= _LEAST:
            found = centre if centre.is_building else self._touching_building(place)
            if found is None and building.mean() >= _LEAST_OFF_CENTRE:
                found = self._table[seen.usual(building)]
            if found is not None:
                return self._table.within(found)
        elif centre.is_building:
            return self._table[seen.usual(~building)]
        if not centre.is_open or ground is not centre:
            return ground if centre.is_open else centre
        scattered = self._scattered[seen.codes]
        if scattered.mean() >= _LEAST_OFF_CENTRE:
            return self._table[seen.usual(scattered)]
        return self._covering(seen) or self._dominant(seen) or centre

    def _touching_building(self, place: GridHex) -> TerrainType | None:
        """Return the building that touches the middle of a hexside, or None."""
        for x, y in self._middles:
            # One pixel towards the centre, where VASL looks.
            reach = 1 - 1 / float(np.hypot(x, y))
            at = int(place.x + x * reach), int(place.y + y * reach)
            if at != self._on_picture(*at):
                continue
            kind = self._table[int(self._los.terrain[at])]
            if kind.is_building:
                return kind
        return None

    def _covering(self, seen: _Pixels) -> TerrainType | None:
        """Return the terrain printed as dots around the centre (perhaps open ground), or None."""
        near = np.hypot(seen.across, seen.down) <= _DOT * self._grid.hex_height
        found = self._table[seen.usual(near)] if near.any() else None
        dotted = found is not None and self._cover[found.code] and not found.is_obstacle
        return found if dotted else None

    def _dominant(self, seen: _Pixels) -> TerrainType | None:
        """Return terrain that dominates a hex, whatever its centre is, or None."""
        cover = self._cover[seen.codes]
        code = seen.usual(cover) if cover.any() else 0
        least = _DOMINANT * self._grid.hex_width * self._grid.hex_height  # of a whole hex
        return self._table[code] if code and np.sum(seen.codes == code) >= least else None

    def _also(
        self, seen: _Pixels, terrain: TerrainType, *, bridged: bool
    ) -> tuple[tuple[str, int], ...]:
        """Return the other terrain; a bridge and its road are not part of the ground below."""
        total = max(1, len(seen.codes))
        counts = np.bincount(seen.codes, minlength=256)
        counts[terrain.code] = 0
        if bridged:
            counts[self._deck] = 0
        shares = [
            (self._table[int(code)].name, round(100 * int(counts[code]) / total))
            for code in np.flatnonzero(counts)
        ]
        shares = [(name, percent) for name, percent in shares if percent]
        return tuple(sorted(shares, key=lambda share: (-share[1], share[0])))


class _Pixels(NamedTuple):
    """The pixels of a hex: terrain code, level, and offset from its centre in pixels."""

    codes: Bytes
    levels: Levels
    across: npt.NDArray[np.float64]
    down: npt.NDArray[np.float64]

    def usual(self, which: Mask) -> int:
        """Return the commonest code of some pixels."""
        return int(np.bincount(self.codes[which]).argmax())

    def level(self, which: Mask) -> int:
        """Return the commonest level of some pixels."""
        values, times = np.unique(self.levels[which], return_counts=True)
        return int(values[times.argmax()])
