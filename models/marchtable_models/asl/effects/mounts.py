"""What mounting, dismounting, parting and Gallop do to a position, beside what clauses charge and force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.rules.judging import paid_by_unit
from marchtable.state.records import replace
from marchtable_models.asl.effects.acts import begun
from marchtable_models.asl.extraction.cargo import prc
from marchtable_models.asl.extraction.mounts import next_name, of_size, parted
from marchtable_models.asl.extraction.movers import riders_of
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.verbs.mounts import Combine, Dismount, Gallop, Mount, Split

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.rules.rulebook import Bill
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["after_mounts"]


def after_mounts(
    position: AslPosition,
    action: Mount | Dismount | Gallop | Split | Combine,
    bills: Sequence[Bill],
) -> AslPosition | None:
    """
    Return the position after one of these verbs; who mounts begins the MPh of his mount.

    None where there is none: of what cannot part, or become one, nothing is known.
    """
    if isinstance(action, Split):
        unit = position.unit(action.unit)
        if unit.cargo.yoked:
            return _with(position.with_units([replace(unit, yoked=False)]), unit, yoked=False)
        return _after_split(position, unit)
    if isinstance(action, Combine):
        return _after_combining(position, position.unit(action.unit), position.unit(action.to))
    paid = paid_by_unit(bills)
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
    after = begun(position, [*units, mount] if aboard else [mount, *units], changed)
    parts = parted(position, mount, units) if aboard else None
    return after if parts is None else _with(after, mount, type=parts[1])


def _with(position: AslPosition, mount: AslUnit, **changes: Any) -> AslPosition:
    """Return the position with one more counter, that has parted from this one."""
    new = replace(mount, id=next_name(position, mount), sw=(), **changes)
    return replace(position, units=(*position.units, new))


def _after_split(position: AslPosition, unit: AslUnit) -> AslPosition | None:
    """Return the position in which a rider goes on with a horse or motorcycle of his own."""
    mount = position.unit(unit.cargo.aboard) if unit.cargo.aboard is not None else None
    own = "" if mount is None else of_size(position, type_of(position, mount), 1)
    if mount is None or not own:
        return None
    new = replace(mount, mph="done" if mount.move.mph == "done" else "moving")
    rider = replace(unit, aboard=next_name(position, mount), mph=new.move.mph)
    return _with(begun(position, [mount, unit], [rider]), new, type=own)


def _after_combining(position: AslPosition, unit: AslUnit, other: AslUnit) -> AslPosition:
    """Return the position in which a counter is part of another: that has spent the more of both."""
    one, two = sorted((unit, other), key=lambda each: (each.move.mph == "done", each.points.spent))
    cx = one.status.cx or two.status.cx
    whole = replace(two, id=unit.id, type=unit.type, cx=cx)
    if type_of(position, unit).class_ == "wagon":
        whole = replace(unit, yoked=True, cx=cx, mph=two.move.mph, points=two.points)
    return position.with_units([whole, replace(other, at=None, mph="done")])


def _paying(unit: AslUnit, paid: Mapping[str, int], **changes: Any) -> AslUnit:
    amount = paid.get(unit.id, 0)
    return replace(
        unit, spent=unit.points.spent + amount, used=unit.points.used + amount, **changes
    )
