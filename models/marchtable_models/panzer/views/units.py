"""Units, by their counters and state."""

from __future__ import annotations

from marchtable_models.panzer.data import factions, unit_types
from marchtable_models.panzer.model import Faction, PanzerPosition, UnitType
from marchtable_models.panzer.model import PanzerUnit as PanzerUnit

CARRIERS = ("C", "C(I)")


def type_of(position: PanzerPosition, unit: PanzerUnit) -> UnitType:
    """Return the data printed on the unit's counter; the scene's types precede the samples."""
    for kind in position.conditions.types:
        if kind.name == unit.type:
            return kind
    return unit_types()[unit.type]


def faction_of(position: PanzerPosition, unit: PanzerUnit) -> Faction:
    """Return the unit's faction; the scene's factions precede those of the rulebook."""
    name = type_of(position, unit).faction
    for faction in position.conditions.factions:
        if faction.name == name:
            return faction
    return factions()[name]


def hexes_of(unit: PanzerUnit) -> tuple[str, ...]:
    """Return the unit's hex, for messages; empty if it is off the map."""
    return (unit.at,) if unit.at is not None else ()


def passengers(position: PanzerPosition, unit: PanzerUnit) -> tuple[PanzerUnit, ...]:
    """Return the units that a unit carries."""
    return tuple([other for other in position.units if other.aboard == unit.id])


def is_transportable(kind: UnitType) -> bool:
    """Return whether some transport could carry such a unit."""
    return not kind.is_vehicle and kind.kind != "cavalry"


def is_on_foot(position: PanzerPosition, unit: PanzerUnit) -> bool:
    """Return whether a unit is neither a vehicle nor mounted."""
    return type_of(position, unit).kind not in ("vehicle", "cavalry")


def is_moving(position: PanzerPosition, unit: PanzerUnit) -> bool:
    """Return whether it is the movement phase of the unit's side."""
    return position.phase == "Movement" and unit.side == position.side


def may_attack(position: PanzerPosition, unit: PanzerUnit) -> bool:
    """Return whether a unit's side can fire and observe now: in its turn, or while enemies move."""
    return unit.side == position.side or position.phase == "Movement"
