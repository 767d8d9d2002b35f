"""Whether an Impulse costs a Convoy what its models take it to: asked of the clauses on payment."""

from __future__ import annotations

from functools import partial
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from marchtable.planning.relation import Relation
from marchtable_models.asl.clauses.vehicles.impulses import shared_expenditure
from marchtable_models.asl.facts.spending import Payment

if TYPE_CHECKING:
    from marchtable.planning.line.field import StateGraph
    from marchtable.rules.edition import Edition

__all__ = ["is_shared"]


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
