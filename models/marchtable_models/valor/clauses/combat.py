"""What an attack adds up to, and what the dice make of it (V14.2b, V14.5, V14.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable.state.position import Odds
from marchtable_models.valor.data import LEAST_ROLL, MOST_ROLL, figure, table

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.attacks import Result, Volley

__all__ = [
    "TWO_DICE",
    "air_bursts",
    "bursts_mixed",
    "casualty_points",
    "hexside_hindrance",
    "leaders",
    "mortar_mixed",
    "opportunity_dice",
    "other_modifiers",
    "over_hindrances",
    "own_hexside",
    "points_for",
    "roll",
    "row_of",
    "total",
]  # fmt: skip

APFP, DICE = "apfp", "dice"
TWO_DICE = {n: 6 - abs(n - 7) for n in range(LEAST_ROLL, MOST_ROLL + 1)}
"""How many of the 36 throws of two dice give each sum."""


def row_of(apfp: int) -> int:
    """Return the number of the table's row for an APFP total, from 0."""
    for number, row in enumerate(table()):
        if row.most is None or apfp <= row.most:
            return number
    raise ValueError(apfp)  # not reached: the last row has no upper end


def points_for(apfp: int, modified: int, below: str = "two") -> int:
    """Return the Casualty Points of a modified roll; ``below`` reads rolls under 2 (A21)."""
    if apfp < table()[0].least:
        return 0
    row = table()[row_of(apfp)].points
    found = row[min(max(modified, LEAST_ROLL), MOST_ROLL) - LEAST_ROLL]
    if modified < LEAST_ROLL and below == "extended":
        found += LEAST_ROLL - modified
    return found


@clause(
    "V14.5a",
    "The attacker names who fires at which hex and totals their APFP before the roll",
    kind="action",
    composes="joint",
)
def total(facts: Volley, sheet: Sheet) -> None:
    units = facts.units
    if facts.units != facts.units_halved and sheet.reading("A17") == "halved":
        units = facts.units_halved
    sheet.charge(units, "APFP of the units", APFP)
    if not units and not facts.leaders and not facts.mission:
        sheet.bar("nobody who reaches the target adds any APFP", 1, 0)


@clause(
    "V14.2b",
    "A leader adds his APFP and may modify the group's roll",
    kind="state",
    composes="joint",
)
def leaders(facts: Volley, sheet: Sheet) -> None:
    sheet.charge(facts.leaders, "APFP of leaders", APFP)
    if facts.leader_aboard and sheet.reading("A16") == "barred":
        return
    sheet.charge(facts.leader, "leader", DICE)


@clause("V14.9c", "A wall or hedge that is fired across hinders (worked example 3)", kind="odds")
def hexside_hindrance(facts: Volley, sheet: Sheet) -> None:
    each = figure("V10", "hindrance")
    sheet.charge(facts.over * each, "hexsides crossed", DICE)


@clause(
    "V14.9a",
    "One of the attackers' own hex that they fire across does not (worked example 1)",
    kind="odds",
)
def own_hexside(facts: Volley, sheet: Sheet) -> None:
    sheet.charge(-facts.own * figure("V10", "hindrance"), "own hexside", DICE)


@clause(
    "V10",
    "Hexes and hexsides fired through or along, smoke, Assault Movement, wire and grenades modify the roll",
    kind="odds",
)
def other_modifiers(facts: Volley, sheet: Sheet) -> None:
    each = figure("V10", "hindrance")
    sheet.charge(facts.through * each, "hindrances", DICE)
    sheet.charge(facts.along * each, "hexsides fired along", DICE)
    sheet.charge(facts.smoke, "smoke", DICE)
    sheet.charge(facts.assault * figure("V10", "assault"), "Assault Movement", DICE)
    sheet.charge(facts.wire * figure("V10", "wire"), "out of wire", DICE)
    sheet.charge(facts.grenades, "grenades", DICE)


@clause("V12.63", "Mortars fire past hindrances", kind="odds")
def over_hindrances(facts: Volley, sheet: Sheet) -> None:
    if facts.mortar:
        found = facts.through + facts.over - facts.own + facts.along
        sheet.charge(-found * figure("V10", "hindrance"), "indirect fire", DICE)


@clause(
    "V13.8",
    "Opportunity Fire is better where nothing covers the target, and at the next hex",
    kind="odds",
)
def opportunity_dice(facts: Volley, sheet: Sheet) -> None:
    if not facts.opportunity:
        return
    covered = (facts.cover or 0) > 0
    if not covered and not (facts.assault and sheet.reading("A24") == "yes"):
        sheet.charge(figure("V13.8", "no_cover"), "no cover", DICE)
    if facts.adjacent:
        sheet.charge(figure("V13.8", "adjacent"), "adjacent", DICE)


@clause(
    "V14.5b",
    "Cover and the other modifiers go to the roll of two dice, and the APFP total gives the row",
    kind="odds",
)
def roll(facts: Volley, sheet: Sheet) -> None:
    sheet.charge(facts.cover or 0, "cover", DICE)
    apfp, modifier = sheet.total(APFP), sheet.total(DICE)
    if apfp > 0:
        odds = tuple(Odds(str(n), ways, 36) for n, ways in TWO_DICE.items())
        sheet.roll("fire", odds, f"APFP {apfp}, {modifier:+d} to the dice")


@clause("V14.6", "A result is no effect or a number of Casualty Points", kind="odds")
def casualty_points(facts: Result, sheet: Sheet) -> None:
    modified = facts.roll + facts.modifier
    below = sheet.reading("A21") if modified < LEAST_ROLL else "two"
    sheet.charge(points_for(facts.apfp, modified, below), "Casualty Points")


@clause(
    "V12.64",
    "Casualty Points that mortars and artillery (21.6) inflict on infantry in woods or jungle are doubled",
    kind="odds",
)
def air_bursts(facts: Result, sheet: Sheet) -> None:
    if facts.doubled:
        sheet.charge((figure("V12.64", "times") - 1) * sheet.total(), "air burst")


mortar_mixed = unsupported(
    "V12.67",
    "Mortar fire at a hex with vehicles",
    lambda facts: facts.mortar and facts.vehicles > 0,
)
bursts_mixed = unsupported(
    "V12.64b",
    "Mortar fire, or artillery, at infantry and others together in woods or jungle",
    lambda facts: facts.mortar_in_woods and facts.guns > 0,
)
