"""Facts of Bypass: what the map leaves of a hex, what is gone along, who would end in it."""

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
    A unit that is about to go on in Bypass, or into what it bypasses, but is in none.

    ``waits`` says that it waits off the map and would come on round an obstacle, ``drives`` that it
    is a vehicle in Bypass after all, ``goes_on`` that it is on foot and in Bypass, and would go on
    round the same obstacle.
    """

    waits: bool = False
    drives: bool = False
    goes_on: bool = False
