"""What an Impulse does to a position, and what its members pay: all the largest expenditure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.rules.judging import paid_by_unit
from marchtable.state.records import replace
from marchtable_models.asl.cases.ranks import ranks_of
from marchtable_models.asl.effects.acts import interrupted, used_after
from marchtable_models.asl.extraction.cargo import hauled
from marchtable_models.asl.facts.lines import Leaving
from marchtable_models.asl.facts.spending import Payment
from marchtable_models.asl.model import Stop
from marchtable_models.asl.rules.infantry_mf import all_on_foot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.rules.rulebook import Bill, Case
    from marchtable.state.position import Position
    from marchtable_models.asl.cases.ranks import Piece
    from marchtable_models.asl.model import AslConditions, AslUnit, Impulse

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["after_impulse", "expended", "impulse_dues"]


def after_impulse(position: AslPosition, impulse: Impulse, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after an Impulse: all members have paid, those with a move have moved."""
    paid = paid_by_unit(bills)
    leavers = [bill.case.units[0] for bill in bills if isinstance(bill.case.facts, Leaving)]
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
        used=used, attacked=False, halted=unit.line.halted or (halted and unit.line.convoy != ""),
    )  # fmt: skip


def expended(due: Any, edition: Edition) -> int:
    """Return the half points that a member spends by itself: its move, and all its other MF if charged."""
    if not isinstance(due, Payment):
        return 0
    rest = [
        charge.amount for charge in edition.judge(due).charges if charge.clause == all_on_foot.id
    ]
    return due.cost + max(0, sum(rest))


def impulse_dues(cases: Sequence[Case], dues: Sequence[Any], edition: Edition) -> list[Any]:
    """
    Return the payments of an Impulse's members: each pays the largest expenditure.

    Members ahead of one that leaves do not share what it and those behind it spend.
    """
    costs = {
        case.units[0]: expended(due, edition)
        for case, due in zip(cases, dues, strict=True)
        if isinstance(due, Payment)
    }
    leavers = {case.units[0] for case in cases if isinstance(case.facts, Leaving)}
    shared = max(costs.values(), default=0)
    ours = max([cost for name, cost in costs.items() if name not in leavers], default=0)
    found: list[Any] = []
    shares: dict[tuple[int, int], Payment] = {}
    ahead = True
    for case, due in zip(cases, dues, strict=True):
        ahead = ahead and case.units[0] not in leavers
        if not isinstance(due, Payment):
            found.append(due)
            continue
        key = (id(due), shared - ours if ahead else 0)
        if key not in shares:  # those alike share what they pay
            shares[key] = msgspec.structs.replace(due, shared=shared, excess=key[1])
        found.append(shares[key])
    return found
