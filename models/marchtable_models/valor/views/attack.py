"""The attack being resolved, and the units under fire."""

from __future__ import annotations

from marchtable.state.records import replace
from marchtable_models.valor.model import Attack, ValorPosition, ValorUnit
from marchtable_models.valor.views.units import is_moving


def with_attack(position: ValorPosition, attack: Attack | None) -> ValorPosition:
    """Return the position with this attack open, or none."""
    return replace(position, conditions=replace(position.conditions, attack=attack))


def attack_on(position: ValorPosition) -> Attack | None:
    """Return the attack that still owes points."""
    attack = position.conditions.attack
    return attack if attack is not None and attack.owed > 0 else None


def under_fire(position: ValorPosition, attack: Attack) -> tuple[ValorUnit, ...]:
    """Return the attacker's enemies in the target hex, and those named elsewhere."""
    there = position.occupants.get(attack.target, ())
    found = tuple(unit for unit in there if unit.side != attack.side)
    named = map(position.unit, attack.only)
    return (*found, *(u for u in named if u.at not in (None, attack.target)))


def is_struck(position: ValorPosition, attack: Attack, unit: ValorUnit) -> bool:
    """Return whether a limited attack affects a unit: it is named, or moving."""
    if attack.only:
        return unit.id in attack.only or unit.aboard in attack.only
    return is_moving(position, unit)


def battering(attack: Attack, unit: ValorUnit) -> str:
    """Return whether a unit is ``aboard`` an AFV that takes an assault's points, or ``behind`` it."""
    if not attack.batters or unit.id in attack.batters:
        return ""
    return "aboard" if unit.aboard in attack.batters else "behind"


def losses_of(attack: Attack, unit: str) -> tuple[str, ...]:
    """Return an attack's effects on a unit so far."""
    return next((entry.losses for entry in attack.taken if entry.unit == unit), ())


def is_safe(attack: Attack, unit: ValorUnit) -> bool:
    """Return whether this attack has pinned the unit."""
    return unit.pinned and unit.id not in attack.before


def foe_of(position: ValorPosition, side: str) -> str:
    """Return the opposing side."""
    return next((u.side for u in position.units if u.side != side), f"against {side}")
