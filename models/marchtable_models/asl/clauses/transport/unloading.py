"""Leaving a vehicle (D6.5)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.transport import Alight, Disembark, Embark
from marchtable_models.asl.facts.units import Standing


@clause("D6.5a", kind="cost")
def quarter(facts: Disembark, sheet: Sheet) -> None:
    """Each stack that leaves costs the stopped vehicle a quarter of its MP, rounded up."""
    if facts.gun:
        does = "unhooks" if facts.gun == "unhook" else "unloads"
        piece = "" if facts.gun == "unhook" else "GUN "
        sheet.bar(f"a Gun does not leave by itself: `{facts.gun} VEHICLE {piece}CREW` {does} it")
    elif not facts.one_vehicle:
        sheet.bar("not all of these are aboard one vehicle, which they would leave as a stack")
    if not facts.distinct:
        sheet.bar("a unit is named twice")
    if facts.moving:
        sheet.bar("the vehicle has not stopped")
    cost = 2 * -(-facts.mp // (2 * count("D6.5a", "parts")))
    if facts.prep_fired or facts.late:
        return
    if cost > facts.left and sheet.reading("D6.5a") == "rest":
        cost = facts.left
    sheet.charge(cost, "a stack leaves it", "unloading")


@clause("D6.5c", kind="action")
def enough_left(facts: Disembark, sheet: Sheet) -> None:
    """Nobody leaves once more than three quarters of the printed MP are spent."""
    of, most = count("D6.5c", "of"), count("D6.5c", "most")
    spent = facts.spent
    if facts.lost and sheet.reading("D6.5c") == "free":
        spent -= facts.lost
    if spent * of > facts.mp * most:
        sheet.bar("too much of its MP is spent", facts.mp * most // of, spent, halves=True)


@clause("D6.5r", kind="action")
def stunned(facts: Disembark | Embark, sheet: Sheet) -> None:
    """Nobody leaves or boards a Stunned vehicle."""
    if facts.stunned:
        sheet.bar("the vehicle is Stunned")


@clause("D6.5k", kind="action")
def unload_among_enemies(facts: Disembark, sheet: Sheet) -> None:
    """Enemies in the Location do not hinder leaving a vehicle there."""
    if facts.enemies:
        sheet.exception("units leave a vehicle among enemies; they are not held in Melee")


@clause("D6.5b", kind="cost")
def alight(facts: Alight, sheet: Sheet) -> None:
    """Leaving costs 1 MF, and 1 for each quarter of the MP used before."""
    sheet.force("conveyed", value=True)
    sheet.force("act", "alights" if facts.soft else "unloads")
    if facts.late:
        return  # see D6.5c
    sheet.charge(halves("D6.5b", "leave"), "leaving the vehicle", "leaving")
    parts, used = count("D6.5a", "parts"), facts.used
    if facts.lost and sheet.reading("D6.5c") == "free":
        used -= facts.lost
    if sheet.reading("D6.5b") == "allotment":
        quarters = -(-parts * used // facts.mp)
    else:
        quarters = -(-used // (2 * -(-facts.mp // (2 * parts))))
    gone = max(0, quarters * halves("D6.5b", "each") - facts.spent)
    sheet.charge(gone, f"{quarters} quarter(s) of its MP used", "leaving")


@clause("D6.5d", kind="action")
def fired_before(facts: Alight, sheet: Sheet) -> None:
    """PRC leave a vehicle that fired in the PFPh for no MP, but stay where they are."""
    if not facts.prep_fired:
        return
    if facts.used:
        sheet.bar("the vehicle fired in the PFPh and has spent MP", 0, facts.used,
                  halves=True, points="MP")  # fmt: skip
    sheet.force("stays", value=True)


@clause("D6.5e", kind="action")
def immobilized(facts: Alight, sheet: Sheet) -> None:
    """An immobilized vehicle may be left."""
    if facts.immobile:
        sheet.exception("the vehicle is immobile")
        if facts.bogs:
            sheet.bar("the vehicle has bogged in this MPh")
        if sheet.reading("D6.5e") == "stay":
            sheet.force("stays", value=True)


@clause("D6.5h", kind="action")
def pinned_alights(facts: Alight, sheet: Sheet) -> None:
    """Pinned Passengers who leave stay where they do."""
    if facts.pinned:
        sheet.force("stays", value=True)


@clause("D6.5f", kind="cost")
def go_on(facts: Alight | Standing, sheet: Sheet) -> None:
    """Who has left a vehicle goes on with the MF left of four in all, if nothing holds it there."""
    if isinstance(facts, Alight):
        sheet.force("road", value=False)  # a road bonus would be a fifth MF
    elif facts.stays and facts.verb in ("enter", "minimum"):
        sheet.bar("it left its vehicle so that it may not leave the Location")
    elif facts.stays and facts.verb == "load":
        sheet.unsupported("whom another vehicle must not drive off in this MPh boards that")


@clause("D6.5q", kind="action")
def took_no_part(facts: Alight, sheet: Sheet) -> None:
    """PRC who added no FP to their vehicle's OVR may leave it in that MPh."""
    if facts.vehicle_fired and not facts.fired:
        sheet.exception("its vehicle has fired or overrun, it has not")


@clause("D6.5g", kind="action")
def in_vehicles_mph(facts: Alight, sheet: Sheet) -> None:
    """Who has left a vehicle goes on in that vehicle's MPh: it ends as another unit begins its own."""
    if facts.phase == "MPh":
        sheet.force("mph", "moving")


@clause("D6.5m", kind="action")
def fired_aboard(facts: Alight, sheet: Sheet) -> None:
    """PRC who fired, or added to an OVR, in this MPh do not leave in it."""
    if facts.fired:
        sheet.bar("it has fired in this MPh")
