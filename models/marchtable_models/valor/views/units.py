"""Units and their counters, and relations between units."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from marchtable.errors import BadInputError
from marchtable.state.records import replace
from marchtable_models.valor.data import unit_types, weapon_types
from marchtable_models.valor.model import UnitType, ValorPosition, ValorUnit, WeaponType


def type_of(position: ValorPosition, unit: ValorUnit) -> UnitType:
    """Return the data printed on the unit's counter."""
    return type_named(position, unit.type)


def type_named(position: ValorPosition, name: str) -> UnitType:
    """Return the unit type of that name."""
    known = unit_types().get(name)
    return known or next(t for t in position.conditions.types if t.name == name)


def types(position: ValorPosition) -> tuple[UnitType, ...]:
    """Return every unit type."""
    return (*unit_types().values(), *position.conditions.types)


def weapon_of(position: ValorPosition, name: str) -> WeaponType:
    """Return the support weapon of that name."""
    known = weapon_types().get(name)
    return known or next(w for w in position.conditions.weapons if w.name == name)


def kind_of(position: ValorPosition, unit: ValorUnit) -> str:
    """Return ``infantry``, ``gun``, ``vehicle`` or ``afv``."""
    kind = type_of(position, unit)
    return "infantry" if kind.is_infantry else kind.class_


def carrier_of(position: ValorPosition, unit: ValorUnit) -> ValorUnit | None:
    """Return the unit's carrier or tower."""
    return None if unit.aboard is None else position.unit(unit.aboard)


def cargo(position: ValorPosition, unit: ValorUnit) -> tuple[ValorUnit, ...]:
    """Return the units that the unit carries or tows."""
    units = position.units if unit.at is None else position.occupants.get(unit.at, ())
    return tuple(other for other in units if other.aboard == unit.id and other.at == unit.at)


def is_towed(position: ValorPosition, unit: ValorUnit) -> bool:
    """Return whether it is a Gun in tow."""
    return unit.aboard is not None and type_of(position, unit).class_ == "gun"


def is_moving(position: ValorPosition, unit: ValorUnit) -> bool:
    """Return whether it has just moved, itself or with its carrier."""
    carrier = carrier_of(position, unit)
    return unit.moving or (carrier is not None and carrier.moving)


def rating(position: ValorPosition, unit: ValorUnit) -> int:
    """Return its Casualty Rating, 0 for AFVs."""
    return type_of(position, unit).cr or 0


def is_on_foot(position: ValorPosition, unit: ValorUnit) -> bool:
    return unit.aboard is None and kind_of(position, unit) == "infantry"


def on_their_own(position: ValorPosition, side: str, at: str | None) -> list[ValorUnit]:
    """Return the units of a side in a hex that are not aboard others."""
    there = position.occupants.get(at or "", ())
    return [u for u in there if u.side == side and u.aboard is None]


def gone(position: ValorPosition, names: Iterable[str]) -> ValorPosition:
    """Return the position without units and their loads."""
    lost = {*names}
    units = [u for u in position.units if u.id in lost or u.aboard in lost]
    return position.with_units(
        [replace(u, at=None, aboard=None, sw=(), entering=()) for u in units]
    )


def hexes_of(unit: ValorUnit) -> tuple[str, ...]:
    """Return the unit's hex, for messages; empty if it is off the map."""
    return (unit.at,) if unit.at is not None else ()


def leaders(position: ValorPosition, side: str, at: str | None) -> list[UnitType]:
    """Return the counters of a side's unpinned leaders in a hex."""
    there = position.occupants.get(at or "", ())
    kinds = [type_of(position, u) for u in there if u.side == side and not u.pinned]
    return [kind for kind in kinds if kind.class_ == "leader"]


def is_soft(position: ValorPosition, unit: ValorUnit) -> bool:
    """Return whether AP fire affects a unit: not an AFV, aboard one, or a Gun in tow."""
    carrier = carrier_of(position, unit)
    kinds = {kind_of(position, one) for one in (unit, carrier) if one is not None}
    return "afv" not in kinds and not is_towed(position, unit)


def actors(position: ValorPosition, action: Any) -> list[ValorUnit]:
    """Return the units that act, one or more; raises BadInputError if none is named."""
    if not hasattr(action, "units"):
        return [position.unit(action.unit)]
    if not action.units:
        raise BadInputError("expected at least one unit", field="units")
    return [position.unit(name) for name in action.units]
