"""CP-SAT's choice of one option for each unit."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from marchtable.cpsat.harness import KNOWN, Outcome, Status, solve, weighted
from marchtable.planning.choice.constraints import ChoiceConstraints
from marchtable.planning.choice.options import Opt
from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Mapping,
    )

    from marchtable.planning.choice.options import (
        Learned,
        Price,
        Problem,
    )
    from marchtable.rules.plan_model import Control, Score, Task
    from marchtable.state.goal import Criterion

__all__ = ["ChoiceModel", "Chosen"]


class Chosen(NamedTuple, Generic[Opt]):
    """
    CP-SAT's choice, with its totals and claims.

    Parameters
    ----------
    outcome
        Its objective and bound are those of the task.
    options, totals
        The chosen options, and their totals by criterion.
    extra
        Costs of units beyond those of their options.
    pairs
        Parties of which the first must act before the second.
    spares
        Whether, among equally good choices, it spends the fewest points.
    """

    outcome: Outcome
    options: tuple[Opt, ...] = ()
    totals: Score = {}  # noqa: RUF012 - never changed
    extra: Mapping[str, Price] = {}
    pairs: frozenset[tuple[str, str]] = frozenset()
    spares: bool = False


class ChoiceModel(Generic[Opt]):
    """
    CP-SAT's choice; :class:`~.constraints.ChoiceConstraints` states the constraints on options.

    Parameters
    ----------
    problem, learned
        The options, and what was learned about them.
    """

    def __init__(self, problem: Problem[Opt], learned: Learned[Opt]) -> None:
        self.problem, self.learned = problem, learned
        self.constraints = ChoiceConstraints(problem, learned)
        self.constraints.add_all()
        self.model, self.x = self.constraints.model, self.constraints.x

    # -- solving -------------------------------------------------------------------------------

    def solve(
        self, task: Task, control: Control, known: int | None = None,
        bounded: Callable[[int], None] | None = None,
    ) -> Chosen[Opt]:  # fmt: skip
        """
        Return the best choice for a task and, of equals, the one with least to do. Call only once.

        Parameters
        ----------
        known
            An upper bound of every plan's worth, from earlier calls.
        bounded
            Called with each new bound on the way.
        """
        totals, sought, most = self.aim(task, known)
        outcome = solve(
            self.model, self.problem.profile, limit=control.left(), stop=control.stop,
            seed=control.seed, bounded=bounded and (lambda bound: bounded((bound + most) // (most + 1))),
        )  # fmt: skip
        control.spend(outcome.time)
        bound = None if outcome.bound is None else (outcome.bound + most) // (most + 1)
        if outcome.objective is None:
            return Chosen(outcome._replace(bound=bound))
        value = outcome.solver.value
        return Chosen(
            outcome._replace(objective=int(value(sought)), bound=bound),
            tuple(o for x, o in zip(self.x, self.problem.options, strict=True) if value(x)),
            {name: int(value(total)) for name, total in totals.items()},
            self._dearer(value),
            frozenset(self._order(value)),
            bool(task.weights) and most > 0 and outcome.status is Status.OPTIMAL,
        )

    def aim(self, task: Task, known: int | None = None) -> tuple[dict[Criterion, Any], Any, int]:
        """Add a task to the model; return its totals, its objective, and what can be spared."""
        totals = self._totals()
        for bounds, sign in ((task.least, 1), (task.most, -1)):
            for name, bound in bounds.items():
                self.model.add(sign * totals[name] >= sign * bound)
        sought = sum(weight * totals[name] for name, weight in task.weights.items())
        if known is not None:
            self.model.add(sought <= known).with_name(KNOWN)
        spared, most = self._spared(totals["points"], task)
        self.model.maximize(sought * (most + 1) - spared)
        return totals, sought, most

    def _dearer(self, value: Any) -> dict[str, Price]:
        extra: dict[tuple[str, Criterion], int] = defaultdict(int)
        for (unit, _, name), steps in self.constraints.more.items():
            extra[unit, name] += max((amount for amount, x in steps.items() if value(x)), default=0)
        units = {unit for unit, _ in extra}
        return {u: (extra.get((u, "points"), 0), extra.get((u, "exposure"), 0)) for u in units}

    def _order(self, value: Any) -> set[tuple[str, str]]:
        constraints, presences = self.constraints, self.constraints.presences
        if self.learned.is_exact:
            return {*presences.pairs(value)}
        excluded = [
            pair for order in constraints.orders
            if sum(value(constraints.of[one]) for one in order.options if one in constraints.of)
            == len({one.unit for one in order.options}) for pair in order.pairs
        ]  # fmt: skip
        return {
            pair for chosen, actor, party, given in constraints.met if value(chosen)
            for pair in presences.order(value, actor, party, given)
        } | {p if value(presences.before(*p)) else p[::-1] for p in excluded}  # fmt: skip

    def _spared(self, points: Any, task: Task) -> tuple[Any, int]:
        """Return the tie-breaking objective and its maximum: points, else acts."""
        if not task.weights:
            acts = [(x, o.acts) for x, o in zip(self.x, self.problem.options, strict=True)]
            return weighted(acts), sum(count for _, count in acts)
        if {"points"} & {*task.weights, *task.most}:
            return 0, 0
        most: dict[str, int] = {}
        for option in self.problem.options:
            most[option.unit] = max(option.points, most.get(option.unit, 0))
        extra = sum(
            max(steps) for (*_, name), steps in self.constraints.more.items() if name == "points"
        )
        return points, sum(most.values()) + extra + self.problem.still["points"]

    def _totals(self) -> dict[Criterion, Any]:
        sums: dict[Criterion, list[tuple[Any, int]]] = {name: [] for name in CRITERIA}
        for chosen, score in zip(self.x, self.problem.scores, strict=True):
            for name, amount in score.items():
                if amount:
                    sums[name].append((chosen, amount))
        for (*_, name), extra in self.constraints.extras():
            sums[name].append((extra, 1))
        return {name: weighted(terms) + self.problem.still[name] for name, terms in sums.items()}
