"""Facts of a Dash across a road (A4.63)."""

from __future__ import annotations

from typing import Literal

import msgspec

from marchtable_models.asl.facts.los import Los

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
        Whether an enemy sees the Open Ground that it sets out from, or dashes to; ``no`` if neither is
        Open Ground. What is stated of the unit is stated of where it sets out from.
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
    open_ends: Los = "no"
    cost: int = 0
    allotment: int = 0
