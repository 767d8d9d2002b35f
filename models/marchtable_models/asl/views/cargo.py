"""The units and weapons aboard or in tow of a vehicle, read off a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.state.records import replace
from marchtable_models.asl.views.unitkinds import type_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable_models.asl.model import AslPosition, AslUnit


def captives(position: AslPosition) -> dict[str, tuple[AslUnit, ...]]:
    """Return the prisoners by the id of their Guard."""
    known: dict[str, tuple[AslUnit, ...]] | None = position.notes.get("captives")
    if known is None:
        known = {}
        for unit in position.units:
            if unit.cargo.guard is not None:
                known[unit.cargo.guard] = (*known.get(unit.cargo.guard, ()), unit)
        position.notes["captives"] = known
    return known


def with_captives(position: AslPosition, units: Sequence[AslUnit]) -> list[AslUnit]:
    """Return the units and all their prisoners."""
    held = captives(position)
    return (
        [*units, *(each for unit in units for each in held.get(unit.id, ()))] if held else [*units]
    )


def led(position: AslPosition, changed: Sequence[AslUnit]) -> list[AslUnit]:
    """Return prisoners as they follow Guards to another Location, or off the map (A20.53)."""
    held = captives(position)
    if not held:
        return []
    return [
        replace(each, at=after.at, exited=after.offboard.exited)
        for after in changed
        for each in held.get(after.id, ())
        if each.at != after.at
    ]


def prc(position: AslPosition, vehicle: AslUnit) -> list[AslUnit]:
    """Return the Passengers and Riders of a vehicle, without its inherent crew."""
    return [unit for unit in everybody(position, vehicle) if not unit.crew.inherent]


def everybody(position: AslPosition, vehicle: AslUnit) -> list[AslUnit]:
    """Return all units aboard a vehicle, as in the position."""
    name = vehicle.id
    return [unit for unit in position.beside(position.unit(name).at) if unit.cargo.aboard == name]


def carried_by(position: AslPosition, vehicle: AslUnit) -> list[AslUnit]:
    """Return all that moves with a unit: PRC, the Gun it tows, a Guard's prisoners."""
    name = vehicle.id
    beside = position.beside(position.unit(name).at)
    return [
        unit
        for unit in beside
        if name in (unit.cargo.aboard, unit.cargo.towed_by, unit.cargo.guard)
    ]


def mount_of(position: AslPosition, unit: AslUnit) -> AslUnit | None:
    """Return the horses or motorcycles that a unit rides, None if none."""
    carrier = conveyance(position, unit)
    return carrier if carrier is not unit and type_of(position, carrier).mounts else None


def conveyance(position: AslPosition, unit: AslUnit) -> AslUnit:
    """Return the vehicle that a unit is aboard, or the unit itself."""
    return unit if unit.cargo.aboard is None else position.unit(unit.cargo.aboard)


def hauled(
    position: AslPosition, members: Sequence[AslUnit], changed: Sequence[AslUnit]
) -> list[AslUnit]:
    """Return the units that vehicles carry along as they enter a Location or leave the map."""
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
    """Return an eliminated unit (not a vehicle), and the vehicle that towed it without it."""
    found = [replace(unit, at=None, mph="done", aboard=None, riding=False, towed_by=None, guard=None, sw=(),
                     bypass=None, wave="")]  # fmt: skip
    if unit.cargo.towed_by is not None:
        found.append(replace(position.unit(unit.cargo.towed_by), towing=None, laden=False))
    return found
