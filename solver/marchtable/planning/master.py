"""The choice of end places as a CP-SAT model: a relaxation that learns what cannot be together.

Each unit takes one option: to stay, or a Location with the least it may cost to get there. What
the company's moves cost one another, and what they bar, is added as it is found out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.cpsat.harness import Status, new_model, solve, weighted
from marchtable.planning.company import Cost

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ortools.sat.python import cp_model

    from marchtable.cpsat.harness import Outcome, Profile
    from marchtable.planning.company import Ends, Vector
    from marchtable.rules.plan_model import Control, Task
    from marchtable.state.goal import Criterion

__all__ = ["Choice", "Master", "Option"]

PROFILE: Profile = "knapsack"


class Option(NamedTuple):
    """
    One thing a unit may do.

    Parameters
    ----------
    at
        Where it ends, None if it stays.
    cost
        The least it costs.
    value, distance, moved
        What that adds to these criteria, those aboard it included.
    meets
        Numbers of the aims for which it puts a unit where it has to be, once for each unit.
    heads
        How many of the plan's movers go, each of whom is exposed.
    """

    at: str | None
    cost: Cost
    value: int
    distance: int
    moved: int
    meets: tuple[int, ...]
    heads: int


class Choice(NamedTuple):
    """What CP-SAT chose: where units end, and the most that each may spend on it."""

    ends: Ends
    most: dict[str, Cost]


class Master:
    """
    The model.

    Parameters
    ----------
    options
        Of each unit, staying first.
    fixed
        What the others add to each criterion.
    required
        How many units each aim still needs, by its number.
    """

    def __init__(
        self, options: Mapping[str, Sequence[Option]], fixed: Mapping[Criterion, int],
        required: Mapping[int, int],
    ) -> None:  # fmt: skip
        self.options, self._fixed = options, fixed
        self.model: cp_model.CpModel = new_model()
        self._x: dict[str, list[Any]] = {
            unit: [self.model.new_bool_var(f"{unit}:{option.at}") for option in some]
            for unit, some in options.items()
        }
        self._more: dict[tuple[str, str], Any] = {}
        self._most_more = {unit: max(o.cost.points for o in some) for unit, some in options.items()}
        for choices in self._x.values():
            self.model.add_exactly_one(choices)
        for aim, count in required.items():
            terms = [(x, option.meets.count(aim)) for x, option in self._pairs()
                     if aim in option.meets]  # fmt: skip
            self.model.add(weighted(terms) >= count if terms else count <= 0)

    def _pairs(self) -> Iterable[tuple[Any, Option]]:
        for unit, some in self.options.items():
            yield from zip(self._x[unit], some, strict=True)

    # -- what is learned ---------------------------------------------------------------------

    def forbid(self, ends: Ends) -> None:
        """Never let all these units end there together."""
        terms = [(x, 1) for unit, at in ends.items() for x in self._at(unit, at)]
        self.model.add(weighted(terms) <= len(ends) - 1)

    def charge(self, ends: Ends, vectors: Iterable[Vector], *, exactly: bool = False) -> None:
        """
        Let these units end there together only at the cost of one of some vectors, or above it.

        With `exactly` never above it; vectors are of the units as `ends` has them.
        """
        chosen = []
        for number, vector in enumerate(vectors):
            literal = self.model.new_bool_var(f"cost {number}")
            chosen.append(literal)
            for unit, at, cost in zip(ends, ends.values(), vector, strict=True):
                if at is not None:
                    self._at_cost(unit, cost, literal, exactly=exactly)
        terms = [(x, 1) for unit, at in ends.items() for x in self._at(unit, at)]
        terms += [(literal, -1) for literal in chosen]
        self.model.add(weighted(terms) <= len(ends) - 1)

    def _at_cost(self, unit: str, cost: Cost, literal: Any, *, exactly: bool) -> None:
        for field in Cost._fields:
            amount = getattr(cost, field)
            least = min((getattr(o.cost, field) for o in self.options[unit] if o.at), default=0)
            if amount <= least and not exactly:
                continue
            total = weighted(self._total(unit, field, raised=True))
            if exactly:
                self.model.add(total == amount).only_enforce_if(literal)
            else:
                self.model.add(total >= amount).only_enforce_if(literal)

    def _at(self, unit: str, at: str | None) -> list[Any]:
        return [x for x, o in zip(self._x[unit], self.options[unit], strict=True) if o.at == at]

    def _total(self, unit: str, field: str, *, raised: bool = False) -> list[tuple[Any, int]]:
        """Return the terms of what a unit spends: its option's least, and more if that was learned."""
        terms = [(x, getattr(option.cost, field))
                 for x, option in zip(self._x[unit], self.options[unit], strict=True)]  # fmt: skip
        if raised and (unit, field) not in self._more:
            self._more[unit, field] = self.model.new_int_var(0, MOST, f"{unit} more {field}")
        if (unit, field) in self._more:
            terms.append((self._more[unit, field], 1))
        return terms

    # -- solving -----------------------------------------------------------------------------

    def solve(self, task: Task, control: Control) -> tuple[Outcome, Choice | None]:
        """Return the best choice for a task."""
        model = self.model.clone()
        sums = {name: self._sum(name) for name in (*task.weights, *task.least, *task.most)}
        for name, bound in task.least.items():
            model.add(weighted(sums[name]) >= bound - self._fixed[name])
        for name, bound in task.most.items():
            model.add(weighted(sums[name]) <= bound - self._fixed[name])
        terms = [(x, w * weight) for name, weight in task.weights.items() for x, w in sums[name]]
        if task.weights:
            model.maximize(weighted(terms))
        outcome = solve(
            model, PROFILE, limit=control.left(), stop=control.stop, seed=control.seed
        )  # fmt: skip
        control.spend(outcome.time)
        extra = sum(weight * self._fixed[name] for name, weight in task.weights.items())
        outcome = outcome._replace(
            objective=None if outcome.objective is None else outcome.objective + extra,
            bound=None if outcome.bound is None else outcome.bound + extra,
        )
        has_values = outcome.status in (Status.OPTIMAL, Status.FEASIBLE)
        return outcome, self._choice(outcome) if has_values else None

    def _sum(self, name: Criterion) -> list[tuple[Any, int]]:
        if name == "points":
            return [term for unit in self.options for term in self._total(unit, "points")]
        if name == "exposure":
            return [(x, w * self._heads(unit)) for unit in self.options
                    for x, w in self._total(unit, "exposure")]  # fmt: skip
        return [(x, getattr(option, name)) for x, option in self._pairs()]

    def _heads(self, unit: str) -> int:
        return max(option.heads for option in self.options[unit])

    def _choice(self, outcome: Outcome) -> Choice:
        value = outcome.solver.value
        ends: Ends = {}
        most: dict[str, Cost] = {}
        for unit, some in self.options.items():
            taken = next(o for x, o in zip(self._x[unit], some, strict=True) if value(x))
            ends[unit] = taken.at
            points, exposure = (
                sum(value(x) * w for x, w in self._total(unit, field)) for field in Cost._fields
            )
            most[unit] = Cost(points, exposure) if taken.at is not None else Cost(0, 0)
        return Choice(ends, most)


MOST = 1_000_000
"""More than any unit spends or any way is exposed, in half points and in threat."""
