"""Overruns (19), close assaults (15), snipers (17) and fire lanes (13.9): what is allowed, and what they inflict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable.state.position import Odds
from marchtable_models.valor.clauses.combat import APFP, DICE, TWO_DICE, points_for
from marchtable_models.valor.clauses.valour import FOE_APFP
from marchtable_models.valor.data import figure, kill_numbers, table
from marchtable_models.valor.facts.assaults import Assaulters, Clash, SniperFell, StormFell

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.assaults import (
        Arm,
        Battered,
        Crossed,
        Defence,
        Laying,
        Overrunning,
        Sniping,
        Storming,
        Swept,
    )  # fmt: skip
    from marchtable_models.valor.facts.attacks import Volley
    from marchtable_models.valor.facts.losses import Loss

__all__ = [
    "ARMOUR", "ASSAULTERS", "DEFENDERS", "KILL", "LOSSES", "POINTS", "SUCCESS", "assaulters_suffer", "assaulters_weapons", "battered_crowd", "batters_afv",
    "bunker_taken", "crossfire", "defence", "defenders_suffer", "doubled", "guns_defend", "lane_points",
    "lanes_laid", "lanes_swept", "leaders_assault", "odds", "overrun_cost", "overruns", "pinned_defenders",
    "sniper_check", "sniper_points", "snipers", "storm_roll", "uphill_assault", "vehicles_defend", "who_assaults",
]  # fmt: skip

DIE = 6
KILL, LOSSES, POINTS, ARMOUR = "kill", "losses", "points", "armour"
SUCCESS, ASSAULTERS, DEFENDERS = "success", "assaulters", "defenders"


# -- overruns --------------------------------------------------------------------------------------


@clause(
    "V19.1",
    "An AFV that tows no Gun overruns infantry, unarmored vehicles and Guns, not through buildings, bunkers or "
    "hexes with enemy AFVs",
    kind="action",
)
def overruns(facts: Overrunning, sheet: Sheet) -> None:
    if facts.kind != "afv":
        sheet.bar("only an AFV overruns")
    if facts.towing:
        sheet.bar("it tows a Gun")
    if facts.obstacle:
        sheet.bar(f"not through a hex with this: {facts.obstacle}")
    if not facts.targets:
        sheet.bar("nothing there can be overrun", 1, 0)


@clause(
    "V19.3",
    "It drives straight through, for two MP beside what both hexes cost, and stops beyond",
    kind="cost",
)
def overrun_cost(facts: Overrunning, sheet: Sheet) -> None:
    if not facts.beyond:
        sheet.bar("there is no hex on the other side")
    sheet.charge(2 * figure("V19.3", "attack"), "overrun")
    sheet.force("crossed", facts.target)


@clause("V19.4", "Its own APFP counts twice, its Passengers' once", kind="odds")
def doubled(facts: Volley, sheet: Sheet) -> None:
    sheet.charge(facts.overrun, "overrun, doubled", APFP)


# -- close assaults --------------------------------------------------------------------------------


@clause(
    "V15.1",
    "Infantry on foot that has not advanced can assault an adjacent enemy hex once, only with units of "
    "its own hex; each hex makes one assault",
    kind="action",
)
def who_assaults(facts: Assaulters | Storming | Clash, sheet: Sheet) -> None:
    if isinstance(facts, Assaulters):
        if not facts.distinct:
            sheet.bar("a unit is named twice")
        if facts.hexes > 1 or facts.sides > 1:
            sheet.bar(
                "units that assault together are of one hex and one side",
                1,
                max(facts.hexes, facts.sides),
            )
        return
    if isinstance(facts, Clash):
        if not facts.defenders and not facts.pinned:
            sheet.bar("no enemies are there", 1, 0)
        return
    if facts.kind != "infantry" or facts.aboard:
        sheet.bar("only infantry on foot assaults")
    if facts.acted:
        sheet.bar("it has advanced or assaulted in this phase")
    elif facts.stormed:
        sheet.bar("one assault has been made from its hex in this phase")
    if not facts.adjacent:
        sheet.bar("the hexes are not adjacent")


@clause(
    "V15.2",
    "Assaulting units use no support weapons but light machine guns, grenades and satchel charges",
    kind="action",
)
def assaulters_weapons(facts: Arm, sheet: Sheet) -> None:
    light = facts.weapon == "mg" and facts.class_ == "L"
    if not light and facts.weapon not in ("own", "grenades", "satchel"):
        sheet.bar("it is not used in an assault")


@clause("V15.6a", "All unpinned defenders count with their APFP", kind="odds")
def defence(facts: Defence, sheet: Sheet) -> None:
    if facts.kind == "infantry":
        sheet.charge(facts.apfp, "infantry", APFP)


@clause("V15.4", "Vehicles and AFVs defend with their machine guns only", kind="odds")
def vehicles_defend(facts: Defence, sheet: Sheet) -> None:
    if facts.kind in ("vehicle", "afv"):
        sheet.charge(facts.mgs, "machine guns", APFP)


@clause(
    "V15.5",
    "Guns, and vehicles without machine guns, defend with an APFP of 2, towed Guns with none",
    kind="odds",
)
def guns_defend(facts: Defence, sheet: Sheet) -> None:
    unarmed = facts.kind == "vehicle" and not facts.mgs
    if unarmed or (facts.kind == "gun" and not facts.towed):
        sheet.charge(figure("V15.5", "apfp"), "unarmed", APFP)


def ratio(attack: int, defended: int) -> int:
    """Return odds as a number: 1 for 1-1, 3 for 3-1, -2 for 1-2; fractions are rounded down."""
    most = figure("V15.6", "most")
    if attack >= defended:
        return min(most, attack // defended if defended else most)
    found = defended // max(1, attack)
    return 1 if found == 1 else -min(most, found)


@clause("V15.6b", "The odds give a Kill Number", kind="odds")
def odds(facts: Clash, sheet: Sheet) -> None:
    sheet.charge(kill_numbers()[ratio(*_strengths(facts, sheet))], "Kill Number", KILL)


def _strengths(facts: Clash, sheet: Sheet) -> tuple[int, int]:
    """Return the APFP of both sides, valour included."""
    return facts.attack + sheet.total(APFP), facts.defence + sheet.total(FOE_APFP)


@clause(
    "V15.3",
    "One leader's modifier goes to the assaulters' roll, one to the defenders' Kill Number; so do grenades",
    kind="odds",
    composes="joint",
)
def leaders_assault(facts: Clash, sheet: Sheet) -> None:
    sheet.charge(facts.leader, "leader", DICE)
    sheet.charge(facts.grenades, "grenades", DICE)
    sheet.charge(facts.foe_leader, "their leader", KILL)
    sheet.charge(facts.foe_grenades, "their grenades", KILL)


@clause(
    "V15.8a",
    "The assaulters suffer the cover of the hex, and a point for each defender, come what may",
    kind="odds",
)
def assaulters_suffer(facts: Clash | StormFell, sheet: Sheet) -> None:
    if isinstance(facts, Clash):
        sheet.charge(facts.cover, "cover", LOSSES)
        sheet.charge(facts.defenders, "defenders", LOSSES)
        return
    sheet.charge(facts.suffered, "cover and defenders", ASSAULTERS)
    sheet.charge(max(0, facts.roll - facts.kill), "failed by", ASSAULTERS)


@clause("V15.81", "And a point for each level uphill", kind="odds")
def uphill_assault(facts: Clash, sheet: Sheet) -> None:
    sheet.charge(max(0, facts.climb), "uphill", LOSSES)


@clause("V15.7", "A roll at or under the Kill Number eliminates the defenders", kind="odds")
def storm_roll(facts: Clash | StormFell, sheet: Sheet) -> None:
    if isinstance(facts, StormFell):
        sheet.charge(int(facts.roll <= facts.kill), "eliminated", SUCCESS)
    elif facts.defenders:
        dice, kill = sheet.total(DICE), sheet.total(KILL)
        found = tuple(Odds(str(n), ways, 36) for n, ways in TWO_DICE.items())
        ours, theirs = _strengths(facts, sheet)
        sheet.roll("assault", found, f"{ours} to {theirs}, {dice:+d}, at or under {kill}")


@clause("V15.8b", "If it fails they suffer a point for each assaulter", kind="odds")
def defenders_suffer(facts: StormFell, sheet: Sheet) -> None:
    if facts.roll > facts.kill:
        sheet.charge(facts.assaulters, "assaulters", DEFENDERS)


@clause(
    "V15.9", "Pinned defenders are eliminated first, and cost the assaulters nothing", kind="effect"
)
def pinned_defenders(facts: Clash, sheet: Sheet) -> None:
    if facts.pinned:
        sheet.exception("pinned defenders are eliminated")


@clause(
    "V15.10a",
    "A failed assault's points go to the AFV that defends, up to three: it is immobilized by a die at or under "
    "them, and by three without",
    kind="odds",
)
def batters_afv(facts: Battered, sheet: Sheet) -> None:
    most = figure("V15.10a", "most")
    if facts.outcome:
        if facts.outcome == "immobilized":
            sheet.force("immobile", True)
        return
    if facts.waits:
        return
    points = min(most, facts.points)
    if facts.taken is not None and facts.taken != points:
        sheet.bar("it takes three points, or all that are left", points, facts.taken)
    sheet.charge(points, "defending AFV", ARMOUR)
    if facts.immobile:
        return
    if points == most:
        sheet.force("immobile", True)
    else:
        odds = (Odds("unharmed", DIE - points, DIE), Odds("immobilized", points, DIE))
        sheet.roll("immobilize", odds, f"one die at or under {points}")


@clause(
    "V15.10b",
    "Passengers of such an AFV may be reduced or eliminated before it takes its points, others of its hex after",
    kind="action",
)
def battered_crowd(facts: Loss, sheet: Sheet) -> None:
    if facts.battering == "behind":
        sheet.bar("the AFV takes its points first")


@clause("V15.8c", "Of more than a bunker holds, the first named take it", kind="effect")
def bunker_taken(facts: Clash, sheet: Sheet) -> None:
    if facts.bunker:
        sheet.exception("those named first take the bunker")


# -- snipers ---------------------------------------------------------------------------------------


@clause(
    "V17.2",
    "A sniper attacks from a hex with cover, in sight and within six hexes of its target",
    kind="action",
)
def snipers(facts: Sniping, sheet: Sheet) -> None:
    most = figure("V17.2", "range")
    if facts.distance > most:
        sheet.bar("it is too far away", most, facts.distance)
    if facts.blocked:
        sheet.bar("there is no line of sight")
    if facts.shelter <= 0:
        sheet.bar("its hex has no cover")
    if not facts.targets:
        sheet.bar("nobody there suffers from it", 1, 0)


@clause("V17.5", "A die over the cover of its target inflicts the difference", kind="odds")
def sniper_points(facts: Sniping | SniperFell, sheet: Sheet) -> None:
    if isinstance(facts, SniperFell):
        sheet.charge(max(0, facts.die - facts.cover), "Casualty Points", POINTS)
    else:
        sheet.roll("sniper", tuple(Odds(str(n), 1, DIE) for n in range(1, DIE + 1)), "one die")


@clause(
    "V17.6", "Its unpinned targets eliminate it by a die over the cover of its hex", kind="odds"
)
def sniper_check(facts: Sniping, sheet: Sheet) -> None:
    if facts.unpinned:
        lives = min(DIE, max(0, facts.shelter))
        found = (Odds("stays", lives, DIE), Odds("eliminated", DIE - lives, DIE))
        sheet.roll("sniper-check", found, f"eliminated over {facts.shelter}")


# -- fire lanes ------------------------------------------------------------------------------------


@clause(
    "V13.9a",
    "Infantry that made Opportunity Fire with a machine gun may lay a fire lane from beside it to its target",
    kind="action",
)
def lanes_laid(facts: Laying, sheet: Sheet) -> None:
    if facts.kind != "infantry" or not facts.mg:
        sheet.bar("only infantry with a machine gun lays fire lanes")
    if not facts.opportunity:
        sheet.bar("it has not made Opportunity Fire in this phase")
    if facts.laid:
        sheet.bar("its fire lane is laid")
    if not facts.chain:
        sheet.bar("the hexes do not lead from beside it to its target")


@clause(
    "V13.9b", "A fire lane attacks infantry, unarmored vehicles and Guns that enter it", kind="odds"
)
def lanes_swept(facts: Swept, sheet: Sheet) -> None:
    if facts.lanes and facts.exposed:
        found = tuple(Odds(str(n), ways, 36) for n, ways in TWO_DICE.items())
        sheet.roll("lane", found, f"{facts.lanes} fire lane(s)")


@clause("V13.91", "Each further lane there takes 1 off the roll", kind="odds")
def crossfire(facts: Crossed, sheet: Sheet) -> None:
    sheet.charge(-(facts.lanes - 1), "crossfire", DICE)


@clause("V13.9c", "It attacks by the table's top row, nothing else modifying the roll", kind="odds")
def lane_points(facts: Crossed, sheet: Sheet) -> None:
    found = points_for(table()[0].least, facts.roll + sheet.total(DICE))
    sheet.charge(found, "Casualty Points", POINTS)
