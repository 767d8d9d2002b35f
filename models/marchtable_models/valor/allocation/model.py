"""One CP-SAT model for how the owner can take an attack's points, no survival roll to come.

Its variables are what happens to each group: outcomes that :mod:`.options` found by asking the
clauses about the group alone. Its rows say which outcomes go together; each method is a rule. Under
readings that leave the closed form as it is the rows are exact. Under the others they admit more
than is legal: each solution is then replayed, and one that is refused is cut off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.budget import OverLimit, look, stop_here
from marchtable.cpsat.harness import Status, enumerate_all, new_model, solve, weighted
from marchtable_models.valor.allocation.options import BARE, EARLY, PINS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable_models.valor.allocation.options import Group, Option
    from marchtable_models.valor.allocation.stack import Choices
    from marchtable_models.valor.allocation.target import Class, Picked

    Marks = tuple[int, ...]

__all__ = ["LossModel"]

EXACT = 2**50
"""Objectives below this are whole numbers for certain; greater ones are rounded down first."""


class Outcome(NamedTuple):
    """Something that can happen to the groups of a class: a literal for each number of them, from 1."""

    option: Option
    stage: int
    literals: tuple[Any, ...]

    @property
    def happens(self) -> Any:
        """Whether it happens to any of them."""
        return self.literals[0]


class LossModel:
    """
    What can happen to the groups of a stack together.

    Parameters
    ----------
    classes
        Identical groups, with all that can still happen to each.
    owed
        Casualty Points still owed, 1 or more.
    """

    def __init__(self, classes: Sequence[Class], owed: int, choices: Choices) -> None:
        self.classes, self.owed, self.choices = classes, owed, choices
        self.model = new_model()
        self.outcomes = [
            [
                Outcome(option, option.key.stage and option.key.stage + 2 * class_.group.pinned,
                        tuple(self.model.new_bool_var("") for _ in class_.names))
                for option in class_.options
            ]
            for class_ in classes
        ]  # fmt: skip
        self.every = [outcome for found in self.outcomes for outcome in found]
        most = sum(max(o.option.key.points for o in f) * len(f[0].literals) for f in self.outcomes)
        self.total = self.model.new_int_var(0, most, "total")
        self.first = self.model.new_int_var(0, most, "first")
        self.fulfilled = self.model.new_bool_var("fulfilled")
        self.touched = {stage: self.model.new_bool_var("") for stage in range(1, 5)}
        self.add_rules()

    def add_rules(self) -> None:
        """State every rule."""
        self.add_outcomes()
        self.add_symmetry()
        self.add_points()
        self.add_stages()
        self.add_fulfilled()
        self.add_no_excess()
        self.add_pins_close()
        self.add_ignored_last()
        self.add_passengers_first()
        self.add_pinned_last()

    # -- rules -------------------------------------------------------------------------------------

    def add_outcomes(self) -> None:
        """Give every group one outcome (V14.61a to c, h, i; V14.62b; V14.64a to f; V14.65b to d)."""
        for found in self.outcomes:
            literals = [literal for outcome in found for literal in outcome.literals]
            if len(found[0].literals) == 1:
                self.model.add_exactly_one(literals)
            else:
                self.model.add(sum(literals) == len(found[0].literals))

    def add_symmetry(self) -> None:
        """Count identical groups, so that it makes no difference which of them suffers."""
        for outcome in self.every:
            for one, more in zip(outcome.literals, outcome.literals[1:], strict=False):
                self.model.add_implication(more, one)

    def add_points(self) -> None:
        """Add up the points (V14.61a, h, i; V14.63a; V14.64f): of all, and of the unpinned."""
        terms = [(x, o.option.key.points) for o in self.every for x in o.literals]
        self.model.add(weighted(terms) == self.total)
        terms = [
            (x, o.option.key.points) for o in self.every if o.stage in (1, 2) for x in o.literals
        ]
        self.model.add(weighted(terms) == self.first)

    def add_stages(self) -> None:
        """Note who suffers: unpinned Passengers, other unpinned units, both again of those pinned before."""
        for stage, touched in self.touched.items():
            self._is_any(touched, [o for o in self.every if o.stage == stage])

    def add_fulfilled(self) -> None:
        """Fulfil the points, unless everything is gone (V14.61d)."""
        self.model.add(self.total >= self.owed).only_enforce_if(self.fulfilled)
        self.model.add(self.total < self.owed).only_enforce_if(self.fulfilled.negated())
        for outcome in self.every:
            if not outcome.option.key.gone:
                self.model.add_implication(self.fulfilled.negated(), outcome.happens.negated())

    def add_no_excess(self) -> None:
        """Owe points before every loss, so before the last of all: one of the last stage (V14.61d)."""
        if not self.choices.is_tabled:  # it may be of any stage
            self._bound_excess([outcome for outcome in self.every if outcome.stage], [])
            return
        for stage, touched in self.touched.items():
            later = [x.negated() for other, x in self.touched.items() if other > stage]
            here = [outcome for outcome in self.every if outcome.stage == stage]
            self._bound_excess(here, [touched, *later])

    def _bound_excess(self, found: Sequence[Outcome], where: Sequence[Any]) -> None:
        """Have points exceed those owed by less than the last step of some outcome can."""
        for reach in sorted({_reach(outcome) for outcome in found}):
            farther = [o.happens.negated() for o in found if _reach(o) > reach]
            row = self.model.add(self.total <= self.owed - 1 + reach)
            row.only_enforce_if(*where, *farther)

    def add_pins_close(self) -> None:
        """Let nothing exceed the points once units are pinned by choice (V14.61c, e)."""
        for outcome in self.every:
            if outcome.option.key.mode == PINS:
                self.model.add(self.total <= self.owed).only_enforce_if(outcome.happens)

    def add_ignored_last(self) -> None:
        """Let one unit at most merely ignore a point, the last of all (V14.63b)."""
        bare = [outcome for outcome in self.every if outcome.option.key.mode >= BARE]
        self.model.add_at_most_one([x for outcome in bare for x in outcome.literals])
        for outcome in bare:
            self.model.add(self.total <= self.owed).only_enforce_if(outcome.happens)

    def add_passengers_first(self) -> None:
        """Let nothing follow a point that a Passenger merely ignores but losses of Passengers (V14.65a)."""
        for outcome in self.every:
            if outcome.option.key.mode == EARLY:
                other = self.touched[outcome.stage + 1]
                self.model.add_implication(outcome.happens, other.negated())

    def add_pinned_last(self) -> None:
        """Spare those pinned before while unpinned units remain (V14.62a; A5: untouched)."""
        for touched in (self.touched[3], self.touched[4]):
            for class_, found in zip(self.classes, self.outcomes, strict=True):
                for outcome in found if not class_.group.pinned else ():
                    key = outcome.option.key
                    if not key.resolved or key.mode == PINS:
                        self.model.add_implication(touched, outcome.happens.negated())
            if self.choices.is_tabled:
                self.model.add(self.first < self.owed).only_enforce_if(touched)

    def add_cut(self, picked: Picked) -> None:
        """Exclude one solution: it is known, or the replay refused it."""
        self.model.add_bool_or(
            outcome.literals[n].negated()
            for found, numbers in zip(self.outcomes, picked, strict=True)
            for number, outcome in enumerate(found)
            for n in range(numbers.count(number))
        )

    # -- what is wanted ----------------------------------------------------------------------------

    def best_first(
        self, worth: Callable[[Group, Option], Marks], helps: Sequence[int]
    ) -> Iterator[tuple[Picked, int]]:
        """
        Yield solutions, those of most worth first, each with a bound for it and later ones.

        Parameters
        ----------
        worth
            What a group is worth after an option, for each of the amounts ``helps``.
        helps
            What the best unpinned leader may take off rally dice: the worth of pinned units
            depends on it.
        """
        worths = [
            (outcome, worth(class_.group, outcome.option))
            for class_, found in zip(self.classes, self.outcomes, strict=True)
            for outcome in found
        ]
        groups = sum(len(class_.names) for class_ in self.classes)
        most = groups * max((max(marks) for _, marks in worths), default=0)
        shift = max(0, most.bit_length() - EXACT.bit_length())
        terms = [(x, marks[0] >> shift) for outcome, marks in worths for x in outcome.literals]
        for i, help_ in enumerate(helps[1:], start=1):
            helped = self.model.new_bool_var("")
            able = [o.happens for o in self.every if o.option.key.help >= help_]
            self.model.add_bool_or([helped.negated(), *able])
            for outcome, marks in worths:
                gain = (marks[i] >> shift) - (marks[i - 1] >> shift)
                for x in outcome.literals if gain else ():
                    both = self.model.new_bool_var("")
                    self.model.add_implication(both, x)
                    self.model.add_implication(both, helped)
                    terms.append((both, gain))
        self.model.maximize(weighted(terms))
        rounding = groups if shift else 0
        for picked, outcome in self._solutions():
            yield picked, (outcome.objective + rounding) << shift
            self.add_cut(picked)

    def front(
        self, marks: Callable[[Group, Option], tuple[int, int]]
    ) -> Iterator[tuple[Picked, int]]:
        """Yield a solution, and its points wasted, for all sums of two marks and waste that none beats."""
        thrift = self.model.new_int_var(-(10**6), 0, "thrift")
        self.model.add(thrift <= self.owed - self.total)
        worths = [
            (x, marks(class_.group, outcome.option))
            for class_, found in zip(self.classes, self.outcomes, strict=True)
            for outcome in found
            for x in outcome.literals
        ]
        sums = [*(weighted([(x, found[i]) for x, found in worths]) for i in range(2)), thrift]
        self.model.maximize(sum(sums))
        for picked, outcome in self._solutions():
            yield picked, -outcome.solver.value(thrift)
            beats = [self.model.new_bool_var("") for _ in sums]
            for beaten, reached in zip(beats, sums, strict=True):
                row = self.model.add(reached > outcome.solver.value(reached))
                row.only_enforce_if(beaten)
            self.model.add_bool_or(beats)

    def all(self, most: int | None = None) -> list[Picked]:
        """Return every solution, or so many."""
        literals = [x for outcome in self.every for x in outcome.literals]
        status, found = enumerate_all(self.model, literals, stop=stop_here(), most=most)
        look()
        if status in (Status.FEASIBLE, Status.UNKNOWN) and len(found) != most:
            raise OverLimit
        return [self._picked(values) for values in found]

    # -- solving -----------------------------------------------------------------------------------

    def _solutions(self) -> Iterator[tuple[Picked, Any]]:
        """Yield the best solution again and again; the caller adds rows that exclude it."""
        while True:
            look()
            outcome = solve(self.model, "turns", stop=stop_here(), about=self)
            if outcome.status is Status.IMPOSSIBLE:
                return
            if outcome.status is not Status.OPTIMAL or outcome.objective is None:
                raise OverLimit
            holds = outcome.solver.boolean_value
            values = [holds(x) for found in self.every for x in found.literals]
            yield self._picked(values), outcome

    def _picked(self, values: Sequence[int]) -> Picked:
        """Return the options of each class from the values of all literals."""
        bits, picked = iter(values), []
        for found in self.outcomes:
            times = [sum(next(bits) for _ in outcome.literals) for outcome in found]
            numbers = [number for number, n in enumerate(times) for _ in range(n)]
            picked.append(tuple(reversed(numbers)))
        return tuple(picked)

    def _is_any(self, literal: Any, outcomes: Sequence[Outcome]) -> None:
        """Have a literal hold if any of some outcomes happens, and only then."""
        for outcome in outcomes:
            self.model.add_implication(outcome.happens, literal)
        self.model.add_bool_or([literal.negated(), *(o.happens for o in outcomes)])


def _reach(outcome: Outcome) -> int:
    """Return by how many points, and one, the outcome's last step can exceed what is owed; pins by none."""
    return outcome.option.key.reach or int(outcome.option.key.mode > 0)
