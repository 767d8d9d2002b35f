"""The units of a hex as members of a stack, for the advice on allocations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable_models.valor.allocation.stack import Member, Stack
from marchtable_models.valor.allocation.values import USUAL, Values, fraction
from marchtable_models.valor.data import TWO_DICE, figure
from marchtable_models.valor.rules.casualties import guarded
from marchtable_models.valor.rules.under_fire import guard_of, is_mover
from marchtable_models.valor.views.attack import under_fire
from marchtable_models.valor.views.units import is_towed, kind_of, type_named, type_of, weapon_of

if TYPE_CHECKING:
    from fractions import Fraction

    from marchtable_models.valor.model import Attack, UnitType, ValorPosition, ValorUnit

NO_TRAITS = frozenset({"id", "side", "at", "type", "sw", "aboard", "party"})
"""Fields that are not traits: equal for units of a stack, or covered by other fields."""


def stack_of(position: ValorPosition, hex_: str, values: Values = USUAL) -> Stack:
    """
    Return the units of a hex for the advice on allocations, sorted by name.

    Shields count towards the attack open there. Only units of the active side have a chance to
    rally.
    """
    at = position.board.resolve(hex_)
    attack = position.conditions.attack
    if attack is not None and attack.target == at:
        units = under_fire(position, attack)
    else:
        attack, units = None, position.occupants.get(at, ())
    named = sorted(units, key=lambda unit: unit.id)
    members = tuple(_member(position, attack, unit, values) for unit in named)
    return Stack(members, opportunity=bool(attack and attack.opportunity))


def _member(
    position: ValorPosition, attack: Attack | None, unit: ValorUnit, values: Values
) -> Member:
    kind = type_of(position, unit)
    half = type_named(position, kind.half or "") if _has_half(position, kind) else None
    shield = unit.valorous if attack is None else guarded(guard_of(position, attack, unit))
    worth, own = _worth(position, unit, kind, values), unit.side == position.side
    return Member(
        id=unit.id, kind=kind_of(position, unit), cr=kind.cr or 0, cr_half=half.cr if half else None,  # type: ignore[arg-type]
        pinned=unit.pinned, shield=shield, aboard=unit.aboard, towed=is_towed(position, unit),
        mover=is_mover(position, attack, unit), worth=worth,
        worth_half=min(worth, _worth(position, unit, half, values)) if half else 0,
        rally=_chances(kind) if own else (0,), leads=_leadership(kind), traits=_traits(unit),
    )  # fmt: skip


def _has_half(position: ValorPosition, kind: UnitType) -> bool:
    """Return whether it has a half squad to reduce to (A18: an unused counter)."""
    if ("A18", "available") not in position.readings:
        return kind.half is not None
    return any(entry.type == kind.half and entry.left for entry in position.conditions.spare)


def _worth(
    position: ValorPosition, unit: ValorUnit, kind: UnitType, values: Values
) -> int | Fraction:
    """Return the worth of a unit with its weapons: lost with it, but kept by its half squad."""
    weapons = [weapon_of(position, name) for name in unit.sw]
    firepower = kind.apfp + kind.gun + kind.mg360 + kind.mgff + sum(w.apfp for w in weapons)
    armed = kind.gun or kind.mg360 or kind.mgff
    own = figure("V14.4b", "mg") if armed else kind.range
    longest = max(own, *(w.range for w in weapons), 0) if firepower else 0
    found = (
        firepower
        + fraction(values.leadership, "weights.leadership") * _leadership(kind)
        + fraction(values.range, "weights.range") * longest
    )
    return int(found) if found.denominator == 1 else found


def _leadership(kind: UnitType) -> int:
    """Return a leader's modifier of the dice, as a positive amount."""
    return max(0, -kind.modifier) if kind.class_ == "leader" else 0


def _chances(kind: UnitType) -> tuple[int, ...]:
    """Return the chances to rally, in 36ths: alone, with a leader's bonus of 1, of 2, ..."""
    steady = kind.elite or kind.class_ == "leader" or not kind.is_infantry
    need = figure("V14.8a", "others" if steady else "regular")
    most = max(TWO_DICE)
    return tuple(
        sum(ways for roll, ways in TWO_DICE.items() if roll <= at) for at in range(need, most + 1)
    )


def _traits(unit: ValorUnit) -> tuple[str, ...]:
    """Return other differences between units that are not interchangeable, such as weapons."""
    state = {
        field: value
        for field, value in msgspec.structs.asdict(unit).items()
        if field not in NO_TRAITS and value
    }
    return (unit.type, *sorted(unit.sw), *(f"{field}={value}" for field, value in state.items()))
