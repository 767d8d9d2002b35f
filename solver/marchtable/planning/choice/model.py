"""CP-SAT's choice of one option for each unit."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from marchtable.cpsat.harness import KNOWN, Outcome, Status, new_model, solve, weighted
from marchtable.planning.choice.options import Opt
from marchtable.planning.choice.presence import Presences
from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Hashable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from marchtable.planning.choice.options import (
        Cut,
        Given,
        Learned,
        Pair,
        Presence,
        Price,
        Problem,
    )
    from marchtable.rules.plan_model import Control, Score, Task
    from marchtable.state.goal import Criterion

__all__ = ["Choice", "Found"]


Purse = tuple[str, "Hashable", "Criterion"]
"""A unit, what it pays for, and of which criterion."""
Dear = tuple["Cut[Opt]", str, "Sequence[int]", "Sequence[Price]"]
"""A cut, the turn of a party, and the options done in it for which a unit pays one of some prices."""
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
        Parties of which the first must act before the second.
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
        self._any: dict[tuple[int, ...], Any] = {}
        self._more: dict[Purse, dict[int, Any]] = {}
        self._due: dict[Purse, list[tuple[int, Any]]] = defaultdict(list)
        self._met: list[tuple[Any, str, str, Given]] = []
        units = [option.unit for option in problem.options]
        self._presences = Presences(
            self.model, problem.occupancy, units, self._any_of, exact=self._exact
        )
        self._one_fate()
        self._rows()
        self._cuts()
        self._alike()
        for options in learned.nogoods:
            self._exclude(options, {})
        for options, more in learned.excluded:
            self._exclude(options, more)
        for options, pairs in learned.orders:
            self._exclude(options, {}, pairs)

    # -- constraints ---------------------------------------------------------------------------

    @cached_property
    def _of(self) -> dict[Opt, Any]:
        return dict(zip(self.problem.options, self.x, strict=True))

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

    def _alike(self) -> None:
        """Of two units that are all alike the first does nothing listed later, nor the same later."""
        party = self.problem.occupancy.party
        for pair in self.problem.alike:
            ranks = [(self.x[number], sign * rank) for sign, numbers in zip((1, -1), pair, strict=True)
                     for rank, number in enumerate(numbers)]  # fmt: skip
            self.model.add(weighted(ranks) <= 0)
            for one, other in zip(*pair, strict=True):
                turns = party(one), party(other)
                if turns[0] != turns[1] and self._presences.is_told(*turns):
                    first = self._presences.before(*turns)
                    self.model.add_bool_or([self.x[one].negated(), self.x[other].negated(), first])

    def _any_of(self, numbers: Sequence[int]) -> Any:
        """Return a literal that one of some options of a unit is chosen."""
        if len(numbers) == 1:
            return self.x[numbers[0]]
        key = tuple(numbers)
        if key not in self._any:
            self._any[key] = self.model.new_bool_var("")
            self.model.add(sum(self.x[number] for number in numbers) == self._any[key])
        return self._any[key]

    def _exclude(
        self, options: Collection[Opt], more: Mapping[str, int], pairs: Collection[Pair] = ()
    ) -> None:
        """Let not every actor have one of these options and spend just so much more, all in this order."""
        actors = {option.unit for option in options}
        chosen = [self._of[option] for option in options if option in self._of]
        other = []
        for unit, points in more.items():
            extra = [x for (u, _, name), x in self._extras() if (u, name) == (unit, "points")]
            if extra:
                other.append(self.model.new_bool_var(""))
                self.model.add(sum(extra) != points).only_enforce_if(other[-1])
            elif points:
                return
        chosen += [self._presences.before(*pair) for pair in pairs]
        self.model.add(sum(chosen) - sum(other) <= len(actors) + len(pairs) - 1)

    def _cuts(self) -> None:
        """Exclude what others make impossible, and let cost more what they make dearer."""
        dear = [*self._dear()]
        self._purses(dear)
        first: dict[Presence, list[tuple[Sequence[int], Mapping[Hashable, Any]]]] = defaultdict(list)  # fmt: skip
        for cut, party, numbers, prices in dear:
            now = self._presences.given(cut.actor, party, cut.given)
            chosen = self._any_of(numbers)
            paid = self._paid(cut, (chosen, now), prices)
            self._met.append((chosen, cut.actor, party, cut.given))
            if len(cut.given) == 1:
                first[next(iter(cut.given))].append((numbers, paid))
        for presence, told in first.items():
            self._few_first(presence, told)
        for key, literals in self._due.items():
            for amount, literal in self._more[key].items():
                causes = [one for paid, one in literals if paid >= amount]
                self.model.add_bool_or([literal.negated(), *causes])

    def _purses(self, dear: Iterable[Dear[Opt]]) -> None:
        """Make literals that a unit pays so much more or more for something, all that there may be."""
        amounts: dict[Purse, set[int]] = defaultdict(set)
        for cut, _, _, prices in dear:
            for price in prices:
                for name, amount in zip(COUNTED, price, strict=True):
                    amounts[cut.actor, cut.of, name].add(amount)
        for key, some in amounts.items():
            if steps := sorted(some - {0}):
                self._more[key] = {amount: self.model.new_bool_var("") for amount in steps}
                for less, more in pairwise(self._more[key].values()):
                    self.model.add_implication(more, less)

    def _dear(self) -> Iterator[Dear[Opt]]:
        """Yield options that cuts make dearer, by number, those together that are so by as much in a turn."""
        of: dict[str, list[int]] = defaultdict(list)
        for number, option in enumerate(self.problem.options):
            if option.acts:
                of[option.unit].append(number)
        known: dict[tuple[Hashable, ...], tuple[Price, ...]] = {}
        for cut in sorted(self.learned.cuts.values(), key=_least):
            spot = next(iter(cut.given)).spot if len(cut.given) == 1 else None
            alike: dict[tuple[str, tuple[Price, ...]], list[int]] = defaultdict(list)
            for number in of[cut.actor]:
                prices = (*cut.surcharge(self.problem.options[number]),)
                if (0, 0) in prices:
                    continue
                key = (cut.actor, cut.of, spot, number)
                if spot is None or known.get(key) != prices:  # fewer do not suffice for it
                    known[key] = prices
                    alike[self.problem.occupancy.party(number), prices].append(number)
            for (party, prices), numbers in alike.items():
                yield cut, party, numbers, prices

    def _paid(
        self, cut: Cut[Opt], given: Sequence[Any], prices: Sequence[Price]
    ) -> dict[Hashable, Any]:
        """Let a unit pay one of some prices if all literals given are true; return literals of which one is then."""
        unless = [one.negated() for one in given]
        if len(prices) == 1 and not self._exact:
            paid: dict[Hashable, Any] = {
                (cut.actor, name): self._more[cut.actor, cut.of, name][amount]
                for name, amount in zip(COUNTED, prices[0], strict=True) if amount
            }  # fmt: skip
            for literal in paid.values():
                self.model.add_bool_or([*unless, literal])
            return paid
        dearer = [self.model.new_bool_var("") for _ in prices]
        self.model.add_bool_or([*unless, *dearer])
        for literal, price in zip(dearer, prices, strict=True):
            if self._exact:
                self.model.add_bool_and(given).only_enforce_if(literal)
            for name, amount in zip(COUNTED, price, strict=True):
                if amount:
                    key = cut.actor, cut.of, name
                    self.model.add_implication(literal, self._more[key][amount])
                    if self._exact:
                        self._due[key].append((amount, literal))
        return {one.index: one for one in dearer}

    def _few_first(
        self, presence: Presence, told: Sequence[tuple[Sequence[int], Mapping[Hashable, Any]]]
    ) -> None:
        """No more come to a spot unhindered, by some options, than stand there as somebody is hindered."""
        standing = self.problem.occupancy.standing(presence.spot)
        comes = {number for number, before, after in standing if after > before}
        hindered = {number for numbers, _ in told for number in numbers}
        home: dict[str, list[Any]] = defaultdict(list)
        for number, before, after in standing:
            if min(before, after) and number not in hindered:
                home[self.problem.options[number].unit].append(self.x[number])
        come = [self.x[number] for number in sorted(comes & hindered)]
        stay = [x for unit in [*home][: presence.least] for x in home[unit]]
        dearer: dict[Hashable, Any] = {}
        for numbers, paid in told:
            for key, literal in paid.items() if comes & {*numbers} else ():
                if (
                    key not in dearer or literal.index < dearer[key].index
                ):  # who pays more pays less
                    dearer[key] = literal
        if len(come) + len(stay) > presence.least:
            total = sum(come) + sum(stay) - sum(dearer.values())
            self.model.add(total <= presence.least)

    # -- solving -------------------------------------------------------------------------------

    def solve(
        self, task: Task, control: Control, known: int | None = None,
        bounded: Callable[[int], None] | None = None,
    ) -> Found[Opt]:  # fmt: skip
        """
        Return the best choice for a task; of equals the least to be done. To be asked once.

        Parameters
        ----------
        known
            No plan is worth more, as is known from asking before.
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
            return Found(outcome._replace(bound=bound))
        value = outcome.solver.value
        return Found(
            outcome._replace(objective=int(value(sought)), bound=bound),
            tuple(o for x, o in zip(self.x, self.problem.options, strict=True) if value(x)),
            {name: int(value(total)) for name, total in totals.items()},
            self._dearer(value),
            frozenset(self._order(value)),
            bool(task.weights) and most > 0 and outcome.status is Status.OPTIMAL,
        )

    def aim(self, task: Task, known: int | None = None) -> tuple[dict[Criterion, Any], Any, int]:
        """Bind the model by a task; return its totals, what is sought, and the most that may be spared."""
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

    def _extras(self) -> Iterator[tuple[Purse, Any]]:
        """Yield what units pay more for each thing: each step of it is a literal."""
        for key, steps in self._more.items():
            rises = (more - less for less, more in pairwise([0, *steps]))
            yield key, weighted([*zip(steps.values(), rises, strict=True)])

    def _dearer(self, value: Any) -> dict[str, Price]:
        told: dict[tuple[str, Criterion], int] = defaultdict(int)
        for (unit, _, name), steps in self._more.items():
            told[unit, name] += max((amount for amount, x in steps.items() if value(x)), default=0)
        units = {unit for unit, _ in told}
        return {u: (told.get((u, "points"), 0), told.get((u, "exposure"), 0)) for u in units}

    def _order(self, value: Any) -> set[tuple[str, str]]:
        if self._exact:
            return {*self._presences.pairs(value)}
        excluded = [
            pair for options, pairs in self.learned.orders
            if sum(value(self._of[one]) for one in options if one in self._of)
            == len({one.unit for one in options}) for pair in pairs
        ]  # fmt: skip
        return {
            pair for chosen, actor, party, given in self._met if value(chosen)
            for pair in self._presences.order(value, actor, party, given)
        } | {p if value(self._presences.before(*p)) else p[::-1] for p in excluded}  # fmt: skip

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
        extra = sum(max(steps) for (*_, name), steps in self._more.items() if name == "points")
        return points, sum(most.values()) + extra + self.problem.still["points"]

    def _totals(self) -> dict[Criterion, Any]:
        sums: dict[Criterion, list[tuple[Any, int]]] = {name: [] for name in CRITERIA}
        for chosen, score in zip(self.x, self.problem.scores, strict=True):
            for name, amount in score.items():
                if amount:
                    sums[name].append((chosen, amount))
        for (*_, name), extra in self._extras():
            sums[name].append((extra, 1))
        return {name: weighted(terms) + self.problem.still[name] for name, terms in sums.items()}


def _least(cut: Cut[Any]) -> int:
    """Return how many must be about for a cut, in one spot."""
    return sum(one.least for one in cut.given)
