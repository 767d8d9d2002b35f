"""Facts of a berserk unit's charge (A15.43)."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Charging", "Owing"]


class Charging(msgspec.Struct, frozen=True, gc=False):
    """
    A berserk unit about to enter a Location.

    Parameters
    ----------
    seen
        Whether it sees a Known enemy, as is stated or computed.
    way
        Whether this is a step of a shortest way in MF to the nearest of them; ``untold`` where Bypass,
        Wire or what is not judged may make another way shorter.
    whole
        Whether all berserk units that stand as it does go with it.
    pp, single
        What it carries, and the heaviest item of it, in PP.
    smc
        Whether it is a SMC.
    arrives
        Whether a Known enemy is there.
    """

    seen: bool
    way: Literal["yes", "no", "untold"]
    whole: bool
    pp: int
    single: int
    smc: bool
    arrives: bool


class Owing(msgspec.Struct, frozen=True, gc=False):
    """
    A berserk unit whose MPh ends, or before whose charge another unit begins to move.

    Parameters
    ----------
    charges
        Whether it can enter a Location on its charge; ``untold`` where nobody tells.
    waits
        Whether its MPh is still to come, and another unit would move before it.
    """

    charges: Literal["yes", "no", "untold"]
    waits: bool = False
