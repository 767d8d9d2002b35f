"""The objective as a vector of numbers: bounds of what may still come add up number by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.state.goal import CRITERIA
from marchtable_models.asl.cpsat.reached.ends import end_number

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from marchtable.rules.plan_model import Task
    from marchtable_models.asl.cpsat.transport.instance import Instance

    Ints = npt.NDArray[np.int64]

__all__ = ["NEVER", "ObjectiveBound"]

BIG = 10**7
"""How much more what is demanded counts than what is weighed, in one of the sums."""
NEVER = -(10**15)


class ObjectiveBound:
    """
    The numbers by which a task compares outcomes: of each, the more the better.

    They are the weighted sum, that sum with all that is demanded counted as if it were worth most,
    each criterion, and for each aim with a must how many units meet it. A plan that is better than
    the best so far has enough of each; so has, then, whatever is no worse in each.

    Parameters
    ----------
    instance, task
        The problem, and what is sought.
    """

    def __init__(self, instance: Instance, task: Task) -> None:
        import numpy as np

        self.instance, measure = instance, instance.measure
        required = [r for n, _ in enumerate(instance.goal.aims) if (r := measure.required(n))]
        count = len(CRITERIA)
        self._matrix = np.zeros((count + len(required), 2 + count + len(required)), np.int64)
        self._enough = np.full(2 + count + len(required), NEVER, np.int64)
        self._demanded = 0
        for n, name in enumerate(CRITERIA):
            sign = 1 if name == "value" else -1
            self._matrix[n, :2] = task.weights.get(name, 0)
            self._matrix[n, 2 + n] = sign
            for bounds, way in ((task.least, 1), (task.most, -1)):
                if name in bounds:
                    self._demand(n, way, bounds[name])
                    if way == sign:
                        self._enough[2 + n] = way * bounds[name]
        for n, number in enumerate(required):
            self._matrix[count + n, 2 + count + n] = 1
            self._enough[2 + count + n] = number
            self._demand(count + n, 1, number)

    def _demand(self, column: int, way: int, number: int) -> None:
        self._matrix[column, 1] += way * BIG
        self._demanded += way * BIG * number

    @property
    def width(self) -> int:
        """How many numbers there are."""
        return len(self._enough)

    @property
    def none(self) -> Ints:
        """The numbers of nobody."""
        import numpy as np

        return np.zeros(self.width, np.int64)

    def rows(
        self, unit: str, at: Any, exposure: Any, points: Any, moved: Any, *, carried: bool = False
    ) -> Ints:
        """Return the numbers of a unit that ends so, end by end."""
        merits = self.instance.merits(unit)
        found: Ints = merits.rows(at, exposure, points, moved, carried=carried) @ self._matrix
        return found

    def ending(self, unit: str, end: str, five: tuple[int, int, int], *, carried: bool) -> Ints:
        """Return the numbers of a unit that is at an end, given exposure, points and whether it moved."""
        at = [end_number(self.instance.position.board, end)]
        found: Ints = self.rows(unit, at, *five, carried=carried)[0]
        return found

    def still(self, unit: str) -> Ints:
        """Return the numbers of a unit that has no part in the plan."""
        import numpy as np

        stand, measure = self.instance.idle[unit], self.instance.measure
        aims = [n for n, _ in enumerate(self.instance.goal.aims) if measure.required(n)]
        met = [int(measure.holds(n, unit, stand)) for n in aims]
        found: Ints = np.array([*measure.gain(unit, stand), 0, 0, 0, *met], np.int64) @ self._matrix
        return found

    def is_enough(self, numbers: Ints, best: int | None) -> bool:
        """Return whether what comes to no more than these numbers might be a plan better than the best."""
        return bool(self.are_enough(numbers[None], best)[0])

    def are_enough(self, rows: Ints, best: int | None) -> npt.NDArray[np.bool_]:
        """Return the same of each row."""
        import numpy as np

        enough = self._enough.copy()
        if best is not None:
            enough[0] = best + 1
            enough[1] = best + 1 + self._demanded
        return np.asarray((rows >= enough).all(axis=1))
