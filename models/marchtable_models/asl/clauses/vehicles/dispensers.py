"""Vehicular smoke dispensers and smoke grenades, as far as their MP go (D13)."""

from __future__ import annotations

from marchtable.dice import SIDES, two_dice_at_least
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.state.position import Odds
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.helping import GRENADES, Dispensed, Dispensing
from marchtable_models.asl.facts.units import PhaseStart, Standing

FIRED, FAILED = "fired", "failed"


@clause("D13.2a", kind="action")
def who_dispenses(facts: Dispensing, sheet: Sheet) -> None:
    """An AFV with a sound crew tries its smoke dispenser once a Player Turn, before anybody in it fires."""
    if not facts.equipped:
        sheet.bar("only AFVs have smoke dispensers, and armed vehicles smoke grenades")
    elif not facts.sound:
        sheet.bar("its crew is gone, Stunned or Shocked")
    if facts.tried:
        sheet.bar("it has tried in this Player Turn")
    if facts.fired:
        sheet.bar("it, or one of its PRC, has fired")
    if facts.own_turn and facts.left < (need := halves("D13.2", "fires")):
        sheet.bar("no MP is left for it", need, facts.left, halves=True)


@clause("D13.2d", kind="action")
def in_the_enemys_mph(facts: Standing, sheet: Sheet) -> None:
    """In the enemy's MPh a smoke dispenser is tried after he has spent MF or MP in LOS."""
    if facts.provoked == "no":
        sheet.bar("no enemy that moves is in its LOS")
    elif facts.provoked in ("untold", "unsure"):
        sheet.unsupported("whether an enemy that moves is in its LOS; state it with `sight`")


@clause("D13.33", kind="action")
def hatches(facts: Dispensing, sheet: Sheet) -> None:
    """Smoke Pots ask for a CE crew, a Nahverteidigungswaffe for a BU one."""
    if facts.kind == "sP" and facts.bu:
        sheet.bar("the crew is buttoned up")
    elif facts.kind == "sN" and not facts.bu:
        sheet.bar("the crew is CE")


@not_modelled("D13.32")
def out_of_sight(facts: Dispensing) -> bool:
    """A Smoke Mortar, which asks for a TCA, a LOS and the DRM of what lies between."""
    return facts.kind == "sM"


@clause("D13.3", kind="odds")
def usage(facts: Dispensing, sheet: Sheet) -> None:
    """It fires by a DR of no more than its Usage Number, 1 added if BU."""
    if facts.kind == GRENADES:
        return
    most = facts.usage - (count("D13.3", "bu") if facts.bu else 0)
    fails, of = two_dice_at_least(most + 1)
    odds = (Odds(FIRED, of - fails, of), Odds(FAILED, fails, of))
    sheet.roll("dispense", odds, f"Usage Number {facts.usage}")
    sheet.force("dispensed", value=True)


@clause("D13.35", kind="odds")
def grenades(facts: Dispensing, sheet: Sheet) -> None:
    """Smoke grenades of an armed vehicle, CE if it is a closed-topped AFV, are placed by a dr of 1, of a CE AFV by 2 or less."""
    if facts.kind != GRENADES:
        return
    if facts.afv and facts.bu and not facts.open_topped:
        sheet.bar("the crew of a closed-topped AFV is buttoned up")
    most = count("D13.35", "ce" if facts.afv and not facts.bu else "others")
    if facts.usage != most:
        sheet.bar("that is not the number of its smoke grenades", most, facts.usage)
    odds = (Odds(FIRED, most, SIDES), Odds(FAILED, SIDES - most, SIDES))
    sheet.roll("dispense", odds, f"a dr of {most} or less")
    sheet.force("dispensed", value=True)


@clause("E3.53", kind="action")
def washed_away(facts: Dispensing, sheet: Sheet) -> None:
    """In rain, Mud and Deep Snow vehicles place no SMOKE but in buildings."""
    if facts.washed:
        sheet.bar("the weather lets no SMOKE stand there")


@clause("D13.2b", kind="effect")
def pays_as_it_fires(facts: Dispensed, sheet: Sheet) -> None:
    """Smoke that is fired costs a MP, a try that fails nothing."""
    if facts.outcome == FIRED and facts.own_turn:
        each = halves("D13.2", "fires")
        sheet.force("spent", facts.spent + each)
        sheet.force("used", facts.used + each)


@clause("D13.2c", kind="state")
def in_turn(facts: PhaseStart, sheet: Sheet) -> None:
    """In the next Player Turn it may try again."""
    if facts.dispensed and facts.new_turn:
        sheet.force("dispensed", value=False)
