"""What each action itself does to a position, beside what clauses charge and force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable_models.asl import lines
from marchtable_models.asl.bypassverbs import Along, Bypass, Into
from marchtable_models.asl.footverbs import Advance, Assault, Drop, Recover, SetOut, Transfer
from marchtable_models.asl.handling import fresh_counter, handled, rested_loads
from marchtable_models.asl.model import (
    DoubleTime,
    End,
    Enter,
    Lend,
    MinimumMove,
    Start,
    Stop,
    Turn,
    actors,
)  # fmt: skip
from marchtable_models.asl.survey_bypass import place_after
from marchtable_models.asl.survey_transport import carried_by, hauled
from marchtable_models.asl.vehicleacts import (
    Exit,
    Hatch,
    MotionAttempt,
    Unbog,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.action import Action, Phase
    from marchtable.position import Position
    from marchtable.rulebook import Bill
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["acted", "after_action", "at_phase_start", "begins_turn", "begun", "interrupted"]

FRESH: dict[str, Any] = {
    "mph": "unmoved", "spent": 0, "used": 0, "final": "", "previous": None, "road": True,
    "double": 0, "esb": 0, "tired": False, "leaders": (), "lends": None, "helper": None,
    "halted": False, "left": "", "behind": "", "fallen": False, "assault": False,
    "guide": None,
    "astray": False, "conveyed": False, "stays": False, "fired": False, "lost": 0, "check": "",
    "boarder_spent": 0, "boarder_left": 0,
}  # fmt: skip


DECLARED = (DoubleTime, Assault, Lend, Hatch, MotionAttempt)
"""What may be done without beginning a MPh."""
SAID = (*DECLARED, SetOut)
"""What leaves a unit as it is, but for what clauses force on it."""


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
    if isinstance(action, End):
        unit = position.unit(action.unit)
        line = lines.members(position, unit) or (unit,)  # a line ends its MPh as one
        return position.with_units([msgspec.structs.replace(u, mph="done") for u in line])
    if isinstance(action, Drop | Transfer):
        return handled(position, action, bills)
    paid = {bill.case.units[0]: bill.amount for bill in bills if bill.payment is not None}
    return _after_acts(position, action, paid)


def _after_acts(position: AslPosition, action: Action, paid: Mapping[str, int]) -> AslPosition:
    """Return the position after what units did each for itself, and whose MPh that ends."""
    ids = actors(action)
    members = [position.unit(name) for name in ids]
    changed = [acted(position, action, unit, paid.get(unit.id, 0)) for unit in members]
    if isinstance(action, Lend):
        changed.append(msgspec.structs.replace(position.unit(action.to), helper=action.unit))
    if isinstance(action, DECLARED) or position.phase != "MPh":
        return position.with_units(changed)
    if isinstance(action, Enter | MinimumMove | Exit):
        changed += hauled(position, members, changed)
    if isinstance(action, Exit):
        gone = [other for unit in members for other in carried_by(position, unit)]
        changed += [msgspec.structs.replace(u, at=None, exited=True, mph="done") for u in gone]
    return begun(position, members, changed)


def begun(
    position: AslPosition, members: Sequence[AslUnit], changed: Sequence[AslUnit]
) -> AslPosition:
    """Return the position with units changed, the MPh of others over if theirs begins with it."""
    over: list[AslUnit] = []
    if any([unit.mph == "unmoved" for unit in members]):  # noqa: C419 - quicker
        ids = [unit.id for unit in (*members, *changed)]
        over = interrupted(position, members[0].side, ids)
    return position.with_units([*(msgspec.structs.replace(u, mph="done") for u in over), *changed])


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


def acted(position: AslPosition, action: Action, unit: AslUnit, amount: int) -> AslUnit:
    """Return a unit as its own action leaves it, the amount paid."""
    replace = msgspec.structs.replace
    if isinstance(action, SAID):
        return replace(unit, lends=action.to) if isinstance(action, Lend) else unit
    mph = "done" if unit.mph == "done" else "moving"
    if isinstance(action, Enter | MinimumMove | Bypass):
        to = position.board.resolve(action.to)
        round_it = unit.at is not None and isinstance(action, Bypass)
        bypass = place_after(position, unit, action) if round_it else None  # type: ignore[arg-type]
        return replace(
            unit, mph=mph, at=to, previous=unit.at or to, entering=(), spent=unit.spent + amount,
            used=max(1, unit.used + amount),  # a hex was entered, if only for what was left
            bypass=bypass,
        )  # fmt: skip
    spent = unit.spent + amount
    if isinstance(action, Along | Into):
        bypass = place_after(position, unit, action)
        return replace(unit, mph=mph, spent=spent, used=max(1, unit.used + amount), bypass=bypass)
    if isinstance(action, Start | Stop | Unbog):
        moving = isinstance(action, Start)
        reverse = not isinstance(action, Stop) and action.reverse
        return replace(unit, mph=mph, spent=spent, moving=moving, reverse=reverse)
    if isinstance(action, Exit):
        return replace(unit, mph="done", at=None, exited=True, spent=spent)
    return _else_acted(position, action, unit, amount)


def _else_acted(position: AslPosition, action: Action, unit: AslUnit, amount: int) -> AslUnit:
    replace = msgspec.structs.replace
    spent, used = unit.spent + amount, unit.used + amount
    if isinstance(action, Advance):
        at = position.board.resolve(action.to)
        return replace(unit, mph="done", at=at, previous=unit.at, used=1, final="advance")
    if isinstance(action, Recover):
        mph = "moving" if position.phase == "MPh" and unit.mph == "unmoved" else unit.mph
        return replace(unit, mph=mph, tried=(*unit.tried, action.weapon), spent=spent, used=used)
    mph = "done" if unit.mph == "done" else "moving"
    facing = action.facing if isinstance(action, Turn) and unit.facing else unit.facing
    return replace(unit, mph=mph, spent=spent, used=used, facing=facing)


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
        counters=tuple(
            fresh_counter(c) for c in position.counters if c.until not in lapsed
        ),
    )  # fmt: skip
    units, replace = rested_loads(position.units), msgspec.structs.replace
    if event.phase == "MPh":
        units = [
            replace(unit, **FRESH, origin=unit.convoy) if unit.side == side else unit
            for unit in units
        ]
    elif event.phase == "APh":  # nothing but Infantry acts in it
        units = [
            replace(unit, **FRESH) if unit.side == side and unit.facing is None else unit
            for unit in units
        ]
    return position.with_units(units)
