"""What may still be spent on a question: deterministic time, counted where work is done.

A planner lends its budget to all that it calls (:func:`lent`); who does much there counts it
(:func:`work`), and is broken off by :class:`OverLimit` once nothing is left or a stop was
requested. Where no budget is lent, nothing is counted.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from marchtable.cpsat import Stop

__all__ = ["Budget", "OverLimit", "lent", "lent_here", "look", "work"]


class OverLimit(Exception):  # noqa: N818 - no error: a limit
    """Nothing is left of a budget, or a stop was requested."""


class Budget:
    """
    What may be spent on one question.

    Parameters
    ----------
    limit
        In CP-SAT's deterministic time, about seconds.
    stop
        A request to stop, from any thread.
    """

    def __init__(self, limit: float, stop: Stop) -> None:
        self.stop, self.used = stop, 0.0
        self._limit = limit
        self._counted: set[Hashable] = set()

    def left(self) -> float:
        """Return what is left."""
        return max(0.0, self._limit - self.used)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left, or a stop was requested."""
        return self.stop.is_requested or self.left() <= 0

    def spend(self, time: float) -> None:
        """Count time as used."""
        self.used += time

    def is_news(self, key: Hashable) -> bool:
        """Tell whether this is asked for the first time: what has this key counts once."""
        known = key in self._counted
        self._counted.add(key)
        return not known


_LENT: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def lent(budget: Budget | None) -> Iterator[None]:
    """Have work done here counted in a budget, or in none."""
    token = _LENT.set(budget)
    try:
        yield
    finally:
        _LENT.reset(token)


def lent_here() -> Budget | None:
    """Return the budget that is lent here."""
    return _LENT.get()


def work(time: float) -> None:
    """
    Count work in the budget that is lent here.

    Parameters
    ----------
    time
        What it counts for, in deterministic time, whether or not its result was known already:
        so equal questions end at the same point.

    Raises
    ------
    OverLimit
        If nothing is left, or a stop was requested.
    """
    budget = _LENT.get()
    if budget is not None:
        budget.spend(time)
        if budget.is_over:
            raise OverLimit


def look() -> None:
    """Raise OverLimit if a stop was requested, where work is not counted as it is done."""
    budget = _LENT.get()
    if budget is not None and budget.stop.is_requested:
        raise OverLimit
