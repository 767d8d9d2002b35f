"""What each action itself does to a position, beside what clauses charge and force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable_models.asl import lines
from marchtable_models.asl.happenings import Befall, Sight
from marchtable_models.asl.model import (
    DoubleTime,
    End,
    Enter,
    Impulse,
    Leave,
    Lend,
    MinimumMove,
    Start,
    Stop,
    Turn,
    actors,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.action import Action, Phase
    from marchtable.position import Position
    from marchtable.rulebook import Bill
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["after_action", "at_phase_start", "begins_turn", "interrupted", "step_taken"]

FRESH: dict[str, Any] = {
    "mph": "unmoved", "spent": 0, "used": 0, "final": "", "previous": None, "road": True,
    "double": 0, "tired": False, "leaders": (), "lends": None, "helper": None, "halted": False,
    "behind": "", "fallen": False,
}  # fmt: skip


HALTED: dict[str, Any] = {"moving": False, "mph": "done"}
BLOWS: dict[str, dict[str, Any]] = {
    "attacked": {}, "pinned": {"pinned": True}, "stunned": {"stunned": True},
    "recalled": {"recalled": True}, "immobilized": {**HALTED, "immobile": True, "fallen": True},
    "bogged": {**HALTED, "bogged": True},
}  # fmt: skip
"""What an event makes of a unit, by its name."""


def after_action(position: AslPosition, action: Action, bills: Sequence[Bill]) -> AslPosition:
    """
    Return the position after an action.

    Parameters
    ----------
    position, action
        Where, and what is done.
    bills
        What it cost each unit.
    """
    if isinstance(action, Impulse):
        return _after_impulse(position, action, bills)
    if isinstance(action, Befall | Sight):
        return after_event(position, action)
    if isinstance(action, Leave):
        return position
    if isinstance(action, End) and position.unit(action.unit).convoy:
        line = lines.members(position, position.unit(action.unit))
        return position.with_units([msgspec.structs.replace(u, mph="done") for u in line])
    paid = {bill.case.units[0]: bill.amount for bill in bills if bill.payment is not None}
    ids = actors(action)
    members = [position.unit(name) for name in ids]
    changed = [_acted(position, action, unit, paid.get(unit.id, 0)) for unit in members]
    if isinstance(action, Lend):
        changed.append(msgspec.structs.replace(position.unit(action.to), helper=action.unit))
    if isinstance(action, DoubleTime | Lend | End):
        return position.with_units(changed)
    if any([unit.mph == "unmoved" for unit in members]):  # noqa: C419 - quicker
        over = interrupted(position, members[0].side, ids)
        changed = [*(msgspec.structs.replace(unit, mph="done") for unit in over), *changed]
    return position.with_units(changed)


def _after_impulse(position: AslPosition, impulse: Impulse, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after an Impulse: all members have paid, those told to have moved."""
    paid = {bill.case.units[0]: bill.amount for bill in bills if bill.payment is not None}
    told = lines.steps(position, impulse)
    ids = [unit.id for unit, _ in told]
    halted = any([isinstance(act, Stop) for _, act in told])  # noqa: C419 - quicker
    over = []
    if any([unit.mph == "unmoved" for unit, _ in told]):  # noqa: C419 - quicker
        over = [
            msgspec.structs.replace(unit, mph="done")
            for unit in interrupted(position, position.unit(impulse.unit).side, ids)
        ]
    changed = [
        _acted(position, act, unit, paid.get(unit.id, 0))
        if act is not None
        else _idle(unit, paid.get(unit.id, 0))
        for unit, act in told
    ]
    changed = [
        msgspec.structs.replace(unit, attacked=False, halted=unit.halted or halted)
        for unit in changed
    ]
    return position.with_units([*over, *changed])


def after_event(position: AslPosition, event: Befall | Sight) -> AslPosition:
    """Return the position after something befell a unit, what it is part of apart."""
    unit = position.unit(event.unit)
    if isinstance(event, Sight):
        return position.with_units([msgspec.structs.replace(unit, sees=event.of)])
    if event.what == "eliminated":
        if unit.facing is None:
            return position.with_units([msgspec.structs.replace(unit, at=None, mph="done")])
        changes: dict[str, Any] = {"type": "wreck", "facing": None, **HALTED, "fallen": True}
    else:
        changes = BLOWS[event.what]
    return position.with_units([msgspec.structs.replace(unit, **changes, attacked=True)])


def _idle(unit: AslUnit, amount: int) -> AslUnit:
    spent, used = unit.spent + amount, unit.used + amount
    mph = "done" if unit.mph == "done" else "moving"
    return msgspec.structs.replace(unit, mph=mph, spent=spent, used=used)


def step_taken(position: AslPosition, act: Action) -> AslPosition:
    """Return the position once one member of an Impulse has moved, nothing being paid yet."""
    return position.with_units([_acted(position, act, position.unit(actors(act)[0]), 0)])


def interrupted(position: AslPosition, side: str, ids: Sequence[str]) -> list[AslUnit]:
    """Return the units whose MPh ends because these begin theirs (A4.2), their own Convoy apart."""
    origins = {position.unit(name).origin for name in ids} - {""}
    return [
        unit
        for unit in position.units
        if unit.mph == "moving"
        and unit.side == side
        and unit.id not in ids
        and not (origins and unit.origin in origins)
    ]


def _acted(position: AslPosition, action: Action, unit: AslUnit, amount: int) -> AslUnit:
    replace = msgspec.structs.replace
    mph = "done" if unit.mph == "done" else "moving"
    if isinstance(action, Enter | MinimumMove):
        return replace(
            unit, mph=mph, at=position.board.resolve(action.to), previous=unit.at,
            spent=unit.spent + amount,
            used=max(1, unit.used + amount),  # a hex was entered, if only for what was left
        )  # fmt: skip
    if isinstance(action, Turn):
        spent, used = unit.spent + amount, unit.used + amount
        facing = action.facing if unit.facing else None
        return replace(unit, mph=mph, spent=spent, used=used, facing=facing)
    if isinstance(action, Start | Stop):
        moving = isinstance(action, Start)
        return replace(unit, mph=mph, spent=unit.spent + amount, moving=moving)
    if isinstance(action, End):
        return replace(unit, mph="done")
    return replace(unit, lends=action.to) if isinstance(action, Lend) else unit


def begins_turn(position: AslPosition, event: Phase, phases: Sequence[str]) -> bool:
    """Tell whether a Player Turn begins: the side changes, or the phases start over."""
    if event.side and event.side != position.side:
        return True
    return phases.index(event.phase) < phases.index(position.phase)


def at_phase_start(position: AslPosition, event: Phase, phases: Sequence[str]) -> AslPosition:
    """Return the position as a phase begins: counters lapse, and a MPh starts afresh."""
    side = event.side or position.side
    new_turn = begins_turn(position, event, phases)
    lapsed = ("phase", "turn") if new_turn else ("phase",)
    position = msgspec.structs.replace(
        position, phase=event.phase, side=side,
        turn=position.turn + (new_turn and side == position.conditions.first_side),
        counters=tuple(c for c in position.counters if c.until not in lapsed),
    )  # fmt: skip
    if event.phase != "MPh":
        return position
    return position.with_units(
        [
            msgspec.structs.replace(unit, **FRESH, origin=unit.convoy)
            for unit in position.units
            if unit.side == side
        ]
    )
