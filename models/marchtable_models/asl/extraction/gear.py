"""Reads off a position the facts of skis and bicycles: who has them, and goes over to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.extraction.foot import ground_row_at
from marchtable_models.asl.extraction.reading import there
from marchtable_models.asl.extraction.unitkinds import nationality_of, type_of
from marchtable_models.asl.extraction.weather import weather_of
from marchtable_models.asl.facts.gear import BICYCLE, FOOT, SKIS, Switching
from marchtable_models.asl.levels import level_of
from marchtable_models.asl.weapons import kind_of

if TYPE_CHECKING:
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["gear_of", "switching", "ways_to_go"]


def gear_of(unit: AslUnit) -> list[str]:
    """Return which of skis and bicycle a unit possesses."""
    held = {kind_of(weapon) for weapon in unit.sw} if unit.sw else ()
    return [kind for kind in (SKIS, BICYCLE) if kind in held]


def ways_to_go(unit: AslUnit) -> list[str]:
    """Return what a unit could go over to."""
    return [way for way in (*gear_of(unit), FOOT) if way != (unit.status.gear or FOOT)]


def switching(position: AslPosition, unit: AslUnit, to: str) -> Switching:
    """Return the facts of a unit that goes over to skis, a bicycle or its feet."""
    at = unit.at or ""
    found = there(position, unit.side, at, (unit.id,), level_of(position, unit)) if at else None
    return Switching(
        now=unit.status.gear or FOOT,
        to=to,
        has=to == FOOT or to in gear_of(unit),
        infantry=type_of(position, unit).is_infantry and unit.cargo.aboard is None,
        finnish=nationality_of(unit) == "finnish",
        snow=weather_of(position.conditions).snow != "",
        phase=position.phase,
        row=ground_row_at(position, at) if at and unit.place.bypass is None else "",
        enemies=found is not None and (found.known or found.harmless),
        pp=sum(weapon.pp for weapon in unit.sw if kind_of(weapon) != to),
        assault=unit.move.assault,
    )
