"""Leaves out what something else does at least as well by every measure that a task knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeVar

    from marchtable.planning.model import Task
    from marchtable_models.asl.cpsat.offers import Five

    Column = TypeVar("Column")

__all__ = ["Dims", "best_of", "dims_of", "worth_of"]

Dims = tuple[int, ...]


def worth_of(task: Task, score: Five) -> int:
    """Return what a score adds to a task's weighted sum."""
    return sum(task.weights.get(name, 0) * n for name, n in zip(CRITERIA, score, strict=True))


def dims_of(task: Task) -> Callable[[Five], Dims]:
    """Return the function that tells by what a score counts for a task: of each number, the more the better."""
    weights = [task.weights.get(name, 0) for name in CRITERIA]
    bounds = [(n, 1) for n, name in enumerate(CRITERIA) if name in task.least]
    bounds += [(n, -1) for n, name in enumerate(CRITERIA) if name in task.most]

    def dims(score: Five) -> Dims:
        total = sum(weight * part for weight, part in zip(weights, score, strict=True) if weight)
        return (total, *(sign * score[n] for n, sign in bounds))

    return dims


def best_of(columns: Iterable[Column], dims: Callable[[Column], Dims]) -> list[Column]:
    """Return those columns that no other equals or beats in every number, the first of equals."""
    ranked = sorted(((dims(one), -n, one) for n, one in enumerate(columns)), key=_rank, reverse=True)
    kept: list[tuple[Dims, Column]] = []
    for value, _, one in ranked:
        if not any(_covers(other, value) for other, _ in kept):
            kept.append((value, one))
    return [one for _, one in kept]


def _rank(entry: tuple[Dims, int, object]) -> tuple[Dims, int]:
    return entry[0], entry[1]


def _covers(a: Sequence[int], b: Sequence[int]) -> bool:
    return all(x >= y for x, y in zip(a, b, strict=True))
