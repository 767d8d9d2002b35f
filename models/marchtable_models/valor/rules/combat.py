"""Attack totals and results (10, 12.6, 13.8, 14.2, 14.5, 14.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from marchtable.rules.facts import Bill, Edition, Facts, Finding, Sheet
from marchtable.rules.subjects import clause, not_modelled, resolves
from marchtable.state.position import Obligation
from marchtable_models.valor.data import LEAST_ROLL, MOST_ROLL, figure, table, two_dice
from marchtable_models.valor.model import UnitType, ValorPosition
from marchtable_models.valor.rules.losses import inflicted
from marchtable_models.valor.views.ground import is_wooded
from marchtable_models.valor.views.sight import cover, hindrances
from marchtable_models.valor.views.units import is_moving, kind_of, type_of, types
from marchtable_models.valor.views.weapons import OWN, Salvo, fires_mortar, worth

APFP, DICE = "apfp", "dice"
"""The parts of an attack's totals."""


class Volley(Facts, frozen=True):
    """The totals of an attack."""

    # APFP of all except leaders: as printed, and with half squads at half of their squads'
    units: int
    units_halved: int
    leaders: int  # APFP of leaders
    valorous: int = 0  # valorous units that fire their own APFP
    # best modifier of an attacking leader, and whether he is a Passenger
    leader: int = 0
    leader_aboard: bool = False
    cover: int | None = 0  # of the target hex; None if its terrain is not modelled
    # hindering hexsides crossed, those of the attackers' hex included; hexsides fired along; hexes
    # fired through
    over: int = 0
    own: int = 0
    along: int = 0
    through: int = 0
    smoke: int = 0  # smoke modifier
    # the target moved by Assault Movement; the attackers fire out of wire
    assault: bool = False
    wire: bool = False
    grenades: int = 0  # modifier of grenades
    # Opportunity Fire, and at an adjacent hex
    opportunity: bool = False
    adjacent: bool = False
    mortar: bool = False  # mortars fire
    mortar_in_woods: bool = False  # a mortar fires at infantry in woods
    # vehicles and AFVs in the target hex, and Guns
    vehicles: int = 0
    guns: int = 0
    overrun: int = 0  # APFP of an overrunning AFV, counted once more
    mission: str = ""  # ``light``, ``heavy`` or ``air`` for a support mission


class Result(Facts, frozen=True):
    """The roll of an attack: APFP total, natural two-dice roll, modifier, and whether points count double."""

    apfp: int
    roll: int
    modifier: int
    doubled: bool = False


def volley(position: ValorPosition, salvos: Sequence[Salvo], target: str) -> Volley:
    """Return the facts of an attack's totals."""
    at, side = str(salvos[0].unit.at), salvos[0].unit.side
    units = units_halved = leaders = valorous = grenades = 0
    best, best_aboard, mortar = 0, False, False
    for found in salvos:
        kind = type_of(position, found.unit)
        apfp, dice = worth(position, found)
        grenades -= dice
        own = OWN in found.weapons and kind.is_infantry
        valorous += own and found.unit.valorous
        mortar = mortar or fires_mortar(position, found)
        if kind.class_ == "leader":
            leaders += apfp
            if kind.modifier < best:
                best, best_aboard = kind.modifier, found.unit.aboard is not None
        else:
            units += apfp
            units_halved += apfp + (_halved(position, kind) - kind.apfp if own else 0)
    targets = [u for u in position.occupants.get(target, ()) if u.side != side]
    moving = [u for u in targets if is_moving(position, u)]
    opportunity = position.phase == "Movement" and side != position.side
    kinds = [kind_of(position, u) for u in targets]
    return Volley(
        units,
        units_halved,
        leaders,
        valorous,
        best,
        best_aboard,
        cover(position, target),
        *hindrances(position, at, target),
        assault=any(u.assault for u in (moving if opportunity else targets)),
        wire="wire" in position.markers.get(at, ()),
        grenades=grenades,
        opportunity=opportunity,
        adjacent=position.board.distance(at, target) == 1,
        mortar=mortar,
        mortar_in_woods=mortar and is_wooded(position, target) and "infantry" in kinds,
        vehicles=sum(kind in ("vehicle", "afv") for kind in kinds),
        guns=kinds.count("gun"),
    )


def _halved(position: ValorPosition, kind: UnitType) -> int:
    """Return a half squad's APFP at half of its squad's, rounded up."""
    if kind.class_ != "half-squad":
        return kind.apfp
    squads = types(position)
    return next((-(-squad.apfp // 2) for squad in squads if squad.half == kind.name), kind.apfp)


def row_of(apfp: int) -> int:
    """Return the table row of an APFP total, from 0."""
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


SUMMED = (
    "V14.5a", "V21.5", "V19.4", "V14.2b", "V16.3", "V14.9c", "V14.9a", "V10", "V12.63", "V13.8",
)  # fmt: skip
"""Clauses that add to an attack's APFP or dice."""


@clause("V14.5a", kind="action", composes="joint")
def total_apfp(facts: Volley, sheet: Sheet) -> None:
    """The attacker names the firers and the target hex, and totals the APFP before the roll."""
    units = facts.units
    if facts.units != facts.units_halved and sheet.reading("A17") == "halved":
        units = facts.units_halved
    sheet.charge(units, "APFP of the units", APFP)
    if not units and not facts.leaders and not facts.mission:
        sheet.bar("no unit in range adds any APFP", 1, 0)


@clause("V14.2b", kind="state", composes="joint")
def leaders_fire(facts: Volley, sheet: Sheet) -> None:
    """A leader adds APFP and can modify the group's roll."""
    sheet.charge(facts.leaders, "APFP of leaders", APFP)
    if facts.leader_aboard and sheet.reading("A16") == "barred":
        return
    sheet.charge(facts.leader, "leader", DICE)


@clause("V14.9c", kind="odds")
def hexside_hindrance(facts: Volley, sheet: Sheet) -> None:
    """A wall or hedge fired across is a hindrance (worked example 3)."""
    each = figure("V10", "hindrance")
    sheet.charge(facts.over * each, "hexsides crossed", DICE)


@clause("V14.9a", kind="odds")
def own_hexside(facts: Volley, sheet: Sheet) -> None:
    """A hexside of the attackers' own hex is not a hindrance (worked example 1)."""
    sheet.charge(-facts.own * figure("V10", "hindrance"), "own hexside", DICE)


@clause("V10", kind="odds")
def other_modifiers(facts: Volley, sheet: Sheet) -> None:
    """Hexes and hexsides fired through or along, smoke, Assault Movement, wire and grenades modify the roll."""
    each = figure("V10", "hindrance")
    sheet.charge(facts.through * each, "hindrances", DICE)
    sheet.charge(facts.along * each, "hexsides fired along", DICE)
    sheet.charge(facts.smoke, "smoke", DICE)
    sheet.charge(facts.assault * figure("V10", "assault"), "Assault Movement", DICE)
    sheet.charge(facts.wire * figure("V10", "wire"), "out of wire", DICE)
    sheet.charge(facts.grenades, "grenades", DICE)


@clause("V12.63", kind="odds")
def over_hindrances(facts: Volley, sheet: Sheet) -> None:
    """Mortars ignore hindrances."""
    if facts.mortar:
        found = facts.through + facts.over - facts.own + facts.along
        sheet.charge(-found * figure("V10", "hindrance"), "indirect fire", DICE)


@clause("V13.8", kind="odds")
def opportunity_dice(facts: Volley, sheet: Sheet) -> None:
    """Opportunity Fire has a bonus against uncovered targets and adjacent hexes."""
    if not facts.opportunity:
        return
    covered = (facts.cover or 0) > 0
    if not covered and not (facts.assault and sheet.reading("A24") == "yes"):
        sheet.charge(figure("V13.8", "no_cover"), "no cover", DICE)
    if facts.adjacent:
        sheet.charge(figure("V13.8", "adjacent"), "adjacent", DICE)


@clause("V14.5b", kind="odds", after=SUMMED)
def attack_roll(facts: Volley, sheet: Sheet) -> None:
    """Cover and other modifiers apply to the two-dice roll, and the APFP total sets the row."""
    sheet.charge(facts.cover or 0, "cover", DICE)
    apfp, modifier = sheet.total(APFP), sheet.total(DICE)
    if apfp > 0:
        sheet.roll("fire", two_dice(), f"APFP {apfp}, {modifier:+d} to the dice")


@clause("V14.6", kind="odds")
def casualty_points(facts: Result, sheet: Sheet) -> None:
    """A result is no effect or a number of Casualty Points."""
    modified = facts.roll + facts.modifier
    below = sheet.reading("A21") if modified < LEAST_ROLL else "two"
    sheet.charge(points_for(facts.apfp, modified, below), "Casualty Points")


@clause("V12.64", kind="odds", after=("V14.6",))
def air_bursts(facts: Result, sheet: Sheet) -> None:
    """Casualty Points from mortars and artillery (21.6) on infantry in woods or jungle are doubled."""
    if facts.doubled:
        sheet.charge((figure("V12.64", "times") - 1) * sheet.total(), "air burst")


@not_modelled("V12.67")
def mortar_mixed(facts: Volley) -> bool:
    """Mortar fire at a hex with vehicles."""
    return facts.mortar and facts.vehicles > 0


@not_modelled("V12.64b")
def bursts_mixed(facts: Volley) -> bool:
    """Mortar or artillery fire at infantry and others together in woods or jungle."""
    return facts.mortar_in_woods and facts.guns > 0


def sum_of(bills: Sequence[Bill]) -> dict[str, Any]:
    """Return an attack's totals: APFP, dice modifier, whether points are doubled."""
    found = [bill for bill in bills if isinstance(bill.case.facts, Volley)]
    parts = {part: sum(part_of(bill.finding, part) for bill in found) for part in (APFP, DICE)}
    doubled = any(bill.case.facts.mortar_in_woods for bill in found)
    return {"apfp": parts[APFP], "modifier": parts[DICE], "doubled": doubled}


def part_of(finding: Finding, part: str) -> int:
    """Return the charge for one part."""
    return sum(charge.amount for charge in finding.charges if charge.part == part)


@resolves("fire")
def after_roll(
    position: ValorPosition, _: Obligation, outcome: str, edition: Edition
) -> ValorPosition:
    """Return the position with the Casualty Points of the attack owed."""
    attack = position.conditions.attack
    if attack is None:
        return position
    result = Result(attack.apfp, int(outcome), attack.modifier, attack.doubled)
    return inflicted(position, edition.judge(result).total)
