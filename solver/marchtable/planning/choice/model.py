"""CP-SAT's choice of one option for each unit."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from marchtable.cpsat.harness import Outcome, Status, new_model, solve, weighted
from marchtable.planning.choice.options import Opt
from marchtable.planning.choice.presence import Presences
from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence

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
        self._more: dict[tuple[str, Hashable, Criterion], Any] = {}
        self._of: dict[Opt, Any] | None = None
        self._most: dict[tuple[str, Hashable, Criterion], int] = {}
        self._met: list[tuple[Any, str, str, Given]] = []
        self._raised: dict[tuple[str, Hashable, Criterion], list[Any]] = defaultdict(list)
        self._presences = Presences(self.model, problem, self.x, exact=self._exact)
        self._one_fate()
        self._rows()
        self._cuts()
        for options in learned.nogoods:
            self._exclude(options, {})
        for options, more in learned.excluded:
            self._exclude(options, more)
        for options, pairs in learned.orders:
            self._exclude(options, {}, pairs)
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

    def _exclude(
        self, options: Collection[Opt], more: Mapping[str, int], pairs: Collection[Pair] = ()
    ) -> None:
        """Let not every actor have one of these options and spend just so much more, all in this order."""
        if self._of is None:
            self._of = dict(zip(self.problem.options, self.x, strict=True))
        actors = {option.unit for option in options}
        chosen = [self._of[option] for option in options if option in self._of]
        other = []
        for unit, points in more.items():
            extra = [x for (u, _, name), x in self._more.items() if (u, name) == (unit, "points")]
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
        for _, cut, prices in dear:
            for name, amounts in zip(COUNTED, zip(*prices, strict=True), strict=False):
                key = cut.actor, cut.of, name
                self._most[key] = max(self._most.get(key, 0), *amounts)
        self._more = {key: self.model.new_int_var(0, most, "")
                      for key, most in self._most.items() if most}  # fmt: skip
        if self.problem.around is not None and not self._exact:
            self._at_once(dear)
            return
        firsts: dict[Presence, dict[int, list[Any]]] = defaultdict(dict)
        now: dict[tuple[int, str], Any] = {}
        paid: dict[Hashable, list[Any]] = {}
        for number, cut, prices in dear:
            chosen, (party, _) = self.x[number], self.problem.party(self.problem.options[number])
            if (id(cut), party) not in now:
                now[id(cut), party] = self._presences.given(cut.actor, party, cut.given)
            given = [chosen, now[id(cut), party]]
            alike = (id(cut), party, *prices, number if self._exact else None)
            if alike not in paid:
                paid[alike] = self._dearer_by(cut, given, prices)
            self.model.add_bool_or([*(one.negated() for one in given), *paid[alike]])
            self._met.append((chosen, cut.actor, party, cut.given))
            if len(cut.given) == 1:
                firsts[next(iter(cut.given))][number] = paid[alike]
        for presence, literals in firsts.items():
            self._few_first(presence, literals)

    def _at_once(self, dear: Sequence[tuple[int, Cut[Opt], Sequence[Price]]]) -> None:
        """Charge all options of each cut in one row, and bar others in one; each has one price, or none."""
        by_cut: dict[int, tuple[Cut[Opt], list[tuple[Any, Sequence[Price]]]]] = {}
        for number, cut, prices in dear:
            by_cut.setdefault(id(cut), (cut, []))[1].append((self.x[number], prices))
        for cut, told in by_cut.values():
            now = self._presences.given(cut.actor, cut.actor, cut.given)
            self._met += [(chosen, cut.actor, cut.actor, cut.given) for chosen, _ in told]
            barred = [chosen for chosen, prices in told if not prices]
            if barred:
                self.model.add_at_most_one([*barred, now])
            for n, name in enumerate(COUNTED):
                paid = [
                    (chosen, prices[0][n]) for chosen, prices in told if prices and prices[0][n]
                ]
                if paid:
                    most = max(amount for _, amount in paid)
                    extra = self._more[cut.actor, cut.of, name]
                    self.model.add(weighted([*paid, (now, most)]) <= most + extra)

    def _dear(self) -> Iterator[tuple[int, Cut[Opt], Sequence[Price]]]:
        """Yield the numbers of options that cuts make dearer, and by how much."""
        of: dict[str, list[int]] = defaultdict(list)
        for number, option in enumerate(self.problem.options):
            if option.acts:
                of[option.unit].append(number)
        for cut in self.learned.cuts.values():
            for number in of[cut.actor]:
                prices = cut.surcharge(self.problem.options[number])
                if (0, 0) not in prices:
                    yield number, cut, prices

    def _few_first(self, presence: Presence, paid: Mapping[int, Sequence[Any]]) -> None:
        """No more come to a spot unhindered, by some options, than stand there as somebody is hindered."""
        standing = self._presences.standing(presence.spot)
        come = [number for number, before, after in standing if number in paid and after > before]
        home: dict[str, list[Any]] = defaultdict(list)
        for number, before, after in standing:
            if min(before, after) and number not in paid:
                home[self.problem.options[number].unit].append(self.x[number])
        stay = [x for unit in [*home][: presence.least] for x in home[unit]]
        dearer = {one.index: one for number in come for one in paid[number]}
        if len(come) + len(stay) > presence.least:
            total = sum(self.x[number] for number in come) + sum(stay)
            self.model.add(total - sum(dearer.values()) <= presence.least)

    def _dearer_by(self, cut: Cut[Opt], given: Sequence[Any], prices: Sequence[Price]) -> list[Any]:
        """Return literals of which each makes a unit pay one of some prices more."""
        dearer = [self.model.new_bool_var("") for _ in prices]
        for literal, price in zip(dearer, prices, strict=True):
            if self._exact:
                self.model.add_bool_and(given).only_enforce_if(literal)
            for name, amount in zip(COUNTED, price, strict=True):
                if amount:
                    key = cut.actor, cut.of, name
                    self.model.add(self._more[key] >= amount).only_enforce_if(literal)
                    self._raised[key].append(amount * literal)
        return dearer

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

    def aim(self, task: Task, known: int | None = None) -> tuple[dict[Criterion, Any], Any, int]:
        """Bind the model by a task; return its totals, what is sought, and the most that may be spared."""
        totals = self._totals()
        for bounds, sign in ((task.least, 1), (task.most, -1)):
            for name, bound in bounds.items():
                self.model.add(sign * totals[name] >= sign * bound)
        sought = sum(weight * totals[name] for name, weight in task.weights.items())
        if known is not None:
            self.model.add(sought <= known)
        spared, most = self._spared(totals["points"], task)
        self.model.maximize(sought * (most + 1) - spared)
        return totals, sought, most

    def _dearer(self, value: Any) -> dict[str, Price]:
        told: dict[tuple[str, Criterion], int] = defaultdict(int)
        for (unit, _, name), variable in self._more.items():
            told[unit, name] += int(value(variable))
        units = {unit for unit, _ in told}
        return {u: (told.get((u, "points"), 0), told.get((u, "exposure"), 0)) for u in units}

    def _order(self, value: Any) -> set[tuple[str, str]]:
        if self._exact:
            return {*self._presences.pairs(value)}
        excluded = [
            pair for options, pairs in self.learned.orders for pair in pairs
            if self._of and all(option in self._of and value(self._of[option]) for option in options)
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
        extra = sum(amount for (*_, name), amount in self._most.items() if name == "points")
        return points, sum(most.values()) + extra + self.problem.still["points"]

    def _totals(self) -> dict[Criterion, Any]:
        sums: dict[Criterion, list[tuple[Any, int]]] = {name: [] for name in CRITERIA}
        for chosen, score in zip(self.x, self.problem.scores, strict=True):
            for name, amount in score.items():
                if amount:
                    sums[name].append((chosen, amount))
        for (*_, name), variable in self._more.items():
            sums[name].append((variable, 1))
        return {name: weighted(terms) + self.problem.still[name] for name, terms in sums.items()}
