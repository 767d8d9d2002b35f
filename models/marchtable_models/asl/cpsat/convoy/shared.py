"""What an Impulse costs the units of a line, and what they may owe: asked of the clauses on payment."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from marchtable.planning.relation import Relation
from marchtable_models.asl.clauses.vehicles.impulses import all_can_pay, shared_expenditure
from marchtable_models.asl.facts.spending import Payment

if TYPE_CHECKING:
    from marchtable.planning.line.field import StateGraph
    from marchtable.rules.edition import Edition

__all__ = ["FREE", "credit", "is_shared"]

FREE = 2**20
"""More half points than anybody spends."""


def _payment(paid: tuple[int, int], *, is_vehicle: bool) -> Payment:
    """Return the facts of who spends so much itself, in half points, and the dearest so much."""
    own, most = paid
    return Payment(is_vehicle=is_vehicle, cost=own, spent=0, used=0, allotment=most, shared=most)


def is_shared(edition: Edition, field: StateGraph, *, is_vehicle: bool = True) -> bool:
    """
    Tell whether each pays what the dearest step of an Impulse costs.

    The layers count one sum for all.
    """
    costs = (field.costs * field.grain).tolist()
    facts_of = partial(_payment, is_vehicle=is_vehicle)
    pairs = [*combinations_with_replacement(costs, 2)]
    charged = Relation((shared_expenditure.id,), facts_of, pairs).charged(edition)
    return all(own + more == most for (own, most), more in charged.items())


def _debt(shared: int, *, is_vehicle: bool) -> Payment:
    """Return the facts of who has nothing left and is to pay so much, in half points."""
    return Payment(is_vehicle=is_vehicle, cost=0, spent=0, used=0, allotment=0, shared=shared)


def credit(edition: Edition, *, is_vehicle: bool = True) -> int:
    """Return how many half points more than it has a unit may pay: :data:`FREE` if E11.2h does not hold."""
    sums = range(FREE + 1)
    debts = Relation((all_can_pay.id,), partial(_debt, is_vehicle=is_vehicle), sums)
    return bisect_right(sums, False, key=lambda n: bool(debts.barred(edition, n))) - 1
