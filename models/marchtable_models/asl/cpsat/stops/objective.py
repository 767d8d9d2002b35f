"""The objective as a vector: bounds of future results add up number by number."""

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
"""The extra weight of demands over weighed criteria, in one of the sums."""
NEVER = -(10**15)


class ObjectiveBound:
    """
    The numbers by which a task compares results: more is always better.

    They are the weighted sum; that sum with every demand counted at its highest worth; each
    criterion; and, for each aim with a must, the number of units that meet it. A better plan than
    the best so far has enough of each; so has anything that is no worse in each.

    Parameters
    ----------
    instance, task
        The problem, and the task.
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
        """The length of the vector."""
        return len(self._enough)

    @property
    def none(self) -> Ints:
        """The vector without units."""
        import numpy as np

        return np.zeros(self.width, np.int64)

    def rows(
        self, unit: str, at: Any, exposure: Any, points: Any, moved: Any, *, carried: bool = False
    ) -> Ints:
        """Return a unit's numbers, end by end."""
        merits = self.instance.merits(unit)
        found: Ints = merits.rows(at, exposure, points, moved, carried=carried) @ self._matrix
        return found

    def ending(self, unit: str, end: str, five: tuple[int, int, int], *, carried: bool) -> Ints:
        """Return a unit's numbers at an end, given exposure, points and whether it moved."""
        at = [end_number(self.instance.position.board, end)]
        found: Ints = self.rows(unit, at, *five, carried=carried)[0]
        return found

    def still(self, unit: str) -> Ints:
        """Return the numbers of a unit that takes no part in the plan."""
        import numpy as np

        stand, measure = self.instance.idle[unit], self.instance.measure
        aims = [n for n, _ in enumerate(self.instance.goal.aims) if measure.required(n)]
        met = [int(measure.holds(n, unit, stand)) for n in aims]
        found: Ints = np.array([*measure.gain(unit, stand), 0, 0, 0, *met], np.int64) @ self._matrix
        return found

    def is_enough(self, numbers: Ints, best: int | None) -> bool:
        """Return whether a plan with at most these numbers might beat the best."""
        return bool(self.are_enough(numbers[None], best)[0])

    def are_enough(self, rows: Ints, best: int | None) -> npt.NDArray[np.bool_]:
        """Return the same for each row."""
        import numpy as np

        enough = self._enough.copy()
        if best is not None:
            enough[0] = best + 1
            enough[1] = best + 1 + self._demanded
        return np.asarray((rows >= enough).all(axis=1))
