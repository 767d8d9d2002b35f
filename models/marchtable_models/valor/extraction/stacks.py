"""Reads off a position what its units under fire can still suffer: the facts of each loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.state.action import verb_of
from marchtable_models.valor.allocation.values import Values, fraction
from marchtable_models.valor.clauses.combat import TWO_DICE
from marchtable_models.valor.data import figure
from marchtable_models.valor.extraction import reading
from marchtable_models.valor.facts.damage import NOBODY, Body, DamageState
from marchtable_models.valor.facts.losses import Guard, guarded
from marchtable_models.valor.facts.stack import Member, Stack
from marchtable_models.valor.orders import Absorb

if TYPE_CHECKING:
    from fractions import Fraction

    from marchtable.state.action import Action
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.facts.losses import Loss, Outcome
    from marchtable_models.valor.model import Attack, UnitType, ValorUnit

NO_TRAITS = frozenset({"id", "side", "at", "type", "sw", "aboard", "party"})
"""Fields that make no trait: units of a stack do not differ in them, or other fields have them."""
USUAL = Values()

__all__ = ["absorbable", "damage_of", "loss", "open_units", "outcome", "owing", "stack_of"]


def damage_of(position: ValorPosition, attack: Attack) -> DamageState:
    """Return the units under fire as they stand; a position is asked about one attack again and again."""
    known = position.__dict__.get("damage")
    if known is not None and known[0] is attack:
        found: DamageState = known[1]
        return found
    units = _struck(position, attack)
    at = {unit.id: i for i, unit in enumerate(units)}
    found = DamageState(
        [_body(position, attack, unit, at) for unit in units],
        attack.owed,
        attack.total,
        first_pins=attack.pins,
        focus=NOBODY if attack.focus is None else at[attack.focus],
        opportunity=attack.opportunity,
    )
    position.__dict__["damage"] = attack, found
    return found


def _struck(position: ValorPosition, attack: Attack) -> list[ValorUnit]:
    """Return the units under fire and those that the attack has eliminated."""
    there = reading.under_fire(position, attack)
    names = {unit.id for unit in there}
    return [*there, *(position.unit(t.unit) for t in attack.taken if t.unit not in names)]


def _body(
    position: ValorPosition, attack: Attack | None, unit: ValorUnit, at: dict[str, int]
) -> Body:
    kind = reading.type_of(position, unit)
    half = reading.type_named(position, kind.half) if kind.half else None
    left = next((spare.left for spare in position.conditions.spare if spare.type == kind.half), 0)
    if attack is None:  # what depends on an attack is no reason of its own
        guard = Guard(kind.shield, ahead=True, valorous=unit.valorous and kind.is_infantry)
    else:
        guard = reading.guard_of(position, attack, unit)
    return Body(
        reading.kind_of(position, unit),
        kind.cr or 0,
        half.cr if half else None,
        bool(left),
        guard,
        at.get(unit.aboard or "", NOBODY),
        reading.is_towed(position, unit),
        _is_mover(position, attack, unit),
        attack is not None and unit.id in attack.before,
        unit.pinned,
        attack is not None
        and unit.at != attack.target
        and (unit.at is None or unit.id not in attack.only),
        () if attack is None else reading.losses_of(attack, unit.id),
        "" if attack is None else reading.battering(attack, unit),
    )


def _is_mover(position: ValorPosition, attack: Attack | None, unit: ValorUnit) -> bool:
    if attack is None:
        return reading.is_moving(position, unit)
    return reading.is_struck(position, attack, unit)


def open_units(
    position: ValorPosition, attack: Attack, *, pinned_too: bool = False
) -> list[ValorUnit]:
    """Return the units that can still suffer; with `pinned_too` those that the attack pinned as well."""
    units = reading.under_fire(position, attack)
    return [units[i] for i in damage_of(position, attack).open(pinned_too=pinned_too)]


def owing(position: ValorPosition, attack: Attack) -> list[str]:
    """Return who can still suffer, those pinned by the attack and AFVs to be battered included."""
    return [u.id for u in open_units(position, attack, pinned_too=True)] + [*attack.batters]


def absorbable(position: ValorPosition, unit: ValorUnit) -> range:
    """Return the points that a unit could absorb: of a vehicle or Gun by its roll, of a battered AFV."""
    attack = reading.attack_on(position)
    if attack is not None and unit.id in attack.batters:
        points = min(attack.owed, figure("V15.10a", "most"))
        return range(points, points + 1)
    return range(2, reading.rating(position, unit) + 1)


def loss(position: ValorPosition, attack: Attack | None, unit: ValorUnit, action: Action) -> Loss:
    """Return the facts of a loss that the owner would take."""
    verb, points = verb_of(action), action.points if isinstance(action, Absorb) else 0
    under = () if attack is None else reading.under_fire(position, attack)
    if attack is None or unit not in under:
        damage = DamageState([_body(position, attack, unit, {})], 0, 0)
        owed, total = (attack.owed, attack.total) if attack else (0, 0)
        found = damage.loss(0, verb, points)
        return msgspec.structs.replace(found, owed=owed, total=total, under_fire=attack is None)
    return damage_of(position, attack).loss(under.index(unit), verb, points)


def outcome(position: ValorPosition, unit: ValorUnit, fell: str) -> Outcome:
    """Return the facts of how a survival roll fell."""
    attack, survives = position.conditions.attack, fell == "survives"
    under = () if attack is None else reading.under_fire(position, attack)
    if attack is None or unit not in under:  # after an illegal step
        return DamageState([_body(position, attack, unit, {})], 0, 0).outcome(
            0, 0, survives=survives
        )
    return damage_of(position, attack).outcome(
        under.index(unit), attack.absorbing, survives=survives
    )


# -- for allocations -------------------------------------------------------------------------------


def stack_of(position: ValorPosition, hex_: str, values: Values = USUAL) -> Stack:
    """
    Return the units of a hex for the advice on allocations, sorted by name.

    Shields count towards the attack that is open there. Only units of the side whose turn it is
    have a chance to rally.
    """
    at = position.board.resolve(hex_)
    attack = position.conditions.attack
    if attack is not None and attack.target == at:
        units = reading.under_fire(position, attack)
    else:
        attack, units = None, position.occupants.get(at, ())
    named = sorted(units, key=lambda unit: unit.id)
    members = tuple(_member(position, attack, unit, values) for unit in named)
    return Stack(members, opportunity=bool(attack and attack.opportunity))


def _member(
    position: ValorPosition, attack: Attack | None, unit: ValorUnit, values: Values
) -> Member:
    kind = reading.type_of(position, unit)
    half = reading.type_named(position, kind.half or "") if _has_half(position, kind) else None
    shield = unit.valorous if attack is None else guarded(reading.guard_of(position, attack, unit))
    worth, own = _worth(position, unit, kind, values), unit.side == position.side
    return Member(
        id=unit.id, kind=reading.kind_of(position, unit), cr=kind.cr or 0, cr_half=half.cr if half else None,  # type: ignore[arg-type]
        pinned=unit.pinned, shield=shield, aboard=unit.aboard, towed=reading.is_towed(position, unit),
        mover=_is_mover(position, attack, unit), worth=worth,
        worth_half=min(worth, _worth(position, unit, half, values)) if half else 0,
        rally=_chances(kind) if own else (0,), leads=_leadership(kind), traits=_traits(unit),
    )  # fmt: skip


def _has_half(position: ValorPosition, kind: UnitType) -> bool:
    """Return whether there is a half squad to reduce it to (A18: a counter left of it)."""
    if ("A18", "available") not in position.readings:
        return kind.half is not None
    return any(entry.type == kind.half and entry.left for entry in position.conditions.spare)


def _worth(
    position: ValorPosition, unit: ValorUnit, kind: UnitType, values: Values
) -> int | Fraction:
    """Return the worth of a unit with its weapons: lost with it, but kept by its half squad."""
    weapons = [reading.weapon_of(position, name) for name in unit.sw]
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
    """Return the amount that a leader takes off the dice."""
    return max(0, -kind.modifier) if kind.class_ == "leader" else 0


def _chances(kind: UnitType) -> tuple[int, ...]:
    """Return the chances to rally, in 36ths: alone, with a leader who takes 1 off the dice, 2, ..."""
    steady = kind.elite or kind.class_ == "leader" or not kind.is_infantry
    need = figure("V14.8a", "others" if steady else "regular")
    most = max(TWO_DICE)
    return tuple(
        sum(ways for roll, ways in TWO_DICE.items() if roll <= at) for at in range(need, most + 1)
    )


def _traits(unit: ValorUnit) -> tuple[str, ...]:
    """Return further differences between units that are not interchangeable, such as weapons."""
    state = {
        field: value
        for field, value in msgspec.structs.asdict(unit).items()
        if field not in NO_TRAITS and value
    }
    return (unit.type, *sorted(unit.sw), *(f"{field}={value}" for field, value in state.items()))
