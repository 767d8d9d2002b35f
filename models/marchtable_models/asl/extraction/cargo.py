"""Reads off a position who and what a vehicle has aboard or in tow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.state.records import replace
from marchtable_models.asl.extraction.unitkinds import type_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["carried_by", "conveyance", "everybody", "hauled", "prc", "removed"]


def prc(position: AslPosition, vehicle: AslUnit) -> list[AslUnit]:
    """Return the Passengers and Riders of a vehicle, its inherent crew apart."""
    return [unit for unit in everybody(position, vehicle) if not unit.crew.inherent]


def everybody(position: AslPosition, vehicle: AslUnit) -> list[AslUnit]:
    """Return who is aboard a vehicle: they are where it is in the position."""
    name = vehicle.id
    return [unit for unit in position.beside(position.unit(name).at) if unit.cargo.aboard == name]


def carried_by(position: AslPosition, vehicle: AslUnit) -> list[AslUnit]:
    """Return all that goes where a vehicle goes: its PRC, and the Gun it tows."""
    name = vehicle.id
    beside = position.beside(position.unit(name).at)
    return [unit for unit in beside if name in (unit.cargo.aboard, unit.cargo.towed_by)]


def conveyance(position: AslPosition, unit: AslUnit) -> AslUnit:
    """Return the vehicle that a unit is aboard, or the unit itself."""
    return unit if unit.cargo.aboard is None else position.unit(unit.cargo.aboard)


def hauled(
    position: AslPosition, members: Sequence[AslUnit], changed: Sequence[AslUnit]
) -> list[AslUnit]:
    """Return what vehicles that enter a Location, or leave the map, carry there."""
    gone = {
        before.id: after
        for before, after in zip(members, changed, strict=True)
        if before.at != after.at and _may_carry(position, before)
    }
    return [
        replace(
            unit,
            at=after.at,
            entering=(),
            exited=after.offboard.exited,
            mph="done" if after.offboard.exited else unit.move.mph,
        )
        for name, after in gone.items()
        for unit in carried_by(position, position.unit(name))
    ]


def _may_carry(position: AslPosition, unit: AslUnit) -> bool:
    return unit.facing is not None or type_of(position, unit).mounts > 0


def removed(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return a unit that is no vehicle as eliminated, and the vehicle that towed it without it."""
    found = [replace(unit, at=None, mph="done", aboard=None, riding=False, towed_by=None, sw=(),
                     bypass=None)]  # fmt: skip
    if unit.cargo.towed_by is not None:
        found.append(replace(position.unit(unit.cargo.towed_by), towing=None))
    return found
