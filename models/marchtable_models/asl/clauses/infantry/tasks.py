"""Tasks that make Infantry TI: Mopping Up (A12.153), Clearance (B24.7)."""

from __future__ import annotations

from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.state.position import Odds
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.tasks import Cleared, Clearing, MoppingUp

HAZARDOUS = ("rubble", "flame", "roadblock")
"""What is cleared by Hazardous Movement."""
TRAILS = ("rubble", "mines")
"""Through what a Trail Break leads once it is cleared."""
CLEARED, FAILED, REDUCED = "cleared", "failed", "reduced"


@clause("A12.153a", kind="action")
def mops_up(facts: MoppingUp, sheet: Sheet) -> None:
    """In its PFPh an armed, unpinned Infantry MMC in Good Order that has not fired mops up, and is TI."""
    if not facts.own_turn or facts.phase != "PFPh":
        sheet.bar("buildings are mopped up in one's own PFPh", "PFPh", facts.phase)
    if not facts.fit:
        sheet.bar("only an armed, unpinned Infantry MMC in Good Order that has not fired mops up")
    sheet.force("ti", value=True)


@clause("A12.153b", kind="action")
def in_which_building(facts: MoppingUp, sheet: Sheet) -> None:
    """Mopped up is a building of several hexes or levels without an unconcealed unbroken enemy, once a Player Turn."""
    if not facts.building or (facts.told and not facts.large):
        sheet.bar("it is not in a building of several hexes or levels")
    if facts.enemies:
        sheet.bar("an unconcealed, unbroken enemy is in the building")
    if facts.again:
        sheet.bar("the building has been mopped up in this Player Turn")


@not_modelled("A12.153c")
def whole_building(facts: MoppingUp) -> bool:
    """Mopping Up where the board does not tell how far the building goes, or who controls what is farther than two hexes."""
    return facts.building and (not facts.told or facts.far)


@clause("B24.7a", kind="action")
def takes_part(facts: Clearing, sheet: Sheet) -> None:
    """Unpinned Infantry in Good Order, a MMC among it, that has not fired clears what is in its Location."""
    if not facts.fit or not facts.half_squads:
        sheet.bar("only unpinned Infantry in Good Order clears, with a MMC among it")
    if facts.verb == "clear" and not facts.fresh:
        sheet.bar("the unit has fired, or is TI")
    if not facts.there:
        sheet.bar(f"no {facts.what} is told to be in its Location")


@clause("B24.7b", kind="action")
def when_declared(facts: Clearing, sheet: Sheet) -> None:
    """Clearance is declared in one's MPh, of Flame, Wire, DC and roadblocks also in one's DFPh, by who has not moved."""
    if facts.verb != "clear":
        return
    defends = facts.phase == "DFPh" and not facts.own_turn and facts.what not in TRAILS
    if not defends and not (facts.phase == "MPh" and facts.own_turn):
        sheet.bar(
            "it is declared in one's MPh, or but for rubble and mines one's DFPh",
            "MPh",
            facts.phase,
        )
    if facts.moved and facts.what not in TRAILS:
        sheet.bar("the unit has moved, or done something, in this MPh")


@not_modelled("B24.71b")
def with_a_move(facts: Clearing) -> bool:
    """An entry for all MF to clear rubble, or mines along a partial Trail Break: who stays there is judged."""
    return facts.verb == "clear" and facts.moved and facts.what in TRAILS


@clause("B24.71c", kind="action")
def what_lies_there(facts: Clearing, sheet: Sheet) -> None:
    """Rubble is cleared where no building is printed."""
    if facts.what == "rubble" and facts.built:
        sheet.bar("rubble of a building hex is not cleared")


@clause("B24.73", kind="action")
def wired_in(facts: Clearing, sheet: Sheet) -> None:
    """Wire is cleared from beneath it, mines by nobody on top of Wire."""
    if facts.what == "wire" and not facts.beneath:
        sheet.bar("the unit is not beneath the Wire")
    elif facts.what == "mines" and facts.wired and not facts.beneath:
        sheet.bar("the unit is on top of Wire")


@clause("B24.7c", kind="effect", composes="end")
def engaged(facts: Clearing, sheet: Sheet) -> None:
    """Who clears is TI, and its MPh is over; rubble, Flame and roadblocks are Hazardous Movement."""
    if facts.verb != "clear":
        return
    for field, value in (("ti", True), ("mph", "done"), ("task", facts.what)):
        sheet.force(field, value)
    if facts.what in HAZARDOUS:
        sheet.force("hazardous", "clearance")


@clause("B24.7d", kind="action")
def is_over(facts: Clearing, sheet: Sheet) -> None:
    """All who clear one thing make one DR as the CCPh ends, and tell a Trail Break's two hexsides."""
    if facts.verb == "clear":
        return
    if facts.phase != "CCPh":
        sheet.bar("the DR is made as the CCPh ends", "CCPh", facts.phase)
    if not facts.engaged:
        sheet.bar("it is not engaged in that, or others are who are not named")
    need = count("B24.7", "sides") if facts.what in TRAILS else 0
    if len(facts.sides) != need:
        sheet.bar("hexsides of the Trail Break", need, len(facts.sides))


@clause("E3.732", kind="odds")
def snowed_under(facts: Clearing, sheet: Sheet) -> None:
    """In Deep Snow 1 is added to the DR by which mines are cleared."""
    if facts.deep_snow and facts.what == "mines" and facts.verb != "clear":
        sheet.charge(count("E3.732", "drm"), "Deep Snow", "drm")


@clause("B24.7e", kind="odds")
def clearance_dr(facts: Clearing, sheet: Sheet) -> None:
    """It is cleared on a DR of 2, one easier for a squad and each half squad beyond the first."""
    if facts.verb == "clear" or not facts.first:
        return
    limit = count("B24.7", "most") + max(0, facts.half_squads - 1) - facts.drm - sheet.total("drm")
    (above, of) = two_dice_at_least(limit + 1)
    worst = count("B24.74", "inexperienced" if facts.inexperienced else "reduces")
    bad = two_dice_at_least(worst)[0] if facts.what == "mines" else 0
    good = min(of - above, of - bad)
    how = ":".join(filter(None, (CLEARED, "-".join(facts.sides))))
    odds = (Odds(how, good, of), Odds(FAILED, of - good - bad, of), Odds(REDUCED, bad, of))
    sheet.roll("clearance", odds, f"cleared on a DR of {limit} or less")


@clause("B24.7f", kind="state")
def done(_: Cleared, sheet: Sheet) -> None:
    """Once its DR is made, a unit clears no more."""
    sheet.force("task", "")


@not_modelled("B24.74")
def reduced(facts: Cleared) -> bool:
    """The Casualty Reduction of who clears mines on a DR of 12."""
    return facts.outcome == REDUCED
