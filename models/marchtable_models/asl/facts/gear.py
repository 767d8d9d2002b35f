"""Facts of skis and bicycles: of who goes over to them, or back to his feet."""

from __future__ import annotations

import msgspec

__all__ = ["BICYCLE", "FOOT", "SKIS", "Switching"]

SKIS, BICYCLE, FOOT = "skis", "bicycle", "foot"


class Switching(msgspec.Struct, frozen=True, gc=False):
    """
    A unit about to go over to its skis or bicycle, or to its own feet.

    Parameters
    ----------
    now, to
        What it goes upon, ``skis``, ``bicycle`` or ``foot``, and what it will.
    has
        Whether that is among what it possesses, or is its own feet.
    infantry, finnish
        Whether it is Infantry, not aboard anything, and whether it is Finnish.
    snow
        Whether snow lies.
    phase
        The phase.
    row
        Chart row of its Location, ``""`` in Bypass.
    enemies
        Whether a Known enemy is there.
    pp
        PP of what it carries beside.
    assault
        Whether it has declared Assault Movement.
    """

    now: str
    to: str
    has: bool
    infantry: bool
    finnish: bool
    snow: bool
    phase: str
    row: str
    enemies: bool
    pp: int
    assault: bool
