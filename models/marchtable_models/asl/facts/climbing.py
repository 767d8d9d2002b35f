"""Facts of climbing cliffs (B11.4)."""

from __future__ import annotations

from typing import Literal

import msgspec

from marchtable_models.asl.facts.foot import Crowd

__all__ = ["Climbed", "Climbing"]

Way = Literal["up", "down", "off"]


class Climbing(msgspec.Struct, frozen=True, gc=False):
    """
    Infantry about to climb a cliff, or to get off it where it began, or at its foot.

    Parameters
    ----------
    way
        Up, down, or off.
    advancing
        Whether it is the APh.
    fit
        Whether it is unwounded Infantry in Good Order, on foot and on the ground, or on that cliff.
    on
        Whether it is on the cliff already.
    side, height, top
        The hexside of the lower hex along which it climbs, 0 to 5, None where there is no cliff; how many
        levels above that hex the unit is, and the cliff.
    pp, smc
        PP that it carries, and whether it is a SMC.
    drm
        What the weather adds to the DR.
    commando
        Whether it is trained for it.
    group
        Who of its side would be where it gets to, it among them.
    """

    way: Way
    advancing: bool
    fit: bool
    on: bool
    side: int | None
    height: int
    top: int
    pp: int = 0
    smc: bool = False
    drm: int = 0
    commando: bool = False
    group: Crowd = Crowd()


class Climbed(msgspec.Struct, frozen=True, gc=False):
    """How a Falling DR came out (``up``, ``down``, ``stays`` or ``eliminated``) for a unit at that height."""

    outcome: str
    height: int
