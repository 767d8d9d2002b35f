"""What a position must be for the clauses to make sense of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable_models.asl.data import hazards, unit_types
from marchtable_models.asl.model import SPINES
from marchtable_models.asl.survey import type_of
from marchtable_models.asl.weapons import is_weapon, weapon_of

if TYPE_CHECKING:
    from marchtable.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

__all__ = ["check_scene", "check_units"]


def check_scene(position: Position[AslUnit, AslConditions]) -> None:
    """Raise BadInputError for a night without NVR, and for SW counters that cannot be read."""
    if position.conditions.night and position.conditions.nvr is None:
        raise BadInputError("expected the Night Visibility Range at night", field="conditions.nvr")
    for counter in position.counters:
        if is_weapon(counter.kind):
            weapon_of(counter.kind)


def check_units(position: Position[AslUnit, AslConditions]) -> None:
    """Raise BadInputError for unknown unit types, vehicles without a VCA, and states that cannot be."""
    names = [kind.name for kind in position.conditions.types]
    for number, kind in enumerate(position.conditions.types):
        field = f"conditions.types[{number}]"
        if kind.name in names[:number]:
            raise BadInputError(f"unit type {kind.name!r} is listed twice", field=f"{field}.name")
        if kind.is_vehicle == (kind.column == "inf") or kind.is_vehicle != (kind.mp > 0):
            raise BadInputError(
                f"{kind.name}: vehicles, and only they, have MP and a column ft, ht or tr",
                field=f"{field}.column",
            )
    known = {*unit_types(), *(t.name for t in position.conditions.types)}
    for number, unit in enumerate(position.units):
        field = f"units[{number}]"
        if unit.type not in known:
            raise BadInputError(
                f"no unit type {unit.type!r} (types: {', '.join(sorted(known))})",
                field=f"{field}.type",
            )
        if type_of(position, unit).is_vehicle != (unit.facing is not None):
            raise BadInputError(
                f"{unit.id}: vehicles, and only they, have a facing (one of {', '.join(SPINES)})",
                field=f"{field}.facing",
            )
        if unit.hazardous and unit.hazardous not in hazards():
            raise BadInputError(
                f"{unit.id}: no Hazardous Movement {unit.hazardous!r} "
                f"(expected one of {', '.join(hazards())})",
                field=f"{field}.hazardous",
            )
        if (unit.final and not unit.used) or (unit.final == "all" and unit.facing is None):
            raise BadInputError(
                f"{unit.id}: final says how a unit's points were used up, 'all' only a vehicle's; "
                'expected "" or some used',
                field=f"{field}.final",
            )
