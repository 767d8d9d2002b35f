"""Losses written out, and the clauses behind each of them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from marchtable_models.valor.facts.stack import Allocation, Loss

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from marchtable_models.valor.allocation.course import Step
    from marchtable_models.valor.allocation.options import Fate
    from marchtable_models.valor.facts.stack import Stack

__all__ = ["allocation_of", "clauses_by_loss", "clauses_of", "losses_of"]


def losses_of(stack: Stack, fates: Mapping[str, Fate]) -> tuple[Loss, ...]:
    """Return the losses in which these fates come to units, and nothing to the others."""
    return tuple(
        Loss(member.id, *fates[member.id])
        for member in stack.members
        if member.id in fates and fates[member.id].result != "unharmed"
    )


def allocation_of(stack: Stack, losses: tuple[Loss, ...], ways: int = 1) -> Allocation:
    """Return the allocation of some losses."""
    points = sum(loss.points for loss in losses)
    return Allocation(losses, points, ways, clauses_of(stack, losses))


def clauses_of(stack: Stack, losses: Sequence[Loss]) -> tuple[str, ...]:
    """Return the clauses behind some losses, each once."""
    return tuple(dict.fromkeys(name for cited in clauses_by_loss(stack, losses) for name in cited))


def clauses_by_loss(
    stack: Stack, losses: Sequence[Loss], steps: Collection[Step] = ()
) -> list[tuple[str, ...]]:
    """Return the clauses behind each of some losses, and behind the steps that led there if told."""
    ignored = {step.unit for step in steps if step.verb == "ignore"}
    first = {step.unit for step in steps if step.verb == "eliminate"}  # not with their vehicle
    results = {loss.unit: loss.result for loss in losses}
    found = []
    for loss in losses:
        member = stack.by_id[loss.unit]
        carrier = member.aboard
        fate = None if carrier is None else results.get(carrier, "unharmed")
        if carrier is not None and loss.unit in first:
            fate = "unharmed"
        known = (member.kind, member.cr, member.cr_half, stack.is_pinned(member))
        cited = _clauses(*known, fate, loss.result, loss.points)
        found.append(tuple(dict.fromkeys((*("V14.63a",) * (loss.unit in ignored), *cited))))
    return found


@lru_cache(maxsize=4096)
def _clauses(
    kind: str,
    rating: int,
    half: int | None,
    was_pinned: bool,
    carrier: str | None,
    result: str,
    points: int,
) -> tuple[str, ...]:
    """Return the clauses behind one loss; ``carrier`` is what befell the carrier, if any."""
    lives = carrier in ("pinned", "survived")  # who dies then was lost before, not with it
    shared = carrier == "eliminated" or (lives and result != "eliminated")
    reduced = rating - (half or 0)
    cost = {"pinned": 1, "reduced": reduced, "reduced, pinned": reduced + 1, "eliminated": rating}
    found = []
    if (
        result == "ignored"
        or (result == "survived" and points > rating)
        or (not shared and result in cost and points > cost[result])
    ):
        found.append("V14.63a")
    if carrier is not None and points and (not shared or result == "reduced, pinned"):
        found.append("V14.65a")
    if result.startswith("reduced"):
        found.append("V14.61h")
    if shared:
        return (*found, "V14.64c", *(["V14.64f"] if carrier == "eliminated" and points else []))
    if result == "reduced, pinned":
        found.append("V14.61b")
    elif was_pinned and result == "eliminated":
        found.append("V14.62b" if kind == "infantry" else "V14.64d")
    elif kind == "infantry":
        found += {"pinned": ["V14.61a"], "eliminated": ["V14.61i"]}.get(result, [])
    elif result != "ignored":
        rolled = {"pinned": ["V14.64a"], "survived": ["V14.64e"]}
        found += rolled.get(result, ["V14.64b", "V14.64e"])
    return tuple(found)
