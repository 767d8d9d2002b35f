"""How much a plan is to be worth that is looked for: rather much at first, then less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.cpsat import Status
from marchtable_models.asl.cpsat.transport.cuts import Cut
from marchtable_models.asl.cpsat.transport.floor import SCALE, Floor
from marchtable_models.asl.cpsat.transport.offers import Columns
from marchtable_models.asl.cpsat.transport.sift import Sieve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.cpsat import Outcome
    from marchtable.planning.model import Task
    from marchtable_models.asl.cpsat.transport.cuts import Passage
    from marchtable_models.asl.cpsat.transport.gather import Gathered

__all__ = ["Floors"]

PARTS = 64
"""Into how many parts what lies between bound and plan is divided, the first looked into first."""


class Floors:
    """
    Floors for one task.

    A floor is a guess: where nothing is found that reaches it, that is proof of a bound, and the
    next one is lower.

    Parameters
    ----------
    gathered, task
        The problem, and what counts.

    Attributes
    ----------
    columns
        What the task chose among where no cut was known.
    """

    def __init__(self, gathered: Gathered, task: Task) -> None:
        self.gathered, self.task = gathered, task
        self._bound: int | None = None
        self.columns = Columns({}, {})
        self._floor: Floor | None = None
        self._is_on, self._step, self._finest, self._widest = True, 0, 0, 0

    def begin(self, columns: Columns, cuts: Sequence[Cut | Passage]) -> None:
        """Take note of what the task first chose among."""
        if self._floor is None:
            if cuts:
                columns = Sieve(self.gathered).columns(self.task)
            self.columns = columns
            self._floor = Floor(self.gathered, self.task, columns)
            self._is_on = self._floor.is_of_use

    def next(self, played: int | None, cuts: Sequence[Cut | Passage]) -> Floor | None:
        """Return the floor to try, told what some plan that was played is worth."""
        floor = self._floor
        if floor is None or played is None or not self._is_on:
            return None
        more = (floor.charged(c.extra) for c in cuts if isinstance(c, Cut) and c.extra)
        floor.raised = max((0, *more))
        self._lower((floor.top + floor.raised) // SCALE)
        assert self._bound is not None
        gap = self._bound - played
        if not self._step:
            self._step, self._widest = max(0, gap) // PARTS + 1, gap
            self._finest = self._step // 4 + 1
        floor.least = self._bound - (min(gap, self._step) if gap >= 0 else self._step)
        return floor

    def is_missed(self, outcome: Outcome, floor: Floor | None) -> bool:
        """Tell whether no plan reaches the floor that was tried; the next one will be lower."""
        if outcome.status not in (Status.OPTIMAL, Status.IMPOSSIBLE):
            return False
        found = outcome.objective
        if floor is None:
            self._lower(found)
            return False
        if found is not None and found >= floor.least:
            assert self._bound is not None
            self._step = max(self._finest, 2 * (self._bound - found))
            self._lower(found)
            return False
        self._lower(floor.least - 1)
        self._step *= 2
        self._is_on = self._step <= self._widest
        return True

    def _lower(self, bound: int | None) -> None:
        if bound is not None:
            self._bound = bound if self._bound is None else min(bound, self._bound)

    def bound(self, bound: int, floor: Floor | None) -> int:
        """Return what a bound on plans that reach a floor says of all plans."""
        return bound if floor is None else max(bound, floor.least - 1)
