"""Facts of SMOKE grenades (A24.1)."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Grenades", "Thrown"]


class Grenades(msgspec.Struct, frozen=True, gc=False):
    """
    A unit about to try to place SMOKE grenades.

    Parameters
    ----------
    fit, tried
        Whether it is an Infantry squad on foot in Good Order, and has tried in this MPh.
    way
        Whether that is its own Location or an adjacent one, if either.
    rise, cliff
        Levels up from here to there (negative: down), and whether a cliff lies between.
    row
        Chart row of the Location meant.
    washed
        Whether the weather lets no SMOKE stand in the open.
    indoors
        Whether that Location is a building: its ``own``, or ``another`` where it comes out of one, too.
    exponent, wp
        Its SMOKE Placement Exponent, and whether it tries WP.
    """

    fit: bool
    tried: bool
    way: Literal["", "own", "adjacent"]
    rise: int
    cliff: bool
    row: str
    washed: bool
    indoors: Literal["", "own", "another"]
    exponent: int
    wp: bool


class Thrown(msgspec.Struct, frozen=True, gc=False):
    """How a try came out: ``placed``, ``short`` (in the unit's own Location), ``failed`` or ``ends``."""

    outcome: str
