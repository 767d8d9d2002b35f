"""Facts of Human Waves (A25.23): who declares one, what its units do in an Impulse, and how it ends."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Surging", "WaveEnd", "WaveForming", "WaveUnit"]

Told = Literal["yes", "no", "untold"]


class WaveForming(msgspec.Struct, frozen=True, gc=False):
    """
    Units about to declare a Human Wave.

    Parameters
    ----------
    nations
        Their nationalities, each once.
    hexes, thinnest, mmc, leaders
        How many hexes they take up, how many MMC are in the hex with the fewest, how many there are in
        all, and how many leaders.
    chained
        Whether these hexes form one chain, and no unit is named twice.
    target
        Whether they name an enemy unit on the map.
    seen, near
        Whether one of them sees it (``untold`` where that is neither stated nor computed), and whether
        one of those is within eight hexes.
    range, least
        How far the course that they choose is from the nearest of those, and the least of any course.
    """

    nations: tuple[str, ...]
    hexes: int
    thinnest: int
    mmc: int
    leaders: int
    chained: bool
    target: bool
    seen: Literal["yes", "no", "untold"]
    near: bool
    range: int
    least: int


class WaveUnit(msgspec.Struct, frozen=True, gc=False):
    """
    A unit about to be in a Human Wave.

    Parameters
    ----------
    fit
        Whether it is Infantry on foot in Good Order, in no line, in no Bypass, neither carried nor pinned.
    fresh
        Whether its MPh has not begun.
    beside
        Whether an enemy unit is in its hex, or next to it.
    pp, ipc
        What it carries, and its IPC.
    concealed
        Whether it is concealed.
    name, course, upon
        What the wave is called, its course, and the Location through which that leads.
    """

    fit: bool
    fresh: bool
    beside: bool
    pp: int
    ipc: int
    concealed: bool
    name: str
    course: str
    upon: str | None


class Surging(msgspec.Struct, frozen=True, gc=False):
    """
    A unit of a Human Wave in an Impulse.

    Parameters
    ----------
    act
        Whether it enters a Location (``goes``), stays, or does something else (``acts``).
    arrived
        Whether a Known enemy has been in its Location as the Impulse began: it is in the wave no more.
    way
        Whether what it enters is a ``forward`` or ``side`` Location, or neither.
    prey
        Whether an enemy unit is there.
    can
        Of one that stays: whether there is a Location that it must enter.
    again
        Whether it has left what it enters, or a Location next to that, in an Impulse before.
    strays, nears, strayed
        Whether it gets farther from the course, or nearer to it, and whether it has got farther before.
    owed
        Forward Locations that it can enter, with Known enemies whom nobody of its side has reached.
    unsure
        Whether it may be that there are such.
    left
        The Location that it leaves, and those left before.
    wounded, shelters
        Whether it is a wounded SMC, and whether a Fortification lies where it stays, or it is in one.
    """

    act: Literal["goes", "stays", "acts"]
    arrived: bool = False
    way: Literal["", "forward", "side"] = ""
    prey: bool = False
    can: Told = "no"
    again: bool = False
    strays: bool = False
    nears: bool = False
    strayed: bool = False
    owed: tuple[str, ...] = ()
    unsure: bool = False
    left: tuple[str, ...] = ()
    wounded: bool = False
    shelters: bool = False


class WaveEnd(msgspec.Struct, frozen=True, gc=False):
    """
    A unit of a Human Wave whose MPh ends, or before which another would move.

    Parameters
    ----------
    can
        Whether there is a Location that it must enter.
    waits
        Whether the wave has not begun to move, and another unit would.
    """

    can: Told
    waits: bool = False
