"""Facts of a Dash across a road (A4.63)."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Dashing"]


class Dashing(msgspec.Struct, frozen=True, gc=False):
    """
    Infantry that declares a Dash, goes on with it, or ends its MPh in the midst of it.

    Parameters
    ----------
    stage
        Whether it is ``declared``, enters the ``road``, the Location on its ``far`` side, or
        ``ends`` before that.
    fit, fresh
        Whether it is Infantry on foot that moves neither by Assault nor with an AFV, in no Bypass;
        and whether it has done nothing yet in this MPh.
    way
        Whether what it enters lies on the way that it has declared.
    plain
        Whether it enters at the least cost: nothing chosen that costs more.
    roads, parted
        How many hexsides the road of the Location between crosses beside the two by which the unit
        comes and goes; and whether some of them lie on either hand.
    open_ends
        Whether it sets out from Open Ground where an enemy is told to see it (``seen``), or sets out from
        or dashes to Open Ground where nobody tells whether one does (``untold``).
    cost, allotment
        What both entries cost, and the MF for it, in half points.
    """

    stage: Literal["declared", "road", "far", "ends"]
    fit: bool = True
    fresh: bool = True
    way: bool = True
    plain: bool = True
    roads: int = 0
    parted: bool = False
    open_ends: Literal["", "seen", "untold"] = ""
    cost: int = 0
    allotment: int = 0
