"""What each action itself does to a position, beside what clauses charge and force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.rules.judging import paid_by_unit
from marchtable_models.panzer.extraction.reading import passengers
from marchtable_models.panzer.model import PHASES
from marchtable_models.panzer.orders import (
    Assault,
    Exit,
    Fire,
    Hit,
    Load,
    Move,
    Observe,
    Overrun,
    Recover,
    Remove,
    Unload,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.rulebook import Bill
    from marchtable.state.action import Action, Phase
    from marchtable_models.panzer.extraction.reading import PanzerPosition
    from marchtable_models.panzer.model import PanzerUnit

__all__ = ["after_action", "at_phase_start"]

replace = msgspec.structs.replace
EARLIER = {"now": "earlier"}
NEW_MOVE: dict[str, Any] = {
    "spent": 0, "entered": False, "final": False, "onward": False, "task": "", "before": False,
    "came": False, "exposed": False, "by_road": False, "overran": False,
}  # fmt: skip
NEW_TURN: dict[str, Any] = {
    "moved": False, "carried": False, "handled": "", "fired": "", "observed": False, "lookout": False,
}  # fmt: skip


def after_action(
    position: PanzerPosition, action: Action, bills: Sequence[Bill]
) -> PanzerPosition | None:
    """Return the position after an action, or None where there is none."""
    if isinstance(action, Overrun | Assault):
        return _attacked(position, action, bills)
    unit = position.unit(action.unit)  # type: ignore[attr-defined]
    comes_on = isinstance(action, Move) and unit.entering
    if unit.at is None and not comes_on and not isinstance(action, Recover):
        return None
    if isinstance(action, Move):
        return _moved(position, unit, position.board.resolve(action.to), bills)
    if isinstance(action, Load | Unload):
        return _paired(position, unit, position.unit(action.passenger), action)
    if isinstance(action, Exit | Remove) or (isinstance(action, Hit) and action.result == "X"):
        lost = {"aboard": None} | ({"at": None} if isinstance(action, Exit) else {})
        cargo = [replace(u, **lost) for u in passengers(position, unit)]
        spent = unit.spent + paid_by_unit(bills).get(unit.id, 0)
        moved = unit.entered or isinstance(action, Exit)
        gone = replace(unit, at=None, aboard=None, spent=spent, entered=moved)
        return position.with_units([*cargo, gone])
    changed = [_marked(unit, action)]
    if isinstance(action, Observe) and unit.aboard is not None:
        changed.append(replace(position.unit(unit.aboard), lookout=True))
    return position.with_units(changed)


def _marked(unit: PanzerUnit, action: Action) -> PanzerUnit:
    """Return a unit with what it did, or what befell it, noted on it."""
    if isinstance(action, Fire):
        return replace(unit, fired="now")
    if isinstance(action, Observe):
        return replace(unit, observed=True)
    if isinstance(action, Hit):
        return replace(unit, dispersed="DD" if "DD" in (unit.dispersed, action.result) else "D")
    return replace(unit, dispersed="")


def _moved(
    position: PanzerPosition, unit: PanzerUnit, to: str, bills: Sequence[Bill]
) -> PanzerPosition:
    """Return the position with a unit and its passengers on top of the stack in the next hex."""
    cargo = passengers(position, unit)
    going = {unit.id, *(u.id for u in cargo)}
    there = [u.height for u in position.occupants.get(to, ()) if u.id not in going]
    top = max(there, default=-1) + 1
    steps = [bill for bill in bills if bill.payment is not None and unit.id in bill.case.units]
    paid = sum(bill.amount for bill in steps)
    rated = any(charge.part == "road" for bill in steps for charge in bill.finding.charges)
    return position.with_units(
        [
            *(replace(u, at=to, height=top + n, left=None) for n, u in enumerate(cargo)),
            replace(
                unit, at=to, aboard=None, height=top + len(cargo), spent=unit.spent + paid, entered=True, entering=(),
                onward=unit.entered, exposed=False, by_road=unit.by_road or rated,
                came=bool(cargo), moved=True, shelled=False, carried=unit.carried or bool(cargo),
            ),
        ]
    )  # fmt: skip


def _attacked(
    position: PanzerPosition, action: Overrun | Assault, bills: Sequence[Bill]
) -> PanzerPosition | None:
    """
    Return the position with those attacked marked, each that drove over them in the hex beyond.

    None if one who would has no such hex.
    """
    to = position.board.resolve(action.to)
    overruns = isinstance(action, Overrun)
    for name in dict.fromkeys(action.units if overruns else ()):
        unit = position.unit(name)
        away = None if unit.at is None else position.board.beyond(unit.at, to)
        if away is None:
            return None
        position = _moved(position, unit, away, bills)
    side = position.unit(action.units[0]).side
    struck = [u for u in position.occupants.get(to, ()) if u.side != side]
    mark = "crushed" if overruns else "stormed"
    return position.with_units([replace(u, **{mark: True}) for u in struck])


def _paired(
    position: PanzerPosition, unit: PanzerUnit, passenger: PanzerUnit, action: Load | Unload
) -> PanzerPosition | None:
    """Return the position with a passenger taken aboard, or put down."""
    if passenger is unit:
        return None
    if isinstance(action, Load):
        taken = replace(passenger, at=unit.at, aboard=unit.id, handled="now")
        return position.with_units([replace(unit, task="load"), taken])
    return position.with_units(
        [
            replace(unit, task="unload", before=unit.entered),
            replace(passenger, aboard=None, handled="now", left=unit.id),
        ]
    )


def at_phase_start(position: PanzerPosition, event: Phase) -> PanzerPosition:
    """Return the position as a phase begins: what was done now was done earlier, or last turn."""
    side = event.side or position.side
    new_turn = side != position.side or PHASES.index(event.phase) < PHASES.index(position.phase)
    changed = []
    for unit in position.units:
        own: dict[str, Any] = {"left": None, "thrown": None, "shelled": False}
        own |= {"crushed": False, "stormed": False} if new_turn else {}
        own |= {
            name: EARLIER.get(getattr(unit, name), getattr(unit, name))
            for name in ("handled", "fired")
        }
        if unit.side == side:
            own |= NEW_TURN if new_turn else {}
            own |= NEW_MOVE if event.phase == "Movement" else {}
        changed.append(replace(unit, **own))
    goes_up = new_turn and side == position.conditions.first_side
    return replace(
        position.with_units(changed), phase=event.phase, side=side, turn=position.turn + goes_up
    )
