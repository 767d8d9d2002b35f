"""Facts of placing a Demolition Charge (A23.3)."""

from __future__ import annotations

import msgspec

__all__ = ["Placing"]


class Placing(msgspec.Struct, frozen=True, gc=False):
    """
    A unit about to place a DC on an adjacent Location.

    Parameters
    ----------
    fit, has
        Whether it is Infantry on foot in Good Order, in no Bypass, and has that DC.
    adjacent, open
        Whether that Location is adjacent, and could be entered but for who is there.
    judged
        Whether what entering it costs is known.
    cost
        What that costs, in half MF.
    afv
        Whether a Known AFV with its crew is there, and the unit a MMC, whose task check is due.
    portaged
        PP that count as portaged in this MPh once the DC is placed.
    """

    fit: bool
    has: bool
    adjacent: bool
    open: bool
    judged: bool
    cost: int
    afv: bool
    portaged: int
