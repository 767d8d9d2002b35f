"""What crews, and Passengers with armament, can do with their vehicle now, judged by ``rule``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable_models.asl.rules import manning, unloading
from marchtable_models.asl.rules.manning import Abandon, Man, armament_left, crew_of, crews_of
from marchtable_models.asl.rules.unloading import Unload
from marchtable_models.asl.views.reading import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.state.action import Action
    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.reporting.rooms import Rule


def rights(position: AslPosition, unit: AslUnit, rule: Rule) -> Iterator[dict[str, Any]]:
    """Yield a vehicle's options for its crew, a possible crew, or a Passenger."""
    if unit.at is None:
        return
    kind = type_of(position, unit)
    if kind.class_ == "vehicle" and kind.armed and kind.is_halftrack_afv:
        yield from _vehicle_rights(position, unit, rule)
    elif unit.cargo.aboard is not None and not (unit.cargo.riding or unit.crew.inherent):
        vehicle = position.unit(unit.cargo.aboard)
        names = tuple(weapon.name for weapon in armament_left(position, vehicle))
        if names and type_of(position, vehicle).removable:
            what = "take its vehicle's armament along as it unloads"
            yield _asked(
                position, rule, what, manning.passengers_take.id, Unload((unit.id,), names)
            )


def _vehicle_rights(
    position: AslPosition, vehicle: AslUnit, rule: Rule
) -> Iterator[dict[str, Any]]:
    kind, crew = type_of(position, vehicle), crew_of(position, vehicle)
    if vehicle.crew.abandoned:
        ready = [
            Man(unit.id, vehicle.id)
            for unit in position.beside(vehicle.at)
            if unit.side == vehicle.side
            and unit.cargo.aboard is None
            and type_of(position, unit).class_ in crews_of(kind)
        ]
        if ready:
            what = "be re-manned by a crew with its MG or mortar"
            yield _asked(position, rule, what, manning.re_man.id, *ready)
    if crew is None:
        return
    if names := tuple(weapon.name for weapon in armament_left(position, vehicle)):
        what = "be Abandoned with its MG or mortar"
        clause = manning.take_carrier_armament if kind.carrier else manning.take_armament
        yield _asked(position, rule, what, clause.id, Abandon(crew.id, names))
    if kind.carrier:
        what = "be left by its crew as by unloading"
        yield _asked(position, rule, what, unloading.quick_exit.id, Unload((crew.id,)))


def _asked(
    position: AslPosition, rule: Rule, what: str, clause: str, *tries: Action
) -> dict[str, Any]:
    """Return whether one of these actions is legal, else the clauses that bar the first."""
    rulings = [rule(position, action) for action in tries]
    allowed = any(ruling.is_legal for ruling in rulings)
    barred = () if allowed else (*rulings[0].violations, *rulings[0].unsupported)
    return {
        "what": what,
        "allowed": allowed,
        "factor": 1 if allowed else None,
        "clauses": list(dict.fromkeys((clause, *(each.clause for each in barred)))),
    }
