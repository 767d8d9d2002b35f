"""
``plan``: the best plans for a goal, each replayed by the referee, with a proof or a gap.

Ordered criteria are optimised one after another, each within what the earlier ones reached; weights
make them one sum. The front of two criteria is found point by point: the best of the first, then
the best of the first among plans that are better in the second, until it is proved that there are
none.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from marchtable.arguments import public
from marchtable.budget import FIRST, Budget, budget_scope, patience
from marchtable.cpsat.confirm import weakest
from marchtable.cpsat.harness import LIMIT
from marchtable.errors import BadInputError
from marchtable.nearest import one_of
from marchtable.planning.finding import contained_in, may_be_more, models_in_time
from marchtable.planning.goals import checked_goal, wanted_twice
from marchtable.planning.plans import Plan, Plans, Searched
from marchtable.planning.score import SUM
from marchtable.planning.search import Search
from marchtable.planning.tasks import in_halves, ranking, signed
from marchtable.planning.trials import Judge
from marchtable.rules.plan_model import Task
from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from marchtable.cpsat.confirm import Proof
    from marchtable.cpsat.harness import Stop
    from marchtable.planning.plans import Status
    from marchtable.planning.trials import Trial
    from marchtable.rules.plan_model import PlanModel, PlanSpace, Rolls, Score, Unsettled
    from marchtable.state.goal import Criterion, Goal
    from marchtable.state.position import Position

__all__ = ["Plan", "Plans", "Searched", "leaving_out", "plan", "unsettled_by", "without_plan"]

ALONE = "alone"
LEAST = 1.0
"""Deterministic time that further spaces may spend, however quickly there was a plan."""


@public
def plan(
    position: Position[Any, Any],
    goal: Goal,
    *,
    space: str | None = None,
    rolls: Rolls = "pass",
    best: int = 1,
    pareto: tuple[Criterion, Criterion] | None = None,
    limit: float = LIMIT,
    seed: int = 0,
    stop: Stop | None = None,
    confirm: bool = True,
) -> Plans:
    """
    Find the best plans for a goal.

    Parameters
    ----------
    position
        The starting position; no roll may be pending.
    goal
        The goal.
    space
        The name of a model, whose plans are then searched; by default all that fit are searched in
        turn, and the best plan among them is the answer. Until there is a plan, each space can
        spend the rest of the limit. The spaces after it can together spend as much as was spent
        until then, and look only for plans that are no worse; one that finds a better plan can use
        all that remains. ``"alone"`` is searched if no other has a plan. If none has one, the goal
        is impossible only if that is proved of each, or of one that contains it. For several plans,
        or a front, only the first space with a plan counts. A space that contains another starts
        from the best plan of that one, which is searched first even if the larger is named.
    rolls
        ``"pass"`` assumes that rolls on the way succeed, ``"avoid"`` permits no plan with rolls.
    best
        The number of plans, each the best of those that differ from all before it in a unit's last
        Location or points spent, or as the space's policy distinguishes plans.
    pareto
        Two criteria: return plans such that no other is better in one and as good in the other.
    limit
        Deterministic time in all (roughly seconds, but the same on every machine). A clock of
        processor time, a fifth and a second later, ends what it does not count. A first plan is
        made anyway, in up to five seconds.
    seed
        For CP-SAT. Proved results do not depend on it.
    stop
        A request to stop, from any thread; Ctrl-C is one too. The best plans so far are returned.
    confirm
        Whether to confirm what one CP-SAT search proves, by a checked proof or a second solve with
        other parameters; this takes at most as long again.

    Returns
    -------
    Plans
        The referee has replayed every plan; scores are measured on its verdicts.

    Raises
    ------
    BadInputError
        If the goal does not fit the position, or there is no such space.
    InternalError
        If a model's claims and the referee disagree, or a claim is refuted: a bug.
    """
    goal = checked_goal(goal, position)
    if best < 1:
        raise BadInputError(f"expected 1 or more plans, got {best}", field="best")
    if pareto is not None:
        _check_pair(pareto)
    if pareto is not None and best != 1:
        raise BadInputError("expected 1 with pareto: a front has all its points", field="best")
    budget = Budget(limit, stop, seconds=max(patience(limit), FIRST))
    several = best > 1 or pareto is not None
    tour = _Tour(position, goal, budget, space)

    def found_by(search: Search) -> Plans:
        search.first()
        budget.hold(patience(limit))
        return _found(search, goal, best, pareto, tour.best)

    with budget_scope(budget):
        for model in models_in_time(
            position, goal, space=space, rolls=rolls, budget=budget, contained=not several
        ):
            if twice := wanted_twice(goal, position):
                return Plans("IMPOSSIBLE", model.space, (), True, (), proof="bound", twice=twice)
            if tour.is_done(model, several=several):
                break
            judge = Judge(position, goal, rolls)
            search = Search(judge, model, budget=budget, seed=seed, confirms=confirm)
            tour.search(search, found_by)
        last = tour.searched[-1].space
        return tour.answer(is_cut=may_be_more(position, last, space=space, budget=budget))


def _check_pair(pair: Sequence[str]) -> None:
    """Raise BadInputError unless these are two criteria."""
    wrong = isinstance(pair, str) or not isinstance(pair, list | tuple) or len({*pair}) != 2
    for name in () if wrong else pair:
        if name not in CRITERIA:
            raise BadInputError(one_of(CRITERIA, name), field="pareto")
    if wrong:
        raise BadInputError(
            f'expected two criteria, such as ("value", "points"), got {pair!r:.60}', field="pareto"
        )


def _found(
    search: Search, goal: Goal, count: int, pair: tuple[Criterion, Criterion] | None,
    known: Plans | None,
) -> Plans:  # fmt: skip
    """Return the plans of one space, none worse than a known one."""
    if pair is not None:
        return _front(search, pair)
    return _best(search, goal, count, None if known is None else known.plans[0].score)


class _Tour:
    """
    A search of all fitting spaces in turn.

    Until there is a plan, each space has the rest of the limit. Those after it share as much as was
    spent until then, and look only for plans that are no worse; one that finds a better plan
    continues with all that remains. A space that contains another starts with that one's plan.

    Parameters
    ----------
    position, goal, budget
        The starting position, the goal, and the limit.
    named
        The requested space, None for all. Others are searched only for a plan to start from.
    """

    def __init__(
        self, position: Position[Any, Any], goal: Goal, budget: Budget, named: str | None
    ) -> None:
        self.goal, self.budget, self.named = goal, budget, named
        self._inner = partial(contained_in, position)
        self.best: Plans | None = None
        self._answers: list[Plans] = []
        self.searched: list[Searched] = []
        self._spent, self._more = 0.0, math.inf

    def is_done(self, model: PlanModel, *, several: bool) -> bool:
        """Return whether another space need not be searched, or cannot within the limit."""
        self._more -= self.budget.used - self._spent  # the model has been made
        self._spent = self.budget.used
        if self.best is None or model.name == self.named:
            return False
        return several or model.name == ALONE or self._more <= 0 or self.budget.is_over

    def search(self, search: Search, ask: Callable[[Search], Plans]) -> None:
        """Search one space."""
        name, known, remaining = search.model.name, self.best, self.budget.left()
        share = 1.0 if name == self.named or remaining <= self._more else self._more / remaining
        within = self._inner(name)
        if known is not None and known.space.name in within:
            search.found(known.plans[0].log)
        is_better = None if known is None else partial(self._is_better, known)
        with search.within(share, is_better) as budget:
            found = ask(search)
        self._more -= self.budget.used - self._spent
        self._spent = self.budget.used
        found = _resting_on(found, [one for one in self._answers if one.space.name in within])
        self._answers.append(found)
        is_best = bool(found.plans) and (
            known is None or name == self.named or self._rank(found) < self._rank(known)
        )
        is_proved = found.status in ("OPTIMAL", "IMPOSSIBLE")
        none_better = known is not None and is_proved and not is_best
        status: Status | Literal["NO BETTER"] = "NO BETTER" if none_better else found.status
        self.searched.append(Searched(name, status, round(budget.limit, 2)))
        if is_best:
            self.best, self._more = found, max(LEAST, self.budget.used)

    def _is_better(self, known: Plans, score: Score) -> bool:
        return ranking(self.goal, score) < ranking(self.goal, known.plans[0].score)

    def _rank(self, found: Plans) -> tuple[object, ...]:
        """Rank an answer by its plan, of equal ones the proved one first."""
        return (*ranking(self.goal, found.plans[0].score), found.status != "OPTIMAL")

    def answer(self, *, is_cut: bool) -> Plans:
        """Return the best plan of all, or why there is none; `is_cut`: spaces may be missing."""
        found = self.best or without_plan(self._answers[-1 if self.named else 0 :], self._inner)
        if found.status == "IMPOSSIBLE" and is_cut:
            unsettled: Unsettled = "stop" if self.budget.stop.is_requested else "limit"
            found = found._replace(
                status="UNKNOWN", complete=False, proof=None, unsettled=unsettled
            )
        return found._replace(searched=tuple(self.searched))


def _resting_on(found: Plans, contained: Sequence[Plans]) -> Plans:
    """Return an answer that also rests on the proofs of the spaces that its own contains."""
    proofs = [one.proof or one.plans[0].proof for one in contained if one.proof or one.plans]
    known = [proof for proof in proofs if proof is not None]
    plans = tuple(
        one if one.proof is None else one._replace(proof=weakest([one.proof, *known]))
        for one in found.plans
    )
    proof = None if found.proof is None else weakest([found.proof, *known])
    return found._replace(plans=plans, proof=proof)


def without_plan(answers: Sequence[Plans], inner: Callable[[str], Collection[str]]) -> Plans:
    """
    Return the first of several answers without plans that leaves its space open, else the first.

    What is proved of a space is also proved of the spaces that it contains (`inner`).
    """
    first = answers[0]
    proved = [one for one in answers if one.status == "IMPOSSIBLE"]
    settled = {name for one in proved for name in (one.space.name, *inner(one.space.name))}
    opened = [one for one in answers if one.space.name not in settled]
    if not opened:
        return proved[0]._replace(proof=weakest(one.proof or "unconfirmed" for one in proved))
    if first is opened[0]:
        return first
    if (unmodelled := next((o for o in opened if o.status == "UNSUPPORTED"), None)) is not None:
        return unmodelled
    cut = next((one for one in opened if one.unsettled in ("limit", "stop")), None)
    if cut is None and (more := [name for one in opened for name in one.space.left_out]):
        return first._replace(
            status="UNSUPPORTED", proof=None, space=leaving_out(first.space, more)
        )
    return cut or opened[0]


def leaving_out(space: PlanSpace, clauses: Iterable[str]) -> PlanSpace:
    """Return a space that also leaves out these unmodelled clauses."""
    return msgspec.structs.replace(space, left_out=tuple(sorted({*space.left_out, *clauses})))


# -- in order, or by weights -----------------------------------------------------------------------


class _Course:
    """Successive optimisations, each within what the earlier ones reached."""

    def __init__(
        self, search: Search, tasks: Sequence[tuple[str, dict[Criterion, int]]], *,
        alike: bool = False,
    ) -> None:  # fmt: skip
        self.search, self.tasks, self.alike = search, tasks, alike
        self.bound: list[int | None] = [None] * len(tasks)
        self.status: Status = "UNKNOWN"
        self.trial: Trial | None = None
        self.proofs: list[Proof] = []

    def run(
        self, least: dict[Criterion, int], most: dict[Criterion, int], known: Score | None = None
    ) -> Plan | None:
        """Return the best plan within bounds, no worse than a known one; None sets the status."""
        least, most = dict(least), dict(most)
        for number, (name, weights) in enumerate(self.tasks):
            if known is not None and name != SUM:
                (criterion,) = weights
                (least if criterion == "value" else most)[criterion] = known[criterion]
            ending = self.search.optimum(Task(weights, dict(least), dict(most)), name)
            if number == 0 or ending.status != "OPTIMAL":
                self.status = ending.status
            self.trial = ending.trial
            self.proofs += [] if ending.proof is None else [ending.proof]
            if name == SUM:
                self.bound[number] = ending.bound
            elif ending.status != "IMPOSSIBLE":
                self.bound[number] = abs(ending.bound)
            if ending.trial is None or (ending.status != "OPTIMAL" and self.search.is_over):
                break
            for criterion in CRITERIA:
                if criterion == name:
                    side = least if criterion == "value" else most
                    side[criterion] = ending.trial.measured.score[criterion]
                    if known is not None and side[criterion] != known[criterion]:
                        known = None  # it is better, whatever follows
        return self._plan()

    def _plan(self) -> Plan | None:
        if self.trial is None:
            return None
        trial = self.search.leaner(self.trial, alike=self.alike)
        score = trial.measured.score
        reached = tuple(
            abs(sum(w * score[c] for c, w in weights.items())) if name != SUM
            else sum(w * score[c] for c, w in weights.items())
            for name, weights in self.tasks
        )  # fmt: skip
        sought = tuple(name for name, _ in self.tasks)
        return Plan(
            self.status, trial.log, trial.verdict, score, sought, reached, tuple(self.bound),
            weakest(self.proofs) if self.status == "OPTIMAL" else None,
        )  # fmt: skip


def _tasks(goal: Goal) -> list[tuple[str, dict[Criterion, int]]]:
    if goal.weights:
        return [(SUM, {c: weight for c, weight in in_halves(goal).items() if weight})]
    return [(c, {c: signed(c)}) for c in goal.order]


def _best(search: Search, goal: Goal, count: int, known: Score | None) -> Plans:
    found: list[Plan] = []
    while True:
        course = _Course(search, _tasks(goal), alike=count > 1)
        one = course.run({}, {}, known)
        if one is not None:
            found.append(one)
        if one is None or one.status != "OPTIMAL" or len(found) == count:
            break
        assert course.trial is not None
        if not search.take(course.trial):
            course.status = "UNKNOWN"
            break
    bound = tuple(zip([name for name, _ in course.tasks], course.bound, strict=True))
    return _plans(search, found, course, () if found else bound)


def _plans(
    search: Search, found: list[Plan], last: _Course, bound: tuple[tuple[str, int | None], ...]
) -> Plans:
    space = search.space
    complete = last.status == "IMPOSSIBLE"
    status = found[0].status if found else last.status
    if status == "IMPOSSIBLE" and space.left_out:
        status = "UNSUPPORTED"
    ends = {status, *(one.status for one in found), last.status}
    unsettled = unsettled_by(search) if ends & {"FEASIBLE", "UNKNOWN"} else None
    proof = weakest(last.proofs) if complete else None
    return Plans(status, space, tuple(found), complete, bound, unsettled, proof)


def unsettled_by(search: Search) -> Unsettled:
    """Return why a search has proved nothing."""
    if search.stop.is_requested:
        return "stop"
    if search.is_over:
        return "limit"
    return search.model.unsettled


# -- the front of two criteria ---------------------------------------------------------------------


def _front(search: Search, pair: tuple[Criterion, Criterion]) -> Plans:
    """Return a plan for each point of the front, the best by the first criterion first."""
    first, second = pair
    if first == second:
        raise BadInputError("expected two different criteria", field="pareto")
    found: list[Plan] = []
    least: dict[Criterion, int] = {}
    most: dict[Criterion, int] = {}
    while True:
        course = _Course(search, [(c, {c: signed(c)}) for c in pair])
        one = course.run(least, most)
        if one is not None:
            found.append(one)
        if one is None or one.status != "OPTIMAL":
            break
        if second == "value":
            least[second] = one.score[second] + 1
        else:
            most[second] = one.score[second] - 1
    bound = tuple(zip(pair, course.bound, strict=True))
    made = _plans(search, found, course, () if found else bound)
    if found and not made.complete:
        return made._replace(status="FEASIBLE", unsettled=unsettled_by(search))
    return made
