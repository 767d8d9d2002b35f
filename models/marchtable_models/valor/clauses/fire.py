"""Who may fire at what, with whom, and with which weapons (V14.1 to V14.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.valor.data import figure
from marchtable_models.valor.facts.attacks import Crew, Firing, Loadout
from marchtable_models.valor.facts.losses import Loss

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.attacks import Aim, Shot

__all__ = [
    "alone", "anti_personnel", "counters_weapons", "example_tank", "fire_phases", "forward_mg",
    "groups", "gun_arc", "infantry_loadout", "infantry_range", "line_of_sight", "mortars", "one_attack",
    "opportunity_fire", "passenger_groups", "passenger_weapons", "pinned_in_a_crowd", "ring_mg", "smaller_groups",
    "vehicle_ranges",
]  # fmt: skip

MGS = ("mg360", "mgff")


@clause("V14.1", "AP fire affects infantry, unarmored vehicles and Guns, never AFVs", kind="state")
def anti_personnel(facts: Aim | Loss, sheet: Sheet) -> None:
    if isinstance(facts, Loss):
        if facts.kind == "afv":
            sheet.bar("AP fire has no effect on an AFV")
    elif not facts.open_to_fire and sheet.reading("A19") == "barred":
        sheet.bar("nothing there is affected by AP fire", 1, 0)


@clause(
    "V13.1",
    "Units fire in their own Fire Phase, the enemy's Movement and Defensive Fire Phases, and attack once a turn",
    kind="action",
)
def fire_phases(facts: Firing, sheet: Sheet) -> None:
    if not facts.on_map or facts.towed:
        sheet.bar("it is off the map or towed")
    allowed = ("Fire",) if facts.own_turn else ("Movement", "DefensiveFire")
    if facts.phase not in allowed:
        sheet.bar("it is not this unit's time to fire", " or ".join(allowed), facts.phase)
    if facts.fired and facts.kind == "infantry" and not facts.final:
        sheet.bar("it has attacked this turn")


@clause("V13.3", "A line of sight is needed, and the target is another hex", kind="action")
def line_of_sight(facts: Aim, sheet: Sheet) -> None:
    if facts.blocked:
        sheet.bar("there is no line of sight")
    elif not facts.seen:
        sheet.exception("the line of sight is neither given nor computed, and taken to be clear")
    if facts.distance < 1:
        sheet.bar("the target is the attackers' own hex", 1, facts.distance)


@clause(
    "V14.2a",
    "All of a hex who fire at one target in one turn do so as one group",
    kind="action",
    composes="joint",
)
def groups(facts: Crew, sheet: Sheet) -> None:
    if not facts.distinct:
        sheet.bar("a unit is named twice")
    if facts.sides > 1 or facts.hexes > 1:
        sheet.bar("a fire group is of one side and in one hex", 1, max(facts.sides, facts.hexes))
    if facts.outside and facts.fired_outside:
        sheet.bar("infantry of this hex has attacked the target this turn")
    mixed = (facts.outside and facts.fired_aboard) or (facts.riders and facts.fired_outside)
    if mixed and sheet.reading("A15") == "barred":
        sheet.bar("Passengers and other infantry of this hex attack the target separately")


def _whole_hex(facts: Crew, sheet: Sheet) -> None:
    if facts.outside and facts.left_out:
        sheet.bar("all infantry of the hex fires together", 0, facts.left_out)


@clause(
    "V14.2d",
    "Units of one hex may also fire in smaller groups or alone, at different targets",
    kind="action",
    composes="joint",
    denied=_whole_hex,
)
def smaller_groups(facts: Crew, sheet: Sheet) -> None:
    """Permit: what it says is only seen when it is denied."""


@clause(
    "V14.2c",
    "Fire groups may make Opportunity Fire, at units that are moving and at no others",
    kind="action",
)
def opportunity_fire(facts: Firing | Loss, sheet: Sheet) -> None:
    if isinstance(facts, Loss):
        if not facts.mover:
            sheet.bar("Opportunity Fire affects only units that are moving")
    elif facts.phase == "Movement" and not facts.own_turn and not facts.movers:
        sheet.bar("no enemy is moving there", 1, 0)


@clause(
    "V14.3a",
    "Passengers fire no support weapons but light machine guns, grenades and satchel charges",
    kind="action",
)
def passenger_weapons(facts: Shot, sheet: Sheet) -> None:
    if not facts.aboard or facts.weapon == "own" or facts.kind != "infantry":
        return
    light = facts.weapon == "mg" and facts.class_ == "L"
    if not light and facts.weapon not in ("grenades", "satchel"):
        sheet.bar("Passengers do not fire this weapon")


@clause(
    "V14.3b",
    "Passengers group only with their vehicle and those in it, and must if both fire at one target",
    kind="action",
    composes="joint",
)
def passenger_groups(facts: Crew, sheet: Sheet) -> None:
    if facts.riders and (facts.outside or facts.carriers > 1 or facts.strange):
        sheet.bar("Passengers attack with units outside their vehicle")
    if facts.fired_party:
        sheet.bar("their vehicle, or others in it, attacked the target this turn")


@clause(
    "V14.4a",
    "AFVs, vehicles and Guns attack alone, or with their own Passengers",
    kind="action",
    composes="joint",
)
def alone(facts: Crew, sheet: Sheet) -> None:
    if facts.heavies > 1 or (facts.heavies and facts.outside):
        sheet.bar("an AFV, vehicle or Gun joins no fire group", 1, facts.heavies + facts.outside)


@clause(
    "V14.4b",
    "A Gun's APFP has unlimited range, a vehicle's machine guns reach eight hexes",
    kind="state",
)
def vehicle_ranges(facts: Shot, sheet: Sheet) -> None:
    reach = figure("V14.4b", "mg")
    if facts.weapon in MGS and facts.distance > reach:
        sheet.bar("the target is out of the machine gun's range", reach, facts.distance)


@clause(
    "V14.4c", "An AFV, vehicle or Gun makes one attack a turn, whatever its weapons", kind="action"
)
def one_attack(facts: Firing, sheet: Sheet) -> None:
    if facts.fired and facts.kind != "infantry" and not facts.final:
        sheet.bar("it has attacked this turn")


@clause("V14.4d", "A Gun fires in any direction from a turret, else only in the FFA", kind="state")
def gun_arc(facts: Shot, sheet: Sheet) -> None:
    if facts.weapon == "gun" and not facts.turreted and not facts.ahead:
        sheet.bar("the target is outside the Gun's FFA")


@clause(
    "V14.4e",
    "A Gun has one APFP rating; an AFV or vehicle fires the weapons printed on it",
    kind="state",
)
def counters_weapons(facts: Loadout | Shot, sheet: Sheet) -> None:
    if isinstance(facts, Loadout):
        if facts.idle and not facts.class_:
            sheet.bar("it fires no weapon")
    elif not facts.printed:
        sheet.bar("the counter has no such APFP rating")


@clause("V14.4f", "A 360-degree machine gun fires in any direction, to eight hexes", kind="state")
def ring_mg(facts: Shot, sheet: Sheet) -> None:
    reach = figure("V14.4b", "mg")
    if facts.weapon == "mg360" and facts.distance > reach:
        sheet.bar("a 360-degree machine gun does not reach it", reach, facts.distance)


@clause("V14.4g", "A forward-firing machine gun fires in the FFA, to eight hexes", kind="state")
def forward_mg(facts: Shot, sheet: Sheet) -> None:
    reach = figure("V14.4b", "mg")
    if facts.weapon == "mgff" and not facts.ahead:
        sheet.bar("the target is outside the machine gun's FFA")
    if facts.weapon == "mgff" and facts.distance > reach:
        sheet.bar("a forward-firing machine gun does not reach it", reach, facts.distance)


def _one_weapon(facts: Loadout, sheet: Sheet) -> None:
    if facts.vehicle_weapons > 1:
        sheet.bar("one weapon an attack", 1, facts.vehicle_weapons)


@clause(
    "V14.4h",
    "An AFV with Gun and machine guns fires 12, 16 or 19 as arcs and ranges allow (worked example)",
    kind="odds",
    denied=_one_weapon,
)
def example_tank(facts: Loadout, sheet: Sheet) -> None:
    """Permit: its weapons add up, which is only seen when it is denied."""


@clause("V13.3b", "Infantry and support weapons reach as far as is printed", kind="action")
def infantry_range(facts: Shot, sheet: Sheet) -> None:
    if facts.kind != "infantry":
        return
    what = "its own APFP" if facts.weapon == "own" else f"its {facts.weapon}"
    if facts.distance > facts.range:
        sheet.bar(f"the target is out of range of {what}", facts.range, facts.distance)
    if facts.distance < facts.least:
        sheet.bar(f"the target is too near for {what}", facts.least, facts.distance)
    if facts.weapon == "panzerfaust":
        sheet.bar("the weapon has no APFP")


@clause(
    "V12.3",
    "Infantry fires one support weapon, and grenades beside it: squads beside their own APFP, half squads a heavy one instead of it, leaders a light one instead",
    kind="action",
)
def infantry_loadout(facts: Loadout, sheet: Sheet) -> None:
    weapons = facts.light + facts.heavy + facts.other - facts.grenades
    if weapons > figure("V12.3", "weapons"):
        sheet.bar("more than one support weapon", figure("V12.3", "weapons"), weapons)
    if facts.idle and facts.class_:
        sheet.bar("it fires nothing")
    if facts.class_ == "half-squad" and facts.own and facts.heavy:
        sheet.bar("a half squad fires a heavy weapon instead of its own APFP")
    if facts.class_ == "leader" and (facts.heavy or (facts.own and facts.light)):
        sheet.bar("a leader fires a light weapon, and then not his own APFP")


@clause(
    "V12.6",
    "Mortars join no infantry's group but a leader's who guides them, make no Opportunity Fire, and do not fire indoors",
    kind="action",
    composes="joint",
)
def mortars(facts: Crew | Firing | Loadout | Shot, sheet: Sheet) -> None:
    """Judge a group, its time, what one unit fires together, or one weapon."""
    if isinstance(facts, Crew):
        others = facts.size - facts.mortars - facts.guides
        if facts.mortars and others:
            sheet.bar("mortars attack with mortars only, and leaders who fire nothing", 0, others)
    elif isinstance(facts, Firing):
        if facts.mortar and not facts.own_turn and facts.phase == "Movement":
            sheet.bar("mortars make no Opportunity Fire")
    elif isinstance(facts, Loadout):
        if facts.mortars and facts.own:
            sheet.bar("a mortar is fired without the unit's own APFP")
    elif facts.weapon == "mortar" and facts.indoors:
        sheet.bar("a mortar does not fire from a building or bunker")


pinned_in_a_crowd = unsupported(
    "V13.8b",
    "A unit that is pinned while it moves through a full hex is eliminated",
    lambda facts: facts.crowded,
)
