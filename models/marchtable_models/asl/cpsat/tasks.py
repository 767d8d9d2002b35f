"""What counts for a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.goal import CRITERIA
from marchtable.planning.model import Task

if TYPE_CHECKING:
    from marchtable.planning.goal import Goal

__all__ = ["FIVE", "Five", "in_order", "worth_of"]

Five = tuple[int, int, int, int, int]
"""What something adds to each criterion, in the order of :data:`marchtable.planning.goal.CRITERIA`."""
FIVE: Five = (0, 0, 0, 0, 0)

STEP = 10_000
"""How much more a criterion counts than the next one, as far as numbers go."""


def in_order(goal: Goal) -> Task:
    """Return one sum that stands, roughly, for a goal's order of criteria."""
    weights = dict(goal.weights) or {
        name: STEP ** (len(goal.order) - n - 1) for n, name in enumerate(goal.order[:4])
    }
    return Task({name: w if name == "value" else -w for name, w in weights.items()}, {}, {})


def worth_of(task: Task, score: Five) -> int:
    """Return what a score adds to a task's weighted sum."""
    return sum(task.weights.get(name, 0) * n for name, n in zip(CRITERIA, score, strict=True))
