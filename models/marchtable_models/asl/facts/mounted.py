"""Facts of what is aboard vehicles, and of vehicles themselves, beside their actions."""

from __future__ import annotations

import msgspec

__all__ = ["Carriage", "Mounted"]


class Mounted(msgspec.Struct, frozen=True, gc=False):
    """
    A unit aboard a vehicle, or one that has boarded or left one this Player Turn.

    Parameters
    ----------
    aboard, riding
        Whether it is aboard now, and whether as a Rider.
    conveyed, in_mph
        Whether it has boarded or left a vehicle this Player Turn, and whether it is the MPh.
    armored_halftrack, carrier, unarmored
        What kind of vehicle it is; a Carrier is an armored halftrack, too (D6.8).
    bu, shocked, crewless
        Whether that is BU, Stunned or Shocked, or Abandoned by its inherent crew.
    moving, moved, rolled
        Whether it is in motion, has moved in the Player Turn that is going on, and has entered a
        hex or been in motion this phase.
    broken, pinned, leads
        State of the unit, and whether it is a leader.
    fellows
        Whether other Passengers who are not broken are in the vehicle.
    weapons
        Names of its SW that work, and of each how Passengers use it: they ``fire`` it, do so if
        ``desperate`` or ``never``, ``""`` if nobody knows.
    act, cafp
        What it has just done that fire may undo, and whether it counts as at a CAFP.
    in_open
        Whether nothing shields it where it counts as being.
    hazardous
        Whether it is under Hazardous Movement, and not pinned.
    """

    aboard: bool
    riding: bool
    conveyed: bool
    in_mph: bool
    armored_halftrack: bool
    carrier: bool
    unarmored: bool
    bu: bool
    shocked: bool
    crewless: bool
    moving: bool
    moved: bool
    rolled: bool
    broken: bool
    pinned: bool
    leads: bool
    fellows: bool
    weapons: tuple[tuple[str, str], ...]
    act: str = ""
    cafp: str = ""
    in_open: bool = False
    hazardous: bool = False

    @property
    def inside(self) -> bool:
        """Whether it is a Passenger."""
        return self.aboard and not self.riding

    @property
    def in_halftrack(self) -> bool:
        """Whether it is a Passenger who may be BU: of an armored halftrack, no Carrier."""
        return self.inside and self.armored_halftrack and not self.carrier

    @property
    def exposed(self) -> bool:
        """Whether a Passenger is CE (D6.62a), or open to fire as in any other vehicle."""
        hidden = self.bu or self.shocked or self.broken or self.pinned
        return self.inside and not (self.in_halftrack and hidden)


class Carriage(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle, whoever rides a mount, or the crew of a Carrier on foot, at any moment.

    Parameters
    ----------
    mount, trained
        Whether it is Cavalry or a motorcycle with who rides it, and whether it is the crew of a
        Carrier on foot.
    squad
        Whether that is a squad.
    column, afv, armed, turret, carrier, main, mm, tows_ordnance, mg
        As on its counter.
    armored_halftrack, truck, unarmored_halftrack
        What kind of vehicle it is; a Carrier is no halftrack here.
    for_passengers
        Whether it has Passenger PP.
    bu, shocked, armor_leader, abandoned
        Its state; ``shocked`` is Stunned or Shocked.
    laden
        Whether it carries Personnel.
    loads_only
        Whether what it has spent in this MPh it has spent where it stood, never under way.
    """

    mount: bool = False
    trained: bool = False
    squad: bool = False
    column: str = ""
    afv: bool = False
    armed: bool = False
    turret: bool = False
    carrier: bool = False
    main: str = ""
    mm: int = 0
    tows_ordnance: bool = False
    mg: int = 0
    armored_halftrack: bool = False
    for_passengers: bool = False
    truck: bool = False
    unarmored_halftrack: bool = False
    bu: bool = False
    shocked: bool = False
    armor_leader: bool = False
    abandoned: bool = False
    laden: bool = False
    loads_only: bool = False

    @property
    def vehicle(self) -> bool:
        """Whether it is a vehicle."""
        return not (self.mount or self.trained)

    @property
    def fires_with_others(self) -> bool:
        """Whether it is a Carrier, or a halftrack with room for Passengers that is not BU."""
        return self.carrier or (self.armored_halftrack and self.for_passengers and not self.bu)
