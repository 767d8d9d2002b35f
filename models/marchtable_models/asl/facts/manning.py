"""Facts of crews that leave vehicles and man them again, and of armament taken off."""

from __future__ import annotations

import msgspec

__all__ = ["Abandonment", "CrewLost", "Manned", "Taking"]


class Abandonment(msgspec.Struct, frozen=True, gc=False):
    """
    A crew about to abandon its vehicle; half MF.

    Parameters
    ----------
    inherent
        Whether it is the inherent crew of a vehicle.
    moving, fresh
        Whether that is in Motion, and whether neither of them has moved or fired this Player Turn.
    left
        What the crew has left.
    bypass
        Whether the vehicle is in Bypass.
    carrier_crew
        Whether it is the half squad of a Carrier.
    counters_here
        Kinds of counters, SMOKE apart, in the hex of a vehicle in Bypass.
    mined
        Whether there is a minefield.
    recalled, stuck
        Whether the vehicle is Recalled, and whether it is bogged or immobile.
    """

    inherent: bool
    moving: bool
    fresh: bool
    left: int
    bypass: bool
    carrier_crew: bool = False
    counters_here: tuple[str, ...] = ()
    mined: bool = False
    recalled: bool = False
    stuck: bool = False


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


class Manned(msgspec.Struct, frozen=True, gc=False):
    """
    A crew about to man a vehicle; half MF.

    Parameters
    ----------
    abandoned, together
        Whether that is an Abandoned vehicle of its side, and in its Location.
    just_left
        Whether its previous crew has left it in this Player Turn.
    armed, temporary
        Whether it has armament, and so a crew, and whether the unit is none such as it has.
    fresh
        Whether it began the MPh there, and neither left a vehicle nor did anything this turn.
    left
        What it has left.
    taken
        Whether armament was taken off the vehicle.
    half_squad
        Whether it is a half squad.
    main, mm, tows_ordnance
        Of the vehicle, as on its counter.
    mounts, stows
        Names of what it brings back of the vehicle's armament, and of other SW that it has.
    recalled
        Whether the crew of the vehicle was Recalled.
    assault, double_time
        Whether it has declared Assault Movement, or Double Time, this MPh.
    wired
        Whether it stands on top of Wire.
    """

    abandoned: bool
    together: bool
    armed: bool
    fresh: bool
    left: int
    taken: bool
    mounts: tuple[str, ...]
    stows: tuple[str, ...]
    half_squad: bool = False
    main: str = ""
    mm: int = 0
    tows_ordnance: bool = False
    wired: bool = False
    assault: bool = False
    double_time: bool = False
    temporary: bool = False
    recalled: bool = False
    just_left: bool = False


class CrewLost(msgspec.Struct, frozen=True, gc=False):
    """
    A crew that breaks or is eliminated in its vehicle.

    Parameters
    ----------
    part, what
        Whether this is the ``crew`` or the ``vehicle``, and what befell the crew.
    at
        Where the vehicle is.
    carrier_crew
        Whether the crew is the half squad of a Carrier.
    """

    part: str
    what: str
    at: str
    carrier_crew: bool = False
