"""Facts of Guns that are pushed (C10.3)."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Pushed", "Pushing"]


class Pushing(msgspec.Struct, frozen=True, gc=False):
    """
    Infantry about to push a Gun into an adjacent Location.

    Parameters
    ----------
    gun, together
        Whether it is a Gun, or motorcycles that nobody rides, of its side, and in its Location; neither in tow nor TI.
    ready
        Whether it is limbered, or need not be.
    m_number
        Its M#, None where that is not told.
    half_squads, whole, needed
        How many crews' worth push it, whether that is a squad alone, and how many it takes.
    helpers
        How many SMC push beside the one it takes, where that is one.
    fit, pp, beneath
        Whether all who push are Infantry on foot in Good Order that is not in Bypass, declares no
        Assault Movement and has not fired; the PP they carry; and whether some are beneath a
        Fortification or upstairs.
    cost
        What the Location costs them, doubled, in half MF.
    tem
        TEM of the hexside crossed and of the hex entered.
    road, mired
        Whether a road hexside is crossed that the weather leaves one, and whether either hex is one of
        Mud or Deep Snow.
    row, concealed
        Chart row of what is entered, and whether concealed enemies are there.
    small, cycles
        Whether the Gun is told to be a small target, and whether it is motorcycles.
    labor
        What a Labor counter takes from the DR.
    """

    gun: bool
    together: bool
    ready: bool
    m_number: int | None
    half_squads: int
    whole: bool
    fit: bool
    pp: int
    beneath: bool
    cost: int
    tem: int
    road: bool
    mired: bool
    row: str
    concealed: bool
    labor: int = 0
    small: bool = False
    cycles: bool = False
    needed: int = 1
    helpers: int = 0


class Pushed(msgspec.Struct, frozen=True, gc=False):
    """How a Manhandling DR came out for the Gun or one who pushes it, and whence they came."""

    outcome: Literal["goes", "stops", "fails"]
    previous: str | None
