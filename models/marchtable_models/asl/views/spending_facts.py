"""What units can spend, and the facts they pay MF or MP for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.rules.facts import Facts
from marchtable.rules.view import View, fact
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.vehicle_facts import StartStop, Swing, Wait

if TYPE_CHECKING:
    from marchtable.rules.clause import Finding

PAYS = "declared"
"""The cause of payment of a Column that might disband."""
PAID_IF_FREE: frozenset[type[Any]] = frozenset((
    Entry, Swing, StartStop, Wait,
))  # fmt: skip
"""Similar records not yet in a subject's file."""


class PaidIfFree(Facts, frozen=True):
    """A record with a payment even if nothing is charged, so that clauses on paying read it."""

    @property
    def is_advance(self) -> bool:
        """Whether it is an Advance, which costs no MF."""
        return False


class Counted(Facts, frozen=True):
    """A record in which clauses count amounts that are not paid."""


def is_paid(facts: Any, finding: Finding) -> bool:
    """Return whether a unit pays the clauses' charges, rather than only counting them."""
    kind = facts.kind if isinstance(facts, View) else type(facts)
    if kind in PAID_IF_FREE or issubclass(kind, PaidIfFree):
        return getattr(facts, "cause", PAYS) == PAYS
    return bool(finding.charges) and not issubclass(kind, Counted)


class Allowance(View):
    """
    The facts that a unit's allotment depends on; amounts are half points.

    Parameters
    ----------
    is_vehicle, cavalry, smc
        Its type.
    wounded, cx, helper_cx
        Whether it is wounded or CX, and whether the SMC lending it IPC is CX.
    led, column_led
        Whether it has moved with a leader, and whether its Column has a Good Order one of its
        ``own`` nationality, or of an ``other``.
    pp
        The PP it carries.
    double
        The gain of Double Time or Gallop.
    road, moved
        Whether it has crossed only road hexsides, and entered anything in this MPh.
    column, routs
        Whether it is in a Column, and whether it is broken in a RtPh.
    spent
        For a conveyed unit: what it has spent with a load that did not count aboard.
    """

    is_vehicle: bool
    smc: bool
    wounded: bool
    led: bool
    pp: int
    cx: bool
    helper_cx: bool
    double: int
    road: bool
    moved: bool
    column_led: str = ""
    column: bool = False
    cavalry: bool = False
    spent: int = 0
    routs: bool = False

    @fact
    def on_foot(self) -> bool:
        """Whether it has MF like Infantry."""
        return not self.is_vehicle and not self.cavalry


class Payment(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """
    A unit about to pay a finding's cost; half points.

    Parameters
    ----------
    is_vehicle
        Whether it moves as vehicles do.
    cost
        The charges of the clauses.
    spent, used
        What it has spent, and the part not spent on Start and Stop.
    allotment
        Its whole allotment.
    whole, twice, beyond
        Whether the charge is the whole allotment, whether twice that, and what else is charged.
    minimum, only_minimum, moved
        Whether this is a Minimum Move, whether a single unit makes it, and whether a unit making
        one has already entered a Location in this MPh or been aboard something.
    backs_for_all
        Whether it goes in Reverse into a hex that costs a whole allotment even forward.
    extra, rest
        What a vehicle adds voluntarily, or whether it adds all that is left.
    cx, cavalry
        Whether the unit is CX, and whether it is Cavalry.
    shared, excess
        The largest expenditure of its Impulse, 0 outside one, and the part of it, spent to leave,
        that does not concern its part of the line.
    stacked, pushed
        Whether others move with it, and whether it is a Gun, for which its crew would pay (C10.3).
    assault
        Whether it has declared Assault Movement in this MPh.
    line
        Its kind of line, ``convoy``, ``column``, ``platoon`` or ``wave``.
    """

    is_vehicle: bool
    cost: int
    spent: int
    used: int
    allotment: int
    whole: bool = False
    twice: bool = False
    beyond: int = 0
    minimum: bool = False
    extra: int = 0
    rest: bool = False
    cx: bool = False
    cavalry: bool = False
    stacked: bool = False
    pushed: bool = False
    assault: bool = False
    shared: int = 0
    excess: int = 0
    only_minimum: bool = False
    moved: bool = False
    backs_for_all: bool = False
    line: str = ""

    @property
    def due(self) -> int:
        """The least paid: its own cost or the Impulse's, in half points."""
        return max(self.cost, self.shared - self.excess)

    @property
    def left(self) -> int:
        """What is left if nothing is added, in half points."""
        return self.allotment - self.spent - self.cost
