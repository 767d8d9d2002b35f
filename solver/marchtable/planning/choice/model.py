"""CP-SAT's choice of one option for each unit."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from marchtable.cpsat.harness import Outcome, Status, new_model, solve, weighted
from marchtable.planning.choice.options import Opt
from marchtable.planning.choice.presence import Presences
from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from marchtable.planning.choice.options import Cut, Given, Learned, Price, Problem
    from marchtable.rules.plan_model import Control, Score, Task
    from marchtable.state.goal import Criterion

__all__ = ["Choice", "Found"]

EXPOSURE = 10**6
"""More than any unit's exposure."""


class Found(NamedTuple, Generic[Opt]):
    """
    What CP-SAT chose, what that comes to by its account, and what it claims.

    Parameters
    ----------
    outcome
        Its objective and bound are those of the task.
    options, totals
        What is chosen, and what that comes to.
    extra
        By how much units cost more than their options say.
    pairs
        Units of which the first must act before the second.
    spares
        Whether of equals it is one of the fewest points.
    """

    outcome: Outcome
    options: tuple[Opt, ...] = ()
    totals: Score = {}  # noqa: RUF012 - never changed
    extra: Mapping[str, Price] = {}
    pairs: frozenset[tuple[str, str]] = frozenset()
    spares: bool = False


class Choice(Generic[Opt]):
    r"""
    The model: with :math:`x_o` that option ``o`` is chosen, each unit has one fate.

    Then :math:`\sum_{o \ni u} x_o = 1`; rows and cuts hold.

    Parameters
    ----------
    problem, learned
        What there is to choose from, and what was learned of it.
    """

    def __init__(self, problem: Problem[Opt], learned: Learned[Opt]) -> None:
        self.problem, self.learned = problem, learned
        self.model = new_model()
        self.x = [self.model.new_bool_var("") for _ in problem.options]
        self._exact = learned.is_exact
        self._more: dict[tuple[str, Criterion], Any] = {}
        self._known: dict[Opt, Any] | None = None
        self._met: list[tuple[Any, str, Given]] = []
        self._raised: dict[tuple[str, Criterion], list[Any]] = defaultdict(list)
        self._presences = Presences(self.model, problem, self.x, exact=self._exact)
        self._one_fate()
        self._rows()
        for cut in learned.cuts.values():
            self._cut(cut)
        for options in learned.nogoods:
            self._exclude(options, {})
        for options, more in learned.excluded:
            self._exclude(options, more)
        for key, literals in self._raised.items() if self._exact else ():
            self.model.add_max_equality(self._extra(*key), [0, *literals])

    # -- constraints ---------------------------------------------------------------------------

    def _one_fate(self) -> None:
        fates: dict[str, list[Any]] = defaultdict(list)
        for chosen, option in zip(self.x, self.problem.options, strict=True):
            for unit in option.units:
                fates[unit].append(chosen)
        for every in fates.values():
            self.model.add_exactly_one(every)

    def _rows(self) -> None:
        for row in self.problem.rows:
            total = weighted([(self.x[number], weight) for number, weight in row.terms])
            if row.least is not None:
                self.model.add(total >= row.least).with_name(row.clause)
            if row.most is not None:
                self.model.add(total <= row.most).with_name(row.clause)

    def _exclude(self, options: Collection[Opt], more: Mapping[str, int]) -> None:
        """Let not all these options be chosen with their actors spending just so much more."""
        of = self._of()
        if not all(option in of for option in options):
            return
        unless = [of[option].negated() for option in options]
        for unit, points in more.items():
            if (unit, "points") in self._more:
                other = self.model.new_bool_var("")
                extra = self._extra(unit, "points")
                self.model.add(extra != points).only_enforce_if(other)
                unless.append(other)
            elif points:
                return
        self.model.add_bool_or(unless)

    def _of(self) -> dict[Opt, Any]:
        """Return the literals by option."""
        if self._known is None:
            self._known = dict(zip(self.problem.options, self.x, strict=True))
        return self._known

    def _cut(self, cut: Cut[Opt]) -> None:
        """Exclude what others make impossible, and let cost more what they make dearer."""
        now = None
        for chosen, option in zip(self.x, self.problem.options, strict=True):
            if option.unit != cut.actor or not option.acts:
                continue
            dearer_by = cut.surcharge(option)
            if (0, 0) in dearer_by:
                continue
            if now is None:
                now = self._presences.given(cut.actor, cut.given)
            self._met.append((chosen, cut.actor, cut.given))
            dearer = [self.model.new_bool_var("") for _ in dearer_by]
            self.model.add_bool_or([chosen.negated(), now.negated(), *dearer])
            for literal, price in zip(dearer, dearer_by, strict=True):
                if self._exact:
                    self.model.add_bool_and([chosen, now]).only_enforce_if(literal)
                for name, amount in zip(("points", "exposure"), price, strict=True):
                    self._raise(cut.actor, name, amount, literal)  # type: ignore[arg-type]

    def _raise(self, unit: str, name: Criterion, amount: int, literal: Any) -> None:
        if amount:
            self.model.add(self._extra(unit, name) >= amount).only_enforce_if(literal)
            self._raised[unit, name].append(amount * literal)

    def _extra(self, unit: str, name: Criterion) -> Any:
        if (unit, name) not in self._more:
            most = self.problem.most if name == "points" else EXPOSURE
            self._more[unit, name] = self.model.new_int_var(0, most, "")
        return self._more[unit, name]

    # -- solving -------------------------------------------------------------------------------

    def solve(self, task: Task, control: Control) -> Found[Opt]:
        """Return the best choice for a task; of equals the least to be done. To be asked once."""
        totals = self._totals()
        for bounds, sign in ((task.least, 1), (task.most, -1)):
            for name, bound in bounds.items():
                self.model.add(sign * totals[name] >= sign * bound)
        sought = sum(weight * totals[name] for name, weight in task.weights.items())
        spared, most = self._spared(totals["points"], task)
        self.model.maximize(sought * (most + 1) - spared)
        outcome = solve(
            self.model, "knapsack", limit=control.left(), stop=control.stop, seed=control.seed
        )
        control.spend(outcome.time)
        if outcome.objective is None or outcome.bound is None:
            return Found(outcome)
        value = outcome.solver.value
        return Found(
            outcome._replace(
                objective=int(value(sought)), bound=(outcome.bound + most) // (most + 1)
            ),
            tuple(o for x, o in zip(self.x, self.problem.options, strict=True) if value(x)),
            {name: int(value(total)) for name, total in totals.items()},
            self._dearer(value),
            frozenset(self._order(value)),
            bool(task.weights) and most > 0 and outcome.status is Status.OPTIMAL,
        )

    def _dearer(self, value: Any) -> dict[str, Price]:
        told = {key: int(value(variable)) for key, variable in self._more.items()}
        units = {unit for unit, _ in told}
        return {u: (told.get((u, "points"), 0), told.get((u, "exposure"), 0)) for u in units}

    def _order(self, value: Any) -> set[tuple[str, str]]:
        if self._exact:
            return {*self._presences.pairs(value)}
        return {
            pair for chosen, actor, given in self._met if value(chosen)
            for pair in self._presences.order(value, actor, given)
        }  # fmt: skip

    def _spared(self, points: Any, task: Task) -> tuple[Any, int]:
        """Return what is spared where that is all one to the task, and the most of it: points, else acts."""
        if not task.weights:
            acts = [(x, o.acts) for x, o in zip(self.x, self.problem.options, strict=True)]
            return weighted(acts), sum(count for _, count in acts)
        if {"points"} & {*task.weights, *task.most}:
            return 0, 0
        most: dict[str, int] = {}
        for option in self.problem.options:
            most[option.unit] = max(option.points, most.get(option.unit, 0))
        extra = self.problem.most * len(self._more)
        return points, sum(most.values()) + extra + self.problem.still["points"]

    def _totals(self) -> dict[Criterion, Any]:
        sums: dict[Criterion, list[tuple[Any, int]]] = {name: [] for name in CRITERIA}
        for chosen, score in zip(self.x, self.problem.scores, strict=True):
            for name, amount in score.items():
                if amount:
                    sums[name].append((chosen, amount))
        for (_, name), variable in self._more.items():
            sums[name].append((variable, 1))
        return {name: weighted(terms) + self.problem.still[name] for name, terms in sums.items()}
