"""Impulse Movement (D14.31, E11.2): several units make one expenditure each and pay the largest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from marchtable.errors import BadInputError
from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.records import replace
from marchtable_models.asl.effects import acting as acts
from marchtable_models.asl.model import AslPosition, AslUnit, Start, Stop
from marchtable_models.asl.occasions import IMPULSE, LINEUP, SET_UP, at_check
from marchtable_models.asl.rules.impulse_moves import Impulse, Piece, ranks_of
from marchtable_models.asl.rules.infantry_mf import all_on_foot
from marchtable_models.asl.rules.leaving_convoys import Leaving, is_convoy
from marchtable_models.asl.views.cargo import hauled
from marchtable_models.asl.views.lines import kind_of, members
from marchtable_models.asl.views.mph_ends import interrupted, others_moving
from marchtable_models.asl.views.spending_facts import Payment


class Lineup(Facts, frozen=True, gc=False):
    """A line about to make an Impulse."""

    kind: str  # ``convoy``, ``column``, ``platoon``, ``wave``; ``""`` if the unit is in none
    leads: bool  # the unit named is its first
    active: bool  # at least one unit acts


@cases(Impulse)
def impulse_facts(position: AslPosition, impulse: Impulse, edition: Edition) -> list[Case]:
    """Return the facts of an Impulse: each member's step, from the front, and the line."""
    unit = position.unit(impulse.unit)
    ranks = ranks_of(position, unit)
    line, ids = ranks.units, ranks.ids or (impulse.unit,)
    pieces = ranks.pieces(position, impulse, edition)
    active = any([piece.act is not None for piece in pieces])  # noqa: C419 - quicker
    crowded = restarts = False
    if is_convoy(line):
        places = [at for piece in pieces if (at := piece.after.at) is not None]
        crowded = len(set(places)) < len(places)
        restarts = _restarts(pieces, impulse, ids)
    found = lineup(position, unit, line, edition, active=active, crowded=crowded, restarts=restarts)
    for piece in pieces:
        found += piece.cases
    found += edition.subjects.ask(IMPULSE, line, position, line, pieces, edition, impulse)
    return found + interrupted(position, line, edition)


def lineup(
    position: AslPosition,
    unit: AslUnit,
    line: Sequence[AslUnit],
    edition: Edition,
    *,
    active: bool,
    crowded: bool = False,
    restarts: bool = False,
) -> list[Case]:
    """
    Return the facts of a line about to make an Impulse, named by one of its units.

    `active`: one of them acts; `crowded`: vehicles of a Convoy share a Location as it ends;
    `restarts`: one starts after another has stopped.
    """
    leads = bool(line) and line[0].id == unit.id
    first = Case(tuple([u.id for u in line or (unit,)]), Lineup(kind_of(unit), leads, active))
    return [
        first,
        *edition.subjects.ask(LINEUP, line or (unit,), position, unit, line, crowded, restarts),
    ]


def _restarts(pieces: Sequence[Piece], impulse: Impulse, ids: Sequence[str]) -> bool:
    """Return whether a member starts after another has stopped, in acting order."""
    kinds = [type(piece.act) for piece in pieces]
    if Stop not in kinds or Start not in kinds:
        return False
    by_name = dict(zip(ids, kinds, strict=True))
    acting = [by_name[name] for name in dict.fromkeys((*impulse.first, *ids))]
    return Start in acting[acting.index(Stop) :]


@at_check
def check_line(position: AslPosition, unit: AslUnit, field: str, edition: Edition) -> None:
    """Raise BadInputError for an impossible line, naming its first unit and the clause."""
    if unit.line.convoy and unit.line.column:
        raise BadInputError(
            f"{unit.id}: a unit is in a Convoy or in a Column, not in both (E11.1a); leave column or convoy out",
            field=f"{field}.column",
        )
    line = members(position, unit)
    first = min(line, key=lambda one: position.index[one.id], default=None)
    if first is None or first.id != unit.id or all(one.offboard.exited for one in line):
        return
    kind = kind_of(unit)
    judged = edition.subjects.ask(SET_UP, line, position, line)
    for bar in [bar for case in judged for bar in edition.judge(case.facts).bars]:
        raise BadInputError(
            f"{kind} {getattr(unit.line, kind)!r}: {bar.note} ({bar.clause})",
            field=f"{field}.{kind}",
        )


@clause("E11.2a", kind="action", composes="joint")
def moves_as_line(facts: Lineup, sheet: Sheet) -> None:
    """A Convoy, Column or platoon moves as one multi-hex stack, by Impulses."""
    if not facts.kind:
        sheet.bar("the unit belongs to no Convoy, Column or platoon")
    elif not facts.leads:
        sheet.bar("an Impulse is named by the first unit of the line")


@clause("E11.2f", kind="action", composes="joint")
def one_each(facts: Lineup, sheet: Sheet) -> None:
    """In an Impulse each unit makes at most one expenditure, and at least one unit does."""
    if facts.kind and not facts.active:
        sheet.bar("no unit of the line spends anything")


@clause("E11.2g", kind="cost", composes="joint")
def shared_expenditure(facts: Payment, sheet: Sheet) -> None:
    """Every vehicle of the Convoy pays the largest expenditure of an Impulse."""
    if facts.line == "convoy":
        _charge_largest(facts, sheet)


@clause("D14.31a", kind="cost", composes="joint")
def shared_by_all(facts: Payment, sheet: Sheet) -> None:
    """Every unit of a Column, platoon or Human Wave pays the largest expenditure of an Impulse."""
    if facts.line != "convoy":
        _charge_largest(facts, sheet)


def _charge_largest(facts: Payment, sheet: Sheet) -> None:
    if facts.shared and facts.shared > facts.cost:
        sheet.charge(facts.shared - facts.cost, "the Impulse's largest expenditure", "shared")


@clause("E11.255a", kind="cost", composes="joint")
def not_the_convoys(facts: Payment, sheet: Sheet) -> None:
    """Units ahead do not pay for the expenditure of one that leaves a Convoy during an Impulse."""
    if facts.excess:
        sheet.charge(facts.due - facts.cost - sheet.total("shared"), "spent to leave", "shared")


def _bar_too_dear(facts: Payment, sheet: Sheet) -> None:
    have = facts.allotment - facts.spent
    if facts.shared and facts.due > have:
        sheet.bar("a unit of the line cannot pay this Impulse", facts.due, have, halves=True)


@clause("E11.2h", kind="action", composes="joint")
def all_can_pay(facts: Payment, sheet: Sheet) -> None:
    """No Convoy vehicle spends in an Impulse more than every other of the Convoy can pay."""
    if facts.line == "convoy":
        _bar_too_dear(facts, sheet)


@clause("D14.31b", kind="action", composes="joint")
def all_others_can_pay(facts: Payment, sheet: Sheet) -> None:
    """No unit of a Column, platoon or Human Wave spends in an Impulse more than all others can."""
    if facts.line != "convoy":
        _bar_too_dear(facts, sheet)


@effect(Impulse)
def after_impulse(position: AslPosition, impulse: Impulse, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after an Impulse: all members have paid, those with a move moved."""
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
            for unit in others_moving(position, position.unit(impulse.unit).side, ranks.ids)
        ]
    changed = [
        _charged(
            unit, piece, paid.get(unit.id, 0), halted=halted if number < part else halted_behind
        )
        for number, (unit, piece) in enumerate(zip(ranks.units, pieces, strict=True))
    ]
    return position.with_units([*over, *changed, *hauled(position, ranks.units, changed)])


def _charged(unit: AslUnit, piece: Piece, amount: int, *, halted: bool) -> AslUnit:
    """Return a member after an Impulse, with the amount paid."""
    used = (
        unit.points.used + amount if piece.act is None else acts.used_after(piece.act, unit, amount)
    )
    over = unit.move.mph == "done" or piece.after.offboard.exited
    return replace(
        piece.after, mph="done" if over else "moving", spent=unit.points.spent + amount,
        used=used, attacked=False, halted=unit.line.halted or (halted and unit.line.convoy != ""),
    )  # fmt: skip


def expended(due: Any, edition: Edition) -> int:
    """Return the half points a member spends: on its move, and all its other MF if charged."""
    if not isinstance(due, Payment):
        return 0
    rest = [
        charge.amount for charge in edition.judge(due).charges if charge.clause == all_on_foot.id
    ]
    return due.cost + max(0, sum(rest))


def impulse_dues(cases: Sequence[Case], dues: Sequence[Any], edition: Edition) -> list[Any]:
    """
    Return the payments of an Impulse's members: each the largest expenditure.

    Members ahead of one that leaves do not share the expenditure of it and those behind it.
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
        if key not in shares:  # equal members share their payment
            shares[key] = msgspec.structs.replace(due, shared=shared, excess=key[1])
        found.append(shares[key])
    return found
