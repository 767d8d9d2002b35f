"""Reads the facts of anti-tank fire off a position, and which expendable weapons an attack uses up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.valor.extraction import gunnery, reading
from marchtable_models.valor.facts.attacks import Piercing, Shot, UsedUp

if TYPE_CHECKING:
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.model import ValorUnit, WeaponType

__all__ = ["at_one", "piercing", "used_up"]


def piercing(position: ValorPosition, unit: ValorUnit, target: ValorUnit) -> tuple[str, ...]:
    """Return the name of the AT weapon that infantry uses against another; both are on the map."""
    weapon = _weapon(position, unit, position.board.distance(str(unit.at), str(target.at)))
    return () if weapon is None else (weapon.name,)


def _weapon(position: ValorPosition, unit: ValorUnit, distance: int) -> WeaponType | None:
    """Return an AT weapon of a unit that reaches so far, if any does."""
    found = [reading.weapon_of(position, name) for name in unit.sw]
    rated = [weapon for weapon in found if weapon.atfp]
    bearing = (weapon for weapon in rated if weapon.least <= distance <= weapon.range)
    return next(bearing, rated[0] if rated else None)


def at_one(
    position: ValorPosition, unit: ValorUnit, target: ValorUnit
) -> list[Piercing | Shot | UsedUp]:
    """Return the facts of a unit's AT fire at another; both are on the map."""
    at, there = str(unit.at), str(target.at)
    kind, distance = reading.type_of(position, unit), position.board.distance(at, there)
    weapon = _weapon(position, unit, distance)
    facts = Piercing(
        reading.kind_of(position, unit), bool(weapon or kind.atfp), kind.is_infantry and unit.aboard is not None,
        distance, weapon.range if weapon else 0, weapon.least if weapon else 0,
        any("bunker" in one for one in position.markers.get(there, ())),
    )  # fmt: skip
    found: list[Piercing | Shot | UsedUp] = [facts]
    if not kind.is_infantry:
        ahead = reading.is_in_arc(position.board, at, unit.facing, there)
        found.append(Shot("gun", facts.kind, printed=True, apfp=kind.gun, turreted=kind.turreted, ahead=ahead, distance=distance))  # fmt: skip
    if weapon is not None:
        found += used_up(position, gunnery.Salvo(unit, (weapon.name,)))
    return found


def used_up(position: ValorPosition, found: gunnery.Salvo) -> list[UsedUp]:
    """Return the facts of the expendable weapons that a unit uses, none if it uses none."""
    left = list(found.unit.sw)
    for name in found.weapons:
        if name in left and reading.weapon_of(position, name).class_ == "X":
            left.remove(name)
    return [UsedUp(tuple(left))] if len(left) < len(found.unit.sw) else []
