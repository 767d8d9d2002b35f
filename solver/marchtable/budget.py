"""
Budgets: what a question may still spend, who can stop it, and who watches its progress.

A planner lends its budget to everything that it calls (:func:`budget_scope`): deterministic time, counted
where work is done (:func:`work`), which ends equal questions at the same point. Any question can
also be limited by the clock (:func:`limited`), which long work checks (:func:`look`). Both raise
:class:`OverLimit` once nothing is left or a stop was requested. Without a lent budget, nothing is
counted.

To follow progress, use :func:`watched`; nothing is printed here.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.arguments import public
from marchtable.cpsat.harness import Stop, ended_when
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

__all__ = [
    "FIRST",
    "Budget",
    "OverLimit",
    "Stage",
    "budget_scope",
    "current_budget",
    "heeding",
    "limited",
    "look",
    "now_and_then",
    "patience",
    "report_progress",
    "stop_here",
    "watch_here",
    "watched",
    "work",
]  # fmt: skip

SLACK, GRACE = 0.2, 1.0  # a share of a limit, and seconds
FIRST = 5.0
"""Seconds of processor time for a first plan, however small a limit is."""
PAUSE = 0.05  # seconds between two progress reports
FIELDS = (
    "what",
    "number",
    "of",
    "criterion",
    "best",
    "bound",
    "time",
)  # fields of a report besides its line


class OverLimit(Exception):  # noqa: N818 - no error: a limit
    """A budget is used up, or a stop was requested."""

    def __init__(self, message: str = "the limit is over, or a stop was requested") -> None:
        super().__init__(message)


class Budget:
    """
    A limit for one question.

    Parameters
    ----------
    limit
        CP-SAT's deterministic time, roughly seconds.
    stop
        A request to stop, from any thread; by default that of the budget lent here.
    seconds
        Seconds by the clock from now on, at most those of the budget lent here. They count while
        the process is working, not while it waits or others run.
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
        """End the budget at most so many seconds by the clock after its beginning."""
        wall, worked = self._begun
        self._ends = min(self._ends, (wall + seconds, worked + seconds))

    def left(self) -> float:
        """Return the remaining deterministic time; 0 once the clock's limit is over."""
        return 0.0 if self.is_late else max(0.0, self.limit - self.used)

    @property
    def is_late(self) -> bool:
        """Whether the clock's limit is over, or a stop was requested."""
        wall, worked = self._ends
        return self.stop.is_requested or (monotonic() >= wall and process_time() >= worked)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left, or a stop was requested."""
        return self.used >= self.limit or self.is_late

    def spend(self, time: float) -> None:
        """Record time as used."""
        self.used += time

    def is_news(self, key: Hashable) -> bool:
        """Return whether a key is new: work with the same key counts once."""
        known = key in self._counted
        self._counted.add(key)
        return not known


_LENT: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def budget_scope(budget: Budget | None) -> Iterator[None]:
    """Count work inside the block in a budget, or in none."""
    token = _LENT.set(budget)
    try:
        with ended_when(None if budget is None else lambda: budget.is_late):
            yield
    finally:
        _LENT.reset(token)


@contextmanager
@public
def limited(seconds: float, stop: Stop | None = None) -> Iterator[None]:
    """
    Raise :class:`OverLimit` inside the block once a limit is over.

    Parameters
    ----------
    seconds
        By the clock, as in :class:`Budget`.
    stop
        A request to stop, from any thread.
    """
    with budget_scope(Budget(stop=stop, seconds=seconds)):
        yield


def patience(limit: float) -> float:
    """Return the seconds by the clock for a limit in deterministic time, as a cut-off."""
    return (1 + SLACK) * limit + GRACE


def current_budget() -> Budget | None:
    """Return the budget of deterministic time lent here."""
    budget = _LENT.get()
    return None if budget is None or budget.limit == math.inf else budget


def stop_here() -> Stop:
    """Return the stop that applies here."""
    budget = _LENT.get()
    return Stop() if budget is None else budget.stop


def work(time: float) -> None:
    """
    Record work in the budget lent here.

    Parameters
    ----------
    time
        Deterministic time, charged even if the result is cached, so that equal questions end at the
        same point.

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
    """Raise OverLimit if the clock's limit is over or a stop was requested; count no work."""
    budget = _LENT.get()
    if budget is not None and budget.is_late:
        raise OverLimit


@contextmanager
def heeding(stop: Stop) -> Iterator[None]:
    """End the block at the limit, or at Ctrl-C, which is a request to stop."""
    try:
        with stop.heeded():
            yield
    except OverLimit:
        pass
    except KeyboardInterrupt:
        stop.request()


# -- progress
# ---------------------------------------------------------------------------------------


class Stage(NamedTuple):
    """
    A stage of long work.

    Parameters
    ----------
    what
        A description.
    number, of
        Its number, and the number of stages.
    """

    what: str
    number: int = 1
    of: int = 1

    @property
    def line(self) -> str:
        """The stage as one line."""
        return self.what if self.of == 1 else f"{self.what} ({self.number} of {self.of})"


_WATCH: ContextVar[Callable[[Any], None] | None] = ContextVar("watch", default=None)


@contextmanager
def watched(watch: Callable[[Any], None] | None) -> Iterator[None]:
    """
    Report the progress of long work inside the block.

    Parameters
    ----------
    watch
        Called with a :class:`Stage` before each stage and, by searches for plans, with each
        :class:`~marchtable.planning.search.Progress`, then perhaps from another thread. Both have a
        ``line`` to show.
    """
    if watch is not None and not callable(watch):
        raise BadInputError(
            f"expected a function of one argument, got {watch!r:.80}", field="watch"
        )
    token = _WATCH.set(watch)
    try:
        yield
    finally:
        _WATCH.reset(token)


def watch_here() -> Callable[[Any], None] | None:
    """Return the watcher here, if any."""
    return _WATCH.get()


def report_progress(what: str, number: int = 1, of: int = 1) -> None:
    """Report the next stage to the watcher, and check the clock."""
    look()
    watch = _WATCH.get()
    if watch is not None:
        watch(Stage(what, number, of))


def now_and_then(report: Callable[[dict[str, Any]], None]) -> Callable[[Any], None]:
    """Return a watcher that reports occasionally: the line and the known fields."""
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
            found["gap"] = abs(bound - best)
        report({"line": seen.line, **found})

    return watch
