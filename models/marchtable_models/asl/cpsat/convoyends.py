"""How a Convoy may end its MPh: which states, and what must stand beside them."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.convoyfield import bits_of
from marchtable_models.asl.linefacts import LineEnd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.edition import Edition
    from marchtable_models.asl.cpsat.convoyfield import Field
    from marchtable_models.asl.cpsat.convoylayers import Node
    from marchtable_models.asl.cpsat.convoylogic import Course
    from marchtable_models.asl.cpsat.convoysteps import Steps

__all__ = ["Ends"]


class Ends:
    """
    What the rules say of ending the MPh.

    Parameters
    ----------
    edition, field, steps
        The rules, the states, and whom to ask of each vehicle.
    before
        What each vehicle had spent before the plan, in half points.
    """

    def __init__(
        self, edition: Edition, field: Field, steps: Sequence[Steps], before: Sequence[int]
    ) -> None:
        self.field, self.steps, self.before = field, steps, before
        self.all_alike = bool(edition.judge(LineEnd(members=2, moving=1)).bars)
        self.moving = field.with_mode(lambda mode: mode[1])
        self._needs: dict[tuple[int, int, int], tuple[int, ...] | None] = {}

    def fitting(self, i: int, states: int, spent: int) -> int:
        """Return those of some states in which a vehicle may end, whatever stands beside it."""
        found = states & ~self.moving
        for state in bits_of(states & self.moving):
            if self.needs(i, state, spent) is not None:
                found |= 1 << state
        return found

    def needs(self, i: int, state: int, spent: int) -> tuple[int, ...] | None:
        """
        Return sets of cells, in each of which a vehicle of the Convoy must stand; None: it cannot end.

        It had spent so much in the plan.
        """
        if not self.moving >> state & 1:
            return ()
        key = (id(self.steps[i]), state, spent + self.before[i])
        if key not in self._needs:
            self._needs[key] = self._asked(self.steps[i], state, spent + self.before[i])
        return self._needs[key]

    def _asked(self, steps: Steps, state: int, spent: int) -> tuple[int, ...] | None:
        """Ask with nobody beside it, then with each of the Locations before it taken, then all."""
        told = self.field.state(state)
        if steps.may_end(told, spent, ()):
            return ()
        ahead = [at for at in steps.ahead(told) if at in self.field.cell]
        if not ahead or not steps.may_end(told, spent, ahead):
            return None
        barred = [
            set(taken)
            for size in range(len(ahead))
            for taken in combinations(ahead, size)
            if not steps.may_end(told, spent, taken)
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

    def allow(self, course: Course) -> bool:
        """Tell whether a plan may end as it does; one that does nothing always does."""
        if len(course.states) == 1:
            return True
        final, spent = course.states[-1], course.spent[-1]
        if self.all_alike and len({self.moving >> state & 1 for state in final}) > 1:
            return False
        cells = [self.field.cell_of(state) for state in final]
        for i, state in enumerate(final):
            others = sum({1 << cell for j, cell in enumerate(cells) if j != i})
            needs = self.needs(i, state, spent)
            if needs is None or not all(need & others for need in needs):
                return False
        return True
