"""
Bridges: Locations of their own above the ground, reached by the roads that cross its hexsides.

A hex ``K5`` with a bridge has the Locations ``K5`` and ``K5:bridge``. A road that crosses a
hexside of the hex leads onto the bridge; everything else on the hexside belongs to the ground.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.board.board import EdgeRecord, Hexside, Location

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

__all__ = ["BRIDGE", "connect", "on_levels"]

BRIDGE = ":bridge"
# A road in a depression passes below a bridge.
_ROADS_BELOW = frozenset({"Sunken Road"})


def _levels(hexside: Hexside) -> tuple[Hexside, Hexside | None]:
    """Split a hexside of a hex with a bridge into the ground's and, if it has one, the bridge's."""
    if hexside.road is None or hexside.road in _ROADS_BELOW:
        return hexside, None
    ground = msgspec.structs.replace(hexside, road=None)
    return ground, msgspec.structs.replace(hexside, path=False)


def connect(a: str, b: str, hexside: Hexside, bridges: Collection[str]) -> list[EdgeRecord]:
    """
    Return the edges between two adjacent hexes.

    Parameters
    ----------
    a, b
        The hexes.
    hexside
        Everything between them.
    bridges
        The hexes with a bridge. A road that crosses into one leads to the bridge, and the ground
        below has none there.
    """
    ground, deck = _levels(hexside)
    if deck is None or not (a in bridges or b in bridges):
        return [EdgeRecord(a, b, hexside)]
    high_a, high_b = (name + BRIDGE if name in bridges else name for name in (a, b))
    return [EdgeRecord(a, b, ground), EdgeRecord(high_a, high_b, deck)]


def on_levels(
    ground: Location, rim: Mapping[int, Hexside], bridge: Location | None
) -> list[Location]:
    """
    Return the Locations of a hex with the hexsides that lead off the map.

    Parameters
    ----------
    ground, bridge
        The hex and the bridge above it, if any.
    rim
        Everything on the hexsides that lead off the map, by direction.
    """
    if bridge is None:
        return [msgspec.structs.replace(ground, rim=tuple(sorted(rim.items())))]
    split = {way: _levels(hexside) for way, hexside in sorted(rim.items())}
    below = tuple((way, low) for way, (low, _) in split.items())
    above = tuple((way, deck) for way, (_, deck) in split.items() if deck is not None)
    return [
        msgspec.structs.replace(ground, rim=below),
        msgspec.structs.replace(bridge, rim=above),
    ]
