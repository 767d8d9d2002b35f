"""Facts of horses and motorcycles: who mounts, who dismounts, what befalls those who ride."""

from __future__ import annotations

import msgspec

from marchtable_models.asl.facts.steps import Crowd
from marchtable_models.asl.unittype import SupportWeapon

__all__ = [
    "Combining", "Dismounting", "Halted", "Mounting", "Ridden", "Spilled", "Splitting", "Toil", "Unhorsed", "Unseated",
    "Yoking",
]  # fmt: skip


class Mounting(msgspec.Struct, frozen=True, gc=False):
    """
    One unit about to mount.

    Parameters
    ----------
    horses, sidecar
        Whether the counter is one of horses (else of motorcycles), and whether with a sidecar.
    foot, aboard
        Whether the unit is Infantry, and aboard something already.
    conveyed
        Whether it has dismounted or left a vehicle this Player Turn.
    mount, together
        Whether what it mounts is such a counter of its side, and in its Location.
    manned
        Whether it is Cavalry or motorcycles that are one unit with those who ride.
    size, wounded, pp
        As what it counts, whether it is a wounded SMC, and the PP it carries.
    double_time
        Whether it has declared Double Time this MPh.
    helped
        Whether the SMC who lends it his IPC, if any, mounts with it.
    assault
        Whether it has declared Assault Movement this MPh.
    assembled
        How many SW it carries that are not dm and could be.
    wired
        Whether it stands on top of Wire.
    """

    horses: bool
    sidecar: bool
    foot: bool
    aboard: bool
    conveyed: bool
    mount: bool
    together: bool
    size: str
    wounded: bool
    pp: int
    double_time: bool
    helped: bool
    assault: bool = False
    assembled: int = 0
    wired: bool = False
    manned: bool = False


class Ridden(msgspec.Struct, frozen=True, gc=False):
    """
    A counter of horses or motorcycles about to be mounted or dismounted (``verb``); half points.

    Parameters
    ----------
    horses, mounts, sidecar
        What it is: horses or motorcycles, how many, and whether with a sidecar.
    moving, enemies
        Whether it is in motion, and whether there is a Known enemy in its Location.
    ridden, printed
        Whether anybody rides it already; whether its riders are printed on it, and are no units.
    crowd
        Who rides it, or will.
    allotment, spent
        What it has and has spent.
    most
        What the one of its riders who spent most has spent, (dis)mounting included.
    becomes
        The type of the part of it that is large enough for the one unit that mounts, where it is
        too large and may part, else ``""``.
    """

    verb: str
    horses: bool
    mounts: int
    sidecar: bool
    moving: bool
    enemies: bool
    ridden: bool
    crowd: Crowd
    allotment: int
    spent: int
    most: int
    becomes: str = ""
    printed: bool = False


class Splitting(msgspec.Struct, frozen=True, gc=False):
    """
    Who would part with a counter that he rides, for one of his own.

    Parameters
    ----------
    horses
        Whether it is one of horses, else of motorcycles.
    rides, large
        Whether he rides one at all, and whether it is one for more than SMC.
    smc
        Whether he is a SMC.
    becomes
        The type of a single one of its sort, ``""`` where there is none.
    line
        The Convoy or Column it belongs to.
    """

    horses: bool
    rides: bool
    large: bool
    smc: bool
    becomes: str
    line: str = ""


class Combining(msgspec.Struct, frozen=True, gc=False):
    """
    Two counters about to become one.

    Parameters
    ----------
    horses
        Whether the first is one of horses, else of motorcycles.
    mounts
        Whether both are horses or motorcycles of one side.
    alike, together
        Whether they are of one sort, and in one Location.
    ridden
        Whether somebody rides one of them.
    sizes
        For how many each has room: 1 (SMC), 2 (a half squad) or 3 (a squad).
    becomes
        The type of one for a squad, ``""`` where there is none.
    accompanied
        Whether unbroken Personnel of their side is with them.
    """

    horses: bool
    mounts: bool
    alike: bool
    together: bool
    ridden: bool
    sizes: tuple[int, int]
    becomes: str
    accompanied: bool


class Yoking(msgspec.Struct, frozen=True, gc=False):
    """
    Two wagons about to be combined (``apart``: one that was, about to be two again).

    Parameters
    ----------
    apart
        Which of both.
    wagons, together
        Whether both are wagons of one side, other than one another, and stand in one Location, neither in Bypass.
    yoked
        Whether one of them is two already.
    tows, loaded
        Whether one of them tows, and whether the second carries somebody.
    line
        Whether one of them is in a line.
    """

    apart: bool
    wagons: bool
    together: bool = True
    yoked: bool = False
    tows: bool = False
    loaded: bool = False
    line: bool = False


class Dismounting(msgspec.Struct, frozen=True, gc=False):
    """
    One rider about to dismount; half points.

    Parameters
    ----------
    horses
        Whether from a horse.
    most
        What the one of those who ride has spent on foot, mounting included, who spent most.
    allotment, used
        What the horse or motorcycle has in all, and has spent.
    plain
        What it has without Gallop.
    """

    horses: bool
    most: int
    allotment: int
    used: int
    plain: int


class Halted(msgspec.Struct, frozen=True):
    """A wagon that still moves as its MPh ends, and of which its player has said nothing."""


class Unhorsed(msgspec.Struct, frozen=True, gc=False):
    """
    Something befell who rides (``what``); ``others`` ride the counter with him.

    ``whole`` tells that mount and rider are one counter.
    """

    what: str
    horses: bool
    others: bool
    whole: bool = False


class Unseated(msgspec.Struct, frozen=True, gc=False):
    """A rider whose motorcycle made a Wreck Check that came out so."""

    outcome: str


class Spilled(msgspec.Struct, frozen=True, gc=False):
    """
    A Passenger of a wagon that has made a Wreck Check.

    Parameters
    ----------
    outcome
        How the check came out.
    weapons
        The SW that the Passenger possesses.
    bypass
        Whether the wagon is in Bypass.
    unbreakable
        Whether such a unit does not break.
    """

    outcome: str
    weapons: tuple[SupportWeapon, ...] = ()
    bypass: bool = False
    unbreakable: bool = False


class Toil(msgspec.Struct, frozen=True, gc=False):
    """Who rides horses that make a ``minimum`` Move or go IN a ``deep`` stream, and whether he is CX."""

    minimum: bool
    deep: bool
    cx: bool
