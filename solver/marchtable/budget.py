"""What may still be spent on a question, who may stop it, and who wants to know how far it is.

A planner lends its budget to all that it calls (:func:`lent`): deterministic time, counted where
work is done (:func:`work`), which ends equal questions at the same point. Any question may be
limited by the clock as well (:func:`limited`); what takes long looks at it (:func:`look`). Either
is broken off by :class:`OverLimit` once nothing is left or a stop was requested. Where no budget
is lent, nothing is counted.

To learn what is being done, ask with :func:`watched`; nothing is printed here.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.cpsat.harness import Stop, ended_when

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

__all__ = [
    "FIRST", "Budget", "OverLimit", "Stage", "heeding", "lent", "lent_here", "limited", "look", "now_and_then", "patience",
    "report_progress", "stop_here", "watch_here", "watched", "work",
]  # fmt: skip

SLACK, GRACE = 0.2, 1.0  # of a limit, and in seconds
FIRST = 5.0
"""Seconds of processor time for a first plan, however small a limit is."""
PAUSE = 0.05  # seconds between two news
FIELDS = ("what", "number", "of", "best", "bound", "time")  # what news hold beside their line


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
        A request to stop, from any thread; by default that of the budget lent here.
    seconds
        By the clock, from now on; but no longer than the budget lent here has. They count as long
        as the process is at work: not while it waits, or others are.
    """

    def __init__(
        self, limit: float = math.inf, stop: Stop | None = None, *, seconds: float = math.inf
    ) -> None:
        outer = _LENT.get()
        self.stop, self.used = stop or stop_here(), 0.0
        self.limit = limit
        self._begun = (monotonic(), process_time())
        self._ends: tuple[float, float] = (math.inf, math.inf)
        if outer is not None:
            self._ends = outer._ends  # noqa: SLF001 - of its own class
        self.hold(seconds)
        self._counted: set[Hashable] = set()

    def hold(self, seconds: float) -> None:
        """End it so many seconds by the clock after it began, if not before."""
        wall, worked = self._begun
        self._ends = min(self._ends, (wall + seconds, worked + seconds))

    def left(self) -> float:
        """Return what is left of deterministic time; nothing once it is late by the clock."""
        return 0.0 if self.is_late else max(0.0, self.limit - self.used)

    @property
    def is_late(self) -> bool:
        """Whether the time by the clock is over, or a stop was requested."""
        wall, worked = self._ends
        return self.stop.is_requested or (monotonic() >= wall and process_time() >= worked)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left, or a stop was requested."""
        return self.used >= self.limit or self.is_late

    def spend(self, time: float) -> None:
        """Count time as used."""
        self.used += time

    def is_news(self, key: Hashable) -> bool:
        """Return whether this is asked for the first time: what has this key counts once."""
        known = key in self._counted
        self._counted.add(key)
        return not known


_LENT: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def lent(budget: Budget | None) -> Iterator[None]:
    """Have work done here counted in a budget, or in none."""
    token = _LENT.set(budget)
    try:
        with ended_when(None if budget is None else lambda: budget.is_late):
            yield
    finally:
        _LENT.reset(token)


@contextmanager
def limited(seconds: float, stop: Stop | None = None) -> Iterator[None]:
    """
    Have what is asked here end in time: else it raises :class:`OverLimit`.

    Parameters
    ----------
    seconds
        By the clock, as for :class:`Budget`.
    stop
        A request to stop, from any thread.
    """
    with lent(Budget(stop=stop, seconds=seconds)):
        yield


def patience(limit: float) -> float:
    """Return how many seconds what counts deterministic time may take: what it does not count ends."""
    return (1 + SLACK) * limit + GRACE


def lent_here() -> Budget | None:
    """Return the budget of deterministic time that is lent here."""
    budget = _LENT.get()
    return None if budget is None or budget.limit == math.inf else budget


def stop_here() -> Stop:
    """Return who may stop what is done here."""
    budget = _LENT.get()
    return Stop() if budget is None else budget.stop


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
    """Raise OverLimit if time is over by the clock or a stop was requested, where work is not counted."""
    budget = _LENT.get()
    if budget is not None and budget.is_late:
        raise OverLimit


@contextmanager
def heeding(stop: Stop) -> Iterator[None]:
    """Leave off where the limit is reached, or at Ctrl-C, which is a request to stop."""
    try:
        with stop.heeded():
            yield
    except OverLimit:
        pass
    except KeyboardInterrupt:
        stop.request()


# -- what is being done ----------------------------------------------------------------------------


class Stage(NamedTuple):
    """
    What is being done.

    Parameters
    ----------
    what
        In words.
    number, of
        The how-manieth it is of how many.
    """

    what: str
    number: int = 1
    of: int = 1

    @property
    def line(self) -> str:
        """The whole as one line."""
        return self.what if self.of == 1 else f"{self.what} ({self.number} of {self.of})"


_WATCH: ContextVar[Callable[[Any], None] | None] = ContextVar("watch", default=None)


@contextmanager
def watched(watch: Callable[[Any], None] | None) -> Iterator[None]:
    """
    Have what takes long report how far it is.

    Parameters
    ----------
    watch
        Called with a :class:`Stage` before each, and by searches for plans with each
        :class:`~marchtable.planning.search.Progress`, then perhaps from another thread. Either
        has a ``line`` to be shown.
    """
    token = _WATCH.set(watch)
    try:
        yield
    finally:
        _WATCH.reset(token)


def watch_here() -> Callable[[Any], None] | None:
    """Return who wants to know how far it is."""
    return _WATCH.get()


def report_progress(what: str, number: int = 1, of: int = 1) -> None:
    """Report what is done next to the watcher, and look at the clock."""
    look()
    watch = _WATCH.get()
    if watch is not None:
        watch(Stage(what, number, of))


def now_and_then(report: Callable[[dict[str, Any]], None]) -> Callable[[Any], None]:
    """Return what to watch with, so that news are reported now and then: the line and what is known."""
    last = -math.inf

    def watch(seen: Any) -> None:
        nonlocal last
        if monotonic() - last < PAUSE:
            return
        last = monotonic()
        known = {name: getattr(seen, name, None) for name in FIELDS}
        found = {name: one for name, one in known.items() if isinstance(one, str | int | float)}
        best, bound = known["best"], known["bound"]
        if best is not None and bound is not None:
            found["gap"] = bound - best
        report({"line": seen.line, **found})

    return watch
