"""
Why a goal cannot be met: a minimal set of clauses that together forbid it.

A set of clauses forbids a goal if no plan meets its musts even with every other clause of a
*family* switched off (by default all of the rulebook's). It is minimal if, without any one of them,
some plan replayed by the referee does. The search switches clauses off for good wherever the goal
stays impossible, until no more can be; so the whole model verifies the set as it is found. The
background is never switched off and never named: the map (whether there is a way at all), the
goal's own conditions, and unmodelled clauses, except those that were seen to apply.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from marchtable.budget import OverLimit
from marchtable.planning.breaches import reason_of
from marchtable.planning.trials import Judge
from marchtable.rules.clause import relaxed, without
from marchtable.rules.plan_model import Reason, Task
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from marchtable.rules.plan_model import Control, PlanModel, Rolls, Unsettled
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = [
    "ANY", "Deletion", "Explained", "Family", "Question", "Unmodelled", "Unproved", "clauses_against",
    "remembered", "unproved",
]  # fmt: skip

ANY = Task({}, {}, {})
"""The task of finding any plan that meets the musts."""
T = TypeVar("T")
Known = dict[frozenset[str], "tuple[Action, ...] | None"]
"""Plans by the clauses that are off; None where it is proved that there is none."""
FEW = 6  # clauses that are tried one by one
CALL = 0.001  # deterministic time charged per proposal, so that every search ends


class Unproved(Exception):  # noqa: N818 - no error: a limit
    """It was not settled within the limit whether a goal can be met."""


class Unmodelled(Exception):  # noqa: N818 - no error: more clauses to name
    """
    No plan is known, but unmodelled clauses apply to possible plans.

    Parameters
    ----------
    clauses
        Their ids.
    """

    def __init__(self, clauses: Collection[str]) -> None:
        super().__init__(", ".join(sorted(clauses)))
        self.clauses = clauses


class Question(NamedTuple):
    """
    The question whether a goal can be met.

    Parameters
    ----------
    position, goal, rolls
        The position, the checked goal, and the policy for rolls.
    model
        Makes the goal's model under the clauses that are on when it is called.
    control
        Provides the limit.
    quick
        Try the model's first plans before proving anything.
    """

    position: Position[Any, Any]
    goal: Goal
    rolls: Rolls
    model: Callable[[], PlanModel]
    control: Control
    quick: bool = False

    def plan(self, off: Sequence[str], bearing: Collection[str]) -> tuple[Action, ...] | None:
        """
        Return a plan that is legal with some clauses off, or None if there is provably none.

        Parameters
        ----------
        off
            The clauses that are off, or relaxed.
        bearing
            Unmodelled clauses that are already known to apply.

        Raises
        ------
        Unproved
            If that was not settled within the limit.
        Unmodelled
            If more unmodelled clauses apply.
        """
        with without(*off):
            model, judge = self.model(), Judge(self.position, self.goal, self.rolls)
            for log in model.quick() if self.quick else ():
                if (trial := judge.trial(tuple(log))).stands:
                    return trial.log
            while not self.control.stop.is_requested and self.control.left() > 0:
                self.control.spend(CALL)
                proposal = model.best(ANY, self.control)
                if proposal.status == "IMPOSSIBLE":
                    if more := set(model.space.left_out).difference(bearing):
                        raise Unmodelled(more)
                    return None
                if proposal.log is None:
                    break
                trial = judge.trial(tuple(proposal.log))
                if trial.stands:
                    return trial.log
                model.refuse(trial.log, trial.verdict)
        raise Unproved


class Family(NamedTuple):
    """
    The clauses that can be conflict candidates.

    Parameters
    ----------
    clauses
        Those that can be switched off, in the order of the contents page; None for all modelled
        ones.
    likely
        A likely set; tried first.
    bearing
        Unmodelled clauses that were seen to apply: these can be candidates too.
    fixed
        Clauses that are switched off only one at a time, because the goal depends on them
        otherwise.
    rather
        Clauses to name where either these or others forbid the goal; later ones are preferred.
    least
        Whether to look for the plans that break them by the least.
    guesses
        Guessed plans that break few clauses, the cheapest to find first. The search starts with one
        of them; otherwise it starts with a plan that no clause binds, which takes far longer.
    """

    clauses: tuple[str, ...] | None = None
    likely: tuple[str, ...] = ()
    bearing: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    rather: tuple[str, ...] = ()
    least: bool = True
    guesses: Callable[[], Iterator[tuple[Action, ...]]] | None = None


def clauses_against(question: Question, family: Family | None = None) -> tuple[Reason, ...] | None:
    """
    Return a minimal set of clauses that forbid a goal, in the order of the contents page.

    Returns
    -------
    tuple of Reason or None
        None if a limit was reached; empty if the map forbids the goal. Each reason has the units of
        a plan that breaks only this clause of the set, and the numbers if no plan breaks it by
        less.
    """
    search = Deletion(question, family or Family())
    if (searches := _REMEMBERED.get()) is not None:
        searches.append(search)
    try:
        return search.reasons()
    except (Unproved, OverLimit):
        return None


class Explained:
    """
    A plan model whose reasons are found by switching clauses off.

    Attributes
    ----------
    position, goal, rolls
        The position, the checked goal, and the policy for rolls.
    is_quick
        Whether first plans are tried before anything is proved.
    """

    unsettled: Unsettled = "others"
    is_by_policy = False
    is_quick = False
    position: Position[Any, Any]
    goal: Goal
    rolls: Rolls

    def again(self) -> Any:
        """Return a new model of the same space, for use while other clauses are off."""
        return type(self)(self.position, self.goal, self.rolls)  # type: ignore[call-arg]

    def families(self, control: Control) -> Iterable[Family]:
        """Return families of conflict candidates, preferred ones first; raise OverLimit."""
        raise NotImplementedError

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal, verified set of clauses that forbid the musts; None at a limit."""
        asked = (self.position, self.goal, self.rolls, self.again, control, self.is_quick)
        found: tuple[Reason, ...] | None = ()
        try:
            for family in self.families(control):
                if (found := clauses_against(Question(*asked), family)) != ():
                    break
        except OverLimit:
            return None
        return found


_REMEMBERED: ContextVar[list[Deletion] | None] = ContextVar("remembered", default=None)


@contextmanager
def remembered() -> Iterator[list[Deletion]]:
    """Collect the searches for a minimal set inside the block, to reuse their results."""
    searches: list[Deletion] = []
    token = _REMEMBERED.set(searches)
    try:
        yield searches
    finally:
        _REMEMBERED.reset(token)


def unproved(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Return reasons marked as not verified to be a minimal set."""
    return tuple(msgspec.structs.replace(reason, is_needed=False, numbers=()) for reason in reasons)


class Deletion:
    """
    One search for a minimal set.

    Parameters
    ----------
    question, family
        The question, and the clauses that can be named.
    lifted
        Clauses that are off throughout, and so never named.
    known
        Plans from other searches for the same question, by the clauses that are off.

    Attributes
    ----------
    is_by_policy
        Whether the search found that clauses allow a plan, but the space has none like it.
    """

    def __init__(
        self, question: Question, family: Family, *, lifted: Collection[str] = (),
        known: Known | None = None,
    ) -> None:  # fmt: skip
        self.question, self.family, self.lifted = question, family, tuple(lifted)
        self._clauses = find_rulebook(question.position.rulebook).clauses
        named = family.clauses
        listed = (
            {name for name, c in self._clauses.items() if c.modelled} if named is None else named
        )
        self._every = self._in_order({*listed, *family.bearing}.difference(lifted))
        self.known: Known = {} if known is None else known
        self.is_by_policy = False

    def reasons(self) -> tuple[Reason, ...]:
        """Return the set, each clause with its units and numbers."""
        return self._settled(self._reasons)

    def forbidding(self) -> list[str]:
        """Return the set by name, in the order of the contents page."""
        return self._settled(self._forbidding)

    def possible(self, logs: Iterable[tuple[Action, ...]] = ()) -> tuple[Action, ...] | None:
        """Return a plan that breaks only lifted clauses, or None; try the given logs first."""
        off = frozenset(self.lifted)
        if off not in self.known:
            tried = [*logs, *(log for log in self.known.values() if log is not None)]
            standing = self.standing(tried, self.lifted)
            if standing is not None:
                self.known[off] = standing
        return self._settled(lambda: self._plan(self._every))

    def _settled(self, ask: Callable[[], T]) -> T:
        """Return the answer; unmodelled clauses that turn out to apply become candidates."""
        while True:
            try:
                return ask()
            except Unmodelled as met:
                self._every = self._in_order([*self._every, *met.clauses])

    def _reasons(self) -> tuple[Reason, ...]:
        on = self._minimal()
        every = self._in_order([*on, *self._fixed(on)])
        return tuple(self._reason(on, name) for name in every)

    def _forbidding(self) -> list[str]:
        on = self._minimal()
        return self._in_order([*on, *self._fixed(on)])

    def _fixed(self, on: Sequence[str]) -> list[str]:
        """Return the fixed clauses without which the goal is possible under a set."""
        fixed = (name for name in self.family.fixed if name not in self.lifted)
        return [name for name in fixed if self._plan(on, name) is not None]

    def _minimal(self) -> list[str]:
        on = self._start()
        while True:
            order = sorted(on, key=self._rank)
            fewer = self._pruned(order, order) if len(on) > FEW else self._shrunk(order)
            if len(fewer) == len(on):
                return on
            on = fewer

    def _rank(self, name: str) -> int:
        """Return the preference for naming a clause."""
        rather = self.family.rather
        return rather.index(name) + 1 if name in rather else 0

    def _in_order(self, names: Collection[str]) -> list[str]:
        return [name for name in self._clauses if name in names]

    def _start(self) -> list[str]:
        """
        Return a set that forbids the goal, small if that is found quickly.

        Plans that the set permits break some clause outside it, which is added.
        """
        on = [name for name in self._every if name in self.family.likely]
        if not on:
            self._guess()
        while (log := self._plan(on)) is not None:
            more = self._against(log, on)
            if not more:
                if self._plan(self._every) is not None:
                    self.is_by_policy = True
                    return []
                bearing = [name for name in self._every if not self._clauses[name].modelled]
                return self._pruned(self._every, bearing)
            on = self._in_order([*on, *more])
        return on

    def _guess(self) -> None:
        """Record the first guessed plan that is legal with all clauses off as known."""
        off = self._off(())
        for log in self.family.guesses() if self.family.guesses else ():
            if self.standing([log], off) is not None:
                self.known[frozenset(off)] = log
                return

    def _against(self, log: tuple[Action, ...], on: Sequence[str]) -> set[str]:
        """Return clauses of the family that bar a plan, or else those that charge it."""
        verdict = check(self.question.position, log)
        barred = {v.clause for v in (*verdict.violations, *verdict.unsupported)}
        charged = {c.clause for receipt in verdict.receipts for c in receipt.charges}
        off = {*self._every}.difference(on)
        return barred & off or charged & off

    def _shrunk(self, on: list[str]) -> list[str]:
        """Return the set after switching off, one by one, each clause that is not needed."""
        for name in on:
            fewer = [other for other in on if other != name]
            if self._plan(fewer) is None:
                on = fewer
        return on

    def _pruned(self, on: list[str], chunk: Sequence[str]) -> list[str]:
        """Return the clauses after switching off those of a chunk that are not needed."""
        fewer = [name for name in on if name not in chunk]
        if not chunk or self._plan(fewer) is None:
            return fewer
        if len(chunk) == 1:
            return on
        middle = len(chunk) // 2
        return self._pruned(self._pruned(on, chunk[:middle]), chunk[middle:])

    def _off(self, on: Sequence[str], *more: str) -> tuple[str, ...]:
        return (*self.lifted, *(name for name in self._every if name not in on), *more)

    def _plan(self, on: Sequence[str], *more: str) -> tuple[Action, ...] | None:
        """Return a plan that meets the goal under these clauses alone, or None."""
        off = self._off(on, *more)
        key = frozenset(off)
        if key not in self.known:
            fewer = (log for less, log in self.known.items() if log and less <= key)
            standing = self.standing(fewer, off)
            self.known[key] = standing or self.question.plan(off, self._every)
        return self.known[key]

    def standing(
        self, logs: Iterable[tuple[Action, ...]], off: Sequence[str]
    ) -> tuple[Action, ...] | None:
        """Return the first of some plans that is legal with clauses off."""
        asked = self.question
        with without(*off):
            judge = Judge(asked.position, asked.goal, asked.rolls)
            return next((log for log in logs if judge.stands(log)), None)

    def _reason(self, on: Sequence[str], name: str) -> Reason:
        """Return evidence that a clause forbids the goal: how a plan without it breaks it."""
        others = [other for other in on if other != name]
        more = () if name in on else (name,)
        log = self._plan(others, *more)
        assert log is not None
        reason, breach = self._reason_against(on, log, name)
        if breach is None or not reason.numbers:
            return reason
        least = self._least(others, more, name, log) if self.family.least else None
        return msgspec.structs.replace(reason, numbers=()) if least is None else least

    def _least(
        self, others: Sequence[str], more: tuple[str, ...], name: str, log: tuple[Action, ...]
    ) -> Reason | None:
        """
        Return the evidence from a plan that breaks the clause by the least; None if not known.

        The clause's bars are relaxed up to some breach. The goal must be possible with the whole
        breach allowed, so that it is this clause that matters.
        """
        on = [*others, name] if not more else others
        reason, breach = self._reason_against(on, log, name)
        assert breach is not None
        low, high = 0, breach
        try:
            if high > 1 and self._least_plan(on, name, high) is None:
                return None
            middle = high - 1  # the known breach is usually the least already
            while high - low > 1:
                found = self._least_plan(on, name, middle)
                if found is None:
                    low = middle
                else:
                    reason, less = self._reason_against(on, found, name)
                    if less is None or less > middle:
                        return None
                    high = less
                middle = (low + high) // 2
        except (Unproved, OverLimit):
            return None
        return reason

    def _least_plan(self, on: Sequence[str], name: str, by: int) -> tuple[Action, ...] | None:
        """Return a plan that meets the goal under these clauses, one of them relaxed."""
        return self.question.plan(self._off(on, relaxed(name, by)), self._every)

    def _reason_against(
        self, on: Sequence[str], log: tuple[Action, ...], name: str
    ) -> tuple[Reason, int | None]:
        with without(*self._off(on)):
            verdict = check(self.question.position, log)
        return reason_of(verdict, name, joint=self._clauses[name].composes == "joint")
