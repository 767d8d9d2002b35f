"""Reads off a position the facts of crews that leave vehicles and man them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.judging import Case
from marchtable.state.records import replace
from marchtable_models.asl.extraction import reading
from marchtable_models.asl.extraction import transport as transport_facts
from marchtable_models.asl.extraction.unitkinds import nationality_of
from marchtable_models.asl.facts.aboard import Shot
from marchtable_models.asl.facts.manning import CrewLost, Taking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit, SupportWeapon, UnitType

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "armament_left", "crew_lost", "crew_of", "crews_of", "is_carrier_crew", "is_foreign", "shot_manning", "taking",
    "with_taken",
]  # fmt: skip


def crew_of(position: AslPosition, vehicle: AslUnit) -> AslUnit | None:
    """Return the unit that is a vehicle's inherent crew, if the position has it as one."""
    for unit in position.beside(vehicle.at):
        if unit.crew.inherent and unit.cargo.aboard == vehicle.id:
            return unit
    return None


def is_carrier_crew(position: AslPosition, crew: AslUnit, vehicle: AslUnit) -> bool:
    """Return whether a unit is the half squad that a Carrier has for its inherent crew."""
    half_squad = reading.type_of(position, crew).class_ == "half-squad"
    return crew.crew.inherent and half_squad and reading.type_of(position, vehicle).carrier


def crews_of(kind: UnitType) -> tuple[str, ...]:
    """Return the classes of which a vehicle's inherent crew may be; see D6.82d for some Carriers."""
    return ("crew", "half-squad") if kind.carrier else ("crew",)


def armament_left(position: AslPosition, vehicle: AslUnit) -> tuple[SupportWeapon, ...]:
    """Return what of a vehicle's armament is still there to be taken off."""
    told = reading.type_of(position, vehicle).armament
    return tuple(weapon for weapon in told if weapon.name not in vehicle.crew.taken)


def _named(weapons: Sequence[SupportWeapon], names: Sequence[str]) -> tuple[SupportWeapon, ...]:
    return tuple(weapon for weapon in weapons if weapon.name in names)


def is_foreign(position: AslPosition, vehicle: AslUnit) -> bool:
    """Return whether a vehicle was captured, or is of another nationality than its crew."""
    crew = crew_of(position, vehicle)
    return vehicle.status.captured or (
        crew is not None and nationality_of(crew) != nationality_of(vehicle)
    )


def taking(
    position: AslPosition, vehicle: AslUnit, take: tuple[str, ...], by: str, taker: AslUnit
) -> Taking:
    """Return the facts of armament being taken off a vehicle."""
    kind, there = reading.type_of(position, vehicle), armament_left(position, vehicle)
    return Taking(
        take=take,
        told=tuple(weapon.name for weapon in there),
        by=by,
        halftrack=kind.afv and kind.column == "ht",
        carrier=kind.carrier,
        removable=kind.removable,
        recalled=vehicle.crew.recalled,
        captured=vehicle.status.captured if by == "passengers" else is_foreign(position, vehicle),
        mg=kind.mg,
        smc=reading.type_of(position, taker).class_ == "smc",
        pp=sum(weapon.pp for weapon in (*taker.sw, *_named(there, take))),
        strongest=max((weapon.fp for weapon in _named(there, take)), default=0),
    )


def with_taken(
    position: AslPosition, vehicle: AslUnit, taker: AslUnit, take: Sequence[str]
) -> tuple[AslUnit, AslUnit]:
    """Return a vehicle and a unit after the one has taken armament off the other."""
    weapons = tuple(
        replace(weapon, dm=True) if transport_facts.is_medium_mortar(weapon) else weapon
        for weapon in _named(armament_left(position, vehicle), take)
    )
    names = tuple(weapon.name for weapon in weapons)
    return (
        replace(vehicle, taken=(*vehicle.crew.taken, *names)),
        replace(taker, sw=(*taker.sw, *weapons)),
    )


def shot_manning(position: AslPosition, crew: AslUnit) -> list[Case]:
    """Return the facts of a crew struck as it mans a vehicle, and of that vehicle."""
    name, *mounted = crew.cargo.hitch
    vehicle = position.unit(name)
    weapons = _named(reading.type_of(position, vehicle).armament, mounted)
    facts = Shot(crew.cargo.act, weapons=weapons, taken=(*vehicle.crew.taken, *mounted))
    return [
        Case((crew.id,), facts, (str(crew.at),)),
        Case((name,), replace(facts, part="vehicle"), (str(crew.at),)),
    ]


def crew_lost(position: AslPosition, crew: AslUnit, what: str) -> list[Case]:
    """Return the facts of an inherent crew that breaks or is eliminated, and of its vehicle."""
    at, name = str(crew.at), str(crew.cargo.aboard)
    trained = is_carrier_crew(position, crew, position.unit(name))
    return [
        Case((crew.id,), CrewLost("crew", what, at, trained), (at,)),
        Case((name,), CrewLost("vehicle", what, at), (at,)),
    ]
