"""Reads off a position what Passengers, Riders and vehicles are entitled to because of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.extraction.cargo import prc
from marchtable_models.asl.extraction.foot import lies_open
from marchtable_models.asl.extraction.reading import type_of
from marchtable_models.asl.extraction.transport import is_own_mph
from marchtable_models.asl.facts.mounted import Carriage, Mounted
from marchtable_models.asl.weapons import use_of

if TYPE_CHECKING:
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit, UnitType

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["carriage", "mounted"]

BEFORE = ("RPh", "PFPh")
"""Phases of a Player Turn before anything moves in it."""


def _has_moved(position: AslPosition, vehicle: AslUnit) -> bool:
    """Return whether a vehicle has moved in the Player Turn that is going on."""
    begun = vehicle.side == position.side and position.phase not in BEFORE
    return begun and (
        vehicle.move.previous is not None or vehicle.points.spent > vehicle.points.used
    )


def _has_rolled(position: AslPosition, vehicle: AslUnit) -> bool:
    """Return whether a vehicle has entered a hex, or been in motion, in this phase."""
    return vehicle.motion.moving or (
        is_own_mph(position, vehicle) and _has_moved(position, vehicle)
    )


def _rides(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit rides horses or motorcycles."""
    return (
        unit.cargo.aboard is not None
        and type_of(position, position.unit(unit.cargo.aboard)).mounts > 0
    )


def mounted(position: AslPosition, unit: AslUnit) -> Mounted | None:
    """Return what a unit is aboard of, None if it is not and was not conveyed, or rides (A13, D15)."""
    if (
        unit.at is None
        or unit.crew.inherent
        or _rides(position, unit)
        or not (unit.cargo.aboard or unit.cargo.conveyed or unit.place.cafp or unit.cargo.act)
    ):
        return None
    vehicle = position.unit(unit.cargo.aboard) if unit.cargo.aboard else None
    kind = type_of(position, vehicle) if vehicle else None
    fellows = [other for other in prc(position, vehicle) if other.id != unit.id] if vehicle else []
    return Mounted(
        aboard=vehicle is not None,
        riding=unit.cargo.riding,
        conveyed=unit.cargo.conveyed,
        in_mph=is_own_mph(position, unit),
        armored_halftrack=bool(kind and kind.is_halftrack_afv),
        carrier=bool(kind and kind.carrier),
        unarmored=bool(kind and not kind.afv),
        bu=bool(vehicle and vehicle.crew.bu),
        shocked=bool(vehicle and (vehicle.crew.stunned or vehicle.crew.shocked)),
        crewless=bool(vehicle and kind and kind.armed and vehicle.crew.abandoned),
        moving=bool(vehicle and vehicle.motion.moving),
        moved=vehicle is not None and _has_moved(position, vehicle),
        rolled=vehicle is not None and _has_rolled(position, vehicle),
        broken=unit.status.broken,
        pinned=unit.status.pinned,
        leads=type_of(position, unit).leads and not unit.status.broken,
        fellows=any(not (other.cargo.riding or other.status.broken) for other in fellows),
        weapons=tuple(dict.fromkeys((w.name, use_of(w)) for w in unit.sw if not w.malfunctioned)),
        act=unit.cargo.act,
        cafp=unit.place.cafp,
        in_open=bool(unit.cargo.act) and lies_open(position, unit),
        hazardous=unit.move.hazardous != "" and not unit.status.pinned,
    )


def carriage(position: AslPosition, unit: AslUnit) -> Carriage | None:
    """Return the facts of a vehicle, of a mount, or of a Carrier's crew on foot, None for others."""
    kind = type_of(position, unit)
    if unit.at is None:
        return None
    if kind.class_ in ("cavalry", "motorcycle") or _rides(position, unit):
        return Carriage(mount=True)
    if unit.crew.carrier_crew and kind.is_infantry and unit.cargo.aboard is None:
        return Carriage(trained=True, squad=kind.class_ == "squad")
    return _vehicle(position, unit, kind) if kind.class_ == "vehicle" else None


def _vehicle(position: AslPosition, unit: AslUnit, kind: UnitType) -> Carriage:
    halftrack, own = kind.column == "ht" and not kind.carrier, is_own_mph(position, unit)
    still = (
        not unit.motion.moving
        and unit.move.previous is None
        and unit.points.spent == unit.points.used
    )
    return Carriage(
        column=kind.column,
        afv=kind.afv,
        armed=kind.armed,
        turret=kind.turret,
        carrier=kind.carrier,
        main=kind.main,
        mm=kind.mm,
        tows_ordnance=kind.tows_ordnance,
        mg=kind.mg,
        armored_halftrack=halftrack and kind.afv,
        for_passengers=kind.pp > 0,
        truck=not kind.afv and not halftrack,
        unarmored_halftrack=halftrack and not kind.afv,
        bu=unit.crew.bu,
        shocked=unit.crew.stunned or unit.crew.shocked,
        armor_leader=unit.crew.armor_leader,
        abandoned=unit.crew.abandoned,
        laden=bool(prc(position, unit)),
        loads_only=own and still and unit.points.spent > 0,
    )
