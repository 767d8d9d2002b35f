"""
Passengers and Riders (D6.1, D6.2, D6.6, D6.7): what they can do, and what can be done to them.

These clauses apply to a unit at any moment, not to an action, and record through
:mod:`marchtable_models.asl.grants`; see :mod:`marchtable_models.asl.reporting.entitlements`.
"""

from __future__ import annotations

from marchtable.rules.facts import Facts, Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.data import count, ratio
from marchtable_models.asl.grants import deny, grant
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_phase
from marchtable_models.asl.rules.phases import PhaseBegins
from marchtable_models.asl.rules.under_fire import FFMO, FFNAM
from marchtable_models.asl.views.cargo import mount_of, prc
from marchtable_models.asl.views.carriage import is_own_mph
from marchtable_models.asl.views.foot import lies_open
from marchtable_models.asl.views.unitkinds import type_of
from marchtable_models.asl.weapons import use_of


class Mounted(Facts, frozen=True, gc=False):
    """A unit aboard a vehicle, or one that has boarded or left one in this Player Turn."""

    aboard: bool  # now
    riding: bool  # as a Rider
    conveyed: bool  # it has boarded or left a vehicle in this Player Turn
    in_mph: bool
    # the vehicle
    armored_halftrack: bool  # a Carrier counts as one (D6.8)
    carrier: bool
    unarmored: bool
    bu: bool
    shocked: bool  # or Stunned
    crewless: bool  # its inherent crew has abandoned it
    moving: bool  # in Motion
    moved: bool  # in the current Player Turn
    rolled: bool  # it has entered a hex or been in Motion in this phase
    # the unit
    broken: bool
    pinned: bool
    leads: bool
    fellows: bool  # other unbroken Passengers are in the vehicle
    weapons: tuple[tuple[str, str], ...]
    """Working SW, and whether Passengers ``fire`` them, if ``desperate``, or ``never``; ``""`` if unknown."""
    act: str = ""  # its last act, which fire can undo
    cafp: str = ""  # it counts as ``at`` a CAFP, or ``past`` it
    in_open: bool = False  # nothing shields it where it counts as being
    hazardous: bool = False  # using Hazardous Movement, and not pinned

    @property
    def inside(self) -> bool:
        """Whether it is a Passenger."""
        return self.aboard and not self.riding

    @property
    def in_halftrack(self) -> bool:
        """Whether it is a Passenger who can be BU: in an armored halftrack, not a Carrier."""
        return self.inside and self.armored_halftrack and not self.carrier

    @property
    def exposed(self) -> bool:
        """Whether it is a CE Passenger (D6.62a), or exposed to fire as in other vehicles."""
        hidden = self.bu or self.shocked or self.broken or self.pinned
        return self.inside and not (self.in_halftrack and hidden)


BEFORE = ("RPh", "PFPh")
"""Phases of a Player Turn before any movement."""


def _has_moved(position: AslPosition, vehicle: AslUnit) -> bool:
    """Return whether a vehicle has moved in the current Player Turn."""
    begun = vehicle.side == position.side and position.phase not in BEFORE
    return begun and (
        vehicle.move.previous is not None or vehicle.points.spent > vehicle.points.used
    )


def _has_rolled(position: AslPosition, vehicle: AslUnit) -> bool:
    """Return whether a vehicle has entered a hex or been in Motion in this phase."""
    return vehicle.motion.moving or (
        is_own_mph(position, vehicle) and _has_moved(position, vehicle)
    )


def mounted(position: AslPosition, unit: AslUnit) -> Mounted | None:
    """Return the facts of a unit aboard or conveyed; None for others and riders (A13, D15)."""
    if (
        unit.at is None
        or unit.crew.inherent
        or mount_of(position, unit)
        or not (unit.cargo.aboard or unit.cargo.conveyed or unit.place.cafp or unit.cargo.act)
    ):
        return None
    vehicle = position.unit(unit.cargo.aboard) if unit.cargo.aboard else None
    kind = type_of(position, vehicle) if vehicle else None
    fellows = [other for other in prc(position, vehicle) if other.id != unit.id] if vehicle else []
    return Mounted(
        aboard=vehicle is not None,
        riding=unit.cargo.riding,
        conveyed=unit.cargo.conveyed,
        in_mph=is_own_mph(position, unit),
        armored_halftrack=bool(kind and kind.is_halftrack_afv),
        carrier=bool(kind and kind.carrier),
        unarmored=bool(kind and not kind.afv),
        bu=bool(vehicle and vehicle.crew.bu),
        shocked=bool(vehicle and (vehicle.crew.stunned or vehicle.crew.shocked)),
        crewless=bool(vehicle and kind and kind.armed and vehicle.crew.abandoned),
        moving=bool(vehicle and vehicle.motion.moving),
        moved=vehicle is not None and _has_moved(position, vehicle),
        rolled=vehicle is not None and _has_rolled(position, vehicle),
        broken=unit.status.broken,
        pinned=unit.status.pinned,
        leads=type_of(position, unit).leads and not unit.status.broken,
        fellows=any(not (other.cargo.riding or other.status.broken) for other in fellows),
        weapons=tuple(dict.fromkeys((w.name, use_of(w)) for w in unit.sw if not w.malfunctioned)),
        act=unit.cargo.act,
        cafp=unit.place.cafp,
        in_open=bool(unit.cargo.act) and lies_open(position, unit),
        hazardous=unit.move.hazardous != "" and not unit.status.pinned,
    )


FIRE, CC, ROUT = "fire on the IFT", "attack in CC", "be free of rout while broken aboard"
OVR, SW, CE, SMALL_ARMS = "add FP to an OVR", "fire a SW", "have the CE DRM", "be hit by Small Arms"
SPOT = "spot for Indirect Fire"
BE_BU, HATCH, DIRECT = "count as BU", "be BU or CE as Passengers", "direct an attack"
ABOVE, BACK = "be attacked apart from its vehicle from above", "fire back at attacks from above"
STUN, RECIPROCAL = "be Stunned", "fire by Reciprocity (A6.5)"
OWN, OUTSIDE = "join a FG aboard its vehicle", "join a FG with units outside its vehicle"
WITH_MG = "join a FG that holds its vehicle's MG"
AFTER_ROUT = ("APh", "CCPh")

DESPERATELY = "as a Desperation attack"
IF_FIT = ", if it is a LMG, PIAT or thrown DC"


# -- Passengers ----------------------------------------------------------------------------------


class Trapped(Facts, frozen=True, gc=False):
    """A broken Passenger of a vehicle without its inherent crew, as a phase begins."""

    phase: str
    new_turn: bool


@at_phase
def phase_facts(position: AslPosition, unit: AslUnit, begins: PhaseBegins) -> Trapped | None:
    """Return the facts of a broken Passenger of a vehicle without its inherent crew."""
    if not unit.status.broken or unit.cargo.aboard is None or unit.cargo.riding:
        return None
    vehicle = position.unit(unit.cargo.aboard)
    trapped = vehicle.crew.abandoned and type_of(position, vehicle).armed
    return Trapped(begins.phase, begins.new_turn) if trapped else None


@clause("D6.1a", kind="state")
def mounted_fire(facts: Mounted, sheet: Sheet) -> None:
    """Passengers use Mounted Fire at half FP, halved further as their vehicle moves."""
    if facts.inside and facts.broken:
        deny(sheet, FIRE)
    elif facts.inside:
        bounding = facts.moved or facts.moving
        grant(sheet, FIRE, ratio("D6.1a", "bounding" if bounding else "mounted"))


@clause("D6.63b", kind="state")
def full_fire(facts: Mounted, sheet: Sheet) -> None:
    """Armored halftrack Passengers fire at full FP; truck Passengers do not."""
    if facts.inside and facts.armored_halftrack and not facts.broken:
        grant(sheet, FIRE, 1)


@clause("D6.1b", kind="state")
def close_combat(facts: Mounted, sheet: Sheet) -> None:
    """Passengers can attack in CC."""
    if facts.inside and not facts.broken:
        grant(sheet, CC, 0)


@clause("D6.1f", kind="state")
def free_of_rout(facts: Mounted, sheet: Sheet) -> None:
    """A broken Passenger can stay aboard and need not rout."""
    if facts.inside and facts.broken:
        grant(sheet, ROUT, 1)


@clause("D6.1i", kind="action")
def rout_beneath(facts: Mounted, sheet: Sheet) -> None:
    """A broken Passenger can rout beneath its vehicle while it is stopped."""
    if facts.inside and facts.broken:
        if facts.moving:
            deny(sheet, "rout to beneath the vehicle")
        else:
            grant(sheet, "rout to beneath the vehicle", 1)


@clause("D6.1g", kind="effect")
def must_rout(facts: Mounted | Trapped, sheet: Sheet) -> None:
    """Once its inherent crew is gone, a broken Passenger must rout beneath the vehicle."""
    if isinstance(facts, Trapped):
        if facts.new_turn or facts.phase in AFTER_ROUT:
            sheet.unsupported("a broken Passenger who had to rout is still aboard")
    elif facts.inside and facts.broken and facts.crewless:
        deny(sheet, ROUT)
        deny(sheet, "stay aboard while broken")
        grant(sheet, "rout to beneath the vehicle", 1)


@clause("D6.1h", kind="state")
def passenger_sw(facts: Mounted, sheet: Sheet) -> None:
    """Passengers use only LMG, PIAT and thrown DC as SW."""
    if not facts.inside:
        return
    for name, use in facts.weapons:
        what = f"{SW}: {name}"
        if use == "fire" and not facts.broken:
            grant(sheet, what, 1)
        elif use or facts.broken:
            deny(sheet, what)
        else:
            grant(sheet, what + IF_FIT, 1)
        if use == "desperate" and not facts.broken:
            grant(sheet, f"{what}, {DESPERATELY}", 1)


# -- Riders --------------------------------------------------------------------------------------


@clause("D6.22a", kind="state")
def no_sw_outside(facts: Mounted, sheet: Sheet) -> None:
    """Riders use no SW."""
    if facts.riding:
        for name, _ in facts.weapons:
            deny(sheet, f"{SW}: {name}")


@clause("D6.22b", kind="state")
def rider_fire(facts: Mounted, sheet: Sheet) -> None:
    """Riders fire their own FP halved, or quartered once their vehicle has moved."""
    if facts.riding:
        moved = facts.moved or facts.moving
        grant(sheet, FIRE, ratio("D6.22b", "moved" if moved else "mounted"))


@clause("D6.22c", kind="state")
def rider_close_combat(facts: Mounted, sheet: Sheet) -> None:
    """Riders add 1 to their CC DR."""
    if facts.riding:
        grant(sheet, CC, ratio("D6.22c", "drm"))


@clause("D6.23a", kind="state")
def vulnerable_riders(facts: Mounted, sheet: Sheet) -> None:
    """Riders are always Vulnerable: never BU, never with the CE DRM."""
    if facts.riding:
        deny(sheet, CE)
        grant(sheet, SMALL_ARMS, 1)


# -- boarding and leaving ------------------------------------------------------------------------


@clause("D6.5i", kind="state")
def loads_under_fire(facts: Mounted, sheet: Sheet) -> None:
    """FFNAM applies to units that board or leave; FFMO sometimes to Passengers."""
    if facts.hazardous:
        return  # A4.62a covers this
    if facts.act or (facts.conveyed and not facts.aboard and facts.in_mph):
        grant(sheet, FFNAM, ratio("D6.5i", "ffnam"))
    if facts.act == "alights" and facts.in_open:
        grant(sheet, FFMO, ratio("A4.6", "ffmo"))
    elif facts.act:
        deny(sheet, FFMO)


@clause("D6.5p", kind="action")
def unloaded_fire(facts: Mounted, sheet: Sheet) -> None:
    """A unit that has left a vehicle this MPh cannot fire or add to an OVR in it."""
    if facts.conveyed and not facts.aboard and facts.in_mph:
        deny(sheet, FIRE)
        deny(sheet, OVR)


# -- armored halftracks --------------------------------------------------------------------------


@clause("D6.6a", kind="state")
def bu_or_ce(facts: Mounted, sheet: Sheet) -> None:
    """Armored halftrack Passengers are BU, sharing its immunity to Small Arms, or CE."""
    if facts.in_halftrack and not (facts.broken or facts.pinned or facts.shocked):
        grant(sheet, HATCH, 1)
    elif facts.inside:
        deny(sheet, HATCH)


@clause("D6.62a", kind="state")
def ce_passengers(facts: Mounted, sheet: Sheet) -> None:
    """Armored halftrack Passengers are CE unless broken, pinned or BU."""
    if facts.in_halftrack:
        if facts.exposed:
            grant(sheet, CE, ratio("D6.62a", "drm"))
        else:
            deny(sheet, CE)


@clause("D6.61a", kind="state")
def exposed_to_fire(facts: Mounted, sheet: Sheet) -> None:
    """Armored halftrack Passengers that are not CE are not attacked separately."""
    if facts.in_halftrack:
        if facts.exposed:
            grant(sheet, SMALL_ARMS, 1)
        else:
            deny(sheet, SMALL_ARMS)


@clause("D6.61b", kind="state")
def bu_passengers(facts: Mounted, sheet: Sheet) -> None:
    """BU Passengers cannot fire, attack in CC, spot or escort."""
    if facts.in_halftrack and not facts.exposed:
        for what in (FIRE, CC, SPOT, "give a Personnel Escort DRM"):
            deny(sheet, what)
        for name, use in facts.weapons:
            deny(sheet, f"{SW}: {name}" + (IF_FIT if not (use or facts.broken) else ""))
            if use == "desperate":
                deny(sheet, f"{SW}: {name}, {DESPERATELY}")


@clause("D6.61c", kind="state")
def broken_bu(facts: Mounted, sheet: Sheet) -> None:
    """Broken or Shocked halftrack Passengers are BU."""
    if facts.in_halftrack and (facts.broken or facts.shocked):
        grant(sheet, BE_BU, 1)


@clause("D6.61d", kind="state")
def from_above(facts: Mounted, sheet: Sheet) -> None:
    """A firer higher above BU Passengers than its range attacks them separately, and vice versa."""
    if facts.in_halftrack and not facts.exposed:
        grant(sheet, ABOVE, 1)
        if not facts.broken:
            grant(sheet, BACK, 1)


@clause("D6.61e", kind="state")
def drm_from_above(facts: Mounted, sheet: Sheet) -> None:
    """Fire from above reduces the CE DRM by the levels by which height exceeds range."""
    if facts.in_halftrack and not facts.exposed:
        full = count("D6.61e", "drm")
        for levels in range(1, full + 1):
            more = f", {levels} level(s) higher above than far off"
            grant(sheet, CE + more, full - levels)


@clause("D6.61f", kind="state")
def unarmored_facing(facts: Mounted, sheet: Sheet) -> None:
    """Passengers hit through an unarmored facing are Vulnerable even if BU."""
    if facts.in_halftrack:
        deny(sheet, f"{CE}, hit through an unarmored facing")


@clause("D6.62b", kind="effect")
def no_stun(facts: Mounted, sheet: Sheet) -> None:
    """Armored halftrack Passengers are not Stunned: they go BU, or break if they also fail a MC."""
    if facts.in_halftrack:
        deny(sheet, STUN)
        grant(sheet, "become BU instead of Stunned", 1)


@clause("D6.62c", kind="state")
def acts_exposed(facts: Mounted, sheet: Sheet) -> None:
    """Armored halftrack Passengers direct attacks and spot only while CE, Reciprocity apart."""
    if not (facts.inside and facts.armored_halftrack):
        return
    if not facts.exposed or facts.broken:
        deny(sheet, DIRECT)
        if not facts.broken:
            grant(sheet, RECIPROCAL, 1)
    else:
        grant(sheet, SPOT, 1)
        if facts.leads:
            grant(sheet, DIRECT, 1)


@clause("D6.66", kind="effect")
def dm_though_bu(facts: Mounted, sheet: Sheet) -> None:
    """Ordnance hits, and attacks that could break a CE unit, put broken Passengers under DM."""
    if facts.in_halftrack and facts.broken:
        for cause in ("an ordnance hit on its vehicle", "an attack that could give a CE one a NMC"):
            grant(sheet, f"come under DM by {cause}", 1)


@clause("D6.63a", kind="state")
def bounding_fire(facts: Mounted, sheet: Sheet) -> None:
    """Once an armored halftrack has moved, its Passengers fire at half FP."""
    inside = facts.inside and facts.armored_halftrack and not facts.broken
    if inside and (facts.moved or facts.moving) and facts.exposed:
        grant(sheet, FIRE, ratio("D6.63a", "bounding"))


# -- trucks and unarmored halftracks -------------------------------------------------------------


@clause("D6.7a", kind="state")
def vulnerable_trucks(facts: Mounted, sheet: Sheet) -> None:
    """Passengers of trucks and unarmored halftracks are always Vulnerable."""
    if facts.inside and facts.unarmored:
        deny(sheet, CE)
        grant(sheet, SMALL_ARMS, 1)


@clause("D6.72a", kind="state")
def truck_ovr(facts: Mounted, sheet: Sheet) -> None:
    """Truck Passengers add a quarter of their printed FP to an OVR, which is then tripled."""
    if facts.inside and facts.unarmored and facts.in_mph and not facts.broken:
        grant(sheet, OVR, ratio("D6.72a", "share") * ratio("D6.72a", "times"))


@clause("D6.71d", kind="effect")
def specific_collateral(facts: Mounted, sheet: Sheet) -> None:
    """PRC of a truck that survives a hit suffer a Specific Collateral Attack."""
    if facts.inside and facts.unarmored:
        grant(sheet, "suffer a Specific Collateral Attack by ordnance hits", 1)


@clause("D6.72b", kind="state")
def truck_weapons(facts: Mounted, sheet: Sheet) -> None:
    """Only a truck's inherent crew fires its own weapons."""
    if facts.inside and facts.unarmored:
        deny(sheet, "fire its vehicle's own weapons")


@clause("D6.72c", kind="state")
def truck_close_combat(facts: Mounted, sheet: Sheet) -> None:
    """Truck Passengers attack in CC with the penalties of A11.52."""
    if facts.inside and facts.unarmored and not facts.broken:
        grant(sheet, "suffer the penalties of A11.52 in CC", 1)


# -- fire groups ---------------------------------------------------------------------------------


@clause("D6.64b", kind="state")
def passengers_in_fg(facts: Mounted, sheet: Sheet) -> None:
    """A Passenger forms a FG only with Passengers and MG of its own vehicle."""
    if facts.inside and not facts.broken:
        grant(sheet, OWN, 1)
        deny(sheet, OUTSIDE)


@clause("D6.64f", kind="state")
def ce_in_fg(facts: Mounted, sheet: Sheet) -> None:
    """CE halftrack Passengers can also form a FG with units outside."""
    if facts.inside and facts.armored_halftrack and not facts.broken:
        if facts.exposed:
            grant(sheet, OUTSIDE, 1)
        else:
            deny(sheet, OWN)


@clause("D6.64c", kind="state")
def riders_in_fg(facts: Mounted, sheet: Sheet) -> None:
    """Riders form a FG only with Riders and AAMG of the same vehicle."""
    if facts.aboard and facts.riding:
        grant(sheet, "join a FG of Riders and the AAMG of its vehicle", 1)
        deny(sheet, OUTSIDE)


@clause("D6.64g", kind="state")
def carrier_riders_in_fg(facts: Mounted, sheet: Sheet) -> None:
    """Carrier Riders join any FG that includes that Carrier's MG."""
    if facts.aboard and facts.riding:
        if facts.carrier:
            grant(sheet, WITH_MG, 1)
        else:
            deny(sheet, WITH_MG)


@clause("D6.64d", kind="state")
def crew_fires(facts: Mounted, sheet: Sheet) -> None:
    """Only the crew fires a halftrack's own weapons, never its Passengers."""
    if facts.inside and facts.armored_halftrack:
        deny(sheet, "fire its vehicle's own weapons")
