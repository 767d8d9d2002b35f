"""One optimisation: a model proposes, the referee judges, until a plan is legal or none remains."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from marchtable.budget import Budget, budget_scope, heeding, watch_here
from marchtable.cpsat.confirm import Disagreement, confirm, weakest
from marchtable.cpsat.harness import Claims, claimed
from marchtable.errors import InternalError
from marchtable.files.notation import format_action
from marchtable.planning.lift import smallest_lift
from marchtable.planning.reasons import remembered
from marchtable.planning.score import SUM, amounts
from marchtable.planning.tasks import ranking
from marchtable.planning.trials import fits, unmodelled, worth_under

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from marchtable.cpsat.confirm import Proof
    from marchtable.cpsat.harness import Claim
    from marchtable.planning.lift import Lift
    from marchtable.planning.reasons import Deletion
    from marchtable.planning.trials import Judge, Trial
    from marchtable.rules.plan_model import PlanModel, PlanSpace, Reason, Score, Task
    from marchtable.state.action import Action

__all__ = ["Ending", "Progress", "Search"]

SHARE = 0.5
"""Share of the remaining limit for reasons; the rest is for what would help."""
AT_ONCE = 0.5
"""Deterministic time for first plans, however small a limit is."""
CALL = 0.001
"""Deterministic time charged for each call of a model, so that every search ends."""


class Progress(NamedTuple):
    """
    The progress of a search.

    Parameters
    ----------
    criterion
        The criterion searched, or ``sum``; None if the answer will not list an amount.
    score
        That of the best plan so far, None if there is none.
    best, bound
        Its value of the criterion, or its weighted sum, and a bound of every plan's, as in the
        answer: points, not half points. Both are None without a criterion, and `best` without a
        plan.
    time
        Deterministic time used.
    """

    criterion: str | None
    score: Score | None
    best: float | None
    bound: float | None
    time: float

    @property
    def line(self) -> str:
        """The progress as one line."""
        if self.criterion is None:
            return f"searching for a plan that meets the goal; time {self.time:.1f}"
        totals = amounts(self.score or {}).items()
        best = ", ".join(f"{name} {value:g}" for name, value in totals if value is not None)
        gap = ""
        if self.best is not None and self.bound is not None:
            gap = f"; gap {abs(self.bound - self.best):g}"
        return f"searching, {self.criterion}: {best or 'no plan yet'}{gap}; time {self.time:.1f}"


class Ending(NamedTuple):
    """
    The end of an optimisation.

    Parameters
    ----------
    status, trial, bound
        Its best plan if there is one, and an upper bound of all plans.
    proof
        How ``OPTIMAL`` or ``IMPOSSIBLE`` is proved; None for the others.
    """

    status: Literal["OPTIMAL", "FEASIBLE", "IMPOSSIBLE", "UNKNOWN"]
    trial: Trial | None
    bound: int
    proof: Proof | None = None


class Search:
    """
    The search of one model for one goal; it is also the :class:`Control` given to the model.

    Parameters
    ----------
    judge
        Tries the proposals.
    model
        Makes them.
    budget
        The limit of all searches, with its stop.
    seed
        For CP-SAT.
    confirms
        Whether to confirm what CP-SAT proves.
    """

    def __init__(
        self, judge: Judge, model: PlanModel, *, budget: Budget, seed: int, confirms: bool = False
    ) -> None:  # fmt: skip
        self.judge, self.model, self.seed = judge, model, seed
        self.budget, self.stop, self._watcher = budget, budget.stop, watch_here()
        self._pool: dict[tuple[object, ...], Trial] = {}
        self._taken: set[object] = set()
        self._as_taken: list[Callable[[tuple[Action, ...]], bool]] = []
        self._returned: set[object] = set()
        self._unmodelled: set[str] = set()
        self._deletion: Deletion | None = None
        self._confirms = confirms
        self._first, self._claims = Claims(), Claims()
        self._proofs: dict[int, tuple[Claim, Proof]] = {}
        self._task: Task | None = None
        self._sought: str | None = None
        self._best: Trial | None = None
        self._raises: Callable[[Score], None] = lambda _: None
        self._bound, self._is_exhausted = 0, False

    @property
    def space(self) -> PlanSpace:
        """The plans searched; left out are the model's clauses and those that cost it proposals."""
        with budget_scope(None):  # name what a model left out in any case
            space = self.model.space
        left_out = tuple(sorted({*space.left_out, *self._unmodelled}))
        return msgspec.structs.replace(space, left_out=left_out)

    # -- for the model ------------------------------------------------------------------------

    def left(self) -> float:
        """Return the rest of the limit, in deterministic time."""
        return self.budget.left()

    def spend(self, time: float) -> None:
        """Record deterministic time as used."""
        self.budget.spend(time)

    def found(self, log: tuple[Action, ...]) -> None:
        """Try a plan, and keep it if it is legal and meets the goal."""
        self._keep(self.judge.trial(tuple(log)))

    def bounded(self, bound: int) -> None:
        """Record an upper bound of every plan's weighted sum, except plans already proposed."""
        reached = bound if self._best is None else max(bound, self._worth(self._best))
        if reached < self._bound:
            self._bound = reached
            self._claims.rest()
            self._report()

    # -- the search --------------------------------------------------------------------------

    def first(self) -> None:
        """Try the model's first plans, for a minimum time at least."""
        with self._within(max(self.left(), AT_ONCE)), self._heeding(), claimed(self._first):
            for log in self.model.quick():
                self.found(log)
                if self.is_over:
                    break

    def take(self, trial: Trial) -> bool:
        """Return a plan: later plans must differ from it; False if it is too late."""
        with self._heeding():
            is_alike = self.model.differ(trial.log)
            if is_alike is None:
                self._taken.add(trial.measured.projection)
            else:
                self._as_taken.append(is_alike)
            return True
        return False

    def leaner(self, trial: Trial, *, alike: bool) -> Trial:
        """Return a trial without needless acts, as far as there is time to find one."""
        with self._heeding():
            return self.judge.leaner(trial, alike=alike)
        return trial

    def simplest(self, trial: Trial) -> Trial:
        """Return a trial with the simplest acts, as far as there is time to find one."""
        with self._heeding():
            return self.judge.simplest(trial)
        return trial

    def conflict(self) -> tuple[Reason, ...] | None:
        """Return clauses that forbid the goal, or None if they are not found in time."""
        with self.within(SHARE), self._heeding(), remembered() as searches:
            found = self.model.conflict(self)
            self._deletion = searches[-1] if searches else None
            return found
        return None

    @property
    def is_by_policy(self) -> bool:
        """Whether, as far as known, the clauses allow a plan but the space has none like it."""
        by_policy = self._deletion is not None and self._deletion.is_by_policy
        return by_policy or self.model.is_by_policy

    def lift(self, conflict: Sequence[Reason], known: Iterable[tuple[Action, ...]]) -> Lift | None:
        """Return a smallest set of clauses whose lifting makes the goal possible, or None."""
        with self.within(SHARE), self._heeding():
            if self._deletion is not None and all(reason.is_needed for reason in conflict):
                names = [reason.clause for reason in conflict]
                return smallest_lift(self._deletion, names, known)
        return None

    @contextmanager
    def within(
        self, share: float, is_better: Callable[[Score], bool] | None = None
    ) -> Iterator[Budget]:
        """
        Spend no more than a share of what remains of the limit.

        Parameters
        ----------
        share
            A fraction of 1.
        is_better
            All that remains can be spent once a plan is found for whose score this returns True.
        """
        before, whole = self._raises, self.left()
        with self._within(share * whole) as budget:

            def raises(score: Score) -> None:
                if is_better is not None and is_better(score):
                    budget.limit = max(budget.limit, whole)

            self._raises = raises
            try:
                yield budget
            finally:
                self._raises = before

    @contextmanager
    def _within(self, limit: float) -> Iterator[Budget]:
        """Spend no more than a limit."""
        own, self.budget = self.budget, Budget(limit, self.stop)
        try:
            with budget_scope(self.budget):
                yield self.budget
        finally:
            own.spend(self.budget.used)
            self.budget = own

    @property
    def is_over(self) -> bool:
        """Whether the limit is reached or a stop was requested."""
        return self.budget.is_over

    @contextmanager
    def _heeding(self) -> Iterator[None]:
        """Stop at the limit, or at Ctrl-C, which is a request to stop."""
        with heeding(self.stop):
            yield

    def optimum(self, task: Task, sought: str | None = None) -> Ending:
        """
        Return the best plan for a task, proved if the limit allows.

        Progress is reported in amounts of `sought`, a criterion or the weighted sum, if any.
        """
        self._sought = sought
        self._is_exhausted, self._claims = False, Claims(self._first)
        with self._heeding(), claimed(self._claims):
            self._begin(task)
        limit = -1.0
        while self.budget.limit > limit:  # a better plan found on the way raises it
            limit = self.budget.limit
            with self._heeding(), claimed(self._claims):
                while not (self._is_exhausted or self._is_proved() or self.is_over):
                    if not self._asked(task):
                        break
        if self._is_exhausted and self._best is None:
            return Ending("IMPOSSIBLE", None, self._bound, self._proof(task))
        if self._is_proved():
            return Ending("OPTIMAL", self._best, self._bound, self._proof(task))
        known = filter(self._is_as_good, self._pool.values())
        best = self._best and min(known, key=self._rank, default=self._best)
        return Ending("UNKNOWN" if best is None else "FEASIBLE", best, self._bound)

    def _is_as_good(self, trial: Trial) -> bool:
        """Return whether a known plan can stand for the best one so far."""
        assert self._task is not None
        assert self._best is not None
        is_fit = self._is_new(trial) and fits(self._task, trial)
        return is_fit and self._worth(trial) == self._worth(self._best)

    def _rank(self, trial: Trial) -> tuple[int, ...]:
        """Return a plan's rank by all criteria, which later tasks may not be asked about."""
        measure = self.judge.measure
        return ranking(measure.goal, trial.measured.score)

    # -- proofs -------------------------------------------------------------------------------

    def _proof(self, task: Task) -> Proof:
        """Return how the result is proved, after confirming each claim that it rests on."""
        for claim in self._claims.all:
            if id(claim) not in self._proofs:
                self._proofs[id(claim)] = claim, self._confirmed(task, claim)
        return weakest(self._proofs[id(claim)][1] for claim in self._claims.all)

    def _confirmed(self, task: Task, claim: Claim) -> Proof:
        if not self._confirms or self.is_over:
            return "unconfirmed"
        try:
            proof, time = confirm(claim, limit=self.left(), stop=self.stop)
        except Disagreement as found:
            raise InternalError(
                f"two solves disagree (space {self.model.name}, {task}): one finds what the other "
                f"proves impossible; the model is in {found.file}: please report it"
            ) from found
        self.spend(time)
        return proof

    def _begin(self, task: Task) -> None:
        most: Mapping[str, int] = {"value": self.judge.measure.most_value()}
        gains = (w * most.get(name, 0) for name, w in task.weights.items() if w > 0)
        self._task, self._best, self._bound = task, None, sum(gains)
        self._is_exhausted = False
        for trial in self._pool.values():
            self._keep(trial)
        self._report()

    def _asked(self, task: Task) -> bool:
        """Ask the model once; return whether to ask again."""
        proposal = self.model.best(task, self)
        self.spend(CALL)
        if proposal.status == "IMPOSSIBLE":
            self._exhaust()
            return False
        if proposal.bound is not None:
            self._check_bound(proposal.bound)
            self.bounded(proposal.bound)
        if proposal.log is None:
            return False
        trial = self.judge.trial(tuple(proposal.log))
        claimed = proposal.bound if proposal.status == "OPTIMAL" else None
        if self._is_as_claimed(task, trial, claimed):
            self._keep(trial)
            return claimed is not None
        self._keep(trial)
        if trial.stands:
            self._returned.add(trial.measured.projection)
        self._unmodelled |= unmodelled(trial.verdict)
        self.model.reject(trial.log, trial.verdict)
        return True

    def _is_as_claimed(self, task: Task, trial: Trial, claimed: int | None) -> bool:
        if not trial.stands or not fits(task, trial) or not self._is_new(trial):
            return False
        worth = worth_under(task.weights, trial)
        if claimed is not None and worth > claimed:
            self._fail(trial, "is worth more than its model's bound")
        return claimed is None or worth == claimed

    def _exhaust(self) -> None:
        """Record that the model has no plans left except those already proposed."""
        self._is_exhausted = True
        self._claims.rest()
        if self._best is not None:
            self._bound = self._worth(self._best)
            if self._best.measured.projection not in self._returned:
                self._fail(self._best, "is one of those that its model finds impossible")

    def _check_bound(self, bound: int) -> None:
        best = self._best
        if best is None or best.measured.projection in self._returned:
            return
        if self._worth(best) > bound:
            self._fail(best, "lies beyond its model's bound")

    # -- the best so far ---------------------------------------------------------------------

    def _keep(self, trial: Trial) -> None:
        measured = trial.measured
        if not trial.stands or not self._is_new(trial):
            return
        self._pool.setdefault((measured.projection, *measured.score.values()), trial)
        self._raises(measured.score)
        if self._task is None or not fits(self._task, trial):
            return
        if self._best is None or self._worth(trial) > self._worth(self._best):
            self._best = trial
            self._report()

    def _is_new(self, trial: Trial) -> bool:
        if trial.measured.projection in self._taken:
            return False
        return not any(is_alike(trial.log) for is_alike in self._as_taken)

    def _worth(self, trial: Trial) -> int:
        return 0 if self._task is None else worth_under(self._task.weights, trial)

    def _is_proved(self) -> bool:
        return self._best is not None and self._worth(self._best) >= self._bound

    def _fail(self, trial: Trial, what: str) -> None:
        name = self.model.name
        log = "; ".join(map(format_action, trial.log))
        raise InternalError(f"a plan {what} (model {name}): {log or 'nothing is done'}")

    def _report(self) -> None:
        if self._watcher is not None and self._task is not None:
            best, name = self._best, self._sought
            score = None if best is None else best.measured.score
            worth = None if best is None else _shown(name, self._worth(best))
            bound = _shown(name, self._bound)
            self._watcher(Progress(name, score, worth, bound, self.budget.used))


def _shown(name: str | None, worth: int) -> float | None:
    """Return a criterion's or weighted sum's worth as an answer lists it, not negated."""
    if name is None:
        return None
    return amounts({name: worth if name == SUM else abs(worth)})[name] or 0
