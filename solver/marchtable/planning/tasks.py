"""What counts for a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.loop import signed
from marchtable.rules.plan_model import Task
from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from marchtable.rules.plan_model import Score
    from marchtable.state.goal import Criterion, Goal

__all__ = ["FIVE", "Five", "in_order", "ranking", "worth_of"]

Five = tuple[int, int, int, int, int]
"""What something adds to each criterion, in the order of :data:`marchtable.state.goal.CRITERIA`."""
FIVE: Five = (0, 0, 0, 0, 0)

STEP = 10_000
"""How much more a criterion counts than the next one, as far as numbers go."""


def in_order(goal: Goal) -> Task:
    """Return one sum that stands, roughly, for a goal's order of criteria."""
    weights = _in_halves(goal) or {
        name: STEP ** (len(goal.order) - n - 1) for n, name in enumerate(goal.order[:4])
    }
    return Task({name: signed(name, weight) for name, weight in weights.items()}, {}, {})


def ranking(goal: Goal, score: Score) -> tuple[int, ...]:
    """Return how a score ranks by what a goal prefers, the best least."""
    if goal.weights:
        return (-sum(signed(c, w) * score[c] for c, w in _in_halves(goal).items()),)
    return tuple(-signed(c, score[c]) for c in goal.order)


def _in_halves(goal: Goal) -> dict[Criterion, int]:
    """Return a goal's weights, which are for whole points, for scores in half points."""
    return {c: w * (1 if c == "points" else 2) for c, w in goal.weights.items()}


def worth_of(task: Task, score: Five) -> int:
    """Return what a score adds to a task's weighted sum."""
    return sum(task.weights.get(name, 0) * n for name, n in zip(CRITERIA, score, strict=True))
