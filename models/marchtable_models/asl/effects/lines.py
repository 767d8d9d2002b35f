"""What the actions of lines (Convoys, Columns, platoons), and what befalls units, do to a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.state.records import replace
from marchtable_models.asl.cases.platoons import PLATOON_ACTIONS, formed
from marchtable_models.asl.effects.acts import begun, interrupted, used_after
from marchtable_models.asl.effects.handling import left_behind
from marchtable_models.asl.extraction.cargo import hauled, removed
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.facts.lines import Leaving
from marchtable_models.asl.facts.spending import Payment
from marchtable_models.asl.joint.ranks import ranks_of
from marchtable_models.asl.model import Disband, Impulse, Join, Leave, Stop
from marchtable_models.asl.verbs.happenings import HAPPENINGS, NO_ATTACK, Befall, Sight
from marchtable_models.asl.verbs.vehicles import Form

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.rules.rulebook import Bill, Case
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.joint.ranks import Piece
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["LINE_ACTIONS", "after_line_action", "impulse_dues"]

LINE_ACTIONS: tuple[type[Action], ...] = (
    Impulse,
    Leave,
    Disband,
    Join,
    *PLATOON_ACTIONS,
    *HAPPENINGS,
)

STANDS: dict[str, Any] = {"moving": False, "reverse": False}
HALTED: dict[str, Any] = {**STANDS, "mph": "done"}
BLOWS: dict[str, dict[str, Any]] = {
    "attacked": {}, "pinned": {"pinned": True, "dash": None}, "wounded": {"wounded": True, "dash": None}, "stunned": {"stunned": True},
    "broken": {"broken": True, "dash": None}, "wire": {}, "disbanded": {}, "recalled": {"recalled": True}, "immobilized": {**STANDS, "immobile": True, "fallen": True},
    "bogged": {**HALTED, "bogged": True},
}  # fmt: skip
"""What an event makes of a unit, by its name."""
BY_MINES = ("eliminated", "immobilized")
"""What mines must do to a vehicle to give those in its Convoy who see it a reason to leave."""


def after_line_action(position: AslPosition, action: Action, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after an action of a line, or after what befell a unit."""
    paid = {bill.case.units[0]: bill.amount for bill in bills if bill.payment is not None}
    if isinstance(action, Impulse):
        leavers = [bill.case.units[0] for bill in bills if isinstance(bill.case.facts, Leaving)]
        return _after_impulse(position, action, paid, leavers)
    if isinstance(action, (Disband, Join)):
        changed = [_idle(position.unit(name), paid[name]) for name in paid]
        return begun(position, [position.unit(action.unit)], changed)
    if isinstance(action, Form):
        return formed(position, action)
    if isinstance(action, (Befall, Sight)):
        return _after_event(position, action)
    return position


def _after_impulse(
    position: AslPosition, impulse: Impulse, paid: Mapping[str, int], leavers: Sequence[str]
) -> AslPosition:
    """Return the position after an Impulse: all members have paid, those told to have moved."""
    ranks = ranks_of(position, position.unit(impulse.unit))
    pieces = ranks.pieces(position, impulse)
    if position.phase == "APh":
        return position.with_units([piece.after for piece in pieces if piece.act is not None])
    part = min([ranks.ids.index(name) for name in leavers], default=len(pieces))
    stops = [number for number, piece in enumerate(pieces) if type(piece.act) is Stop]
    halted = any([number < part for number in stops])  # noqa: C419 - quicker
    halted_behind = any([number >= part for number in stops])  # noqa: C419 - quicker
    over = []
    if any([unit.move.mph == "unmoved" for unit in ranks.units]):  # noqa: C419 - quicker
        over = [
            replace(unit, mph="done")
            for unit in interrupted(position, position.unit(impulse.unit).side, ranks.ids)
        ]
    changed = [
        _charged(
            unit, piece, paid.get(unit.id, 0), halted=halted if number < part else halted_behind
        )
        for number, (unit, piece) in enumerate(zip(ranks.units, pieces, strict=True))
    ]
    return position.with_units([*over, *changed, *hauled(position, ranks.units, changed)])


def _charged(unit: AslUnit, piece: Piece, amount: int, *, halted: bool) -> AslUnit:
    """Return a member as an Impulse leaves it, the amount paid."""
    used = unit.points.used + amount if piece.act is None else used_after(piece.act, unit, amount)
    over = unit.move.mph == "done" or piece.after.offboard.exited
    return replace(
        piece.after, mph="done" if over else "moving", spent=unit.points.spent + amount,
        used=used, attacked=False, halted=unit.line.halted or halted,
    )  # fmt: skip


def impulse_dues(cases: Sequence[Case], dues: Sequence[Any]) -> list[Any]:
    """
    Return what the members of an Impulse pay, each told of the largest expenditure.

    What is spent to leave (by those with facts of leaving) is no concern of who is ahead of them.
    """
    costs = {
        case.units[0]: due.cost
        for case, due in zip(cases, dues, strict=True)
        if isinstance(due, Payment)
    }
    leavers = {case.units[0] for case in cases if isinstance(case.facts, Leaving)}
    shared = max(costs.values(), default=0)
    ours = max([cost for name, cost in costs.items() if name not in leavers], default=0)
    found: list[Any] = []
    told: dict[tuple[int, int], Payment] = {}
    ahead = True
    for case, due in zip(cases, dues, strict=True):
        ahead = ahead and case.units[0] not in leavers
        if not isinstance(due, Payment):
            found.append(due)
            continue
        key = (id(due), shared - ours if ahead else 0)
        if key not in told:  # those alike share what they pay
            told[key] = msgspec.structs.replace(due, shared=shared, excess=key[1])
        found.append(told[key])
    return found


def _after_event(position: AslPosition, event: Befall | Sight) -> AslPosition:
    """Return the position after something befell a unit, what it is part of apart."""
    unit = position.unit(event.unit)
    if isinstance(event, Sight):
        return position.with_units([replace(unit, sees=event.of)])
    if event.what == "eliminated":
        if unit.facing is None:
            on_foot = unit.cargo.aboard is None or unit.cargo.act in (
                "loads",
                "hooks",
            )  # it has not boarded
            lost = left_behind(position, unit) if on_foot else position
            return lost.with_units(removed(position, unit))
        changes: dict[str, Any] = {**HALTED, "fallen": True, "spent": 0, "used": 0, "final": ""}
        changes |= {"lost": 0, "boarder_spent": 0, "boarder_left": 0}
        if type_of(position, unit).class_ != "vehicle":  # wagons and motorcycles leave no wreck
            gone, *others = removed(position, unit)
            return position.with_units([replace(gone, **changes), *others])
        changes |= {"type": "wreck", "facing": None, "taken": ()}
    else:
        changes = BLOWS[event.what]
    harmless = event.by == "mines" and event.what not in BY_MINES  # as E11.251 counts attacks
    moves = position.phase == "MPh" and unit.side == position.side  # an Impulse has just ended
    attacked = unit.line.attacked or (moves and not (event.what in NO_ATTACK or harmless))
    return position.with_units([replace(unit, **changes, attacked=attacked)])


def _idle(unit: AslUnit, amount: int) -> AslUnit:
    spent, used = unit.points.spent + amount, unit.points.used + amount
    mph = "done" if unit.move.mph == "done" else "moving"
    return replace(unit, mph=mph, spent=spent, used=used)
