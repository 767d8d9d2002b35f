"""What counts for a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.loop import signed

if TYPE_CHECKING:
    from marchtable.rules.plan_model import Score
    from marchtable.state.goal import Criterion, Goal

__all__ = ["FIVE", "Five", "ranking"]

Five = tuple[int, int, int, int, int]
"""What something adds to each criterion, in the order of :data:`marchtable.state.goal.CRITERIA`."""
FIVE: Five = (0, 0, 0, 0, 0)


def ranking(goal: Goal, score: Score) -> tuple[int, ...]:
    """Return how a score ranks by what a goal prefers, the best least."""
    if goal.weights:
        return (-sum(signed(c, w) * score[c] for c, w in _in_halves(goal).items()),)
    return tuple(-signed(c, score[c]) for c in goal.order)


def _in_halves(goal: Goal) -> dict[Criterion, int]:
    """Return a goal's weights, which are for whole points, for scores in half points."""
    return {c: w * (1 if c == "points" else 2) for c, w in goal.weights.items()}
