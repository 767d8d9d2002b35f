"""Facts of Searching (A12.152)."""

from __future__ import annotations

import msgspec

__all__ = ["Searching"]


class Searching(msgspec.Struct, frozen=True, gc=False):
    """
    A unit, perhaps of a stack, about to Search.

    Parameters
    ----------
    fit, assault
        Whether it is Infantry or Cavalry in Good Order on foot or horseback, and has declared
        Assault Movement.
    mmc
        Whether some unit of the stack is a MMC.
    first
        Whether it is the first of them, who makes the dr.
    half_squads, stealthy, lax, cx
        Half squads of the stack, and how many of its units are Stealthy, Lax and CX.
    told
        What else is added to the dr.
    """

    fit: bool
    assault: bool
    mmc: bool
    first: bool
    half_squads: int
    stealthy: int
    lax: int
    cx: int
    told: int
