"""What each action itself does to a position, beside what clauses charge and force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable_models.asl import chart, survey
from marchtable_models.asl.facts import Entry
from marchtable_models.asl.model import (
    DoubleTime, End, Enter, Lend, MinimumMove, Start, Stop, Turn, actors,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.action import Action, Phase
    from marchtable.position import Position
    from marchtable.rulebook import Bill
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["after_action", "after_crossing", "at_phase_start", "interrupted"]

FRESH: dict[str, Any] = {
    "mph": "unmoved", "spent": 0, "used": 0, "final": "", "previous": None, "road": True,
    "double": 0, "leaders": (), "lends": None, "helper": None,
}  # fmt: skip


def after_action(
    position: AslPosition,
    action: Action,
    bills: Sequence[Bill],
    indebted: Callable[[AslUnit, Sequence[str]], Sequence[str]],
) -> AslPosition:
    """
    Return the position after an action.

    Parameters
    ----------
    position, action
        Where, and what is done.
    bills
        What it cost each unit.
    indebted
        Tells which units that a leader leaves behind have used his bonus.
    """
    paid = {bill.case.units[0]: bill for bill in bills if bill.payment is not None}
    ids = actors(action)
    members = [position.unit(name) for name in ids]
    changed = [_acted(position, action, unit, members, paid.get(unit.id)) for unit in members]
    if isinstance(action, Lend):
        changed.append(msgspec.structs.replace(position.unit(action.to), helper=action.unit))
    if isinstance(action, DoubleTime | Lend | End):
        return position.with_units(changed)
    if any(unit.mph == "unmoved" for unit in members):
        over = interrupted(position, members[0].side, ids)
        changed = [*(msgspec.structs.replace(unit, mph="done") for unit in over), *changed]
    for unit in members:
        if survey.type_of(position, unit).leads and not indebted(unit, ids):
            changed = [*_left_behind(position, unit, ids), *changed]
    return position.with_units(changed)


def interrupted(position: AslPosition, side: str, ids: Sequence[str]) -> list[AslUnit]:
    """Return the units whose MPh ends because these begin theirs (A4.2)."""
    return [
        unit
        for unit in position.units
        if unit.mph == "moving" and unit.side == side and unit.id not in ids
    ]


def _left_behind(position: AslPosition, leader: AslUnit, ids: Sequence[str]) -> list[AslUnit]:
    """Return the units that lose a leader's bonus they have not used, as he goes on without them."""
    return [
        msgspec.structs.replace(unit, leaders=tuple(x for x in unit.leaders if x not in ids))
        for unit in position.units
        if leader.id in unit.leaders and unit.id not in ids
    ]


def _acted(
    position: AslPosition, action: Action, unit: AslUnit, members: Sequence[AslUnit], bill: Bill | None
) -> AslUnit:
    replace = msgspec.structs.replace
    amount = bill.amount if bill else 0
    if isinstance(action, Enter | MinimumMove):
        before = unit
        if bill and isinstance(bill.case.facts, Entry):
            unit = after_crossing(unit, bill.case.facts, survey.leaders_in(position, unit, members))
        return replace(
            unit, mph="done" if unit.mph == "done" else "moving", at=position.board.resolve(action.to),
            previous=before.at, spent=before.spent + amount,
            used=max(1, before.used + amount),  # a hex was entered, if only for what was left
        )  # fmt: skip
    if isinstance(action, Turn):
        spent, used = unit.spent + amount, unit.used + amount
        facing = action.facing if unit.facing else None
        return replace(unit, mph=_moving(unit), spent=spent, used=used, facing=facing)
    if isinstance(action, Start | Stop):
        moving = isinstance(action, Start)
        return replace(unit, mph=_moving(unit), spent=unit.spent + amount, moving=moving)
    if isinstance(action, End):
        return replace(unit, mph="done")
    return replace(unit, lends=action.to) if isinstance(action, Lend) else unit


def _moving(unit: AslUnit) -> str:
    return "done" if unit.mph == "done" else "moving"


def after_crossing(unit: AslUnit, facts: Entry, leaders: tuple[str, ...]) -> AslUnit:
    """Return the unit with what crossing this hexside makes of its standing for the MPh."""
    if facts.mover.is_vehicle:
        into_obstacle = not facts.way and chart.row_named(facts.ground.there).obstacle
        return msgspec.structs.replace(unit, off_road=into_obstacle)
    return msgspec.structs.replace(
        unit,
        leaders=leaders,
        used=unit.used or 1,
        road=unit.road and facts.way == "road" and not facts.there.smoke,
    )


def at_phase_start(position: AslPosition, event: Phase) -> AslPosition:
    """Return the position as a phase begins: counters lapse, and a MPh starts afresh."""
    side = event.side or position.side
    first = position.units[0].side if position.units else side
    lapsed = {"phase"} | ({"turn"} if event.side else set())
    position = msgspec.structs.replace(
        position, phase=event.phase, side=side,
        turn=position.turn + (side != position.side and side == first),
        counters=tuple(c for c in position.counters if c.until not in lapsed),
    )  # fmt: skip
    if event.phase != "MPh":
        return position
    return position.with_units(
        [
            msgspec.structs.replace(unit, **FRESH, was_cx=unit.cx, cx=False)
            for unit in position.units
            if unit.side == side
        ]
    )
