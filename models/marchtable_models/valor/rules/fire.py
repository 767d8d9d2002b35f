"""AP fire: who can fire at what, with whom, and with which weapons (12.3, 12.6, 13, 14.1 to 14.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any

import msgspec

from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, not_modelled, resets
from marchtable.state.action import Action, Companions
from marchtable.state.position import LocationName
from marchtable.state.records import replace
from marchtable_models.valor.data import figure, ground_of
from marchtable_models.valor.model import Attack, Names, ValorPosition, ValorUnit
from marchtable_models.valor.rules.casualties import Loss
from marchtable_models.valor.rules.combat import sum_of, volley
from marchtable_models.valor.rules.stacking import is_over, stacked
from marchtable_models.valor.rules.support_weapons import expended
from marchtable_models.valor.views.attack import with_attack
from marchtable_models.valor.views.ground import has_bunker, is_in_arc, terrain_of
from marchtable_models.valor.views.sight import sight
from marchtable_models.valor.views.units import (
    actors,
    is_moving,
    is_on_foot,
    is_soft,
    is_towed,
    kind_of,
    type_of,
)
from marchtable_models.valor.views.weapons import (
    OWN,
    VEHICLE_WEAPONS,
    Salvo,
    arms,
    chosen,
    fires_mortar,
    printed_apfp,
    support_weapon,
    worth,
)

Target = Annotated[LocationName, msgspec.Meta(extra={"domain": "target"})]
"""A hex to fire at."""


class Fire(Action, frozen=True, tag="fire"):
    """
    Units attack a hex by AP fire, as one fire group or alone.

    Each unit named in ``weapons`` fires only the named ones (``tank:gun``, ``sqA:own``,
    ``sqA:mg34``, ``ldr:none``); every other unit fires all it can.
    """

    units: Companions
    target: Target
    weapons: Names = ()


class Firing(Facts, frozen=True):
    """Whether a unit can attack at all now."""

    kind: str  # ``infantry``, ``gun``, ``vehicle`` or ``afv``
    # current phase
    phase: str
    own_turn: bool
    # its state
    on_map: bool
    pinned: bool
    fired: bool
    towed: bool
    movers: int  # enemies in the target hex that have just moved there
    mortar: bool  # it would fire a mortar
    crowded: bool = False  # it would fire at a mover in a hex over its limit for ending a move
    final: bool = False  # AT fire at an AFV that has just overrun its hex


class Shot(Facts, frozen=True):
    """One weapon of one unit, fired at a hex."""

    weapon: str  # ``own``, ``gun``, ``mg360``, ``mgff``, or the kind of a support weapon
    kind: str  # of the unit: ``infantry``, ``gun``, ``vehicle`` or ``afv``
    printed: bool  # the counter has that weapon
    apfp: int  # its rating
    class_: str = ""  # ``L``, ``H`` or ``X`` for a support weapon, else ``""``
    # whether the Gun fires all round, and whether the hex is in the FFA
    turreted: bool = False
    ahead: bool = True
    # in hexes; the range is infantry's, 0 if none is printed
    distance: int = 1
    range: int = 0
    least: int = 0
    aboard: bool = False  # the unit is a Passenger
    indoors: bool = False  # in a building or bunker


class Loadout(Facts, frozen=True):
    """The weapons one unit fires together."""

    class_: str  # ``squad``, ``half-squad`` or ``leader``; else ``""``
    own: bool  # it fires its own APFP
    # support weapons of class L, H, X; mortars and grenades among them
    light: int = 0
    heavy: int = 0
    other: int = 0
    mortars: int = 0
    grenades: int = 0
    vehicle_weapons: int = 0  # weapons fired by a Gun, vehicle or AFV
    idle: bool = False  # it fires nothing although it could


class Crew(Facts, frozen=True):
    """The units that attack together."""

    # their number, whether all are distinct, and their number of sides and hexes
    size: int
    distinct: bool
    sides: int
    hexes: int
    outside: int  # infantry on foot
    heavies: int  # Guns, vehicles and AFVs
    # Passengers, and the number of their vehicles
    riders: int
    carriers: int
    strange: int  # Passengers whose vehicle is not the single attacking vehicle
    # infantry on foot in their hex, Passengers in it, or the same vehicle with its load have
    # already attacked this target in this turn
    fired_outside: bool = False
    fired_aboard: bool = False
    fired_party: bool = False
    left_out: int = 0  # infantry on foot in their hex that could have joined
    # units firing mortars, and leaders firing nothing
    mortars: int = 0
    guides: int = 0


class Aim(Facts, frozen=True):
    """The target hex."""

    open_to_fire: int  # enemies there that AP fire can affect
    enemies: int  # enemies there
    distance: int  # in hexes
    # whether the line of sight is known, and whether it is blocked
    seen: bool
    blocked: bool


def shot(position: ValorPosition, unit: ValorUnit, name: str, target: str) -> Shot:
    """Return the facts of one weapon fired."""
    kind, weapon = type_of(position, unit), support_weapon(position, unit, name)
    at = str(unit.at)
    terrain = ground_of(terrain_of(position.board[at]))
    building = terrain is not None and terrain.id == "building"
    return Shot(
        weapon.kind if weapon else name,
        kind_of(position, unit),
        printed=name in arms(position, unit),
        apfp=weapon.apfp if weapon else printed_apfp(kind, name),
        class_=weapon.class_ if weapon else "",
        turreted=kind.turreted,
        ahead=is_in_arc(position.board, at, unit.facing, target),
        distance=position.board.distance(at, target),
        range=weapon.range if weapon else kind.range,
        least=weapon.least if weapon else 0,
        aboard=kind.is_infantry and unit.aboard is not None,
        indoors=building or has_bunker(position, at),
    )


def loadout(position: ValorPosition, found: Salvo) -> Loadout:
    """Return the facts of one unit's weapons fired together."""
    kind = type_of(position, found.unit)
    weapons = [w for name in found.weapons if (w := support_weapon(position, found.unit, name))]
    classes = [weapon.class_ for weapon in weapons]
    return Loadout(
        kind.class_ if kind.is_infantry else "",
        own=OWN in found.weapons,
        light=classes.count("L"),
        heavy=classes.count("H"),
        other=classes.count("X"),
        mortars=sum(weapon.kind == "mortar" for weapon in weapons),
        grenades=sum(weapon.kind == "grenades" for weapon in weapons),
        vehicle_weapons=sum(name in VEHICLE_WEAPONS for name in found.weapons),
        idle=not found.weapons and kind.class_ != "leader",
    )


def salvo(
    position: ValorPosition, unit: ValorUnit, target: str, allows: Callable[[object], bool]
) -> Salvo:
    """
    Return the most weapons a unit can fire at the hex; if none can, all its weapons.

    ``allows`` returns whether the clauses allow a shot or loadout.
    """
    names = arms(position, unit)
    bearing = [name for name in names if allows(shot(position, unit, name, target))]
    best, most = None, (-1, -1)
    for size in range(len(bearing), -1, -1):
        for group in combinations(bearing, size):
            found = Salvo(unit, group)
            value = worth(position, found)
            if value > most and allows(loadout(position, found)):
                best, most = found, value
    return best or Salvo(unit, names)


def firing(position: ValorPosition, found: Salvo, target: str) -> Firing:
    """Return the facts of whether a unit can attack at all now."""
    unit = found.unit
    there = position.occupants.get(target, ())
    movers = [u for u in there if u.side != unit.side and is_moving(position, u)]
    opportunity = position.phase == "Movement" and unit.side != position.side
    return Firing(
        kind_of(position, unit),
        position.phase,
        unit.side == position.side,
        unit.at is not None,
        unit.pinned,
        unit.fired,
        is_towed(position, unit),
        len(movers),
        fires_mortar(position, found),
        crowded=opportunity and bool(movers) and is_over(stacked(position, movers[0])),
    )


def _party(unit: ValorUnit) -> str:
    return unit.aboard or unit.id


def crew(position: ValorPosition, salvos: Sequence[Salvo], target: str) -> Crew:
    """Return the facts of the units that attack together."""
    units = [found.unit for found in salvos]
    foot = [u for u in units if kind_of(position, u) == "infantry"]
    outside, riders = [u for u in foot if u.aboard is None], [u for u in foot if u.aboard]
    heavies = [u for u in units if u not in foot]
    hexmates = [u for u in position.occupants.get(units[0].at or "", ()) if u.side == units[0].side]
    earlier = [u for u in hexmates if u.fired_at == target and u not in units]
    parties = {_party(u) for u in (*heavies, *riders)}
    return Crew(
        size=len(units),
        distinct=len({u.id for u in units}) == len(units),
        sides=len({u.side for u in units}),
        hexes=len({u.at for u in units}),
        outside=len(outside),
        heavies=len(heavies),
        riders=len(riders),
        carriers=len({u.aboard for u in riders}),
        strange=sum(bool(heavies) and u.aboard not in [h.id for h in heavies] for u in riders),
        fired_outside=any(is_on_foot(position, u) for u in earlier),
        fired_aboard=any(u.aboard is not None for u in earlier),
        fired_party=any(_party(u) in parties for u in earlier if not is_on_foot(position, u)),
        left_out=sum(
            is_on_foot(position, u) and not (u.pinned or u.fired or u in units) for u in hexmates
        ),
        mortars=sum(fires_mortar(position, found) for found in salvos),
        guides=sum(
            not found.weapons and type_of(position, found.unit).class_ == "leader"
            for found in salvos
        ),
    )


def aim(position: ValorPosition, side: str, at: str, target: str) -> Aim:
    """Return the facts of the target hex."""
    enemies = [u for u in position.occupants.get(target, ()) if u.side != side]
    found, distance = sight(position, at, target), position.board.distance(at, target)
    return Aim(
        open_to_fire=sum(is_soft(position, unit) for unit in enemies),
        enemies=len(enemies),
        distance=distance,
        seen=found is not None or distance <= 1,
        blocked=found is not None and found.blocked,
    )


def salvos_of(
    position: ValorPosition,
    units: Sequence[ValorUnit],
    target: str,
    named: Mapping[str, tuple[str, ...]],
    allows: Callable[[Any], bool],
) -> list[Salvo]:
    """Return the units' weapons: those named, else all they can use."""
    return [
        Salvo(unit, named[unit.id]) if unit.id in named else salvo(position, unit, target, allows)
        for unit in units
    ]


def fire_salvos(position: ValorPosition, action: Fire, edition: Edition) -> list[Salvo]:
    """Return the weapons of each unit in an attack."""
    units, target = actors(position, action), position.board.resolve(action.target)
    return salvos_of(position, units, target, chosen(units, action.weapons), edition.allows)


@cases(Fire)
def fire_facts(position: ValorPosition, action: Fire, edition: Edition) -> Iterator[Case]:
    """Yield the facts of each unit's fire and the group's totals; off the map only of these units."""
    units, target = actors(position, action), position.board.resolve(action.target)
    if gone := [unit for unit in units if unit.at is None]:
        chosen(units, action.weapons)
        for unit in gone:
            yield about(unit, firing(position, Salvo(unit, ()), target))
        return
    salvos = fire_salvos(position, action, edition)
    for entry in salvos:
        yield about(entry.unit, firing(position, entry, target), target)
        yield from used_by(position, entry, target)
    at, side = str(units[0].at), units[0].side
    for facts in (
        crew(position, salvos, target),
        aim(position, side, at, target),
        volley(position, salvos, target),
    ):
        yield Case(action.units, facts, (at, target))


def used_by(position: ValorPosition, entry: Salvo, target: str) -> Iterator[Case]:
    """Yield the facts of one unit's weapons: together, each one, and those used up."""
    shots = [shot(position, entry.unit, name, target) for name in entry.weapons]
    for facts in (loadout(position, entry), *shots, *expended(position, entry)):
        yield about(entry.unit, facts, target)


MGS = ("mg360", "mgff")


@clause("V14.1", kind="state")
def anti_personnel(facts: Aim | Loss, sheet: Sheet) -> None:
    """AP fire affects infantry, unarmored vehicles and Guns, never AFVs."""
    if isinstance(facts, Loss):
        if facts.kind == "afv":
            sheet.bar("AP fire has no effect on an AFV")
    elif not facts.open_to_fire and sheet.reading("A19") == "barred":
        sheet.bar("nothing there is affected by AP fire", 1, 0)


@clause("V13.1", kind="action")
def fire_phases(facts: Firing, sheet: Sheet) -> None:
    """Units fire in their own Fire Phase and the enemy's Movement and Defensive Fire Phases, once a turn."""
    if not facts.on_map or facts.towed:
        sheet.bar("it is off the map or towed")
    allowed = ("Fire",) if facts.own_turn else ("Movement", "DefensiveFire")
    if facts.phase not in allowed:
        sheet.bar("this unit cannot fire in this phase", " or ".join(allowed), facts.phase)
    if facts.fired and facts.kind == "infantry" and not facts.final:
        sheet.bar("it has attacked this turn")


@clause("V13.3", kind="action", assumes=True)
def needs_sight(facts: Aim, sheet: Sheet) -> None:
    """Fire needs a line of sight, and another hex as target."""
    if facts.blocked:
        sheet.bar("there is no line of sight")
    elif not facts.seen:
        sheet.exception("the line of sight is neither given nor computed, and taken to be clear")
    if facts.distance < 1:
        sheet.bar("the target is the attackers' own hex", 1, facts.distance)


@clause("V14.2a", kind="action", composes="joint")
def groups(facts: Crew, sheet: Sheet) -> None:
    """All units of a hex that fire at one target in one turn form one group."""
    if not facts.distinct:
        sheet.bar("a unit is named twice")
    if facts.sides > 1 or facts.hexes > 1:
        sheet.bar(
            "all units of a fire group must be of one side and in one hex",
            1,
            max(facts.sides, facts.hexes),
        )
    if facts.outside and facts.fired_outside:
        sheet.bar("infantry of this hex has attacked the target this turn")
    mixed = (facts.outside and facts.fired_aboard) or (facts.riders and facts.fired_outside)
    if mixed and sheet.reading("A15") == "barred":
        sheet.bar("Passengers and other infantry of this hex attack the target separately")


def _whole_hex(facts: Crew, sheet: Sheet) -> None:
    if facts.outside and facts.left_out:
        sheet.bar("all infantry of the hex fires together", 0, facts.left_out)


@clause("V14.2d", kind="action", composes="joint", denied=_whole_hex)
def smaller_groups(facts: Crew, sheet: Sheet) -> None:
    """Units of one hex can also fire in smaller groups or alone, at different targets."""


@clause("V14.2c", kind="action")
def opportunity_fire(facts: Firing | Loss, sheet: Sheet) -> None:
    """Fire groups can make Opportunity Fire, but only at moving units."""
    if isinstance(facts, Loss):
        if not facts.mover:
            sheet.bar("Opportunity Fire affects only units that are moving")
    elif facts.phase == "Movement" and not facts.own_turn and not facts.movers:
        sheet.bar("no enemy is moving there", 1, 0)


@not_modelled("V13.8b")
def pinned_in_a_crowd(facts: Firing) -> bool:
    """A unit pinned while moving through a full hex is eliminated."""
    return facts.crowded


@clause("V14.3a", kind="action")
def passenger_weapons(facts: Shot, sheet: Sheet) -> None:
    """Passengers fire only light machine guns, grenades and satchel charges as support weapons."""
    if not facts.aboard or facts.weapon == "own" or facts.kind != "infantry":
        return
    light = facts.weapon == "mg" and facts.class_ == "L"
    if not light and facts.weapon not in ("grenades", "satchel"):
        sheet.bar("Passengers cannot fire this weapon")


@clause("V14.3b", kind="action", composes="joint")
def passenger_groups(facts: Crew, sheet: Sheet) -> None:
    """Passengers group only with their vehicle and its other Passengers, and must if they fire at one target."""
    if facts.riders and (facts.outside or facts.carriers > 1 or facts.strange):
        sheet.bar("Passengers attack with units outside their vehicle")
    if facts.fired_party:
        sheet.bar("their vehicle, or others in it, attacked the target this turn")


@clause("V14.4a", kind="action", composes="joint")
def alone(facts: Crew, sheet: Sheet) -> None:
    """AFVs, vehicles and Guns attack alone or with their own Passengers."""
    if facts.heavies > 1 or (facts.heavies and facts.outside):
        sheet.bar(
            "an AFV, vehicle or Gun cannot join a fire group", 1, facts.heavies + facts.outside
        )


@clause("V14.4b", kind="state")
def vehicle_ranges(facts: Shot, sheet: Sheet) -> None:
    """A Gun's APFP has unlimited range, a vehicle's machine guns eight hexes."""
    reach = figure("V14.4b", "mg")
    if facts.weapon in MGS and facts.distance > reach:
        sheet.bar("the target is out of the machine gun's range", reach, facts.distance)


@clause("V14.4c", kind="action")
def one_attack(facts: Firing, sheet: Sheet) -> None:
    """An AFV, vehicle or Gun makes one attack a turn, whatever its weapons."""
    if facts.fired and facts.kind != "infantry" and not facts.final:
        sheet.bar("it has attacked this turn")


@clause("V14.4d", kind="state")
def gun_arc(facts: Shot, sheet: Sheet) -> None:
    """A Gun fires in any direction from a turret, otherwise only in the FFA."""
    if facts.weapon == "gun" and not facts.turreted and not facts.ahead:
        sheet.bar("the target is outside the Gun's FFA")


@clause("V14.4e", kind="state")
def counters_weapons(facts: Loadout | Shot, sheet: Sheet) -> None:
    """A Gun has one APFP rating; an AFV or vehicle fires the weapons printed on it."""
    if isinstance(facts, Loadout):
        if facts.idle and not facts.class_:
            sheet.bar("it fires no weapon")
    elif not facts.printed:
        sheet.bar("the counter has no such APFP rating")


@clause("V14.4f", kind="state")
def ring_mg(facts: Shot, sheet: Sheet) -> None:
    """A 360-degree machine gun fires in any direction, to eight hexes."""
    reach = figure("V14.4b", "mg")
    if facts.weapon == "mg360" and facts.distance > reach:
        sheet.bar("a 360-degree machine gun does not reach it", reach, facts.distance)


@clause("V14.4g", kind="state")
def forward_mg(facts: Shot, sheet: Sheet) -> None:
    """A forward-firing machine gun fires in the FFA, to eight hexes."""
    reach = figure("V14.4b", "mg")
    if facts.weapon == "mgff" and not facts.ahead:
        sheet.bar("the target is outside the machine gun's FFA")
    if facts.weapon == "mgff" and facts.distance > reach:
        sheet.bar("a forward-firing machine gun does not reach it", reach, facts.distance)


def _one_weapon(facts: Loadout, sheet: Sheet) -> None:
    if facts.vehicle_weapons > 1:
        sheet.bar("a unit fires only one weapon in an attack", 1, facts.vehicle_weapons)


@clause("V14.4h", kind="odds", denied=_one_weapon)
def example_tank(facts: Loadout, sheet: Sheet) -> None:
    """An AFV with Gun and machine guns fires 12, 16 or 19, as arcs and ranges allow (worked example)."""


@clause("V13.3b", kind="action")
def infantry_range(facts: Shot, sheet: Sheet) -> None:
    """Infantry and support weapons have their printed range."""
    if facts.kind != "infantry":
        return
    what = "its own APFP" if facts.weapon == "own" else f"its {facts.weapon}"
    if facts.distance > facts.range:
        sheet.bar(f"the target is out of range of {what}", facts.range, facts.distance)
    if facts.distance < facts.least:
        sheet.bar(f"the target is too near for {what}", facts.least, facts.distance)
    if facts.weapon == "panzerfaust":
        sheet.bar("the weapon has no APFP")


@clause("V12.3", kind="action")
def infantry_loadout(facts: Loadout, sheet: Sheet) -> None:
    """Infantry fires one support weapon, plus grenades: squads with their own APFP, half squads a heavy one instead of it, leaders a light one instead."""
    weapons = facts.light + facts.heavy + facts.other - facts.grenades
    if weapons > figure("V12.3", "weapons"):
        sheet.bar("it fires more than one support weapon", figure("V12.3", "weapons"), weapons)
    if facts.idle and facts.class_:
        sheet.bar("it fires nothing")
    if facts.class_ == "half-squad" and facts.own and facts.heavy:
        sheet.bar("a half squad fires a heavy weapon only instead of its own APFP")
    if facts.class_ == "leader" and (facts.heavy or (facts.own and facts.light)):
        sheet.bar(
            "a leader can fire only a light weapon, and only instead of the leader's own APFP"
        )


@clause("V12.6", kind="action", composes="joint")
def mortars(facts: Crew | Firing | Loadout | Shot, sheet: Sheet) -> None:
    """Mortars join no group except a leader's who guides them, and make no Opportunity Fire or fire from indoors."""
    if isinstance(facts, Crew):
        others = facts.size - facts.mortars - facts.guides
        if facts.mortars and others:
            sheet.bar(
                "mortars attack only with other mortars and with leaders that fire nothing",
                0,
                others,
            )
    elif isinstance(facts, Firing):
        if facts.mortar and not facts.own_turn and facts.phase == "Movement":
            sheet.bar("mortars cannot make Opportunity Fire")
    elif isinstance(facts, Loadout):
        if facts.mortars and facts.own:
            sheet.bar("a mortar is fired without the unit's own APFP")
    elif facts.weapon == "mortar" and facts.indoors:
        sheet.bar("a mortar cannot fire from a building or bunker")


def _no_final_fire(facts: Firing, sheet: Sheet) -> None:
    if facts.final and facts.fired:
        sheet.bar("it has attacked this turn")


@clause("V19.2", kind="action", denied=_no_final_fire)
def final_fire(facts: Firing, sheet: Sheet) -> None:
    """Units in a hex that an AFV overran can make AT fire at it as it leaves, even after firing."""
    if facts.final and facts.fired:
        sheet.exception("Final Opportunity Fire")


@effect(Fire)
def after_fire(
    position: ValorPosition, action: Fire, bills: Sequence[Bill]
) -> ValorPosition | None:
    """Return the position with the attack declared and its roll due; None if a unit is off the map."""
    units = [position.unit(name) for name in dict.fromkeys(action.units)]
    if any(unit.at is None for unit in units):
        return None
    target = position.board.resolve(action.target)
    attack = Attack(
        side=units[0].side,
        origin=str(units[0].at),
        target=target,
        opportunity=position.phase == "Movement" and units[0].side != position.side,
        units=tuple(unit.id for unit in units),
        **sum_of(bills),
    )
    fired = [replace(unit, fired=True, fired_at=target) for unit in units]
    return with_attack(position.with_units(fired), attack)


forgotten = resets("new_turn", fired=False, fired_at=None)
