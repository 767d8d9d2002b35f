"""Leaving a vehicle (D6.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.transport import Alight

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.transport import Disembark, Embark
    from marchtable_models.asl.facts.units import Standing

__all__ = [
    "alight",
    "enough_left",
    "fired_aboard",
    "fired_before",
    "go_on",
    "immobilized",
    "in_vehicles_mph",
    "pinned_alights",
    "quarter",
    "stunned",
    "took_no_part",
    "unload_among_enemies",
]


@clause(
    "D6.5a",
    "Each stack that leaves costs the stopped vehicle a quarter of its MP, rounded up",
    kind="cost",
)
def quarter(facts: Disembark, sheet: Sheet) -> None:
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


@clause(
    "D6.5c",
    "Nobody leaves once more than three quarters of the printed MP are spent",
    kind="action",
)
def enough_left(facts: Disembark, sheet: Sheet) -> None:
    of, most = count("D6.5c", "of"), count("D6.5c", "most")
    spent = facts.spent
    if facts.lost and sheet.reading("D6.5c") == "free":
        spent -= facts.lost
    if spent * of > facts.mp * most:
        sheet.bar("too much of its MP is spent", facts.mp * most // of, spent, halves=True)


@clause("D6.5r", "Nobody leaves or boards a Stunned vehicle", kind="action")
def stunned(facts: Disembark | Embark, sheet: Sheet) -> None:
    if facts.stunned:
        sheet.bar("the vehicle is Stunned")


@clause("D6.5k", "Enemies in the Location do not hinder leaving a vehicle there", kind="action")
def unload_among_enemies(facts: Disembark, sheet: Sheet) -> None:
    if facts.enemies:
        sheet.exception("units leave a vehicle among enemies; they are not held in Melee")


@clause("D6.5b", "Leaving costs 1 MF, and 1 for each quarter of the MP used before", kind="cost")
def alight(facts: Alight, sheet: Sheet) -> None:
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


@clause(
    "D6.5d",
    "PRC leave a vehicle that fired in the PFPh for no MP, but stay where they are",
    kind="action",
)
def fired_before(facts: Alight, sheet: Sheet) -> None:
    if not facts.prep_fired:
        return
    if facts.used:
        sheet.bar("the vehicle fired in the PFPh and has spent MP", 0, facts.used,
                  halves=True, points="MP")  # fmt: skip
    sheet.force("stays", value=True)


@clause("D6.5e", "An immobilized vehicle may be left", kind="action")
def immobilized(facts: Alight, sheet: Sheet) -> None:
    if facts.immobile:
        sheet.exception("the vehicle is immobile")
        if facts.bogs:
            sheet.bar("the vehicle has bogged in this MPh")
        if sheet.reading("D6.5e") == "stay":
            sheet.force("stays", value=True)


@clause("D6.5h", "Pinned Passengers who leave stay where they do", kind="action")
def pinned_alights(facts: Alight, sheet: Sheet) -> None:
    if facts.pinned:
        sheet.force("stays", value=True)


@clause(
    "D6.5f",
    "Who has left a vehicle goes on with the MF left of four in all, if nothing holds it there",
    kind="cost",
)
def go_on(facts: Alight | Standing, sheet: Sheet) -> None:
    if isinstance(facts, Alight):
        sheet.force("road", value=False)  # a road bonus would be a fifth MF
    elif facts.stays and facts.verb in ("enter", "minimum"):
        sheet.bar("it left its vehicle so that it may not leave the Location")
    elif facts.stays and facts.verb == "load":
        sheet.unsupported("whom another vehicle must not drive off in this MPh boards that")


@clause(
    "D6.5q", "PRC who added no FP to their vehicle's OVR may leave it in that MPh", kind="action"
)
def took_no_part(facts: Alight, sheet: Sheet) -> None:
    if facts.vehicle_fired and not facts.fired:
        sheet.exception("its vehicle has fired or overrun, it has not")


@clause(
    "D6.5g",
    "Who has left a vehicle goes on in that vehicle's MPh: it ends as another unit begins its own",
    kind="action",
)
def in_vehicles_mph(facts: Alight, sheet: Sheet) -> None:
    if facts.phase == "MPh":
        sheet.force("mph", "moving")


@clause("D6.5m", "PRC who fired, or added to an OVR, in this MPh do not leave in it", kind="action")
def fired_aboard(facts: Alight, sheet: Sheet) -> None:
    if facts.fired:
        sheet.bar("it has fired in this MPh")
