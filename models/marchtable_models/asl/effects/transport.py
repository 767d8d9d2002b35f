"""What the verbs of transport do to a position, beside what clauses charge and force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.judging import paid_by_unit
from marchtable.state.records import replace
from marchtable_models.asl.effects.acts import begun
from marchtable_models.asl.effects.lines import after_line_action
from marchtable_models.asl.extraction.cargo import captives, conveyance
from marchtable_models.asl.extraction.manning import with_taken
from marchtable_models.asl.model import actors
from marchtable_models.asl.verbs.carrying import (
    BailOut,
    Destroy,
    Load,
    Traverse,
    Unload,
)  # fmt: skip
from marchtable_models.asl.verbs.happenings import Befall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.rules.rulebook import Bill
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["after_transport", "paying"]

Transport = Load | Unload | BailOut | Traverse | Destroy


def after_transport(position: AslPosition, action: Transport, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a verb of transport; unloading is the vehicle's MPh (D6.5g)."""
    if isinstance(action, Destroy):
        return after_line_action(position, Befall(action.unit, "eliminated"), ())
    if isinstance(action, (BailOut, Traverse)):
        return position
    paid = paid_by_unit(bills)
    members = [position.unit(name) for name in actors(action)]
    if isinstance(action, Unload):
        members = [conveyance(position, members[0])]
    return begun(position, members, _changed(position, action, paid))


def _changed(
    position: AslPosition, action: Load | Unload, paid: Mapping[str, int]
) -> list[AslUnit]:
    """Return the units that a verb of transport changes, as it leaves them."""
    units = [position.unit(name) for name in action.units]
    if isinstance(action, Load):
        vehicle, changes = (
            position.unit(action.onto),
            {"aboard": action.onto, "riding": action.riding, "mph": "moving"},
        )
    else:
        vehicle = conveyance(position, units[0])
        changes = {"aboard": None, "riding": False, "inherent": False}
    if vehicle.facing is None or vehicle in units:
        return []
    if any(unit.crew.inherent for unit in units):
        vehicle = replace(vehicle, abandoned=True)  # a Carrier's crew (D6.83b)
    changed = [replace(paying(unit, paid), **changes) for unit in units]
    told = {name: value for name, value in changes.items() if name != "mph"}
    held = [each for unit in units for each in captives(position).get(unit.id, ())]
    changed += [replace(each, **told) for each in held]
    if isinstance(action, Unload) and action.take:
        vehicle, changed[0] = with_taken(position, vehicle, changed[0], action.take)
    amount = paid.get(vehicle.id, 0)
    if isinstance(action, Load):  # it has still not begun its own MPh
        loaded = replace(vehicle, spent=vehicle.points.spent + amount, used=vehicle.points.used + amount,
                         lost=vehicle.points.lost + amount)  # fmt: skip
    else:
        loaded = replace(paying(vehicle, paid), mph=_begun(vehicle))
    return [*changed, loaded]


def _begun(unit: AslUnit) -> str:
    return "done" if unit.move.mph == "done" else "moving"


def paying(unit: AslUnit, paid: Mapping[str, int]) -> AslUnit:
    """Return a unit that has paid what is its own."""
    amount = paid.get(unit.id, 0)
    return replace(unit, spent=unit.points.spent + amount, used=unit.points.used + amount)
