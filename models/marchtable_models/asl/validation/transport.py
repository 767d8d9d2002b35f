"""What a position must be so that what vehicles carry and tow makes sense."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.codec.structs import points
from marchtable.errors import BadInputError
from marchtable.nearest import unknown
from marchtable.state.records import field_of, replace
from marchtable_models.asl.data import count
from marchtable_models.asl.extraction.movers import riders_of
from marchtable_models.asl.extraction.reading import type_of
from marchtable_models.asl.rules.capacity import hold
from marchtable_models.asl.rules.cavalry import cavalry_load
from marchtable_models.asl.rules.manning import crews_of, has_true_crew
from marchtable_models.asl.rules.mounting import (
    cycle_capacity,
    cycle_load,
    horse_capacity,
    mounting,
    ridden,
)
from marchtable_models.asl.rules.prisoners import load_of, us_of
from marchtable_models.asl.views.carriage import is_off_road_in_woods

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.clause import Bar
    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["check_cargo"]

BURDENS = tuple(one.id for one in (horse_capacity, cycle_capacity, cycle_load, cavalry_load))
"""What binds who rides horses and motorcycles, in a scene as when they mount."""


def check_cargo(position: AslPosition, edition: Edition) -> None:
    """Raise BadInputError for units aboard of nothing, Guns half hooked up, overloaded vehicles."""
    loaded, due = set(), {obligation.id for obligation in position.pending}
    for number, unit in enumerate(position.units):
        _check_this_phase(position, unit, f"units[{number}]")
        _check_entry(position, unit, f"units[{number}].entry_turn")
        if unit.cargo.guard is not None and f"guard:{unit.id}" not in due:
            _check_guard(position, unit, f"units[{number}].guard")
        if unit.cargo.aboard is not None:
            if f"survival:{unit.id}" not in due:
                _check_aboard(position, unit, f"units[{number}].aboard")
            loaded.add(unit.cargo.aboard)
        else:
            _check_afoot(unit, f"units[{number}]")
        if unit.cargo.towing is not None or unit.cargo.towed_by is not None:
            _check_tow(position, unit, f"units[{number}]")
            loaded.add(unit.id)
        if unit.sw and unit.facing is not None:
            loaded.add(unit.id)
        if unit.crew.taken:
            _check_taken(position, unit, f"units[{number}].taken")
    for number, unit in enumerate(position.units):
        if unit.id in loaded:
            _check_load(position, unit, edition, f"units[{number}]")


def _check_guard(position: AslPosition, unit: AslUnit, field: str) -> None:
    """Raise BadInputError for a prisoner of nobody who could guard it, elsewhere, or one too many (A20.5)."""
    name = str(unit.cargo.guard)
    guard = position.unit(name) if name in position.index else None
    fits = guard is not None and guard.side != unit.side and type_of(position, guard).is_personnel
    if guard is None or not fits or guard.status.unarmed:
        raise BadInputError(
            f"{unit.id}: expected an armed Personnel unit of another side, got {name!r}",
            field=field,
        )
    if not unit.status.unarmed or unit.sw:
        raise BadInputError(
            f"{unit.id}: a prisoner is unarmed and has no SW; write `unarmed = true`, and leave sw out",
            field=field,
        )
    if (guard.at, guard.cargo.aboard, guard.cargo.riding) != (
        unit.at,
        unit.cargo.aboard,
        unit.cargo.riding,
    ):
        raise BadInputError(
            f"{unit.id}: a prisoner is with its Guard {name}; write the same at (Location), aboard and riding",
            field=field,
        )
    most = count("A20.51", "times") * us_of(position, [guard])
    if (load := load_of(position, guard)) > most:
        raise BadInputError(
            f"{name} guards prisoners of US# {load}; at most {most} (A20.51a)",
            field=field,
        )


def _check_load(position: AslPosition, unit: AslUnit, edition: Edition, field: str) -> None:
    """Raise BadInputError for what carries or tows more than it may."""
    if type_of(position, unit).mounts:
        _check_ridden(position, unit, edition, field)
    elif unit.facing is not None:
        for bar in edition.judge(hold(position, unit)).bars:
            raise BadInputError(f"{unit.id}: {bar.note}{_amounts(bar)} ({bar.clause})", field=field)


def _check_ridden(position: AslPosition, mount: AslUnit, edition: Edition, field: str) -> None:
    """Raise BadInputError for riders who are too many, or carry too much, for horses or motorcycles."""
    riders = riders_of(position, mount)
    whole = ridden(position, "mount", mount, riders, 0, edition)
    judged: list[object] = [replace(whole, ridden=False, spent=0)]
    judged += [mounting(position, rider, mount, ()) for rider in riders]
    for facts in judged:
        for bar in edition.judge(facts).bars:
            over = isinstance(bar.need, int) and isinstance(bar.have, int) and bar.have > bar.need
            if bar.clause in BURDENS and over:  # who has lost fellows rides on
                raise BadInputError(
                    f"{mount.id}: {bar.note}{_amounts(bar)} ({bar.clause})", field=field
                )


def _check_entry(position: AslPosition, unit: AslUnit, field: str) -> None:
    """Raise BadInputError for a turn to come on that is not that of what carries or tows the unit."""
    carrier = position.index.get(unit.cargo.aboard or unit.cargo.towed_by or "")
    if unit.at is not None or carrier is None or not unit.offboard.entry_turn:
        return
    turn = position.units[carrier].offboard.entry_turn
    if unit.offboard.entry_turn != turn:
        raise BadInputError(
            f"{unit.id}: it comes on with what carries it, in turn {turn or 'none'}, "
            f"got {unit.offboard.entry_turn}",
            field=field,
        )


def _check_this_phase(position: AslPosition, unit: AslUnit, field: str) -> None:
    """Raise BadInputError for a hitch with what is not there, and for more MP lost than spent."""
    named = unit.cargo.hitch[:1] if unit.cargo.act == "mans" else unit.cargo.hitch
    if (unit.cargo.act == "mans" and not named) or not position.index.keys() >= set(named):
        raise BadInputError(
            _no_hitch(position, unit, named),
            field=f"{field}.hitch",
        )
    if unit.points.lost > unit.points.spent:
        raise BadInputError(
            f"{unit.id}: lost is part of spent, so at most {points(unit.points.spent)} MP; "
            f"got {points(unit.points.lost)}",
            field=f"{field}.lost",
        )


def _no_hitch(position: AslPosition, unit: AslUnit, named: Sequence[str]) -> str:
    """Return the message that refuses a hitch: empty, or with the name of no unit."""
    missing = next((name for name in named if name not in position.index), None)
    if missing is None:
        return f"{unit.id}: act = 'mans' needs a hitch, with the vehicle's name"
    return f"{unit.id}: {unknown('unit', missing, position.index, where=' here')}"


def _check_afoot(unit: AslUnit, field: str) -> None:
    for name, what in (("inherent", "is its inherent crew"), ("riding", "rides on it")):
        if field_of(unit, name):
            raise BadInputError(
                f"{unit.id}: a unit that {what} needs aboard, the vehicle's name",
                field=f"{field}.{name}",
            )


def _amounts(bar: Bar) -> str:
    if bar.need is None:
        return ""
    need, have = (
        points(value) if bar.halves and isinstance(value, int) else value
        for value in (bar.need, bar.have)
    )
    what = bar.points and f" {bar.points}"
    return f": expected {need}{what}, got {have}{what}"


def _carriers(position: AslPosition, unit: AslUnit) -> list[str]:
    """List the vehicles and mounts of a unit's side."""
    kinds = {one.id: type_of(position, one) for one in position.units if one.side == unit.side}
    return [
        name
        for name, kind in kinds.items()
        if name != unit.id and (kind.mounts or (kind.is_vehicle and kind.class_ != "motorcycle"))
    ]


def _check_aboard(position: AslPosition, unit: AslUnit, field: str) -> None:
    name = str(unit.cargo.aboard)
    vehicle = position.unit(name) if name in position.index else None
    kind = None if vehicle is None else type_of(position, vehicle)
    guards = position.unit(unit.cargo.guard).side if unit.cargo.guard in position.index else ""
    if (
        vehicle is None
        or kind is None
        or vehicle.side not in (unit.side, guards)
        or not (kind.mounts or (kind.is_vehicle and kind.class_ != "motorcycle"))
    ):
        if vehicle is not None and kind is not None and kind.class_ in ("cavalry", "motorcycle"):
            said = (
                f"{unit.id}: {name!r} has the type {vehicle.type!r}, one unit with its riders; units "
                "can ride cycles, horses and other mounts"
            )
        else:
            said = f"{unit.id}: {unknown('vehicle', name, _carriers(position, unit), where=' of its side')}"
        raise BadInputError(said, field=field)
    if vehicle.at != unit.at:
        raise BadInputError(
            f"{unit.id}: it is aboard {name}, which is in {vehicle.at or '-'}, got at = "
            f"{unit.at or '-'!r}; write the same for both",
            field=field,
        )
    if not type_of(position, unit).is_infantry:
        raise BadInputError(
            f"{unit.id}: only Personnel can be aboard a vehicle; leave aboard out", field=field
        )
    if unit.cargo.riding and kind.afv and is_off_road_in_woods(position, vehicle):
        raise BadInputError(
            f"{unit.id}: an AFV in woods has no Riders, except on a road, IN a stream or in Bypass "
            "(B13.43)",
            field=field.replace("aboard", "riding"),
        )
    if unit.crew.inherent:
        others = [u for u in position.units if u.crew.inherent and u.cargo.aboard == vehicle.id]
        if (
            not kind.armed
            or vehicle.crew.abandoned
            or unit.cargo.riding
            or unit.status.broken
            or len(others) > 1
        ):
            raise BadInputError(
                f"{unit.id}: inherent is for the one crew of an armed vehicle that is not Abandoned, "
                "neither broken nor riding; leave it out",
                field=field.replace("aboard", "inherent"),
            )
        fit = ("crew",) if kind.carrier and has_true_crew(kind) else crews_of(kind)
        if (own := type_of(position, unit).class_) not in fit:
            raise BadInputError(
                f"{unit.id}: expected a {' or '.join(fit)} as the inherent crew of {name}, got a {own}",
                field=field.replace("aboard", "inherent"),
            )


def _check_taken(position: AslPosition, unit: AslUnit, field: str) -> None:
    known = [weapon.name for weapon in type_of(position, unit).armament]
    if not set(unit.crew.taken) <= set(known):
        raise BadInputError(
            f"{unit.id}: taken names some of its armament ({', '.join(known) or 'none'}), "
            f"got {', '.join(unit.crew.taken)}",
            field=field,
        )


def _no_tow(unit: AslUnit, name: str | None, other: AslUnit | None) -> str:
    """Return the message that refuses a vehicle and a Gun that do not fit, with what to write."""
    back = "towed_by" if unit.cargo.towing else "towing"
    if other is not None and other.at == unit.at and other.side == unit.side:
        return f"{unit.id}: {name!r} must name it back; write `{back} = {unit.id!r}` there"
    what = "Gun" if unit.cargo.towing else "vehicle"
    return f"{unit.id}: expected a {what} of its side and Location, got {name!r}"


def _check_tow(position: AslPosition, unit: AslUnit, field: str) -> None:
    name = unit.cargo.towing or unit.cargo.towed_by
    other = position.unit(name) if name in position.index else None
    mutual = other is not None and unit.id == (
        other.cargo.towed_by if unit.cargo.towing else other.cargo.towing
    )
    gun, vehicle = (other, unit) if unit.cargo.towing else (unit, other)
    if (
        not mutual
        or gun is None
        or vehicle is None
        or type_of(position, gun).class_ != "gun"
        or not type_of(position, vehicle).is_vehicle
        or (gun.at, gun.side) != (vehicle.at, vehicle.side)
    ):
        raise BadInputError(
            _no_tow(unit, name, other),
            field=f"{field}.{'towing' if unit.cargo.towing else 'towed_by'}",
        )
