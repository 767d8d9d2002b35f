"""A first plan that does what it must, where following the lead finds none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from marchtable.budget import lent_here
from marchtable.cpsat.harness import Stop
from marchtable.planning.line.descent import BoundTightening
from marchtable.planning.line.lead import followed, ways_past
from marchtable.planning.line.task import Limits
from marchtable.rules.plan_model import Task

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.planning.line.model import LineModel
    from marchtable.planning.line.states import Course

__all__ = ["first_plan"]

MOST = 0.5
"""Deterministic time for all of it."""
PAST, EACH = 8, 4
"""Past how many places the lead is followed for each demand, and by how many ways each."""
LED = 2e-3
"""Deterministic time for following it once."""


class _Lent:
    """A little of the budget that is lent here, if one is; nothing is told."""

    def __init__(self) -> None:
        self._budget, self._own = lent_here(), MOST
        self.stop, self.seed = Stop() if self._budget is None else self._budget.stop, 0

    def left(self) -> float:
        """Return what is left of it."""
        return self._own if self._budget is None else min(self._own, self._budget.left())

    def spend(self, time: float) -> None:
        """Count deterministic time as used."""
        self._own -= time
        if self._budget is not None:
            self._budget.spend(time)

    def found(self, log: object) -> None:
        """Take no note."""

    def bounded(self, bound: int) -> None:
        """Take no note."""


def first_plan(model: LineModel) -> Course | None:
    """Return a plan that does what it must, None if there is none; raises TimeoutError if neither is soon seen."""
    control = _Lent()
    for course in _led(model, control):
        if model.worth.meets(course) and model.is_legal(course):
            return course
    return BoundTightening(model, Limits(model.worth, Task({}, {}, {})), control).some()


def _led(model: LineModel, control: _Lent) -> Iterator[Course]:
    """Yield what comes of the lead's going past where another member must be, as far as that is behind."""
    field = model.field
    for demand in model.worth.demands:
        told = [(i, p) for i, p in np.argwhere(demand.counts > 0).tolist()
                if 0 < p < field.places.count and p in model.worth.reach[i]]  # fmt: skip
        for i, p in told[:PAST] if demand.needed > 0 else ():
            for way in ways_past(field, p, i, EACH):
                if control.left() <= 0:
                    return
                control.spend(LED)
                yield from followed(field, way)
