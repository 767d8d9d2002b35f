"""Facts of what befalls those aboard a vehicle, or may befall them."""

from __future__ import annotations

import msgspec

from marchtable_models.asl.model import SupportWeapon

__all__ = ["BailResult", "Haul", "Lost", "Plunge", "Shot", "Slew"]


class Plunge(msgspec.Struct, frozen=True, gc=False):
    """
    A Rider whose AFV moves, or whom a combat result strikes.

    Parameters
    ----------
    here, entered, hexside
        Chart rows of what is left, of all in whose midst it comes, and of what is crossed.
    road, in_stream
        Whether by a road hexside, or along a stream or gully.
    at
        The Location it would bail out in.
    by
        The combat result, if one is the cause, or ``tca`` or ``vca`` where the turret turns, alone
        or with its AFV.
    rider, broken, morale
        Whether it is a Rider at all, or broken already, and its morale (0 if not told).
    own, enemies
        Whether it is its side's Player Turn, and whether enemies are where it bails out.
    mf
        Half MF that it has in all, once on foot.
    bypass, own_mph
        Whether the AFV is in Bypass, and whether it is its side's MPh.
    """

    here: str
    entered: tuple[str, ...]
    hexside: str
    road: bool
    in_stream: bool
    at: str
    by: str
    rider: bool
    broken: bool
    morale: int
    own: bool
    enemies: bool
    mf: int
    bypass: bool = False
    own_mph: bool = False


class Slew(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle whose turret is to point elsewhere.

    Parameters
    ----------
    afv, turret
        As on its counter.
    steps
        Hexspines, clockwise, from its VCA to where it shall point.
    same
        Whether it points there already.
    idle
        Whether nobody is there or able to turn it.
    hard
        Whether it is its own MPh, in terrain where a change costs twice the MP.
    unspent
        Whether it is its own MPh, in which it has spent no MP.
    """

    afv: bool
    turret: bool
    steps: int
    same: bool
    idle: bool
    hard: bool
    unspent: bool = False


class BailResult(msgspec.Struct, frozen=True, gc=False):
    """What came of a roll that a unit made as it bailed out; ``sw`` is what it carries."""

    roll: str
    outcome: str
    sw: tuple[SupportWeapon, ...]


class Haul(msgspec.Struct, frozen=True, gc=False):
    """A unit carried by a vehicle whose Bog Check came out so; ``of`` as for :class:`BogResult`."""

    outcome: str
    of: str
    previous: str | None


class Lost(msgspec.Struct, frozen=True, gc=False):
    """
    A Passenger or Rider of a vehicle that is destroyed, the vehicle itself or the Gun it tows.

    Parameters
    ----------
    part
        ``prc``, ``vehicle`` or ``gun``.
    by
        How: ``fire``, ``cc``, ``burning``; ``""`` where it is not told.
    number
        The vehicle's Crew Survival number; 0 where it is not told.
    riding, broken
        Of the unit.
    outcome
        What came of its Survival DR, ``""`` before.
    bypass, own_mph
        Whether the vehicle is in Bypass, and whether it is its side's MPh.
    shaken
        Whether the unit is the inherent crew of a Stunned or Shocked vehicle.
    mp, used, spent
        The vehicle's printed half MP and what it has spent, and what the unit has spent on foot.
    mph
        Where the vehicle's MPh stands.
    carrier_crew
        Whether the unit is the half squad of a Carrier.
    """

    part: str
    by: str
    number: int
    riding: bool
    broken: bool
    outcome: str = ""
    bypass: bool = False
    own_mph: bool = False
    shaken: bool = False
    mp: int = 0
    used: int = 0
    spent: int = 0
    mph: str = ""
    carrier_crew: bool = False


class Shot(msgspec.Struct, frozen=True, gc=False):
    """
    A unit pinned, broken or eliminated while it did what fire may undo.

    Parameters
    ----------
    act
        What it did, as :class:`~marchtable_models.asl.model.AslUnit` has it.
    part
        Whether this is the ``unit`` itself, or the ``vehicle`` or ``gun`` that it was hitching.
    hitch
        That vehicle and Gun.
    weapons, taken
        What it has again, and what is off that vehicle again, where it was about to man it.
    destroyed
        Whether it is its vehicle that was destroyed, not itself struck.
    """

    act: str
    part: str = "unit"
    hitch: tuple[str, ...] = ()
    weapons: tuple[SupportWeapon, ...] = ()
    taken: tuple[str, ...] = ()
    destroyed: bool = False
