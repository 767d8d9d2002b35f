"""Convoys that combine (E11.26), and units that join a Column (E11.523)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Action
from marchtable.state.position import UnitId
from marchtable_models.asl.effects import acting as acts
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_lineup
from marchtable_models.asl.rules.gaps import apart
from marchtable_models.asl.views import lines
from marchtable_models.asl.views.mph_ends import endings, others_moving
from marchtable_models.asl.views.spending_facts import PaidIfFree
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.unitkinds import type_of
from marchtable_models.asl.views.vehicle_facts import StartStop


class Join(Action, frozen=True, tag="join"):
    """
    A unit joins a Column, or a Convoy joins the rear of another, named by its lead.

    ``to`` is the line's name in the scene (``convoy`` or ``column``), not a unit.
    """

    unit: UnitId
    to: Annotated[str, msgspec.Meta(extra={"domain": "line"})]


class Joining(Facts, frozen=True, gc=False):
    """A unit, or the lead of a Convoy, about to join a line."""

    kind: str  # ``convoy`` or ``column``; ``""`` if there is no such line
    cost: None  # each one's payment is in :class:`Joined`
    mine: str = ""  # the kind of line it is in now
    leads: bool = False  # it leads that line
    sort: bool = False  # Infantry, Cavalry or a wagon
    fit: bool = True  # unpinned and in Good Order
    begun: bool = False  # the line itself has moved in this MPh, not only a unit that joined it
    beside: bool = False  # it is behind the last unit of the line, or in a hex of the Column


class Joined(PaidIfFree, frozen=True, gc=False):
    """A unit of a line that grows."""

    kind: str  # of the line
    cost: int  # its expenditure for this, in half points
    name: str  # of the line
    rank: int  # its place in the line
    joins: bool = False  # it is the unit that joins a Column
    halted: bool = False  # a vehicle of the combined Convoys has stopped in this MPh


class Restarting(Facts, frozen=True, gc=False):
    """A Convoy about to make an Impulse with a vehicle starting after another has stopped."""


@at_lineup
def lineup_facts(
    _: AslPosition, __: AslUnit, ___: Sequence[AslUnit], crowded: bool, restarts: bool
) -> Restarting | None:
    """Return the facts of a Convoy with a vehicle starting after another has stopped."""
    return Restarting() if restarts else None


@cases(Join)
def joining_facts(position: AslPosition, action: Join, edition: Edition) -> list[Case]:
    """Return the facts of a unit or Convoy joining a line, and each one's payment."""
    unit = position.unit(action.unit)
    found = [about(unit, standing_of(position, unit, "join"))]
    shares = _shares(position, unit, action.to)
    found += shares
    if unit.move.mph != "unmoved":
        return found
    both = [name for case in shares for name in case.units]  # the joined line moves on
    return found + endings(position, others_moving(position, unit.side, both), edition)


def _shares(position: AslPosition, unit: AslUnit, name: str) -> list[Case]:
    line = _named(position, unit, name)
    if not line:
        return [Case((unit.id,), Joining("", None))]
    kind = lines.kind_of(line[0])
    own = lines.members(position, unit)
    rear = line[-1]
    beside = _distance(position, unit, rear) == apart()
    if kind == "column":
        beside = beside or any(u.at == unit.at for u in line if u.at is not None)
    what, crew = type_of(position, unit), unit.crew
    facts = Joining(
        kind,
        None,
        mine=lines.kind_of(unit),
        leads=bool(own) and own[0].id == unit.id,
        sort=what.is_personnel or what.class_ == "wagon",
        fit=not (unit.status.pinned or unit.status.broken) and crew.able,
        begun=all(u.points.spent for u in line),  # an Impulse costs all of them
        beside=beside,
    )
    found = [Case((unit.id,), facts)]
    if kind == "convoy":
        return found + _combined(line, own, name)
    same = [u.line.rank for u in line if u.at == unit.at]
    rank = same[0] if same else rear.line.rank + 1
    shares = [Case((u.id,), Joined(kind, 0, name, u.line.rank)) for u in line]
    return [*found, *shares, Case((unit.id,), Joined(kind, 0, name, rank, joins=True))]


def _named(position: AslPosition, unit: AslUnit, name: str) -> tuple[AslUnit, ...]:
    """Return the Convoy or Column of that name on a unit's side, except its own."""
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
    """Return the payment of each vehicle of two Convoys, and its place in the combined one."""
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


def names_to_join(position: AslPosition, unit: AslUnit) -> list[str]:
    """Return the Convoys or Columns that a unit, or the Convoy it leads, could join."""
    field = "convoy" if unit.line.convoy else "column"
    if unit.line.column or unit.line.platoon or (unit.facing is not None and not unit.line.convoy):
        wagon = type_of(position, unit).class_ == "wagon"
        if unit.line.column or unit.line.platoon or not wagon:
            return []
    names = [getattr(u.line, field) for u in position.units if u.side == unit.side]
    return [name for name in dict.fromkeys(names) if name and name != getattr(unit.line, field)]


@clause("E11.26", kind="cost", composes="joint")
def highest_expenditure(facts: Joining | Joined, sheet: Sheet) -> None:
    """Convoys combine into one, and all their vehicles count as having spent the most that any of them had."""
    if facts.kind != "convoy":
        return
    if facts.cost is not None:
        sheet.charge(facts.cost, "the highest expenditure of Convoys combined", "shared")
        for field, value in (("convoy", facts.name), ("rank", facts.rank), ("behind", "")):
            sheet.force(field, value)
    elif facts.mine != "convoy" or not facts.leads:
        sheet.bar("Convoys combine as the lead of one falls in behind the rear of the other")
    elif not facts.beside:
        sheet.bar("the two Convoys would not stand in one line")


@clause("E11.523a", kind="action", composes="joint")
def fit_to_join(facts: Joining | Joined, sheet: Sheet) -> None:
    """Good Order Infantry, Cavalry or a wagon joins a Column, which forfeits its MPh."""
    if facts.kind != "column":
        return
    if facts.cost is not None:
        sheet.force("mph", "done")
        if facts.joins:
            sheet.force("column", facts.name)
            sheet.force("rank", facts.rank)
        return
    if facts.mine or not facts.sort:
        sheet.bar("only Infantry, Cavalry and wagons that are in no line can join a Column")
    if not facts.fit:
        sheet.bar("only unpinned units in Good Order can join a Column")
    if facts.begun:
        sheet.bar("the Column has moved in this MPh, and it must give up its whole MPh")
    if not facts.beside:
        sheet.bar("it is neither in a hex of the Column nor next to its last unit")


@clause("E11.523b", kind="action")
def declared(facts: Joining, sheet: Sheet) -> None:
    """The ATTACKER declares which unit joins which line."""
    if not facts.kind:
        sheet.bar(
            "its side has no other Convoy or Column of that name (a line's name, not a unit's)"
        )


@clause("E11.523c", kind="state")
def hazardous_as_it_joins(facts: Joined, sheet: Sheet) -> None:
    """A unit joins a Column by Hazardous Movement."""
    if facts.kind == "column" and facts.joins:
        sheet.force("hazardous", "column")


@clause("E11.2d", kind="action")
def no_start_after_stop(facts: StartStop | Joined | Restarting, sheet: Sheet) -> None:
    """Once a Convoy has spent a Stop MP, none of its vehicles can start in that MPh."""
    if isinstance(facts, Joined):
        if facts.halted:
            sheet.force("halted", value=True)
    elif isinstance(facts, Restarting):
        sheet.bar(
            "a vehicle starts after another has spent a Stop MP (first= states who acts first)"
        )
    elif facts.verb == "start" and facts.halted:
        bound = facts.convoy
        if facts.from_convoy:
            bound = sheet.reading("E11.2d") == "leavers-too"
        if bound:
            sheet.bar("the Convoy has spent a Stop MP this MPh")


@effect(Join)
def after_joining(position: AslPosition, action: Join, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after units have joined a line, all of which have paid."""
    return acts.after_line(position, action.unit, bills)
