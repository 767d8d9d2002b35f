"""Dominance filters: planners can omit what something else equals or beats in every respect."""

from __future__ import annotations

from operator import le
from typing import TYPE_CHECKING

from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy as np
    import numpy.typing as npt

    from marchtable.rules.plan_model import Task

    Ints = npt.NDArray[np.int64]

__all__ = ["Front", "compared", "covered", "front"]


class Front:
    """A Pareto front, by kind, of vectors added one after another; smaller numbers are better."""

    def __init__(self) -> None:
        self._known: dict[Hashable, list[tuple[int, ...]]] = {}

    def beats(self, kind: Hashable, *numbers: int) -> bool:
        """Return whether a known vector of a kind is at most as large in every number."""
        for one in self._known.get(kind, ()):  # noqa: SIM110 - often asked
            if all(map(le, one, numbers)):
                return True
        return False

    def keep(self, kind: Hashable, *numbers: int) -> None:
        """Add a vector to the front."""
        self._known.setdefault(kind, []).append(numbers)

    def takes(self, kind: Hashable, *numbers: int) -> bool:
        """Add a vector unless a known one beats it; return whether it was added."""
        if is_news := not self.beats(kind, *numbers):
            self.keep(kind, *numbers)
        return is_news


def compared(rows: Ints, task: Task) -> Ints:
    """
    Return the numbers by which a task compares things; larger is better.

    They are its weighted sum and each criterion that it bounds.

    Parameters
    ----------
    rows
        For each thing, what it adds to the five criteria, then numbers that are compared directly.
    """
    import numpy as np

    columns = [[task.weights.get(name, 0) for name in CRITERIA]]
    for number, name in enumerate(CRITERIA):
        for bounds, sign in ((task.least, 1), (task.most, -1)):
            if name in bounds:
                columns.append([sign * (n == number) for n in range(len(CRITERIA))])
    count = len(CRITERIA)
    weighed = rows[..., :count] @ np.array(columns, np.int64).T
    return np.concatenate([weighed, rows[..., count:]], axis=-1)


def covered(rows: Ints, by: Ints) -> npt.NDArray[np.bool_]:
    """Return for each row whether some row of `by` equals or beats it in every number."""
    import numpy as np

    found: npt.NDArray[np.bool_] = np.zeros(len(rows), bool)
    for other in by:
        found |= (other >= rows).all(axis=1)
    return found


def front(rows: Ints, blocked: npt.NDArray[np.bool_] | None = None) -> list[int]:
    """
    Return the rows that no other equals or beats in every number, the first of equals.

    A blocked row stays unless another covers it, but covers nothing itself.
    """
    import numpy as np

    if rows.shape[1] == 1 and len(rows) and (blocked is None or not blocked.any()):
        return [int(rows[:, 0].argmax())]
    waiting = np.lexsort(tuple(-column for column in rows.T[::-1]))  # stable: the best row first
    held: list[int] = []
    if blocked is not None and blocked.any():
        held = waiting[blocked[waiting]].tolist()
        waiting = waiting[~blocked[waiting]]
    chosen: list[int] = []
    while len(waiting):
        best = int(waiting[0])
        chosen.append(best)
        waiting = waiting[~(rows[best] >= rows[waiting]).all(axis=1)]
    if held:
        inside = covered(rows[held], rows[chosen])
        chosen += [row for row, is_covered in zip(held, inside, strict=True) if not is_covered]
    return sorted(chosen)
