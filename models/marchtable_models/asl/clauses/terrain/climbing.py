"""Climbing cliffs (B11.4): who climbs, the Falling DR, and how one gets off."""

from __future__ import annotations

from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable.state.position import Odds
from marchtable_models.asl.clauses.squads import excess_squads
from marchtable_models.asl.clauses.terrain.chart import ALL_ON_FOOT
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.climbing import Climbed, Climbing
from marchtable_models.asl.facts.foot import Handling
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import PhaseStart, Standing
from marchtable_models.asl.verbs.traits import has_trait

ELIMINATED, STAYS = "eliminated", "stays"


@clause("B11.4", kind="action")
def climbs(facts: Climbing, sheet: Sheet) -> None:
    """Infantry in Good Order, on foot and not wounded, climbs along a cliff in its MPh."""
    if facts.side is None:
        sheet.bar("no cliff of a level or more leads there")
    elif not facts.fit:
        sheet.bar("only unwounded Infantry in Good Order, on the ground or on that cliff, climbs")
    elif facts.way != "off" and facts.advancing:
        sheet.bar("nobody climbs in the APh")
    elif facts.way == "up" and facts.height >= facts.top:
        sheet.bar("it is at the top of the cliff: an Advance takes it over")
    elif facts.way == "down" and not facts.height:
        sheet.bar("it is at the foot of the cliff")


@clause("B11.41", kind="odds")
def falling(facts: Climbing, sheet: Sheet) -> None:
    """It climbs a level by a DR of 9 or less, falls by 12; rain and snow add 1 each."""
    if facts.way == "off":
        return
    who = "commando_" if facts.commando else ""
    falls, of = two_dice_at_least(count("B11.41", f"{who}falls") - facts.drm)
    fails, _ = two_dice_at_least(count("B11.41", f"{who}stays") - facts.drm)
    odds = (
        Odds(facts.way, of - fails, of),
        Odds(STAYS, fails - falls, of),
        Odds(ELIMINATED, falls, of),
    )
    note = f"{facts.drm:+d} for rain and snow" if facts.drm else ""
    sheet.roll("climb", tuple(one for one in odds if one.chance), note)


@clause("B11.41b", kind="capacity")
def carries(facts: Climbing, sheet: Sheet) -> None:
    """Who climbs carries no more than the IPC of a CX unit."""
    most = count("A4.42", "smc" if facts.smc else "mmc") - count("A4.52", "ipc")
    if facts.way != "off" and facts.pp > most:
        sheet.bar("it carries too much to climb", most, facts.pp, points="PP")


@clause("B11.43", kind="cost", composes="end")
def all_mf(facts: Climbing, sheet: Sheet) -> None:
    """To climb takes all MF."""
    if facts.way != "off":
        sheet.charge(ALL_ON_FOOT, "to climb", "all")


@clause("B11.43b", kind="effect")
def is_on_it(facts: Climbing, sheet: Sheet) -> None:
    """Who climbs is on the cliff, on its lower side, whatever the DR; it moves by Hazardous Movement and is CX."""
    if facts.way == "off":
        return
    told = {
        "inside": "cliff",
        "crest": facts.side,
        "floor": facts.height,
        "hazardous": "climbing",
        "cx": True,
    }
    for field, value in told.items():
        sheet.force(field, value)


@clause("B11.43c", kind="capacity")
def room(facts: Climbing, sheet: Sheet) -> None:
    """More than normal stacking on a level of a cliff."""
    if excess_squads(facts.group):
        sheet.unsupported("what being overstacked costs who climbs")


@clause("B11.43d", kind="effect")
def fares(facts: Climbed, sheet: Sheet) -> None:
    """By its DR it is a level higher or lower, where it was, or eliminated."""
    step = {"up": 1, "down": -1}.get(facts.outcome, 0)
    if step:
        sheet.force("floor", facts.height + step)


@clause("B11.432", kind="action")
def gets_off(facts: Climbing, sheet: Sheet) -> None:
    """At the foot of its cliff a unit gets off in the APh, which is its Advance."""
    if facts.way != "off":
        return
    if not facts.on or not facts.advancing or facts.height:
        sheet.bar("in the APh a unit gets off a cliff at its foot")
    for field, value in (("inside", ""), ("crest", None)):
        sheet.force(field, value)


@clause("B11.432b", kind="action")
def over_the_top(facts: Entry, sheet: Sheet) -> None:
    """At the top of its cliff a unit advances over it, whatever lies there."""
    if facts.inside != "cliff":
        return
    if facts.scaled:
        sheet.exception("it has climbed the cliff")
    else:
        sheet.bar("from a cliff a unit advances in the APh over its top, or gets off at its foot")


@clause("B11.432c", kind="effect")
def leaves_it(facts: Entry, sheet: Sheet) -> None:
    """Who leaves it so is on no cliff any more."""
    if facts.inside == "cliff":
        sheet.force("floor", 0)
        sheet.force("crest", None)


@clause("B11.432d", kind="effect")
def pinned_by_more(facts: Entry, sheet: Sheet) -> None:
    """SMOKE beyond the top pins who advances there."""
    if facts.scaled and facts.there.smoke:
        sheet.force("pinned", value=True)


@clause("B11.4b", kind="action")
def nothing_else(facts: Standing, sheet: Sheet) -> None:
    """Who is on a cliff climbs, or gets off, and does nothing else."""
    if facts.inside == "cliff" and not has_trait(facts.verb, "cliff"):
        sheet.bar("it is on a cliff")


@clause("B11.4c", kind="action")
def hands_full(facts: Handling, sheet: Sheet) -> None:
    """Who is on a cliff neither recovers nor hands on SW."""
    if facts.on_cliff and facts.verb != "drop":
        sheet.bar("it is on a cliff")


@clause("B11.434", kind="state")
def stays_exhausted(facts: PhaseStart, sheet: Sheet) -> None:
    """Who is on a cliff stays CX."""
    if facts.on_cliff and sheet.forces("cx"):
        sheet.force("cx", value=True)
