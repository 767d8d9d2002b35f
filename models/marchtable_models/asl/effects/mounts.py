"""What mounting, dismounting and Gallop do to a position, beside what clauses charge and force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable_models.asl.effects.acts import begun
from marchtable_models.asl.extraction.cargo import prc
from marchtable_models.asl.extraction.movers import riders_of
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.verbs.mounts import Dismount, Gallop, Mount

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.rules.rulebook import Bill
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["after_mounts"]

replace = msgspec.structs.replace


def after_mounts(
    position: AslPosition, action: Mount | Dismount | Gallop, bills: Sequence[Bill]
) -> AslPosition:
    """Return the position after one of these verbs; who mounts begins the MPh of his mount."""
    paid = {bill.case.units[0]: bill.amount for bill in bills if bill.payment is not None}
    if isinstance(action, Gallop):
        mount = position.unit(action.unit)
        told = [] if type_of(position, mount).mounts else prc(position, mount)
        return position.with_units([replace(unit, cx=True) for unit in told])
    if isinstance(action, Mount):
        mount, units = position.unit(action.onto), [position.unit(name) for name in action.units]
        aboard, mph = action.onto, "moving"
    else:
        mount, aboard, mph = position.unit(action.unit), None, "done"
        units = riders_of(position, mount)
    changed = [_paying(unit, paid, mph="moving", aboard=aboard) for unit in units]
    changed.append(_paying(mount, paid, mph=mph))
    return begun(position, [*units, mount] if aboard else [mount, *units], changed)


def _paying(unit: AslUnit, paid: Mapping[str, int], **changes: Any) -> AslUnit:
    amount = paid.get(unit.id, 0)
    return replace(unit, spent=unit.spent + amount, used=unit.used + amount, **changes)
