"""What binds the units of a line, asked of the clauses as tables: how near they keep, what an Impulse costs them."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache, partial
from typing import TYPE_CHECKING

from marchtable.planning.line.links import Links
from marchtable.planning.relation import Relation
from marchtable.rules.rulebook import Case
from marchtable_models.asl.clauses.lines.convoys import no_start_after_stop, straight_back
from marchtable_models.asl.clauses.lines.leaving import lone, reason
from marchtable_models.asl.clauses.vehicles.impulses import (
    all_can_pay,
    all_others_can_pay,
    not_the_convoys,
    shared_expenditure,
)
from marchtable_models.asl.clauses.vehicles.movement import pay_mp
from marchtable_models.asl.extraction.lines import is_gap, kind_of, link
from marchtable_models.asl.facts.lines import Leaving, Link
from marchtable_models.asl.facts.spending import Payment
from marchtable_models.asl.joint.impulses import impulse_dues

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.board.board import Board
    from marchtable.planning.line.links import Shares
    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "CAN_PAY",
    "FREE",
    "credit",
    "distances",
    "is_leaving_shared",
    "links_of",
    "overspend_alone",
    "shares_of",
]

FREE = 2**20
"""More half points than anybody spends."""
CAN_PAY = (all_can_pay.id, all_others_can_pay.id)
"""The clauses by which no unit of a line spends more than each of the others can."""
LEAVES = Leaving(**dict.fromkeys(Leaving.__struct_fields__, False))


def links_of(edition: Edition, position: AslPosition, line: Iterable[AslUnit]) -> Links:
    """Return what binds the vehicles of a line."""
    line, kind = tuple(line), kind_of(next(iter(line)))
    apart = distances(edition, position.board, kind)
    waiting = tuple(_waiting(edition, position, unit, apart) for unit in line)
    turns = Relation((), partial(_turn, kind), ("early", "overtakes"))
    early, overtakes = (turns.barred(edition, how) for how in turns.scope)
    far = Relation((), partial(Link, kind), ()).barred(edition, max(apart, default=0) + 1)
    clauses = {"line": far or reason.id, "turn": early, "order": overtakes, "back": straight_back.id,
               "halt": no_start_after_stop.id, "pay": shared_expenditure.id,
               "afford": all_can_pay.id, "alone": lone.id, "own": pay_mp.id}  # fmt: skip
    shares = shares_of(edition, is_vehicle=kind != "column")
    return Links(
        apart, waiting, (True,) * len(line), shares,
        in_turn=bool(early), in_order=bool(overtakes), clauses=clauses,
    )  # fmt: skip


def _turn(kind: str, how: str) -> Link:
    """Return the facts of neighbours of which the rear one comes on, or leaves the map, before it may."""
    return Link(kind, 1, **{how: True})


def distances(edition: Edition, board: Board, kind: str = "convoy") -> frozenset[int]:
    """Return at how many hexes from the one ahead the clauses see no Gap before a unit of such a line."""
    u, v = ([getattr(place, name) for place in board.locations] for name in "uv")
    most = max(u) - min(u) + max(v) - min(v)
    near = Relation((), partial(Link, kind), range(most + 1)).allowed(edition)
    return frozenset(n for n in near if not is_gap(Link(kind, n)))


def _waiting(
    edition: Edition, position: AslPosition, unit: AslUnit, apart: frozenset[int]
) -> tuple[str, ...]:
    """Return the Locations of the one ahead with which a vehicle may wait off the map."""
    board = position.board
    if unit.at is not None:
        return ()
    begin = [board.resolve(name) for name in unit.offboard.entering]
    near = [n for n in board.index if any(board.distance(n, to) <= max(apart) for to in begin)]
    told = Relation((), partial(link, position, rear=unit), near)
    together = told.allowed(edition)
    return tuple(at for at in near if at in together and not is_gap(told.facts_of(at)))


# -- what is paid -----------------------------------------------------------------------------------


def _paid(
    edition: Edition, front: int, rear: int, *, is_vehicle: bool = True, leaves: bool = False
) -> tuple[int, ...]:
    """Return what two pay who spend so much themselves in an Impulse, the rear one perhaps to leave; half points."""
    costs = (front, rear)
    cases = [Case((name,), LEAVES if leaves and n else None) for n, name in enumerate("fr")]
    own = [Payment(is_vehicle=is_vehicle, cost=n, spent=0, used=0, allotment=FREE) for n in costs]
    dues = impulse_dues(cases, own, edition)
    told = Relation((shared_expenditure.id, not_the_convoys.id), dues.__getitem__, (0, 1))
    more = told.charged(edition)
    return tuple(cost + more[n] for n, cost in enumerate(costs))


def shares_of(edition: Edition, *, is_vehicle: bool = True) -> Shares:
    """Return what tells what two pay who spend so much themselves in an Impulse (E11.2g)."""
    return cache(partial(_paid, edition, is_vehicle=is_vehicle))


def is_leaving_shared(edition: Edition) -> bool:
    """Return whether those ahead of a Gap pay for what is spent to make it (E11.255a)."""
    return _paid(edition, 0, 1, leaves=True)[0] > 0


def _debt(shared: int, *, kind: str) -> Payment:
    """Return the facts of a unit with nothing left that has to pay `shared` half points."""
    is_vehicle = kind != "column"
    return Payment(
        is_vehicle=is_vehicle, cost=0, spent=0, used=0, allotment=0, shared=shared, line=kind
    )


def _own_debt(cost: int) -> Payment:
    """Return the facts of a vehicle with nothing left that spends half points by itself."""
    return Payment(is_vehicle=True, cost=cost, spent=0, used=0, allotment=0)


def credit(edition: Edition, kind: str) -> int:
    """Return how many half points a unit of a line can overspend: :data:`FREE` if :data:`CAN_PAY` is off."""
    return _most_unbarred(edition, Relation(CAN_PAY, partial(_debt, kind=kind), range(FREE + 1)))


def overspend_alone(edition: Edition) -> int:
    """Return how many half points a vehicle can overspend that is alone: :data:`FREE` if D2.1b is off."""
    return _most_unbarred(edition, Relation((pay_mp.id,), _own_debt, range(FREE + 1)))


def _most_unbarred(edition: Edition, debts: Relation[int]) -> int:
    """Return the largest of some sums that no clause forbids."""
    return bisect_right(range(FREE + 1), False, key=lambda n: bool(debts.barred(edition, n))) - 1
