"""One CP-SAT model of how the owner can take an attack's points without a survival roll.

Its variables are each group's outcomes, which :mod:`.options` found from the clauses for the group
alone. Its rows say which outcomes are compatible; each method is a rule. The rows are exact under
readings that keep the closed form. Under others they admit too much: each solution is replayed, and
cut off if rejected.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.budget import OverLimit, look, stop_here
from marchtable.cpsat.harness import Status, enumerate_all, new_model, solve, weighted
from marchtable_models.valor.allocation.options import BARE, EARLY, PINNED_BEFORE, PINS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable_models.valor.allocation.options import Group, GroupResult, Key
    from marchtable_models.valor.allocation.stack import Choices
    from marchtable_models.valor.allocation.target import Class, Picked

    Marks = tuple[int, ...]

EXACT = 2**50
"""Objectives below this are exact integers; larger ones are rounded down first."""


class OutcomeLiteral(NamedTuple):
    """A possible outcome of a group, and its literal."""

    group: Group
    option: GroupResult
    happens: Any

    @property
    def key(self) -> Key:
        """Everything about it that other groups depend on."""
        return self.option.key


class LossModel:
    """
    The joint outcomes of the groups of a stack.

    Parameters
    ----------
    classes
        Identical groups, with all outcomes still possible for each.
    owed
        Casualty Points still owed, 1 or more.
    """

    def __init__(self, classes: Sequence[Class], owed: int, choices: Choices) -> None:
        self.owed, self.choices = owed, choices
        self.model = new_model()
        self.classes = [
            [
                [
                    OutcomeLiteral(c.group, option, self.model.new_bool_var(""))
                    for option in c.options
                ]
                for _ in c.names
            ]
            for c in classes
        ]
        self.groups = [outcomes for alike in self.classes for outcomes in alike]
        self.every = [outcome for outcomes in self.groups for outcome in outcomes]
        most = sum(max(o.key.points for o in outcomes) for outcomes in self.groups)
        self.total = self.model.new_int_var(0, most, "total")
        self.unpinned = self.model.new_int_var(0, most, "unpinned")
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

    # -- rules ------------------------------------------------------------------------------------

    def add_outcomes(self) -> None:
        """Give every group one outcome (V14.61a to c, h, i; V14.62b; V14.64a to f; V14.65b to d)."""
        for outcomes in self.groups:
            self.model.add_exactly_one(o.happens for o in outcomes)

    def add_symmetry(self) -> None:
        """Order the outcomes of identical groups, since it makes no difference which suffers."""
        for alike in self.classes:
            numbers = [weighted([(o.happens, n) for n, o in enumerate(found)]) for found in alike]
            for one, other in pairwise(numbers):
                self.model.add(one >= other)

    def add_points(self) -> None:
        """Add up the points (V14.61a, h, i; V14.63a; V14.64f) of all units, and of the unpinned."""
        self.model.add(weighted([(o.happens, o.key.points) for o in self.every]) == self.total)
        self.model.add(weighted([(o.happens, o.key.unpinned) for o in self.every]) == self.unpinned)

    def add_stages(self) -> None:
        """Record who suffers: unpinned Passengers, other unpinned units, both if pinned before."""
        for stage, touched in self.touched.items():
            here = [o.happens for o in self.every if o.key.stage == stage]
            self.model.add_max_equality(touched, [0, *here])

    def add_fulfilled(self) -> None:
        """Fulfill the points, unless everything is gone (V14.61d)."""
        self.model.add(self.total >= self.owed).only_enforce_if(self.fulfilled)
        self.model.add(self.total < self.owed).only_enforce_if(~self.fulfilled)
        for outcome in self.every:
            if not outcome.key.gone:
                self.model.add_implication(outcome.happens, self.fulfilled)

    def add_no_excess(self) -> None:
        """Require points owed before the last loss, of the last stage, so before all (V14.61d)."""
        if not self.choices.is_tabled:  # it can be of any stage
            self._bound_excess([o for o in self.every if o.key.stage], [])
            return
        for stage, touched in self.touched.items():
            later = [~x for other, x in self.touched.items() if other > stage]
            self._bound_excess([o for o in self.every if o.key.stage == stage], [touched, *later])

    def _bound_excess(self, found: Sequence[OutcomeLiteral], where: Sequence[Any]) -> None:
        """Limit the surplus points to less than the last step of some outcome."""
        for reach in sorted({o.key.reach for o in found}):
            farther = [~o.happens for o in found if o.key.reach > reach]
            row = self.model.add(self.total < self.owed + reach)
            row.only_enforce_if(*where, *farther)

    def add_pins_close(self) -> None:
        """Allow no surplus points once units are pinned by choice (V14.61c, e)."""
        self._close([o for o in self.every if o.key.mode == PINS])

    def add_ignored_last(self) -> None:
        """Let at most one unit only ignore a point, as the last of all (V14.63b)."""
        bare = [o for o in self.every if o.key.mode >= BARE]
        self.model.add_at_most_one(o.happens for o in bare)
        self._close(bare)

    def _close(self, found: Sequence[OutcomeLiteral]) -> None:
        for outcome in found:
            self.model.add(self.total <= self.owed).only_enforce_if(outcome.happens)

    def add_passengers_first(self) -> None:
        """After a Passenger only ignores a point, allow only losses of Passengers (V14.65a)."""
        for outcome in self.every:
            if outcome.key.mode == EARLY:
                later = self.touched[outcome.key.stage + 1]
                self.model.add_implication(outcome.happens, ~later)

    def add_pinned_last(self) -> None:
        """Spare units already pinned while unpinned ones remain (V14.62a; A5: untouched)."""
        for stage in range(PINNED_BEFORE + 1, 5):
            touched = self.touched[stage]
            for outcome in self.every:
                if not outcome.group.pinned and (
                    not outcome.key.resolved or outcome.key.mode == PINS
                ):
                    self.model.add_implication(touched, ~outcome.happens)
            if self.choices.is_tabled:
                self.model.add(self.unpinned < self.owed).only_enforce_if(touched)

    def add_cut(self, picked: Picked) -> None:
        """Exclude one solution: it is known, or the replay rejected it."""
        taken = zip(self.groups, picked, strict=True)
        self.model.add_bool_or(~outcomes[number].happens for outcomes, number in taken)

    # -- objectives -------------------------------------------------------------------------------

    def best_first(
        self, worth: Callable[[Group, GroupResult], Marks], helps: Sequence[int]
    ) -> Iterator[tuple[Picked, int]]:
        """
        Yield solutions, greatest worth first, each with a bound for it and later ones.

        Parameters
        ----------
        worth
            A group's worth after an option, for each of the amounts ``helps``.
        helps
            The bonus of the best unpinned leader to rally dice, which affects the worth of pinned
            units.
        """
        worths = [(o.happens, worth(o.group, o.option)) for o in self.every]
        most = len(self.groups) * max((max(marks) for _, marks in worths), default=0)
        shift = max(0, most.bit_length() - EXACT.bit_length())
        terms = [(happens, marks[0] >> shift) for happens, marks in worths]
        for i, help_ in enumerate(helps[1:], start=1):
            helped = self.model.new_bool_var("")
            able = [o.happens for o in self.every if o.key.help >= help_]
            self.model.add_bool_or([~helped, *able])
            for happens, marks in worths:
                if gain := (marks[i] >> shift) - (marks[i - 1] >> shift):
                    gained = self.model.new_bool_var("")
                    self.model.add_implication(gained, happens)
                    self.model.add_implication(gained, helped)
                    terms.append((gained, gain))
        self.model.maximize(weighted(terms))
        rounding = len(self.groups) if shift else 0
        for picked, outcome in self._solutions():
            yield picked, (outcome.objective + rounding) << shift
            self.add_cut(picked)

    def front(self, marks: Callable[[Group, GroupResult], tuple[int, int]]) -> Iterator[Picked]:
        """Yield a solution for each unbeaten combination of two marks and points wasted."""
        thrift = self.model.new_int_var(-(10**6), 0, "thrift")
        self.model.add(thrift <= self.owed - self.total)
        worths = [(o.happens, marks(o.group, o.option)) for o in self.every]
        sums = [*(weighted([(x, found[i]) for x, found in worths]) for i in range(2)), thrift]
        self.model.maximize(sum(sums))
        for picked, outcome in self._solutions():
            yield picked
            beats = [self.model.new_bool_var("") for _ in sums]
            for beaten, reached in zip(beats, sums, strict=True):
                row = self.model.add(reached > outcome.solver.value(reached))
                row.only_enforce_if(beaten)
            self.model.add_bool_or(beats)

    def all(self, most: int | None = None) -> list[Picked]:
        """Return every solution, or up to a number."""
        literals = [o.happens for o in self.every]
        status, found = enumerate_all(self.model, literals, stop=stop_here(), most=most)
        look()
        if status in (Status.FEASIBLE, Status.UNKNOWN) and len(found) != most:
            raise OverLimit
        return [self._picked(values) for values in found]

    # -- solving ----------------------------------------------------------------------------------

    def _solutions(self) -> Iterator[tuple[Picked, Any]]:
        """Yield the best solution repeatedly; the caller adds rows that exclude it."""
        while True:
            look()
            outcome = solve(self.model, "turns", stop=stop_here(), about=self)
            if outcome.status is Status.IMPOSSIBLE:
                return
            if outcome.status is not Status.OPTIMAL or outcome.objective is None:
                raise OverLimit
            yield self._picked([outcome.solver.value(o.happens) for o in self.every]), outcome

    def _picked(self, values: Sequence[int]) -> Picked:
        """Return each group's option from the values of all literals."""
        found = iter(values)
        taken = ([next(found) for _ in outcomes] for outcomes in self.groups)
        return tuple(holds.index(max(holds)) for holds in taken)
