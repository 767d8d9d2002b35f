"""CP-SAT statement of one complete allocation: the closed form of ``allocating.groups``.

It does no rule arithmetic: points, reaches and stages come from the options of the groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ortools.sat.python import cp_model

    from marchtable_models.valor.allocating.groups import Option

    Literal = Any

__all__ = ["Ending"]

Offers = list[tuple["Literal", "Option"]]
"""The options of one group, each with the literal that it is chosen."""


class Ending:
    r"""
    The choice of one option for each group, such that what is owed is fulfilled.

    With :math:`x_{g,o}` choosing option ``o`` for group ``g``: :math:`\sum_o x_{g,o} = active` and
    :math:`V = \sum points_o x_{g,o}`. Where something is still owed, :math:`V \ge owed` unless all
    is gone; :math:`V \ge owed + j` needs an option of the last stage touched with a reach above
    ``j``; a pin, or an ignored point alone, needs :math:`V = owed`. Where nothing is owed any
    more, nothing is chosen.

    Parameters
    ----------
    first, last
        The options of the groups unpinned and pinned before the attack.
    owed
        The points owed: a number or an expression; zero or less, nothing is.
    active
        The literal that this allocation is asked for at all, or 1.
    may_lose_all
        Whether losing everything settles the matter whatever is owed.
    """

    def __init__(
        self,
        model: cp_model.CpModel,
        first: Sequence[Sequence[Option]],
        last: Sequence[Sequence[Option]],
        owed: Any,
        active: Literal = 1,
        *,
        may_lose_all: bool = True,
    ) -> None:
        self.model = model
        self.owed = owed
        self.active = active
        self.first = [self._offer(options) for options in first]
        self.last = [self._offer(options) for options in last]
        self.spent = self._points(self.first)
        self.total = self.spent + self._points(self.last)
        self.is_due = self._flag(owed >= 1, owed <= 0)
        self.must = self._both(active, self.is_due)
        self._nothing_unless_due()
        self._close(may_lose_all=may_lose_all)
        self._exact()
        self._pinned_units_last()

    def _offer(self, options: Sequence[Option]) -> Offers:
        offers = [(self.model.new_bool_var(""), option) for option in options]
        self.model.add(sum(x for x, _ in offers) == self.active)
        return offers

    def _points(self, groups: list[Offers]) -> Any:
        return sum(option.points * x for offers in groups for x, option in offers)

    def _flag(self, condition: Any, otherwise: Any) -> Literal:
        """Return a literal equivalent to a condition; ``otherwise`` is its opposite."""
        if isinstance(condition, bool):
            return self.model.new_constant(int(condition))
        flag = self.model.new_bool_var("")
        self.model.add(condition).only_enforce_if(flag)
        self.model.add(otherwise).only_enforce_if(flag.negated())
        return flag

    def _both(self, *literals: Literal) -> Literal:
        flag = self.model.new_bool_var("")
        self.model.add_bool_and(*literals).only_enforce_if(flag)
        self.model.add_bool_or(flag, *(self._not(x) for x in literals))
        return flag

    def _not(self, literal: Literal) -> Literal:
        return 1 - literal if isinstance(literal, int) else literal.negated()

    def _any(self, literals: list[Literal]) -> Literal:
        flag = self.model.new_bool_var("")
        self.model.add_bool_or(*literals, flag.negated())
        for literal in literals:
            self.model.add_implication(literal, flag)
        return flag

    def _nothing_unless_due(self) -> None:
        for offers in (*self.first, *self.last):
            none = [x for x, option in offers if not option.stage]
            self.model.add_bool_or(self._not(self.active), self.is_due, *none)

    # -- the four conditions --

    def _chosen(self, groups: list[Offers], stage: int) -> list[tuple[Literal, Option]]:
        return [(x, o) for offers in groups for x, o in offers if o.stage == stage]

    def _close(self, *, may_lose_all: bool) -> None:
        """Fulfil what is owed, with a last loss that was still needed."""
        stages = [(self.last, 2), (self.last, 1), (self.first, 2), (self.first, 1)]
        parts = [self._chosen(groups, stage) for groups, stage in stages]
        touched = [self._any([x for x, _ in part]) for part in parts]
        enough = self._flag(self.total >= self.owed, self.total < self.owed)
        self.model.add_bool_or(self._not(self.must), enough, self._gone(may_lose_all))
        reach = max((option.reach for part in parts for _, option in part), default=1)
        for more in range(reach + 1):  # the last is beyond every reach
            over = self._flag(self.total >= self.owed + more, self.total < self.owed + more)
            for i, part in enumerate(parts):
                far = [x for x, option in part if option.reach > more]
                later = touched[:i]
                self.model.add_bool_or(
                    self._not(self.must), over.negated(), touched[i].negated(), *later, *far
                )
        self.touched = touched

    def _gone(self, may_lose_all: bool) -> Literal:
        """Return the literal that nothing is left that could be lost."""
        if not may_lose_all:
            return self.model.new_constant(0)
        groups = (*self.first, *self.last)
        left = self._any([x for offers in groups for x, o in offers if not o.gone])
        return left.negated()

    def _exact(self) -> None:
        """Let pins, and one ignored point alone, only close the account."""
        every = [(x, o) for offers in (*self.first, *self.last) for x, o in offers]
        for x, option in every:
            if option.pin or option.bare:
                self.model.add(self.total == self.owed).only_enforce_if(x)
        self.model.add_at_most_one(x for x, o in every if o.bare)
        for groups, late in ((self.first, self.touched[2]), (self.last, self.touched[0])):
            for x, option in self._chosen(groups, 1):
                if option.bare:
                    self.model.add_implication(x, late.negated())

    def _pinned_units_last(self) -> None:
        """Touch units pinned earlier only when the others are resolved and points are owed."""
        for flag in self.touched[:2]:
            for offers in self.first:
                self.model.add_bool_or(flag.negated(), *(x for x, o in offers if o.resolved))
            if self.last:
                self.model.add(self.spent <= self.owed - 1).only_enforce_if(flag)

    def chosen(self, solver: cp_model.CpSolver) -> list[Option]:
        """Return the option chosen for each group, unpinned ones first."""
        return [
            next(option for x, option in offers if solver.boolean_value(x))
            for offers in (*self.first, *self.last)
        ]
