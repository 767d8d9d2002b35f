"""Facts about vehicles that carry units, and about those units, that several rules need."""

from __future__ import annotations

from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.views.cargo import carried_by
from marchtable_models.asl.views.ground_facts import WOODS
from marchtable_models.asl.views.overlay import site
from marchtable_models.asl.views.unitkinds import type_of


def is_own_mph(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether it is the MPh of a unit's side."""
    return position.phase == "MPh" and unit.side == position.side


def is_in_bypass(position: AslPosition, rider: AslUnit) -> bool:
    """Return whether a unit is aboard a vehicle in Bypass."""
    return (
        rider.cargo.aboard is not None
        and position.unit(rider.cargo.aboard).place.bypass is not None
    )


def is_hulk(position: AslPosition, vehicle: AslUnit) -> bool:
    """Return whether an empty, immobilized vehicle is worthless without its load."""
    kind = type_of(position, vehicle)
    if not vehicle.motion.immobile or kind.afv or kind.armed:
        return False
    return not (vehicle.sw or vehicle.cargo.towing or carried_by(position, vehicle))


def is_off_road_in_woods(position: AslPosition, vehicle: AslUnit) -> bool:
    """Return whether a vehicle is in woods, neither on a road, nor IN a stream, nor in Bypass."""
    if vehicle.at is None or vehicle.place.bypass is not None:
        return False
    ground = site(position, vehicle.at).ground
    on_road = ground.road_here and not vehicle.place.off_road
    return not on_road and any(row in WOODS for row in ground.rows)
