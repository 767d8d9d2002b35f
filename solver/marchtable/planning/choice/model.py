"""CP-SAT's choice of one option for each unit."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from marchtable.cpsat.harness import Outcome, Status, new_model, solve, weighted
from marchtable.planning.choice.options import Opt
from marchtable.planning.choice.presence import Presences
from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from marchtable.planning.choice.options import Cut, Given, Learned, Price, Problem
    from marchtable.rules.plan_model import Control, Score, Task
    from marchtable.state.goal import Criterion

__all__ = ["Choice", "Found"]


COUNTED: tuple[Criterion, Criterion] = ("points", "exposure")
"""What options may cost more of."""


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
        self._of: dict[Opt, Any] | None = None
        self._most: dict[tuple[str, Criterion], int] = {}
        self._met: list[tuple[Any, str, Given]] = []
        self._raised: dict[tuple[str, Criterion], list[Any]] = defaultdict(list)
        self._presences = Presences(self.model, problem, self.x, exact=self._exact)
        self._one_fate()
        self._rows()
        self._cuts()
        for options in learned.nogoods:
            self._exclude(options, {})
        for options, more in learned.excluded:
            self._exclude(options, more)
        for key, literals in self._raised.items() if self._exact else ():
            self.model.add_max_equality(self._more[key], [0, *literals])

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
        """Let not every actor have one of these options and spend just so much more."""
        if self._of is None:
            self._of = dict(zip(self.problem.options, self.x, strict=True))
        actors = {option.unit for option in options}
        chosen = [self._of[option] for option in options if option in self._of]
        other = []
        for unit, points in more.items():
            if (unit, "points") in self._more:
                other.append(self.model.new_bool_var(""))
                extra = self._more[unit, "points"]
                self.model.add(extra != points).only_enforce_if(other[-1])
            elif points:
                return
        self.model.add(sum(chosen) - sum(other) <= len(actors) - 1)

    def _cuts(self) -> None:
        """Exclude what others make impossible, and let cost more what they make dearer."""
        dear: list[tuple[Any, Cut[Opt], Sequence[Price]]] = []
        for cut in self.learned.cuts.values():
            for chosen, option in zip(self.x, self.problem.options, strict=True):
                if option.unit == cut.actor and option.acts:
                    dearer_by = cut.surcharge(option)
                    if (0, 0) not in dearer_by:
                        dear.append((chosen, cut, dearer_by))
        for _, cut, dearer_by in dear:
            for name, amounts in zip(COUNTED, zip(*dearer_by, strict=True), strict=False):
                key = cut.actor, name
                self._most[key] = max(self._most.get(key, 0), *amounts)
        self._more = {key: self.model.new_int_var(0, most, "")
                      for key, most in self._most.items() if most}  # fmt: skip
        now: dict[int, Any] = {}
        for chosen, cut, dearer_by in dear:
            if id(cut) not in now:
                now[id(cut)] = self._presences.given(cut.actor, cut.given)
            self._met.append((chosen, cut.actor, cut.given))
            self._dearer_by(cut.actor, [chosen, now[id(cut)]], dearer_by)

    def _dearer_by(self, unit: str, given: Sequence[Any], prices: Sequence[Price]) -> None:
        """Let a unit pay one of some prices more where all that is given is true."""
        dearer = [self.model.new_bool_var("") for _ in prices]
        self.model.add_bool_or([*(one.negated() for one in given), *dearer])
        for literal, price in zip(dearer, prices, strict=True):
            if self._exact:
                self.model.add_bool_and(given).only_enforce_if(literal)
            for name, amount in zip(COUNTED, price, strict=True):
                if amount:
                    self.model.add(self._more[unit, name] >= amount).only_enforce_if(literal)
                    self._raised[unit, name].append(amount * literal)

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
        extra = sum(amount for (_, name), amount in self._most.items() if name == "points")
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
