"""Anti-tank fire: firers and results (18, 20.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, settles
from marchtable.state.action import Event
from marchtable.state.position import Obligation, Odds, UnitId
from marchtable.state.records import replace
from marchtable_models.valor.data import DIE, figure
from marchtable_models.valor.model import ValorPosition, ValorUnit, WeaponType
from marchtable_models.valor.rules.battered import Battered
from marchtable_models.valor.rules.fire import aim, firing, shot
from marchtable_models.valor.rules.movement import Mobile
from marchtable_models.valor.rules.support_weapons import expended
from marchtable_models.valor.rules.survival import carried
from marchtable_models.valor.views.ground import has_bunker
from marchtable_models.valor.views.units import gone, is_moving, kind_of, type_of, weapon_of
from marchtable_models.valor.views.weapons import Salvo


class Hit(Event, frozen=True, tag="hit"):
    """
    The result of anti-tank fire on a vehicle, AFV or Gun; its dice are not judged.

    ``by`` names the firer, which then has attacked in this turn: whether it can is judged.
    """

    unit: UnitId
    result: Literal["eliminated", "immobilized", "unharmed"]
    by: str = ""


class Piercing(Facts, frozen=True):
    """Anti-tank fire at one unit."""

    # the firer, and whether it or its weapon has an ATFP
    kind: str
    rated: bool
    aboard: bool  # whether it is a Passenger
    # in hexes; the range is that of infantry's weapon, 0 for a Gun, which has none
    distance: int
    range: int = 0
    least: int = 0
    sheltered: bool = False  # the target is in a bunker


class Struck(Facts, frozen=True):
    """The result of anti-tank fire: unit kind, on the map or not, immobile before, and result."""

    kind: str
    on_map: bool
    result: str
    immobile: bool = False


class Abandoned(Facts, frozen=True):
    """The decision of an immobilized AFV's crew: ``abandoned`` or ``stays``."""

    outcome: str


def _at_weapon(position: ValorPosition, unit: ValorUnit, distance: int) -> WeaponType | None:
    """Return an AT weapon of a unit with that range, if any."""
    found = [weapon_of(position, name) for name in unit.sw]
    rated = [weapon for weapon in found if weapon.atfp]
    bearing = (weapon for weapon in rated if weapon.least <= distance <= weapon.range)
    return next(bearing, rated[0] if rated else None)


@cases(Hit)
def hit_facts(position: ValorPosition, action: Hit) -> Iterator[Case]:
    """Yield the result of the fire, and whether the unit could fire."""
    unit = position.unit(action.unit)
    on_map = unit.at is not None
    yield about(unit, Struck(kind_of(position, unit), on_map, action.result, unit.immobile))
    if action.by and on_map:
        yield from _of_firer(position, position.unit(action.by), unit)


def _of_firer(position: ValorPosition, firer: ValorUnit, unit: ValorUnit) -> Iterator[Case]:
    at, to = firer.at, str(unit.at)
    if at is None:
        yield about(firer, firing(position, Salvo(firer, ()), to), to)
        return
    kind, distance = type_of(position, firer), position.board.distance(at, to)
    weapon = _at_weapon(position, firer, distance)
    salvo = Salvo(firer, (weapon.name,) if weapon else ())
    final = unit.crossed == at and is_moving(position, unit)
    yield Case((firer.id,), replace(firing(position, salvo, to), final=final), (to,))
    yield about(firer, replace(aim(position, firer.side, at, to), open_to_fire=1), to)
    facts = Piercing(
        kind=kind_of(position, firer),
        rated=bool(weapon or kind.atfp),
        aboard=kind.is_infantry and firer.aboard is not None,
        distance=distance,
        range=weapon.range if weapon else 0,
        least=weapon.least if weapon else 0,
        sheltered=has_bunker(position, to),
    )
    yield about(firer, facts, to)
    if not kind.is_infantry:
        yield about(firer, replace(shot(position, firer, "gun", to), printed=True), to)
    for used in expended(position, salvo):
        yield about(firer, used, to)


@settles("abandon")
def crew_facts(position: ValorPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the crew's decision; the AFV's load is lost with it."""
    unit = position.unit(obligation.unit)
    lost = carried(position, unit, "eliminated") if outcome == "abandoned" else []
    return [about(unit, Abandoned(outcome)), *lost]


@clause("V18.1", kind="action")
def who_pierces(facts: Piercing, sheet: Sheet) -> None:
    """AT fire comes from Guns, AFVs and vehicles with an ATFP, and infantry on foot with an AT weapon."""
    if not facts.rated:
        sheet.bar("neither it nor any of its weapons has an ATFP")
    if facts.aboard:
        sheet.bar("Passengers cannot make AT fire")


@clause("V18.2", kind="state")
def reaches(facts: Piercing, sheet: Sheet) -> None:
    """Infantry's AT weapons have their printed range, Guns any range."""
    if facts.kind != "infantry" or not facts.rated:
        return
    if facts.distance > facts.range:
        sheet.bar("the target is out of its weapon's range", facts.range, facts.distance)
    if facts.distance < facts.least:
        sheet.bar("the target is too near for its weapon", facts.least, facts.distance)


@clause("V20.5b", kind="action")
def no_bunkers(facts: Piercing, sheet: Sheet) -> None:
    """AT fire cannot target a unit in a bunker."""
    if facts.sheltered:
        sheet.bar("the target is in a bunker")


@clause("V18.4", kind="effect", assumes=True)
def at_result(facts: Struck, sheet: Sheet) -> None:
    """Anti-tank fire eliminates a vehicle, Gun or AFV, or immobilizes an AFV; the log states it."""
    if not facts.on_map:
        sheet.bar("it is off the map")
    if facts.kind == "infantry":
        sheet.bar("it has no effect on infantry")
    if facts.result == "immobilized":
        if facts.kind != "afv":
            sheet.bar("only AFVs are immobilized")
        sheet.force("immobile", True)
    sheet.exception("the result of anti-tank fire is not judged")


@clause("V18.6a", kind="action")
def immobile(facts: Mobile, sheet: Sheet) -> None:
    """An immobilized AFV cannot move or turn."""
    if facts.immobile:
        sheet.bar("it is immobilized")


@clause("V18.6b", kind="odds")
def abandons(facts: Struck | Abandoned | Battered, sheet: Sheet) -> None:
    """The crew of an immobilized AFV abandons it on a roll of 2 or less."""
    if isinstance(facts, Abandoned):
        if facts.outcome == "abandoned":
            sheet.force("at", None)
        return
    if isinstance(facts, Struck):
        shaken = facts.result == "immobilized" or (facts.immobile and facts.result == "unharmed")
    elif facts.waits:
        return
    else:  # by a failed assault: now, before, or by three points
        sure = not facts.outcome and facts.points >= figure("V15.10a", "most")
        shaken = sure or facts.immobile or facts.outcome == "immobilized"
    if shaken:
        most = figure("V18.6b", "abandons")
        odds = (Odds("stays", DIE - most, DIE), Odds("abandoned", most, DIE))
        sheet.roll("abandon", odds, f"one die at or under {most}")


@effect(Hit)
def after_hit(position: ValorPosition, action: Hit) -> ValorPosition:
    """Return the position without the unit if eliminated, and with the firer marked."""
    if action.by:
        at = position.unit(action.unit).at
        firer = replace(position.unit(action.by), fired=True, fired_at=at)
        position = position.with_units([firer])
    return gone(position, (action.unit,)) if action.result == "eliminated" else position
