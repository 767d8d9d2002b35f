"""Which facts bear on Convoys that combine, and on who joins a Column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.judging import Case
from marchtable_models.asl.extraction import lines
from marchtable_models.asl.extraction.reading import type_of
from marchtable_models.asl.facts.lines import Joined, Joining, apart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit, Join

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["names_to_join", "of_joining"]


def names_to_join(position: AslPosition, unit: AslUnit) -> list[str]:
    """Return the Convoys or Columns that a unit, or the Convoy it leads, might join."""
    field = "convoy" if unit.line.convoy else "column"
    if unit.line.column or unit.line.platoon or (unit.facing is not None and not unit.line.convoy):
        wagon = type_of(position, unit).class_ == "wagon"
        if unit.line.column or unit.line.platoon or not wagon:
            return []
    names = [getattr(u.line, field) for u in position.units if u.side == unit.side]
    return [name for name in dict.fromkeys(names) if name and name != getattr(unit.line, field)]


def of_joining(position: AslPosition, action: Join) -> list[Case]:
    """Return the facts of a unit, or a Convoy, joining a line: its own, and each one's share."""
    unit = position.unit(action.unit)
    line = _named(position, unit, action.to)
    if not line:
        return [Case((unit.id,), Joining("", None))]
    kind = lines.kind_of(line[0])
    own = lines.members(position, unit)
    rear = line[-1]
    beside = _distance(position, unit, rear) == apart()
    if kind == "column":
        beside = beside or any(u.at == unit.at for u in line if u.at is not None)
    what = type_of(position, unit)
    facts = Joining(
        kind,
        None,
        mine=lines.kind_of(unit),
        leads=bool(own) and own[0].id == unit.id,
        sort=what.is_personnel or what.class_ == "wagon",
        fit=not (
            unit.status.pinned
            or unit.status.broken
            or unit.crew.stunned
            or unit.crew.shocked
            or unit.crew.abandoned
        ),
        begun=all(u.points.spent for u in line),  # an Impulse costs all of them
        beside=beside,
    )
    found = [Case((unit.id,), facts)]
    if kind == "convoy":
        return found + _combined(line, own, action.to)
    same = [u.line.rank for u in line if u.at == unit.at]
    rank = same[0] if same else rear.line.rank + 1
    shares = [Case((u.id,), Joined(kind, 0, action.to, u.line.rank)) for u in line]
    return [*found, *shares, Case((unit.id,), Joined(kind, 0, action.to, rank, joins=True))]


def _named(position: AslPosition, unit: AslUnit, name: str) -> tuple[AslUnit, ...]:
    """Return the Convoy or Column of that name of a unit's side, not its own."""
    for other in position.units:
        kind = lines.kind_of(other)
        if (
            other.side == unit.side
            and kind in ("convoy", "column")
            and getattr(other.line, kind) == name
            and not (lines.kind_of(unit) == kind and getattr(unit.line, kind) == name)
        ):
            return lines.members(position, other)
    return ()


def _combined(front: Sequence[AslUnit], rear: Sequence[AslUnit], name: str) -> list[Case]:
    """Return what each vehicle of two Convoys pays, and its place in the one they become."""
    most = max(u.points.spent for u in (*front, *rear))
    halted = any(u.line.halted for u in (*front, *rear))
    return [
        Case((u.id,), Joined("convoy", most - u.points.spent, name, rank, halted=halted))
        for rank, u in enumerate((*front, *rear), 1)
    ]


def _distance(position: AslPosition, unit: AslUnit, other: AslUnit) -> int:
    if unit.at is None or other.at is None:
        return 0
    return position.board.distance(unit.at, other.at)
