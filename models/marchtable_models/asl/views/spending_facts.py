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
    """What a unit's allotment depends on; amounts are half points."""

    # is_vehicle, cavalry, smc: what it is
    is_vehicle: bool
    smc: bool
    # wounded, cx, helper_cx: whether it is wounded or CX, and whether the SMC who lends it his IPC
    # is CX
    wounded: bool
    # led, column_led: whether it has moved with a leader, and whether its Column has one in Good
    # Order of its ``own`` nationality, or of some ``other``
    led: bool
    pp: int  # the PP that it carries
    cx: bool
    helper_cx: bool
    double: int  # what Double Time or Gallop gives
    # road, moved: whether it has crossed road hexsides alone, and entered anything in this MPh
    road: bool
    moved: bool
    column_led: str = ""
    # column, routs: whether it is in a Column, and whether it is broken in a RtPh
    column: bool = False
    cavalry: bool = False
    spent: int = 0  # of who was conveyed: what it has spent with a load that it did not feel aboard
    routs: bool = False

    @fact
    def on_foot(self) -> bool:
        """Whether it has MF like Infantry."""
        return not self.is_vehicle and not self.cavalry


class Payment(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A unit about to pay what was found; half points."""

    is_vehicle: bool  # whether it moves as vehicles do
    cost: int  # what the clauses charged
    # spent, used: what it has spent, and that part not spent on Start and Stop
    spent: int
    used: int
    allotment: int  # what it has in all
    # whole, twice, beyond: whether the charge stands for the whole allotment, whether for that
    # twice, and what else is charged
    whole: bool = False
    twice: bool = False
    beyond: int = 0
    # minimum, only_minimum, moved: whether this is a Minimum Move, whether only one goes there, and
    # whether a unit that makes one has entered a Location this MPh already, or been aboard
    # something
    minimum: bool = False
    # extra, rest: what a vehicle adds of its own accord, or whether it adds all that is left
    extra: int = 0
    rest: bool = False
    # cx, cavalry: whether the unit is CX, and whether it is Cavalry
    cx: bool = False
    cavalry: bool = False
    # stacked, pushed: whether others move with it, and whether it is a Gun, whose crew would pay
    # (C10.3)
    stacked: bool = False
    pushed: bool = False
    assault: bool = False  # whether it has declared Assault Movement this MPh
    # shared, excess: the largest expenditure of the Impulse it takes part in, 0 outside one, and
    # how much of that is no concern of its part of the line, being spent to leave
    shared: int = 0
    excess: int = 0
    only_minimum: bool = False
    moved: bool = False
    # whether it goes in Reverse into a hex that costs a whole allotment even without that
    backs_for_all: bool = False
    off_road: bool = False  # whether it loses the road bonus by this step
    # the kind of line it belongs to, ``convoy``, ``column``, ``platoon`` or ``wave``
    line: str = ""

    @property
    def due(self) -> int:
        """The least paid: its own cost or the Impulse's, in half points."""
        return max(self.cost, self.shared - self.excess)

    @property
    def left(self) -> int:
        """What is left if nothing is added, in half points."""
        return self.allotment - self.spent - self.cost
