"""Reads off a position the facts of crews that leave vehicles and man them, and does what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.rules.judging import Case
from marchtable_models.asl.extraction import purse, standings
from marchtable_models.asl.extraction import reading as survey
from marchtable_models.asl.extraction import transport as survey_transport
from marchtable_models.asl.extraction.overlay import counters_at
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

replace = msgspec.structs.replace


def crew_of(position: AslPosition, vehicle: AslUnit) -> AslUnit | None:
    """Return the unit that is a vehicle's inherent crew, if the position has it as one."""
    for unit in position.beside(vehicle.at):
        if unit.inherent and unit.aboard == vehicle.id:
            return unit
    return None


def is_carrier_crew(position: AslPosition, crew: AslUnit, vehicle: AslUnit) -> bool:
    """Tell whether a unit is the half squad that a Carrier has for its inherent crew."""
    half_squad = survey.type_of(position, crew).class_ == "half-squad"
    return crew.inherent and half_squad and survey.type_of(position, vehicle).carrier


def _is_temporary(crew: AslUnit, kind: UnitType, man: UnitType) -> bool:
    """Tell whether a unit would man a vehicle as a Temporary crew (A21.22)."""
    own = kind.carrier and man.class_ == "half-squad" and crew.carrier_crew
    return kind.armed and man.class_ != "crew" and not own


def crews_of(kind: UnitType) -> tuple[str, ...]:
    """Return the classes of which a vehicle's inherent crew may be; see D6.82d for some Carriers."""
    return ("crew", "half-squad") if kind.carrier else ("crew",)


def armament_left(position: AslPosition, vehicle: AslUnit) -> tuple[SupportWeapon, ...]:
    """Return what of a vehicle's armament is still there to be taken off."""
    told = survey.type_of(position, vehicle).armament
    return tuple(weapon for weapon in told if weapon.name not in vehicle.taken)


def _named(weapons: Sequence[SupportWeapon], names: Sequence[str]) -> tuple[SupportWeapon, ...]:
    return tuple(weapon for weapon in weapons if weapon.name in names)


def is_foreign(position: AslPosition, vehicle: AslUnit) -> bool:
    """Tell whether a vehicle was captured, or is of another nationality than its crew."""
    crew = crew_of(position, vehicle)
    return vehicle.captured or (
        crew is not None and nationality_of(crew) != nationality_of(vehicle)
    )


def taking(
    position: AslPosition, vehicle: AslUnit, take: tuple[str, ...], by: str, taker: AslUnit
) -> Taking:
    """Return the facts of armament being taken off a vehicle."""
    kind, there = survey.type_of(position, vehicle), armament_left(position, vehicle)
    return Taking(
        take=take,
        told=tuple(weapon.name for weapon in there),
        by=by,
        halftrack=kind.afv and kind.column == "ht",
        carrier=kind.carrier,
        removable=kind.removable,
        recalled=vehicle.recalled,
        captured=vehicle.captured if by == "passengers" else is_foreign(position, vehicle),
        mg=kind.mg,
        smc=survey.type_of(position, taker).class_ == "smc",
        pp=sum(weapon.pp for weapon in (*taker.sw, *_named(there, take))),
        strongest=max((weapon.fp for weapon in _named(there, take)), default=0),
    )


def of_manning(position: AslPosition, action: Abandon | Man, edition: Edition) -> list[Case]:
    """Return the facts that bear on a crew abandoning its vehicle, or manning one."""
    if isinstance(action, Abandon):
        return _of_abandoning(position, action, edition)
    crew, vehicle = position.unit(action.unit), position.unit(action.into)
    who, where = (crew.id,), (str(crew.at),)
    kind = survey.type_of(position, vehicle)
    names = [weapon.name for weapon in crew.sw]
    facts = Manned(
        abandoned=kind.class_ == "vehicle" and vehicle.abandoned and vehicle.side == crew.side,
        together=crew.at == vehicle.at and crew.aboard is None,
        armed=kind.armed,
        just_left=vehicle.mph == "done" or (kind.carrier and vehicle.mph != "unmoved"),
        recalled=vehicle.recalled,
        temporary=_is_temporary(crew, kind, survey.type_of(position, crew)),
        fresh=crew.mph == "unmoved" and not (crew.spent or crew.conveyed),
        left=purse.allotment(position, replace(crew, conveyed=True), edition) - crew.spent,
        half_squad=survey.type_of(position, crew).class_ == "half-squad",
        main=kind.main,
        mm=kind.mm,
        tows_ordnance=kind.tows_ordnance,
        taken=bool(vehicle.taken),
        assault=crew.assault,
        double_time=crew.double > 0,
        wired=survey.is_on_wire(position, crew),
        mounts=tuple(name for name in names if name in vehicle.taken),
        stows=tuple(name for name in names if name not in vehicle.taken),
    )
    return [
        Case(who, standings.standing(position, crew, "man"), where),
        Case(who, facts, where),
    ]


def _of_abandoning(position: AslPosition, action: Abandon, edition: Edition) -> list[Case]:
    crew = position.unit(action.unit)
    vehicle = position.unit(crew.aboard) if crew.aboard is not None else crew
    still = vehicle.mph == "unmoved" and vehicle.spent == vehicle.lost
    facts = Abandonment(
        inherent=crew.inherent and crew.aboard is not None,
        moving=vehicle.moving,
        fresh=still and not (vehicle.fired or crew.fired or crew.prep_fired or crew.spent),
        left=purse.allotment(position, crew, edition) - crew.spent,
        bypass=vehicle.bypass is not None,
        counters_here=counters_at(position, vehicle.at or "") if vehicle.bypass is not None else (),
        carrier_crew=is_carrier_crew(position, crew, vehicle),
        recalled=vehicle.recalled,
        stuck=vehicle.bogged or vehicle.immobile,
    )
    where = (str(crew.at),)
    found = [
        Case((crew.id,), standings.standing(position, crew, "abandon"), where),
        Case((crew.id,), facts, where),
    ]
    if vehicle is crew:
        return found
    left = purse.allotment(position, vehicle, edition) - vehicle.spent
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
        replace(weapon, dm=True) if survey_transport.is_medium_mortar(weapon) else weapon
        for weapon in _named(armament_left(position, vehicle), take)
    )
    names = tuple(weapon.name for weapon in weapons)
    return (
        replace(vehicle, taken=(*vehicle.taken, *names)),
        replace(taker, sw=(*taker.sw, *weapons)),
    )


def shot_manning(position: AslPosition, crew: AslUnit) -> list[Case]:
    """Return the facts of a crew struck as it mans a vehicle, and of that vehicle."""
    name, *mounted = crew.hitch
    vehicle = position.unit(name)
    weapons = _named(survey.type_of(position, vehicle).armament, mounted)
    facts = Shot(crew.act, weapons=weapons, taken=(*vehicle.taken, *mounted))
    return [
        Case((crew.id,), facts, (str(crew.at),)),
        Case((name,), replace(facts, part="vehicle"), (str(crew.at),)),
    ]


def crew_lost(position: AslPosition, crew: AslUnit, what: str) -> list[Case]:
    """Return the facts of an inherent crew that breaks or is eliminated, and of its vehicle."""
    at, name = str(crew.at), str(crew.aboard)
    trained = is_carrier_crew(position, crew, position.unit(name))
    return [
        Case((crew.id,), CrewLost("crew", what, at, trained), (at,)),
        Case((name,), CrewLost("vehicle", what, at), (at,)),
    ]
