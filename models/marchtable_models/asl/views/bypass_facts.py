"""Facts of Bypass: room beside an obstacle, hexsides used, units ending in Bypass."""

from __future__ import annotations

from typing import Literal

import msgspec


class Skirt(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """Room to go round the obstacle of a hex, coming by a certain hexside."""

    # chart row of the terrain beside the obstacle, ``""`` where there is no woods or building
    row: str = ""
    stated: bool = True  # whether the board states how near the obstacle stands
    # foot, vehicle: hexsides with room enough, of those that matter to a unit that comes by that
    # hexside
    foot: tuple[int, ...] = ()
    vehicle: tuple[int, ...] = ()
    streets: tuple[int, ...] = ()  # those of them that are Narrow Streets


class Passing(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """The Bypass by which a unit is about to enter a hex, or goes on in one."""

    # obstacle, stated: whether there is woods or a building, and whether the board states how near
    # it stands
    obstacle: bool
    stated: bool
    hexsides: int  # how many hexsides are gone along, 0 where no clear way leads there
    in_line: bool = True  # whether a vehicle's VCA points along a hexside of that hex
    taken: bool = False  # whether another vehicle or wreck is in Bypass along that hexside
    # whether a roadblock lies ``on`` that hexside, ``past``: reaches to the vertex from which it
    # goes, or ``near``: to that which it goes to; on foot, at a vertex gone round
    roadblock: Literal["", "on", "past", "near"] = ""
    street: bool = False  # whether the shortest way leads along a Narrow Street
    wire: bool = False  # whether every clear way leads along a hexside with Wire beyond it
    wooded: bool = False  # whether the obstacle is a building among woods
    # whether a vehicle goes along a further hexside of a hex that it bypasses already
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
