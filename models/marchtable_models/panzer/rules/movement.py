"""Moving from hex to hex: which units can, and how they pay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

from marchtable.rules.facts import Bill, Case, Edition, Facts, Finding, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, resets
from marchtable.state.action import Adjacent
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
from marchtable_models.panzer.views.travel import SettingOut, Travel, travellers
from marchtable_models.panzer.views.units import is_moving, is_on_foot, passengers, type_of

# -- action ---------------------------------------------------------------------------------------


class Move(Travel, frozen=True, tag="move"):
    """
    A unit enters an adjacent hex, or the map, with any passenger.

    ``concealed`` is optional concealed movement: into concealing terrain, for its whole movement
    factor.
    """

    comes_on: ClassVar[bool] = True
    unit: UnitId
    to: Adjacent
    concealed: bool = False


# -- facts ---------------------------------------------------------------------------------------


class Mobile(SettingOut, frozen=True):
    """
    Whether a unit can move at all.

    ``waits``: it is off the map and can enter. ``late``: it is a vehicle, and friendly units have
    moved on foot.
    """

    own_phase: bool
    on_map: bool
    waits: bool
    has_mf: bool
    fired: bool
    late: bool


class Payment(Facts, frozen=True):
    """Facts of paying for a step, with ``through`` and ``concealed`` as its kinds. Amounts: half points."""

    mf: int
    cost: int
    spent: int
    allotment: int
    entered: bool
    task: Literal["", "load", "unload"]
    through: bool = False
    concealed: bool = False


class Allowance(Facts, frozen=True):
    """A unit's allowance: its movement factor in half points, and its task as a transport."""

    mf: int
    task: Literal["", "load", "unload"]


def mobile(position: PanzerPosition, unit: PanzerUnit) -> Mobile:
    """Return the facts of whether a unit can move at all."""
    return Mobile(
        own_phase=is_moving(position, unit),
        on_map=unit.at is not None,
        waits=unit.at is None and bool(unit.entering),
        has_mf=type_of(position, unit).mf > 0,
        fired=unit.fired != "",
        late=is_late(position, unit),
    )


def is_late(position: PanzerPosition, unit: PanzerUnit) -> bool:
    """Return whether a vehicle moves after friendly units have moved on foot in this phase."""
    return type_of(position, unit).is_vehicle and any(
        other.side == unit.side
        and other.entered
        and other.aboard is None
        and is_on_foot(position, other)
        for other in position.units
    )


def allotment(position: PanzerPosition, unit: PanzerUnit, edition: Edition) -> int:
    """Return a unit's allowance, in half points."""
    return edition.judge(Allowance(type_of(position, unit).mf * 2, unit.task)).total


def payment(
    position: PanzerPosition, unit: PanzerUnit, found: Finding, facts: Any, edition: Edition
) -> Payment:
    """Return the facts of paying for a step, or for leaving the map."""
    return Payment(
        mf=type_of(position, unit).mf * 2,
        cost=found.total,
        spent=unit.spent,
        allotment=allotment(position, unit, edition),
        entered=unit.entered,
        task=unit.task,
        through=getattr(facts, "through", False),
        concealed=getattr(facts, "concealed", False),
    )


@cases(Travel)
def travel_facts(position: PanzerPosition, action: Travel) -> Iterator[Case]:
    """Yield the facts of whether each unit can move at all."""
    for unit in travellers(position, action):
        yield about(unit, mobile(position, unit))


# -- clauses -------------------------------------------------------------------------------------


@clause("PB.move", kind="action")
def who_moves(facts: Mobile, sheet: Sheet) -> None:
    """Units with a movement factor can move in their side's movement phase."""
    if not facts.own_phase:
        sheet.bar("it is not its side's movement phase")
    if not facts.on_map and not facts.waits:
        sheet.bar("it is not on the map")
    if not facts.has_mf:
        sheet.bar("it has no movement factor")
    if facts.fired and sheet.reading("PB.move-fired") == "barred":
        sheet.bar("it has fired this turn")


@clause("PB.order", kind="action")
def vehicles_first(facts: Mobile, sheet: Sheet) -> None:
    """Vehicles move before units on foot."""
    if facts.late and sheet.reading("PB.order-foot") == "vehicles-first":
        sheet.bar("units on foot have moved in this phase")


@clause("PB.mf", kind="cost", composes="flag")
def movement_factor(facts: Allowance, sheet: Sheet) -> None:
    """A unit can spend its movement factor in a phase."""
    sheet.charge(facts.mf, "movement factor")


@clause("PB.one-hex", kind="cost", composes="end")
def one_hex(facts: Payment, sheet: Sheet) -> None:
    """A unit can always enter one hex that is open to it."""
    if facts.entered or facts.through or facts.cost <= facts.allotment:
        return
    if facts.task == "unload" and sheet.reading("B4") == "no":
        return
    sheet.charge(facts.allotment - facts.cost, "all that it has")
    sheet.force("final", True)


@clause("PB.pay", kind="cost", composes="flag", after=("PB.one-hex", "P.opt-c", "P.turn-b"))
def pay(facts: Payment, sheet: Sheet) -> None:
    """A unit spends no more than its movement factor."""
    cost, left = facts.cost + sheet.total(), facts.mf - facts.spent
    if cost > left:
        sheet.bar("too little of its movement factor is left", cost, left, halves=True)


# -- effects -------------------------------------------------------------------------------------


@effect(Move)
def after_move(
    position: PanzerPosition, action: Move, bills: Sequence[Bill]
) -> PanzerPosition | None:
    """Return the position with the unit in the hex; None if it is off the map and does not wait."""
    unit = position.unit(action.unit)
    if unit.at is None and not unit.entering:
        return None
    return moved(position, unit, position.board.resolve(action.to), bills)


def moved(
    position: PanzerPosition, unit: PanzerUnit, to: str, bills: Sequence[Bill]
) -> PanzerPosition:
    """Return the position with a unit and its passengers on top of the next hex's stack."""
    cargo = passengers(position, unit)
    going = {unit.id, *(u.id for u in cargo)}
    there = [u.height for u in position.occupants.get(to, ()) if u.id not in going]
    top = max(there, default=-1) + 1
    paying = [bill for bill in bills if bill.payment is not None and unit.id in bill.case.units]
    paid = sum(bill.amount for bill in paying)
    rated = any(charge.part == "road" for bill in paying for charge in bill.finding.charges)
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


forgotten = resets("own_turn", moved=False, carried=False)
anew = resets(
    "own_movement", spent=0, entered=False, final=False, onward=False, came=False, exposed=False, by_road=False
)  # fmt: skip
