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
    """Tell whether a vehicle has moved in the Player Turn that is going on."""
    begun = vehicle.side == position.side and position.phase not in BEFORE
    return begun and (vehicle.previous is not None or vehicle.spent > vehicle.used)


def _has_rolled(position: AslPosition, vehicle: AslUnit) -> bool:
    """Tell whether a vehicle has entered a hex, or been in motion, in this phase."""
    return vehicle.moving or (is_own_mph(position, vehicle) and _has_moved(position, vehicle))


def _rides(position: AslPosition, unit: AslUnit) -> bool:
    """Tell whether a unit rides horses or motorcycles."""
    return unit.aboard is not None and type_of(position, position.unit(unit.aboard)).mounts > 0


def mounted(position: AslPosition, unit: AslUnit) -> Mounted | None:
    """Return what a unit is aboard of, None if it is not and was not conveyed, or rides (A13, D15)."""
    if (
        unit.at is None
        or unit.inherent
        or _rides(position, unit)
        or not (unit.aboard or unit.conveyed or unit.cafp or unit.act)
    ):
        return None
    vehicle = position.unit(unit.aboard) if unit.aboard else None
    kind = type_of(position, vehicle) if vehicle else None
    fellows = [other for other in prc(position, vehicle) if other.id != unit.id] if vehicle else []
    return Mounted(
        aboard=vehicle is not None,
        riding=unit.riding,
        conveyed=unit.conveyed,
        in_mph=is_own_mph(position, unit),
        armored_halftrack=bool(kind and kind.is_halftrack_afv),
        carrier=bool(kind and kind.carrier),
        unarmored=bool(kind and not kind.afv),
        bu=bool(vehicle and vehicle.bu),
        shocked=bool(vehicle and (vehicle.stunned or vehicle.shocked)),
        crewless=bool(vehicle and kind and kind.armed and vehicle.abandoned),
        moving=bool(vehicle and vehicle.moving),
        moved=vehicle is not None and _has_moved(position, vehicle),
        rolled=vehicle is not None and _has_rolled(position, vehicle),
        broken=unit.broken,
        pinned=unit.pinned,
        leads=type_of(position, unit).leads and not unit.broken,
        fellows=any(not (other.riding or other.broken) for other in fellows),
        weapons=tuple(dict.fromkeys((w.name, use_of(w)) for w in unit.sw if not w.malfunctioned)),
        act=unit.act,
        cafp=unit.cafp,
        in_open=bool(unit.act) and lies_open(position, unit),
        hazardous=unit.hazardous != "" and not unit.pinned,
    )


def carriage(position: AslPosition, unit: AslUnit) -> Carriage | None:
    """Return the facts of a vehicle, of a mount, or of a Carrier's crew on foot, None for others."""
    kind = type_of(position, unit)
    if unit.at is None:
        return None
    if kind.class_ in ("cavalry", "motorcycle") or _rides(position, unit):
        return Carriage(mount=True)
    if unit.carrier_crew and kind.is_infantry and unit.aboard is None:
        return Carriage(trained=True, squad=kind.class_ == "squad")
    return _vehicle(position, unit, kind) if kind.class_ == "vehicle" else None


def _vehicle(position: AslPosition, unit: AslUnit, kind: UnitType) -> Carriage:
    halftrack, own = kind.column == "ht" and not kind.carrier, is_own_mph(position, unit)
    still = not unit.moving and unit.previous is None and unit.spent == unit.used
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
        truck=not kind.afv and not halftrack,
        unarmored_halftrack=halftrack and not kind.afv,
        bu=unit.bu,
        shocked=unit.stunned or unit.shocked,
        armor_leader=unit.armor_leader,
        abandoned=unit.abandoned,
        laden=bool(prc(position, unit)),
        loads_only=own and still and unit.spent > 0,
    )
