"""Facts of transport: what a vehicle holds, who boards or leaves it, what is hooked up."""

from __future__ import annotations

from typing import Literal

import msgspec

from marchtable_models.asl.facts.steps import Crowd
from marchtable_models.asl.model import SupportWeapon

__all__ = [ "Boarding", "Embark", "Forsaken", "Hold", "Orphaned",
]  # fmt: skip


class Hold(msgspec.Struct, frozen=True, gc=False):
    """
    What a vehicle carries, or would.

    Parameters
    ----------
    pp, role, carrier, main, afv, halftrack, t_number
        As on its counter.
    year, nationality
        The year (0 if it is not told), and whose the vehicle is.
    russian
        Whether all Riders are Russians.
    passengers, riders
        Who is inside and who outside.
    passenger_sw, rider_sw, stowed
        PP of the SW inside, outside, and left inside without an owner.
    mortars
        PP of each dm mortar inside that counts by its ammo.
    unfit
        Whether a Rider is pinned or broken.
    gun_mm, m_number
        Of a Gun it tows; 0 and None without one.
    convoy
        Of a vehicle that is or was in a Convoy: ``empty``, or ``gun`` if set up with one in tow.
    yoked
        Whether it is two wagons, combined.
    laden
        Whether it carries a Gun en portee, which is none in tow.
    """

    pp: int
    role: str = ""
    carrier: bool = False
    main: str = ""
    afv: bool = False
    halftrack: bool = False
    t_number: int | None = None
    year: int = 0
    nationality: str = ""
    passengers: Crowd = Crowd()
    riders: Crowd = Crowd()
    passenger_sw: int = 0
    rider_sw: int = 0
    stowed: int = 0
    mortars: tuple[int, ...] = ()
    unfit: bool = False
    gun_mm: int = 0
    m_number: int | None = None
    convoy: str = ""
    yoked: bool = False
    russian: bool = False
    laden: bool = False


class Boarding(msgspec.Struct, frozen=True, gc=False):
    """
    One unit about to board.

    Parameters
    ----------
    phase
        The phase.
    foot, aboard
        Whether it is Personnel, and aboard something already.
    carrier, together
        Whether what it boards is a vehicle of its own side, and in its Location.
    double_time
        Whether it has declared Double Time this MPh.
    helped
        Whether the SMC who lends it his IPC, if any, boards with it.
    assault
        Whether it has declared Assault Movement this MPh.
    shown
        Whether it is concealed, and the vehicle or another that boards is not.
    hooks
        Whether it boards as part of hooking up a Gun.
    wired
        Whether it stands on top of Wire.
    in_woods
        Whether it is to ride on an AFV in woods, off their road and in no Bypass.
    gun
        For a Gun, how a vehicle takes it: hooked up (``hook``) or loaded en portee (``portee``).
    """

    phase: str
    foot: bool
    aboard: bool
    carrier: bool
    together: bool
    double_time: bool
    helped: bool
    assault: bool
    shown: bool = False
    hooks: bool = False
    wired: bool = False
    in_woods: bool = False
    gun: Literal["", "hook", "portee"] = ""


class Embark(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle about to be boarded; half points.

    Parameters
    ----------
    moving, stunned
        Its state.
    allotment, spent, lost
        What it has, has spent, and lost of that by loading.
    earlier
        What the boarder who counted so far had spent and left, if any did board.
    boarders
        What each who boards now has spent, boarding included, and left.
    shown
        Whether it is concealed, and one who boards is not.
    hulk
        Whether it is immobilized, neither armed nor armored, and nothing is aboard or in tow.
    """

    moving: bool
    stunned: bool
    allotment: int
    spent: int
    lost: int
    earlier: tuple[tuple[int, int], ...]
    boarders: tuple[tuple[int, int], ...]
    shown: bool = False
    hulk: bool = False


class Orphaned(msgspec.Struct, frozen=True, gc=False):
    """A vehicle in which a Passenger is lost, and all SW of nobody's that are then in it."""

    sw: tuple[SupportWeapon, ...]


class Forsaken(msgspec.Struct, frozen=True, gc=False):
    """An AFV, no halftrack or Carrier, that its last PRC go from, SW of nobody's being aboard."""
