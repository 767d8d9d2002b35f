"""Delay (D2.17), Motion attempts (D2.401), Excessive Speed (D2.5), OVR's cost (D7.1)."""

from __future__ import annotations

from marchtable.dice import SIDES, two_dice_at_least
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.state.position import Odds
from marchtable_models.asl.clauses.vehicles.bog import is_turn_difficult
from marchtable_models.asl.data import count, ratio, vehicle_tables
from marchtable_models.asl.facts.spending import Allowance
from marchtable_models.asl.facts.steps import Entry, There
from marchtable_models.asl.facts.units import PhaseStart
from marchtable_models.asl.facts.vehicles import (
    Burst,
    DriveResult,
    Freed,
    MotionTry,
    StartStop,
    Veer,
    Wait,
)


@clause("D2.17", kind="cost", composes="end")
def delay(facts: Wait, sheet: Sheet) -> None:
    """A stopped vehicle, or one of a platoon, may spend MP where it stands."""
    if not facts.is_vehicle or (facts.moving and not (facts.platoon or facts.pushes)):
        sheet.bar("only a stopped vehicle delays")
    if facts.mp <= 0:
        sheet.bar("nothing is spent")
    sheet.charge(facts.mp, "Delay", "delay")


@clause("D10.42", kind="action")
def wreck_pushed(facts: Wait, sheet: Sheet) -> None:
    """A tracked AFV that is not much lighter pushes a wreck away for half its MP; it is gone after the MPh."""
    if not facts.pushes:
        return
    if not facts.fit:
        sheet.bar("only a tracked AFV pushes a wreck, one of its own Location")
    elif not (facts.tons and facts.wreck_tons):
        sheet.unsupported("whether it is heavy enough: its weight, or the wreck's, is not told")
    elif facts.tons < (least := ratio("D10.42", "weight") * facts.wreck_tons):
        sheet.bar("it is too light to push the wreck", f"{least:g} tons", f"{facts.tons:g} tons")
    if facts.mp < (half := -(-facts.allotment // count("D10.42", "part"))):
        sheet.bar("to push a wreck takes half its MP", half, facts.mp, halves=True)
    sheet.force("clears", facts.wreck)


# -- Excessive Speed -------------------------------------------------------------------------------


@clause("D2.5a", kind="odds")
def esb(facts: Burst, sheet: Sheet) -> None:
    """Once a MPh a tracked vehicle may ask for up to a quarter of its printed MP more, at a risk."""
    if facts.column not in vehicle_tables().tracked.columns:
        sheet.bar("only a tracked vehicle uses Excessive Speed")
    if facts.had:
        sheet.bar("Excessive Speed is used once a MPh")
    most = facts.printed // 2 // count("D2.5", "share") * 2
    if not 0 < facts.mp <= most:
        sheet.bar("it may ask for that much", most, facts.mp, halves=True)
    elif facts.mp % 2:
        sheet.bar("Excessive Speed is asked for in whole MP")
    table = vehicle_tables().esb
    told = facts.nationality.lower()
    whose = told if told in table else "others"
    asked, drm = facts.mp // 2, table[whose]
    fails, of = two_dice_at_least(count("D2.5", "immobilizes") - asked - drm)
    odds = (Odds("mobile", of - fails, of), Odds("immobilized", fails, of))
    if whose == "others":
        named = ", ".join(name for name in table if name != whose)
        sheet.exception(f"{facts.nationality or 'no nationality'} is none of {named}")
    sheet.force("esb", facts.mp)
    sheet.roll("esb", odds, f"{asked:+d} MP asked, {drm:+d} {whose}")


@clause("D2.5b", kind="cost", composes="start")
def esb_mp(facts: Allowance, sheet: Sheet) -> None:
    """What Excessive Speed gave is added to the MP."""
    sheet.charge(facts.esb, "Excessive Speed")


@clause("D2.5c", kind="effect")
def esb_immobilizes(facts: DriveResult, sheet: Sheet) -> None:
    """A vehicle whose engine fails is immobilized."""
    if facts.speed and facts.outcome == "immobilized":
        sheet.force("immobile", value=True)
        sheet.force("moving", value=False)
        if facts.reverse:
            sheet.force("reverse", value=False)


@clause("D2.51", kind="odds")
def reliability(facts: StartStop | Freed | DriveResult | MotionTry, sheet: Sheet) -> None:
    """An AFV whose MP are printed in red breaks down on a 12 as it starts, or gets into Motion."""
    if isinstance(facts, MotionTry):
        if facts.red_platoon:
            sheet.unsupported("which AFV of a platoon breaks down as it gets into Motion")
        return
    if isinstance(facts, StartStop):
        due = facts.mover.red_mp and facts.verb == "start"
    elif isinstance(facts, Freed):  # the MP spent on it are those of a Start
        due = facts.red_mp and facts.how != "immobilized"
    else:
        due = facts.red_mp and not facts.speed and facts.outcome == "motion"
    if due:
        fails, of = two_dice_at_least(count("D2.51", "immobilizes"))
        odds = (Odds("mobile", of - fails, of), Odds("immobilized", fails, of))
        sheet.roll("reliability", odds, "Mechanical Reliability")


# -- Motion attempts -------------------------------------------------------------------------------


@clause("D2.401a", kind="odds")
def motion_attempt(facts: MotionTry, sheet: Sheet) -> None:
    """A DEFENDER's vehicle gets into Motion if its dr is no more than what the enemy spent in its LOS."""
    sheet.force("tried_motion", value=True)
    if facts.reverse:
        sheet.force("reverse", value=True)
    if facts.fired:
        sheet.bar("a vehicle that has fired in this MPh does not try")
    if facts.mate:
        return
    if facts.reverse and (facts.moving or not facts.has_reverse):
        sheet.bar("only a stopped vehicle that may use Reverse tries for Reverse Motion")
    if facts.kind != "vehicle" or not facts.on_map:
        sheet.bar("only a vehicle on the map tries to get into Motion")
    if facts.own_turn or facts.phase != "MPh":
        sheet.bar("Motion is tried for in the enemy's MPh", "MPh", facts.phase)
    if facts.fixed:
        sheet.bar("only a vehicle that is able to move tries to get into Motion")
    if facts.tried and sheet.reading("D2.401a") == "once":
        sheet.bar("it has tried this Player Turn")
    _in_los(facts, sheet)
    chance = min(SIDES, facts.seen // 2 - facts.drm)
    if chance < 1:
        least = 2 * (facts.drm + 1)
        sheet.bar("the enemy has not spent enough in its LOS", least, facts.seen, halves=True)
    else:
        odds = (Odds("motion", chance, SIDES), Odds("stopped", SIDES - chance, SIDES))
        sheet.roll("motion", odds, f"a dr of {chance} or less")


def _in_los(facts: MotionTry, sheet: Sheet) -> None:
    """Object if what the enemy is stated to have spent in its LOS cannot be, where sight is computed."""
    if facts.los == "no":
        sheet.bar("no enemy that moves has come into its LOS")
    elif facts.los == "unsure":
        sheet.unsupported("whether an enemy that moves is in its LOS; state it with `sight`")
    elif facts.los == "yes" and facts.seen > facts.spent:
        sheet.bar("no enemy in its LOS has spent so much", facts.seen, facts.spent, halves=True)


@clause("D2.401b", kind="effect")
def motion_gained(facts: DriveResult, sheet: Sheet) -> None:
    """Who succeeds is in Motion, in Reverse Motion if it tried for that."""
    if facts.speed or facts.moving:
        return  # under way already it only may change its VCA
    if facts.outcome == "motion":
        sheet.force("moving", value=True)
    elif facts.reverse:
        sheet.force("reverse", value=False)


@clause("D2.401d", kind="effect")
def veer(facts: Veer, sheet: Sheet) -> None:
    """A vehicle whose Motion attempt succeeds may point its VCA along any hexspine, for no MP."""
    if not facts.gained:
        sheet.bar("its VCA changes so only once a Motion attempt in this MPh has succeeded")
    if not facts.swing.steps:
        sheet.bar("the VCA lies so already")
    if facts.swing.in_bypass:
        sheet.bar("a vehicle in Bypass keeps its VCA")
    if is_turn_difficult(facts.swing, sheet):
        sheet.unsupported("the Bog Checks of such a VCA change")
    sheet.force("facing", facts.facing)


@clause("D2.401c", kind="state")
def motion_tried(facts: PhaseStart, sheet: Sheet) -> None:
    """A Motion attempt binds for its Player Turn only."""
    if facts.tried_motion and facts.new_turn:
        sheet.force("tried_motion", value=False)


# -- OVR -------------------------------------------------------------------------------------------


def _is_target(there: There) -> bool:
    return there.prey or there.concealed


@clause("D7.1a", kind="cost")
def overrun(facts: Entry, sheet: Sheet) -> None:
    """Announcing an OVR costs a quarter of the printed MP more."""
    if not facts.overrun:
        return
    if not facts.mover.is_vehicle:
        sheet.bar("only a vehicle makes an OVR")
    elif not _is_target(facts.there):
        sheet.bar("there is no enemy to overrun: an AFV whose crew is BU is none (D7.12)")
    share = count("D7.1", "share")
    sheet.charge(-(-facts.mover.mp // 2 // share) * 2, "OVR announced", "overrun")


@clause("D7.13", kind="action")
def overrun_restrictions(facts: Entry, sheet: Sheet) -> None:
    """No OVR is made in Reverse, nor by who has fired in this MPh, unless in another OVR."""
    if not facts.overrun or not facts.mover.is_vehicle:
        return
    if facts.reverse:
        sheet.bar("no OVR is made in Reverse")
    if facts.fired and not facts.overran:
        sheet.bar("the vehicle has fired in this MPh")


@clause("D7.14", kind="effect")
def overruns(facts: Entry, sheet: Sheet) -> None:
    """Who overruns has fired then, and may overrun again elsewhere; what comes of it is told."""
    if facts.overrun and facts.mover.is_vehicle:
        sheet.force("fired", value=True)
        sheet.force("overran", value=True)
        sheet.exception("the attack of the OVR is not judged: befall states what it does")


@not_modelled("D7.1b")
def overrun_unseen(facts: Entry) -> bool:
    """An OVR of units that are all concealed, who may be shown first, or one by motorcycle."""
    return (
        facts.overrun
        and facts.mover.is_vehicle
        and (facts.mover.column == "mc" or (facts.there.concealed and not facts.there.prey))
    )
