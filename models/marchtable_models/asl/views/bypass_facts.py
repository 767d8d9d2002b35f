"""Facts of Bypass: room beside an obstacle, hexsides used, units ending in Bypass."""

from __future__ import annotations

from typing import Literal

import msgspec


class Skirt(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """
    Room to bypass the obstacle of a hex entered by a certain hexside.

    Parameters
    ----------
    row
        Chart row of the terrain beside the obstacle, ``""`` without woods or building.
    stated
        Whether the board states the obstacle's clearance.
    foot, vehicle
        Hexsides with enough room, of those that matter for that hexside of entry.
    streets
        Those of them that are Narrow Streets.
    """

    row: str = ""
    stated: bool = True
    foot: tuple[int, ...] = ()
    vehicle: tuple[int, ...] = ()
    streets: tuple[int, ...] = ()


class Passing(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """
    The Bypass by which a unit is about to enter a hex, or continue in one.

    Parameters
    ----------
    obstacle, stated
        Whether there are woods or a building, and whether the board states their clearance.
    hexsides
        Number of hexsides gone along, 0 if no clear way leads there.
    in_line
        Whether a vehicle's VCA points along a hexside of that hex.
    taken
        Whether another vehicle or wreck is in Bypass along that hexside.
    roadblock
        Whether a roadblock lies ``on`` that hexside, reaches the vertex it starts at (``past``) or
        the one it ends at (``near``); on foot, at a vertex passed.
    street
        Whether the shortest way uses a Narrow Street.
    wooded
        Whether the obstacle is a building among woods.
    wire
        Whether every clear way uses a hexside with Wire beyond it.
    goes_on
        Whether a vehicle goes along another hexside of a hex it already bypasses.
    """

    obstacle: bool
    stated: bool
    hexsides: int
    in_line: bool = True
    taken: bool = False
    roadblock: Literal["", "on", "past", "near"] = ""
    street: bool = False
    wire: bool = False
    wooded: bool = False
    goes_on: bool = False


class Detached(msgspec.Struct, frozen=True, gc=False):
    """
    A unit about to continue in Bypass, or to enter what it bypasses, but not in Bypass.

    ``waits``: it waits off the map and would enter by bypassing an obstacle. ``drives``: it is a
    vehicle that is in Bypass. ``goes_on``: it is in Bypass on foot, and would continue around the
    same obstacle.
    """

    waits: bool = False
    drives: bool = False
    goes_on: bool = False
