"""How a Convoy may end its MPh: which states, and what must stand beside them."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.convoyfield import bits_of
from marchtable_models.asl.linefacts import LineEnd

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.edition import Edition
    from marchtable_models.asl.cpsat.convoyfield import Course, Field
    from marchtable_models.asl.cpsat.convoylayers import Node
    from marchtable_models.asl.cpsat.convoylogic import Logic
    from marchtable_models.asl.cpsat.convoysteps import Steps

__all__ = ["Ends"]

FEW = 24


class Ends:
    """
    What the rules say of ending the MPh.

    Parameters
    ----------
    edition, field, steps
        The rules, the states, and whom to ask of each vehicle.
    before
        What each vehicle had spent before the plan, in half points.
    budget
        What the poorest of them had left.
    """

    def __init__(
        self,
        edition: Edition,
        field: Field,
        steps: Sequence[Steps],
        before: Sequence[int],
        budget: int,
    ) -> None:
        self.budget = budget
        self.field, self.steps, self.before = field, steps, before
        self.all_alike = bool(edition.judge(LineEnd(members=2, moving=1)).bars)
        self.moving = field.with_mode(lambda mode: mode[1])
        self._known: dict[tuple[int, int, int], tuple[int, ...] | None] = {}
        self._met: set[tuple[int, int, int]] = set()

    def fitting(self, i: int, states: int, spent: int) -> int:
        """Return those of some states in which a vehicle may end; of many, all that are not sure."""
        doubtful = states & self.moving
        if doubtful.bit_count() > FEW:
            return states
        return states & ~sum(
            1 << state for state in bits_of(doubtful) if self.needs(i, state, spent) is None
        )

    def needs(self, i: int, state: int, spent: int) -> tuple[int, ...] | None:
        """
        Return sets of cells, in each of which a vehicle of the Convoy must stand; None: it cannot end.

        So much is spent by the plan.
        """
        if not self.moving >> state & 1:
            return ()
        key = (i, state, spent)
        if key not in self._known:
            self._known[key] = self._asked(i, state, spent + self.before[i])
        return self._known[key]

    def _asked(self, i: int, state: int, spent: int) -> tuple[int, ...] | None:
        steps, told = self.steps[i], self.field.state(state)
        left = self.budget + self.before[i] - spent
        if steps.may_end(told, spent, left, ()):
            return ()
        ahead = [at for at in steps.ahead(told) if at in self.field.cell]
        if not ahead or not steps.may_end(told, spent, left, ahead):
            return None
        barred = [
            frozenset(taken)
            for size in range(len(ahead))
            for taken in combinations(ahead, size)
            if not steps.may_end(told, spent, left, taken)
        ]
        largest = [a for a in barred if not any(a < b for b in barred)]
        return tuple(self.field.cells(set(ahead) - taken) for taken in largest)

    def parts(self, node: Node) -> list[Node]:
        """Return how a Convoy may end that has such choices: all in Motion or none, or as it comes."""
        if not self.all_alike:
            return [node]
        moving = tuple(states & self.moving for states in node)
        stopped = tuple(states & ~self.moving for states in node)
        return [part for part in (moving, stopped) if all(part)]

    def breaks(self, course: Course) -> set[tuple[int, int, int]]:
        """Return the vehicles that may not end as they do, in which state and for how much."""
        if len(course.states) == 1:  # a plan that does nothing ends no MPh
            return set()
        final, spent = course.states[-1], course.spent[-1]
        cells = [1 << self.field.cell_of(state) for state in final]
        found = set()
        for i, state in enumerate(final):
            others = sum(cells) - cells[i]
            needs = self.needs(i, state, spent)
            if needs is None or not all(need & others for need in needs):
                found.add((i, state, spent))
        return found

    def allow(self, course: Course) -> bool:
        """Tell whether a plan may end as it does."""
        going = {self.moving >> state & 1 for state in course.states[-1]}
        mixed = self.all_alike and len(going) > 1 and len(course.states) > 1
        return not mixed and not self.breaks(course)

    def learn(self, found: Iterable[tuple[int, int, int]]) -> None:
        """Remember who may not end as it does."""
        self._met |= {*found}

    def state(self, logic: Logic) -> None:
        """State that all end in Motion or none, and of those met so what must stand before them."""
        if self.all_alike:
            self.state_motion(logic)
        for i, state, spent in sorted(self._met):
            self.state_needs(logic, i, state, spent)

    def state_motion(self, logic: Logic) -> None:
        """State that all end in Motion or none."""
        moving = logic.new()
        for states in logic.at:
            for state, literal in states[logic.last].items():
                logic.any_of((~literal, moving if self.moving >> state & 1 else ~moving))

    def state_needs(self, logic: Logic, i: int, state: int, spent: int) -> None:
        """State what must stand before a vehicle that ends so."""
        end = logic.last
        literal, total = logic.at[i][end].get(state), logic.totals[end].get(spent)
        if literal is None or total is None:
            return
        needs = self.needs(i, state, spent)
        for cells in [0] if needs is None else needs:
            there = [
                taken
                for j, hexes in enumerate(logic.hexes)
                for cell, taken in hexes[end].items()
                if j != i and cells >> cell & 1
            ]
            logic.any_of((~literal, ~total, *there))
