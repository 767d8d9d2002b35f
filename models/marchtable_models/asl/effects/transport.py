"""What the verbs of transport do to a position, beside what clauses charge and force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.judging import paid_by_unit
from marchtable.state.records import replace
from marchtable_models.asl.effects.acts import begun
from marchtable_models.asl.effects.lines import after_line_action
from marchtable_models.asl.extraction.cargo import captives
from marchtable_models.asl.verbs.carrying import (
    BailOut,
    Destroy,
    Load,
    Traverse,
)  # fmt: skip
from marchtable_models.asl.verbs.happenings import Befall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.rules.rulebook import Bill
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["after_transport", "paying"]

Transport = Load | BailOut | Traverse | Destroy


def after_transport(position: AslPosition, action: Transport, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a verb of transport."""
    if isinstance(action, Destroy):
        return after_line_action(position, Befall(action.unit, "eliminated"), ())
    if isinstance(action, (BailOut, Traverse)):
        return position
    paid = paid_by_unit(bills)
    units, vehicle = [position.unit(name) for name in action.units], position.unit(action.onto)
    if vehicle.facing is None or vehicle in units:
        return begun(position, units, [])
    if any(unit.crew.inherent for unit in units):
        vehicle = replace(vehicle, abandoned=True)  # a Carrier's crew (D6.83b)
    aboard = {"aboard": action.onto, "riding": action.riding}
    held = [each for unit in units for each in captives(position).get(unit.id, ())]
    changed = [replace(paying(unit, paid), **aboard, mph="moving") for unit in units]
    changed += [replace(each, **aboard) for each in held]
    amount = paid.get(vehicle.id, 0)  # it has still not begun its own MPh
    points = vehicle.points
    loaded = replace(
        vehicle,
        spent=points.spent + amount,
        used=points.used + amount,
        lost=points.lost + amount,
    )
    return begun(position, units, [*changed, loaded])


def paying(unit: AslUnit, paid: Mapping[str, int]) -> AslUnit:
    """Return a unit that has paid what is its own."""
    amount = paid.get(unit.id, 0)
    return replace(unit, spent=unit.points.spent + amount, used=unit.points.used + amount)
