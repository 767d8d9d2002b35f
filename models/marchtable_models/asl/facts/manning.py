"""Facts of crews that leave vehicles and man them again, and of armament taken off."""

from __future__ import annotations

import msgspec

__all__ = ["Taking"]


class Taking(msgspec.Struct, frozen=True, gc=False):
    """
    Armament about to be taken off a vehicle.

    Parameters
    ----------
    take, told
        Names of what is taken, and of what the vehicle still has that may be.
    by
        Who takes it: ``crew``, or Passengers who ``unload``, or the crew of a Carrier that does.
    halftrack, carrier, removable, captured
        Whether it is an armored halftrack, or a Carrier; one whose armament Passengers may take;
        and whether it is not of the crew's own nationality.
    smc, pp
        Whether a SMC takes it, and the PP of all that he, or a MMC, then has.
    recalled
        Whether the vehicle is Recalled.
    mg, strongest
        FP of the vehicle's MG, and the most of a MG that is taken.
    """

    take: tuple[str, ...]
    told: tuple[str, ...]
    by: str
    halftrack: bool
    carrier: bool
    removable: bool
    captured: bool
    mg: int
    strongest: int
    smc: bool = False
    pp: int = 0
    recalled: bool = False
