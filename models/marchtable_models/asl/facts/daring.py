"""Facts of the task checks that Infantry takes before it enters certain enemies' Locations (A4.15, A11.6)."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Dared", "Daring"]


class Daring(msgspec.Struct, frozen=True, gc=False):
    """
    A unit about to take a task check to enter a Location with enemies.

    Parameters
    ----------
    fit
        Whether it is Infantry on foot in Good Order, of whom the check is asked: a MMC, or before an
        Infantry OVR a SMC with one.
    alone, takes
        Whether it is alone, or with a leader who takes the check for all; and whether it takes it itself.
    whom
        Who is there: in the MPh but one Known ``smc``, in the APh a Known, manned ``afv``.
    dared
        Whether it has passed that check.
    morale
        Its morale, 0 if nobody tells.
    inexperienced
        Whether it is Inexperienced.
    told
        What else is added to the DR.
    """

    fit: bool
    alone: bool
    takes: bool
    whom: Literal["", "smc", "afv"]
    dared: bool
    morale: int
    inexperienced: bool
    told: int


class Dared(msgspec.Struct, frozen=True, gc=False):
    """How a check came out, ``passed`` or ``failed``, and whether it was one of the APh."""

    outcome: str
    advancing: bool
