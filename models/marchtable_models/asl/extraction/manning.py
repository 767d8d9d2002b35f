"""Reads off a position the facts of crews that leave vehicles and man them, and does what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.judging import Case
from marchtable.state.records import replace
from marchtable_models.asl.counterkinds import MINEFIELD
from marchtable_models.asl.extraction import purse, reading, standings
from marchtable_models.asl.extraction import transport as transport_facts
from marchtable_models.asl.extraction.overlay import counters_at, is_on_wire
from marchtable_models.asl.extraction.unitkinds import nationality_of
from marchtable_models.asl.facts.aboard import Shot
from marchtable_models.asl.facts.manning import Abandonment, CrewLost, Emptied, Manned, Taking
from marchtable_models.asl.verbs.manning import Abandon, Man

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit, SupportWeapon, UnitType

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "armament_left", "crew_lost", "crew_of", "crews_of", "is_carrier_crew", "is_foreign", "of_manning", "shot_manning", "taking",
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


def _is_temporary(crew: AslUnit, kind: UnitType, man: UnitType) -> bool:
    """Return whether a unit would man a vehicle as a Temporary crew (A21.22)."""
    own = kind.carrier and man.class_ == "half-squad" and crew.crew.carrier_crew
    return kind.armed and man.class_ != "crew" and not own


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


def of_manning(position: AslPosition, action: Abandon | Man, edition: Edition) -> list[Case]:
    """Return the facts that bear on a crew abandoning its vehicle, or manning one."""
    if isinstance(action, Abandon):
        return _of_abandoning(position, action, edition)
    crew, vehicle = position.unit(action.unit), position.unit(action.into)
    who, where = (crew.id,), (str(crew.at),)
    kind = reading.type_of(position, vehicle)
    names = [weapon.name for weapon in crew.sw]
    facts = Manned(
        abandoned=kind.class_ == "vehicle" and vehicle.crew.abandoned and vehicle.side == crew.side,
        together=crew.at == vehicle.at and crew.cargo.aboard is None,
        armed=kind.armed,
        just_left=vehicle.move.mph == "done" or (kind.carrier and vehicle.move.mph != "unmoved"),
        recalled=vehicle.crew.recalled,
        temporary=_is_temporary(crew, kind, reading.type_of(position, crew)),
        fresh=crew.move.mph == "unmoved" and not (crew.points.spent or crew.cargo.conveyed),
        left=purse.allotment(position, replace(crew, conveyed=True), edition) - crew.points.spent,
        half_squad=reading.type_of(position, crew).class_ == "half-squad",
        main=kind.main,
        mm=kind.mm,
        tows_ordnance=kind.tows_ordnance,
        taken=bool(vehicle.crew.taken),
        assault=crew.move.assault,
        double_time=crew.points.double > 0,
        wired=is_on_wire(position, crew),
        mounts=tuple(name for name in names if name in vehicle.crew.taken),
        stows=tuple(name for name in names if name not in vehicle.crew.taken),
    )
    return [
        Case(who, standings.standing(position, crew, "man"), where),
        Case(who, facts, where),
    ]


def _of_abandoning(position: AslPosition, action: Abandon, edition: Edition) -> list[Case]:
    crew = position.unit(action.unit)
    vehicle = position.unit(crew.cargo.aboard) if crew.cargo.aboard is not None else crew
    still = vehicle.move.mph == "unmoved" and vehicle.points.spent == vehicle.points.lost
    facts = Abandonment(
        inherent=crew.crew.inherent and crew.cargo.aboard is not None,
        moving=vehicle.motion.moving,
        fresh=still
        and not (
            vehicle.status.fired or crew.status.fired or crew.status.prep_fired or crew.points.spent
        ),
        left=purse.allotment(position, crew, edition) - crew.points.spent,
        bypass=vehicle.place.bypass is not None,
        counters_here=counters_at(position, vehicle.at or "")
        if vehicle.place.bypass is not None
        else (),
        mined=MINEFIELD in position.markers.get(vehicle.at or "", ()),
        carrier_crew=is_carrier_crew(position, crew, vehicle),
        recalled=vehicle.crew.recalled,
        stuck=vehicle.motion.bogged or vehicle.motion.immobile,
    )
    where = (str(crew.at),)
    found = [
        Case((crew.id,), standings.standing(position, crew, "abandon"), where),
        Case((crew.id,), facts, where),
    ]
    if vehicle is crew:
        return found
    left = purse.allotment(position, vehicle, edition) - vehicle.points.spent
    found += [
        Case((vehicle.id,), standings.standing(position, vehicle, "abandon"), where),
        Case((vehicle.id,), Emptied(left), where),
    ]
    if action.take:
        off = taking(position, vehicle, action.take, "crew", crew)
        found.append(Case((vehicle.id, crew.id), off, where))
    return found


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
