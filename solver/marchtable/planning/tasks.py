"""A goal's preferences as numbers: weights of a sum to maximise, and the ranking of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from marchtable.rules.plan_model import Score
    from marchtable.state.goal import Criterion, Goal

__all__ = ["Five", "in_halves", "ranking", "signed"]

Five = tuple[int, int, int, int, int]
"""Contributions to each criterion, in the order of :data:`marchtable.state.goal.CRITERIA`."""


def signed(criterion: Criterion, weight: int = 1) -> int:
    """Return a criterion's weight in a sum to maximise."""
    return weight if criterion == "value" else -weight


def in_halves(goal: Goal) -> dict[Criterion, int]:
    """Return a goal's weights, signed and converted from points to half points."""
    return {c: signed(c, w * (1 if c == "points" else 2)) for c, w in goal.weights.items()}


def ranking(goal: Goal, score: Score) -> tuple[int, ...]:
    """Return a score's rank by a goal's preferences; smaller is better."""
    if goal.weights:
        return (-sum(weight * score[c] for c, weight in in_halves(goal).items()),)
    return tuple(-signed(c, score[c]) for c in goal.order)
