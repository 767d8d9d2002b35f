"""Facts of Wall Advantage (B9.32)."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Walling"]


class Walling(msgspec.Struct, frozen=True, gc=False):
    """
    A unit about to claim Wall Advantage (WA), or to forfeit it.

    Parameters
    ----------
    claims, walled
        Whether it claims it, and whether it has it now.
    able
        Whether it may claim it at all: armed and unbroken, or where a friend has it, and neither
        in a line, elsewhere than on the ground, on top of Wire, on a bridge nor aboard.
    bound
        Whether it is pinned, TI, or an Immobile vehicle.
    held
        Whether an enemy is in its Location.
    vehicle, tem
        Whether it is a vehicle, and the TEM that it has in its hex, walls and hedges apart.
    wall
        Whether a wall or hedge of its level lies along a hexside from which it may claim it;
        ``untold`` of who is on foot in Bypass, and where the hex beyond is higher.
    rival
        Whether an enemy beyond one has WA: that is ``told``, he ``must`` claim it, or he is
        ``concealed`` and may be a Dummy; ``""`` for none.
    own_turn, phase, mph
        When it is.
    """

    claims: bool
    walled: bool
    able: bool
    bound: bool
    held: bool
    vehicle: bool
    tem: int
    wall: Literal["yes", "no", "untold"]
    rival: Literal["", "told", "must", "concealed"]
    own_turn: bool
    phase: str
    mph: str
