"""What moves do to a position, beside what clauses force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.rules.judging import paid_by_unit
from marchtable_models.valor.orders import Advance, Enter, Moved, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from marchtable.rules.rulebook import Bill
    from marchtable.state.action import Action
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.model import ValorUnit

__all__ = ["after_move"]

replace = msgspec.structs.replace
STOPPED: dict[str, Any] = {"moving": False, "assault": False, "party": (), "crossed": None}


def _stopped(position: ValorPosition, side: str, but: Iterable[str] = ()) -> list[ValorUnit]:
    """Return the units of a side that were moving, standing still."""
    out = {*but}
    return [
        replace(unit, **STOPPED)
        for unit in position.units
        if unit.moving and unit.side == side and not {unit.id, unit.aboard} & out
    ]


def _shifted(
    position: ValorPosition, names: tuple[str, ...], to: str, each: Mapping[str, dict[str, Any]]
) -> ValorPosition:
    """Return the position with units, and what they carry, in another hex; others stand still."""
    side = position.unit(names[0]).side
    changed = _stopped(position, side, names)
    for unit in position.units:
        if unit.id in names and (unit.at is not None or unit.entering):
            changed.append(
                replace(
                    unit, at=to, moving=True, moved=True, turned=False, entering=(), **each[unit.id]
                )
            )
        elif unit.aboard in names and unit.at == position.unit(str(unit.aboard)).at:
            changed.append(replace(unit, at=to, moving=True, moved=True, entering=()))
    return position.with_units(changed)


def _after_enter(
    position: ValorPosition, action: Enter, bills: Sequence[Bill]
) -> ValorPosition | None:
    """Return the position with a unit or stack in the next hex, None if one is off the map."""
    names = tuple(dict.fromkeys(action.units))
    units = [position.unit(name) for name in names]
    if any(unit.at is None and not unit.entering for unit in units):
        return None
    paid, begun = paid_by_unit(bills), names if len(names) > 1 else ()
    each = {
        unit.id: {
            "spent": unit.spent + paid.get(unit.id, 0),
            "assault": action.assault or (unit.moving and unit.assault),
            "party": unit.party if unit.moving else begun,
        }
        for unit in units
    }
    return _shifted(position, names, position.board.resolve(action.to), each)


def _after_told(position: ValorPosition, event: Moved) -> ValorPosition:
    """Return the position with units where they are told to have moved."""
    each: dict[str, dict[str, Any]] = {name: {"assault": event.assault} for name in event.units}
    return _shifted(position, event.units, position.board.resolve(event.to), each)


def _after_turn(
    position: ValorPosition, action: Turn, bills: Sequence[Bill]
) -> ValorPosition | None:
    """Return the position with a unit turned, None if it is off the map."""
    unit = position.unit(action.unit)
    if unit.at is None:
        return None
    turned = replace(unit, facing=action.facing, turned=True)
    if position.phase != "Movement":
        return position.with_units([turned])
    spent = unit.spent + paid_by_unit(bills).get(unit.id, 0)
    moved = replace(turned, moved=True, moving=True, spent=spent)
    return position.with_units([*_stopped(position, unit.side, [unit.id]), moved])


def _after_advance(position: ValorPosition, action: Advance) -> ValorPosition | None:
    """Return the position with a unit, and what it carries, advanced; None if it is off the map."""
    unit, to = position.unit(action.unit), position.board.resolve(action.to)
    if unit.at is None:
        return None
    going = [u for u in position.units if u.at is not None and unit.id in (u.id, u.aboard)]
    return position.with_units([replace(u, at=to, advanced=True) for u in going])


def after_move(
    position: ValorPosition, action: Action, bills: Sequence[Bill]
) -> ValorPosition | None:
    """Return the position after a move, None if who is to move is off the map."""
    if isinstance(action, Enter):
        return _after_enter(position, action, bills)
    if isinstance(action, Turn):
        return _after_turn(position, action, bills)
    if isinstance(action, Advance):
        return _after_advance(position, action)
    assert isinstance(action, Moved)
    return _after_told(position, action)
