"""The parts of a board: Locations, and the hexsides between them, as facts of the map."""

from __future__ import annotations

import msgspec

__all__ = ["EdgeRecord", "Hexside", "Location"]


class Hexside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    The features along and across one hexside.

    Parameters
    ----------
    terrain
        Name of the terrain along it (``"Wall"``, ``"Hedge"``, ``"Cliff"`` …), or None.
    road
        Name of the road that *crosses* it (``"Paved Road"``, ``"Dirt Road"`` …), or None. A road
        that merely runs along a hexside does not count.
    path
        Whether a path crosses it.
    slope
        Whether it is a Slope hexside.
    gap
        The widest break in the terrain along it, in percent of its length; a wall that merely ends
        short of a corner has none.
    along
        Name of the road that runs *along* it, half in either hex, or None.
    ridge
        Whether higher ground runs along it between two depressions, neither of which crosses it.
    """

    terrain: str | None = None
    road: str | None = None
    path: bool = False
    slope: bool = False
    gap: int = 0
    along: str | None = None
    ridge: bool = False

    def merged(self, other: Hexside) -> Hexside:
        """Return the union of two readings of one hexside (``self`` wins conflicts)."""
        return Hexside(
            terrain=self.terrain or other.terrain,
            road=self.road or other.road,
            path=self.path or other.path,
            slope=self.slope or other.slope,
            gap=self._merged_gap(other),
            along=self.along or other.along,
            ridge=self.ridge or other.ridge,
        )

    def _merged_gap(self, other: Hexside) -> int:
        if self.terrain and other.terrain:
            return min(self.gap, other.gap)
        return self.gap if self.terrain else other.gap


PLAIN = Hexside()


class Location(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    One place a unit can be: a hex, or a bridge above one.

    Parameters
    ----------
    name
        ``"K5"``, with its board's name as prefix on a joined map (``"5K5"``); Locations other than
        the hex's ground have a suffix: ``"K5:bridge"``.
    hex
        The hex it belongs to (its name without suffix).
    u, v
        Doubled coordinates (see the module).
    level
        Elevation in full levels; a depression's is one less than its surroundings'.
    terrain
        Terrain at the centre, by its VASL name.
    also
        Other terrain in the hex as ``(name, percent of its area)``, largest first.
    depression
        Name of the depression it is in (``"Gully"`` …), or None.
    stairway
        Whether a building stairway is printed here.
    rim
        Hexsides that lead off the map, as ``(direction, hexside)``.
    clear
        Distance from each hexside, 0 to 5, to the nearest building or woods of the hex, in percent
        of a hex's height; 0 where it touches. Empty if there is none, or none is known.
    """

    name: str
    hex: str
    u: int
    v: int
    level: int = 0
    terrain: str = "Open Ground"
    also: tuple[tuple[str, int], ...] = ()
    depression: str | None = None
    stairway: bool = False
    rim: tuple[tuple[int, Hexside], ...] = ()
    clear: tuple[int, ...] = ()


class EdgeRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two adjacent Locations and the hexside between them, as a board file lists them."""

    a: str
    b: str
    hexside: Hexside = PLAIN
