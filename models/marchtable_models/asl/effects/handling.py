"""What handling SW does to a position: who has them, and which lie where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.state.records import replace
from marchtable_models.asl.clauses.infantry.portage import recovery_dr, sunk
from marchtable_models.asl.extraction.foot import loses
from marchtable_models.asl.verbs.foot import Drop, Transfer
from marchtable_models.asl.weapons import (
    as_counter,
    is_weapon,
    named,
    owner_of,
    was_carried,
    weapon_of,
    within_reach,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.judging import Bill
    from marchtable.state.position import Counter, Obligation, Position
    from marchtable_models.asl.model import AslConditions, AslUnit, SupportWeapon

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "fresh_counter",
    "handled",
    "left_behind",
    "rested_loads",
    "settled",
]


def handled(position: AslPosition, action: Drop | Transfer, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a unit gave a SW away, to the ground or to another."""
    unit = position.unit(action.unit)
    weapon = named(unit.sw, action.weapon)
    if weapon is None or unit.at is None:
        return position
    given = _given(unit, weapon)
    position = position.with_units([_without(unit, weapon)])
    if isinstance(action, Transfer):
        return _with(position, action.to, given)
    if any(name == sunk.id for bill in bills for name, _ in bill.finding.exceptions):
        return position
    if unit.cargo.aboard is not None and not unit.cargo.riding:  # it stays in the vehicle (D6.4k)
        vehicle = position.unit(unit.cargo.aboard)
        return position.with_units([msgspec.structs.replace(vehicle, sw=(*vehicle.sw, given))])
    counters = (*position.counters, as_counter(given, unit.at))
    return msgspec.structs.replace(position, counters=counters)


def _given(unit: AslUnit, weapon: SupportWeapon) -> SupportWeapon:
    """Return a SW as a unit that has had it gives it away."""
    portaged = weapon.portaged or was_carried(unit, weapon)
    return replace(weapon, portaged=portaged, held=0)


def left_behind(position: AslPosition, unit: AslUnit) -> AslPosition:
    """Return the position with the SW of a unit on foot that is lost lying in its Location."""
    if unit.at is None or not unit.sw or loses(position, unit):
        return position
    lie = [as_counter(_given(unit, weapon), unit.at) for weapon in unit.sw]
    return msgspec.structs.replace(position, counters=(*position.counters, *lie))


def settled(position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
    """Return the position after a roll: who recovers a SW has the item that it tried last."""
    if obligation.clause != recovery_dr.id or outcome != "recovered":
        return position
    unit = position.unit(obligation.unit)
    weapon = named(within_reach(position, unit), unit.move.tried[-1])
    owner = owner_of(position, unit, unit.move.tried[-1]) if weapon is None else None
    if owner is not None and (theirs := named(owner.sw, unit.move.tried[-1])) is not None:
        return _with(position.with_units([_without(owner, theirs)]), unit.id, _given(owner, theirs))
    if weapon is None or unit.at is None:
        return position
    if unit.cargo.aboard is not None:
        position = position.with_units([_without(position.unit(unit.cargo.aboard), weapon)])
        return _with(position, unit.id, weapon)
    counters = list(position.counters)
    counters.remove(next(c for c in counters if c.at == unit.at and _is(c, weapon)))
    return _with(msgspec.structs.replace(position, counters=tuple(counters)), unit.id, weapon)


def _is(counter: Counter, weapon: SupportWeapon) -> bool:
    return is_weapon(counter.kind) and weapon_of(counter.kind) == weapon


def _without(unit: AslUnit, weapon: SupportWeapon) -> AslUnit:
    left = list(unit.sw)
    left.remove(weapon)
    return msgspec.structs.replace(unit, sw=tuple(left))


def _with(position: AslPosition, name: str, weapon: SupportWeapon) -> AslPosition:
    unit = position.unit(name)
    taken = msgspec.structs.replace(weapon, held=unit.points.spent)
    return position.with_units([msgspec.structs.replace(unit, sw=(*unit.sw, taken))])


def rested_loads(units: Sequence[AslUnit]) -> list[AslUnit]:
    """Return units as a phase begins: nothing has been portaged in it, nothing tried."""
    return [
        replace(
            unit, portaged=0, tried=(),
            sw=tuple(replace(weapon, portaged=False, held=0) for weapon in unit.sw),
        )
        if unit.points.portaged or unit.move.tried or any(weapon.portaged or weapon.held for weapon in unit.sw)
        else unit
        for unit in units
    ]  # fmt: skip


def fresh_counter(counter: Counter) -> Counter:
    """Return a counter as a phase begins: a SW may be portaged again."""
    if not is_weapon(counter.kind):
        return counter
    rested = replace(weapon_of(counter.kind), portaged=False)
    return as_counter(rested, counter.at)
