"""Facts of rout (A10.5)."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Escorting", "Interdicted", "Routing", "Surrendering", "Told", "Within"]

Told = Literal["yes", "no", "untold"]
Within = Literal["", "stairs", "shelter", "wire"]


class Routing(msgspec.Struct, frozen=True, gc=False):
    """
    A broken unit about to rout into an adjacent Location.

    Parameters
    ----------
    phase
        When.
    fit
        Whether it is broken Infantry on foot, neither pinned nor held in Melee, that is not done in
        this RtPh.
    dm
        Whether it is under DM: told so, or a Known armed enemy is adjacent as it sets out.
    step
        Whether there is a step to that Location.
    pp, ipc
        What it carries, and its IPC.
    toward
        Whether it comes nearer to a Known armed enemy in LOS; ``untold`` where it is not clear whom it sees.
    beside
        Whether it comes next to a Known enemy, whose Location it does not leave.
    goes
        Whether it can still get to where it must, or is free; ``untold`` as above.
    goes_as_told
        Whether it can, if it sees just those of whom that is clear.
    goals
        Where it must get to: the nearest woods and buildings that it may not pass over.
    there
        Whether it is where it had to get to, and what it enters is neither woods nor building.
    crawl, moved, out
        Whether it uses Low Crawl, has routed in this RtPh, and leaves an enemy's Location.
    row
        Chart row of what it enters.
    aboard
        Of a Passenger who routs in its own hex: whether its vehicle is ``moving`` or ``stopped``.
    exposed
        Whether it stands in Open Ground where an unbroken Known armed enemy may see it and be in range.
    disrupted
        Whether it is disrupted.
    captors, pressed
        Whether an enemy who would take it prisoner is beside it, and whether armed enemies are of whom none would.
    unsheltered
        Whether it stands in Open Ground, in a Blaze, or in water.
    deserted
        Leaders who have routed with it so far, and would not go on.
    watched
        Whether an unbroken enemy who may be in LOS could Interdict it where it goes.
    smc, whole
        Whether it is a SMC, or a squad.
    alone
        Whether it is named alone.
    within
        What it does in its own hex, if that: by the ``stairs``, beneath a ``shelter`` or above it, or
        beneath the ``wire``.
    night
        Whether it is night.
    gear
        What it goes upon.
    late
        Whether it is the ATTACKER's, and a unit of the DEFENDER has routed in this RtPh.
    by_road
        Whether it enters at the road rate, and so stays beside what else is there.
    fled
        The Known armed enemies that see it, or have seen it as it routed.
    """

    phase: str
    fit: bool
    dm: bool
    step: bool
    pp: int
    ipc: int
    toward: Told
    beside: bool
    goes: Told
    goals: tuple[str, ...]
    there: bool
    crawl: bool
    moved: bool
    out: bool
    row: str
    aboard: Literal["", "moving", "stopped"] = ""
    watched: bool = False
    goes_as_told: bool = True
    disrupted: bool = False
    exposed: bool = False
    captors: bool = False
    pressed: bool = False
    unsheltered: bool = False
    smc: bool = False
    whole: bool = False
    deserted: tuple[str, ...] = ()
    alone: bool = True
    within: Within = ""
    night: bool = False
    gear: str = ""
    by_road: bool = False
    late: bool = False
    fled: tuple[str, ...] = ()


class Escorting(msgspec.Struct, frozen=True, gc=False):
    """
    A leader about to rout with a broken unit.

    Parameters
    ----------
    fit
        Whether he is an unbroken leader on foot, neither berserk, pinned nor in Melee.
    together
        Whether he stands as that unit does.
    joins
        Whether the unit has begun its rout without him.
    """

    fit: bool
    together: bool
    joins: bool


class Interdicted(msgspec.Struct, frozen=True, gc=False):
    """
    How Interdiction came out, and whether this is a ``leader`` who routs with the unit that was.

    ``halves`` are the half squads of its nationality, if it is a squad.
    """

    outcome: str
    leader: bool = False
    halves: tuple[str, ...] = ()


class Surrendering(msgspec.Struct, frozen=True, gc=False):
    """
    A unit about to surrender.

    Parameters
    ----------
    phase
        When.
    fit
        Whether it is broken Infantry on foot, neither pinned nor in Melee.
    captor
        Whether that is an enemy who would take it prisoner, beside it.
    nation, enemy
        Its nationality, and that of its captor.
    disrupted
        Whether it is disrupted.
    free
        Whether there is a Location into which it routs with nobody to Interdict it; ``untold`` where
        nobody tells.
    night
        Whether it is night.
    """

    phase: str
    fit: bool
    captor: bool
    nation: str
    enemy: str
    disrupted: bool
    free: Told
    night: bool = False
