"""Leaving a vehicle (D6.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from marchtable.errors import BadInputError
from marchtable.rules.facts import Bill, Case, Edition, Sheet, about
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect, not_modelled
from marchtable.rules.view import read
from marchtable.state.action import Action, Companions
from marchtable.state.records import replace
from marchtable_models.asl.counterkinds import MINEFIELD
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.effects.acting import begun, paying
from marchtable_models.asl.grants import deny, grant
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.capacity import hold
from marchtable_models.asl.rules.carriers import Carriage
from marchtable_models.asl.rules.loading import Boarding, Embark
from marchtable_models.asl.rules.manning import (
    Abandonment,
    Armament,
    CrewLost,
    Taking,
    is_carrier_crew,
    taking,
    with_taken,
)
from marchtable_models.asl.rules.passengers import Mounted
from marchtable_models.asl.rules.riders import Plunge, bails
from marchtable_models.asl.rules.survival import Lost
from marchtable_models.asl.rules.wreck_checks import Spilled
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import reading, spending
from marchtable_models.asl.views.cargo import captives, conveyance, prc, with_captives
from marchtable_models.asl.views.foot_facts import STRANDED, Detection
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.mph_ends import stranded as of_stranded
from marchtable_models.asl.views.overlay import counters_at
from marchtable_models.asl.views.spending_facts import PaidIfFree
from marchtable_models.asl.views.standing import Standing, is_blind, standing_of

MOUNTS = ("cavalry", "motorcycle")


class Unload(Action, frozen=True, tag="unload"):
    """Passengers or Riders leave their vehicle as one stack; the first removes armament."""

    traits: ClassVar[Traits] = ("still",)

    units: Companions
    take: Armament = ()


class Disembark(PaidIfFree, frozen=True, gc=False):
    """A vehicle about to be left by one stack; half points."""

    one_vehicle: bool  # all are aboard one vehicle
    load: Literal["", "empty", "loaded"]  # whether the unit named is a vehicle, and carries any
    several: bool  # more than one unit is named
    moving: bool
    stunned: bool
    prep_fired: bool
    mp: int  # printed; for a galloping wagon half as much again
    driven: int  # MP it has spent
    left: int
    enemies: bool  # there are enemies in the Location
    distinct: bool = True  # no unit is named twice
    lost: int = 0  # MP spent by being boarded
    gun: Literal["", "unhook", "portee"] = ""  # how a named Gun is released
    mount: str = ""  # the horses or motorcycles that are named, or that carry the unit named
    gear: str = ""  # what the unit named moves on


class Alight(PaidIfFree, frozen=True, gc=False):
    """A unit about to leave its vehicle; half points."""

    phase: str
    spent: int  # on foot
    # the vehicle
    mp: int  # printed
    driven: int  # MP it has spent
    used: int  # those that count as used: for a blind AFV without the Stop (E1.52)
    prep_fired: bool
    immobile: bool
    # the unit
    fired: bool
    pinned: bool
    # the vehicle again
    vehicle_fired: bool = False  # it fired or made an OVR in this MPh
    soft: bool = False  # the unit is a Passenger of an unarmored vehicle
    crew: str = ""  # the unit is the inherent crew of a ``carrier``, or of an ``other``
    bypass: bool = False
    bogs: bool = False  # it has bogged while moving in this MPh
    lost: int = 0  # MP it has spent by being boarded
    carrier_crew: bool = False  # the unit is the half squad of a Carrier
    counters_here: tuple[str, ...] = ()  # other than SMOKE, in the hex of a vehicle in Bypass
    mined: bool = False


@cases(Unload)
def unloading_facts(position: AslPosition, action: Unload, edition: Edition) -> list[Case]:
    """Return the facts of units leaving a vehicle, of the vehicle, and of its remaining load."""
    if not action.units:
        raise BadInputError("expected at least one unit", field="units")
    units = [position.unit(name) for name in action.units]
    vehicle = conveyance(position, units[0])
    found = [
        about(unit, facts.replace(mph=vehicle.move.mph, due=False))  # as for its vehicle
        for unit in units
        for facts in (standing_of(position, unit, "unload"),)
    ]
    if vehicle is not units[0]:
        found.append(about(vehicle, standing_of(position, vehicle, "unload")))
    facts = disembarking(position, vehicle, units, edition)
    ids = tuple(dict.fromkeys((vehicle.id, *action.units)))
    found.append(Case(ids, facts))
    if vehicle.facing is not None and not facts.mount:
        alights = [alighting(position, unit, vehicle) for unit in units]
        going = list(map(about, units, alights))
        bogs = alights[0].bogs  # bogging comes first
        found = [*going, *found] if bogs else [*found, *going]
    if vehicle.sw and vehicle.facing is not None:  # SW cannot stay alone on every vehicle
        off = [replace(one, aboard=None, riding=False) for one in with_captives(position, units)]
        alone = hold(position.with_units(off), vehicle)
        found.append(Case((vehicle.id, *action.units), alone))
    if action.take:
        by = "quick-crew" if units[0].crew.inherent else "passengers"
        taken = taking(position, vehicle, action.take, by, units[0])
        found.append(Case((vehicle.id, units[0].id), taken))
    if vehicle.place.bypass is not None:
        found += of_stranded(position, units)
    return found + interrupted(position, (vehicle, *units), edition)


def disembarking(
    position: AslPosition, vehicle: AslUnit, units: Sequence[AslUnit], edition: Edition
) -> Disembark:
    """Return the facts of a vehicle being left by a stack."""
    around = reading.there(position, vehicle.side, vehicle.at or "")
    named = reading.type_of(position, units[0]).is_vehicle
    return Disembark(
        load=("loaded" if prc(position, units[0]) else "empty") if named else "",
        one_vehicle=len({unit.cargo.aboard for unit in units}) == 1
        and units[0].cargo.aboard is not None
        and vehicle.facing is not None,
        several=len(units) > 1,
        distinct=len({unit.id for unit in units}) == len(units),
        moving=vehicle.motion.moving,
        stunned=vehicle.crew.stunned,
        prep_fired=vehicle.status.prep_fired or is_blind(position, vehicle),
        mp=reading.type_of(position, vehicle).mp * 2 + vehicle.points.double,
        driven=vehicle.points.spent,
        lost=vehicle.points.lost,
        left=spending.allotment(position, vehicle, edition) - vehicle.points.spent,
        enemies=around.known or around.concealed or around.harmless,
        gun=_tied_gun(position, units),
        mount=vehicle.id if reading.type_of(position, vehicle).class_ in MOUNTS else "",
        gear=units[0].status.gear,
    )


def _tied_gun(position: AslPosition, units: Sequence[AslUnit]) -> Literal["", "unhook", "portee"]:
    """Return how the first towed or carried Gun of these units is released."""
    towers = [position.unit(u.cargo.towed_by) for u in units if u.cargo.towed_by]
    return ("portee" if towers[0].cargo.laden else "unhook") if towers else ""


def alighting(position: AslPosition, unit: AslUnit, vehicle: AslUnit) -> Alight:
    """Return the facts of a unit leaving its vehicle; a blind AFV can have spent a Stop (E1.52)."""
    kind, blind = reading.type_of(position, vehicle), is_blind(position, vehicle)
    bypass = vehicle.place.bypass is not None
    return Alight(
        phase=position.phase,
        spent=unit.points.spent,
        mp=kind.mp * 2 + vehicle.points.double,
        driven=vehicle.points.spent,
        used=vehicle.points.used if blind else vehicle.points.spent,
        prep_fired=vehicle.status.prep_fired or blind,
        immobile=vehicle.motion.immobile or vehicle.motion.bogged,
        fired=unit.status.fired,
        pinned=unit.status.pinned,
        vehicle_fired=vehicle.status.fired,
        soft=not (unit.cargo.riding or kind.afv),
        crew=("carrier" if kind.carrier else "other") if unit.crew.inherent else "",
        carrier_crew=is_carrier_crew(position, unit, vehicle),
        bypass=bypass,
        counters_here=counters_at(position, vehicle.at or "") if bypass else (),
        mined=MINEFIELD in position.markers.get(vehicle.at or "", ()),
        bogs=vehicle.motion.bogged and vehicle.move.mph == "done" and _has_driven(vehicle),
        lost=vehicle.points.lost,
    )


def _has_driven(vehicle: AslUnit) -> bool:
    """Return whether a vehicle whose MPh is over has entered or turned in it."""
    return vehicle.move.previous is not None or vehicle.points.used > 0


# -- the vehicle ---------------------------------------------------------------------------------


@clause("D6.5c", kind="action")
def enough_left(facts: Disembark | Alight, sheet: Sheet) -> None:
    """Units cannot leave once over three quarters of the vehicle's printed MP are spent."""
    if isinstance(facts, Disembark) and facts.load:
        return  # D6.5a objects to a vehicle named instead of its load
    of, most = count("D6.5c", "of"), count("D6.5c", "most")
    spent, may = facts.driven, facts.mp * most // of
    if facts.lost and sheet.reading("D6.5c") == "free":
        spent -= facts.lost
    if spent * of > facts.mp * most:
        if isinstance(facts, Disembark):
            sheet.bar("too much of its MP is spent", may, spent, halves=True)
        else:
            note = "its vehicle has spent too much of its MP"
            sheet.bar(note, may, spent, halves=True, points="MP")


def _misnamed(facts: Disembark) -> str:
    """Return what is wrong with the units named, and what to write; "" for units aboard one vehicle."""
    if facts.gun:
        does = "unhooks" if facts.gun == "unhook" else "unloads"
        piece = "" if facts.gun == "unhook" else "GUN "
        return f"a Gun does not leave by itself: `{facts.gun} VEHICLE {piece}CREW` {does} it"
    if facts.mount:
        return f"riders of horses and motorcycles dismount: `dismount {facts.mount}`"
    if facts.load:
        named = "a vehicle does not leave itself: name who gets off it, as in `unload UNIT`"
        return named if facts.load == "loaded" else "it carries nobody"
    if facts.one_vehicle:
        return ""
    if facts.several:
        return "they are not all aboard one vehicle, to leave it as a stack"
    moves = f"moves on its {facts.gear}, and leaves this by `switch UNIT foot`"
    return f"it {moves if facts.gear else 'is not aboard a vehicle'}"


@clause("D6.5a", kind="cost", after=("D6.5c",))
def quarter(facts: Disembark, sheet: Sheet) -> None:
    """Each stack that leaves costs the stopped vehicle a quarter of its MP, rounded up."""
    if wrong := _misnamed(facts):
        sheet.bar(wrong)
    if not facts.distinct:
        sheet.bar("a unit is named twice")
    if facts.moving:
        sheet.bar("the vehicle has not stopped")
    cost = 2 * -(-facts.mp // (2 * count("D6.5a", "parts")))
    if facts.prep_fired or sheet.barred("D6.5c"):
        return
    if cost > facts.left and sheet.reading("D6.5a") == "rest":
        cost = facts.left
    sheet.charge(cost, "a stack leaves it", "unloading")


@clause("D6.5r", kind="action")
def stunned(facts: Disembark | Embark, sheet: Sheet) -> None:
    """Units cannot leave or board a Stunned vehicle."""
    if facts.stunned:
        sheet.bar("the vehicle is Stunned")


@clause("D6.5k", kind="action")
def unload_among_enemies(facts: Disembark, sheet: Sheet) -> None:
    """Units can leave a vehicle even with enemies in the Location."""
    if facts.enemies:
        sheet.exception("units leave a vehicle among enemies; they are not held in Melee")


# -- the unit ------------------------------------------------------------------------------------


@clause("D6.5b", kind="cost", after=("D6.5c",))
def alight(facts: Alight, sheet: Sheet) -> None:
    """Leaving costs 1 MF, plus 1 for each quarter of the MP already used."""
    sheet.force("conveyed", value=True)
    sheet.force("act", "alights" if facts.soft else "unloads")
    if sheet.barred("D6.5c"):
        return
    sheet.charge(halves("D6.5b", "leave"), "leaving the vehicle", "leaving")
    parts, used = count("D6.5a", "parts"), facts.used
    if facts.lost and sheet.reading("D6.5c") == "free":
        used -= facts.lost
    if sheet.reading("D6.5b") == "allotment":
        quarters = -(-parts * used // facts.mp)
    else:
        quarters = -(-used // (2 * -(-facts.mp // (2 * parts))))
    gone = max(0, quarters * halves("D6.5b", "each") - facts.spent)
    sheet.charge(gone, f"leaving with {quarters}/{parts} of its MP used", "leaving")


@clause("D6.5d", kind="action")
def fired_before(facts: Alight, sheet: Sheet) -> None:
    """PRC leave a vehicle that fired in the PFPh for no MP, but stay in the Location."""
    if not facts.prep_fired:
        return
    if facts.used:
        sheet.bar("the vehicle fired in the PFPh and has spent MP", 0, facts.used,
                  halves=True, points="MP")  # fmt: skip
    sheet.force("stays", value=True)


@clause("D6.5e", kind="action")
def immobilized(facts: Alight, sheet: Sheet) -> None:
    """Units can leave an immobilized vehicle."""
    if facts.immobile:
        sheet.exception("the vehicle is immobile")
        if facts.bogs:
            sheet.bar("the vehicle has bogged in this MPh")
        if sheet.reading("D6.5e") == "stay":
            sheet.force("stays", value=True)


@clause("D6.5h", kind="action")
def pinned_alights(facts: Alight, sheet: Sheet) -> None:
    """Pinned Passengers who leave stay in the Location."""
    if facts.pinned:
        sheet.force("stays", value=True)


class Stays(Standing):
    """A unit that has left a vehicle, about to act."""

    stays: bool = read("unit.cargo.stays")

    is_relevant = property(lambda self: self.stays)


@clause("D6.5f", kind="cost")
def go_on(facts: Alight | Stays, sheet: Sheet) -> None:
    """A unit that has left a vehicle moves on with what is left of four MF, unless held there."""
    if isinstance(facts, Alight):
        sheet.force("road", value=False)  # a road bonus would be a fifth MF
    elif facts.stays and facts.verb in ("enter", "minimum"):
        sheet.bar("because of how it left its vehicle it cannot leave the Location")
    elif facts.stays and facts.verb == "load":
        sheet.unsupported(
            "how a unit boards another vehicle that must not drive off with it in this MPh"
        )


@clause("D6.5q", kind="action")
def took_no_part(facts: Alight, sheet: Sheet) -> None:
    """PRC that added no FP to their vehicle's OVR can leave it in that MPh."""
    if facts.vehicle_fired and not facts.fired:
        sheet.exception("its vehicle has fired or overrun, but the unit has not")


@clause("D6.5g", kind="action")
def in_vehicles_mph(facts: Alight, sheet: Sheet) -> None:
    """A unit that has left a vehicle moves on in its MPh, before another unit begins its own."""
    if facts.phase == "MPh":
        sheet.force("mph", "moving")


@clause("D6.5m", kind="action")
def fired_aboard(facts: Alight, sheet: Sheet) -> None:
    """PRC that fired or added to an OVR cannot leave in that MPh."""
    if facts.fired:
        sheet.bar("it has fired in this MPh")


@clause("D6.4e", kind="action")
def no_loading_in_aph(facts: Boarding | Alight, sheet: Sheet) -> None:
    """Units cannot board or leave a vehicle in the APh."""
    if facts.phase == "APh":
        sheet.bar("units cannot load or unload in the APh")


@not_modelled("B28.43")
def stepped_on(facts: Alight | Abandonment) -> bool:
    """A unit that gets off in a minefield is attacked as if entering it."""
    return facts.mined


# -- out of a vehicle in Bypass ------------------------------------------------------------------


@clause("D6.5l", kind="state")
def at_cafp(facts: Alight | Plunge | Lost | Abandonment | Mounted | Spilled, sheet: Sheet) -> None:
    """A unit that leaves a vehicle in Bypass in its MPh is at its CAFP for fire, whatever MF it has."""
    if isinstance(facts, Mounted):
        if facts.cafp == "at":
            grant(sheet, "be at the CAFP against Defensive First Fire", 1)
    elif _leaves_bypass(facts, sheet):
        sheet.force("cafp", "at")


def _leaves_bypass(facts: Alight | Plunge | Lost | Abandonment | Spilled, sheet: Sheet) -> bool:
    if isinstance(facts, Spilled):
        return facts.bypass
    if isinstance(facts, Abandonment):
        return facts.bypass
    if isinstance(facts, Alight):
        return facts.bypass and facts.phase == "MPh"
    if isinstance(facts, Plunge):
        return facts.bypass and facts.own_mph and bails(facts, sheet)
    return facts.bypass and facts.own_mph and facts.outcome == "survives"


@clause("D6.5o", kind="state")
def in_the_obstacle(facts: Mounted, sheet: Sheet) -> None:
    """After that fire a unit that left a vehicle in Bypass is in the woods or building bypassed."""
    if facts.cafp == "past":
        grant(sheet, "be in the woods or building that its vehicle went round", 1)


@clause("A12.151", kind="effect")
def stranded(facts: Detection, sheet: Sheet) -> None:
    """A unit that leaves a vehicle in Bypass, or ends the MPh in Bypass, among enemies is revealed, as are those enemies."""
    if facts.outcome == STRANDED:
        sheet.force("concealed", value=False)


# -- Carriers ------------------------------------------------------------------------------------


LEAVES = "be left by its crew as by unloading"


@clause("D6.83b", kind="action")
def quick_exit(facts: Carriage | Alight | Taking, sheet: Sheet) -> None:
    """A Carrier's crew can unload instead, without armament and destroying nothing."""
    if isinstance(facts, Taking):
        if facts.by == "quick-crew":
            sheet.bar("a crew that unloads cannot take armament along")
    elif isinstance(facts, Alight):
        if facts.crew == "other":
            sheet.bar("a crew abandons its vehicle; only a Carrier's crew can unload")
    elif facts.carrier and not facts.abandoned:
        deny(sheet, f"{LEAVES}, with its armament")
        deny(sheet, f"{LEAVES}, destroying it")


@clause("D6.82e", kind="state")
def remains_trained(facts: Abandonment | Alight | CrewLost | Lost, sheet: Sheet) -> None:
    """A half squad that leaves its Carrier is a Carrier's crew on foot."""
    if facts.carrier_crew:
        sheet.force("carrier_crew", value=True)


@effect(Unload)
def after_unloading(position: AslPosition, action: Unload, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after units have left a vehicle in its MPh (D6.5g)."""
    paid = paid_by_unit(bills)
    units = [position.unit(name) for name in action.units]
    home = vehicle = conveyance(position, units[0])
    if home.facing is None or home in units:
        return begun(position, [home], [])
    if any(unit.crew.inherent for unit in units):
        vehicle = replace(vehicle, abandoned=True)  # a Carrier's crew (D6.83b)
    off = {"aboard": None, "riding": False, "inherent": False}
    held = [each for unit in units for each in captives(position).get(unit.id, ())]
    changed = [replace(unit, **off) for unit in (*(paying(each, paid) for each in units), *held)]
    if action.take:
        vehicle, changed[0] = with_taken(position, vehicle, changed[0], action.take)
    mph = "done" if vehicle.move.mph == "done" else "moving"
    return begun(position, [home], [*changed, replace(paying(vehicle, paid), mph=mph)])
