"""The plans of a Convoy in which a Gap appears before one vehicle, the best of them by CP-SAT."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from marchtable.budget import work
from marchtable.planning.line.bound_tightening import MASK
from marchtable.planning.line.last_places import could_end
from marchtable.planning.line.layers import blank, in_parts
from marchtable.planning.line.logic import checked
from marchtable.planning.line.parts import Parting
from marchtable.planning.line.problem import LineProblem
from marchtable.planning.line.tables import Layers
from marchtable.planning.line.task import Limits
from marchtable_models.asl.cpsat.convoy.ends import Ends
from marchtable_models.asl.cpsat.convoy.gap_constraints import Parted, state_gap
from marchtable_models.asl.cpsat.convoy.kept_steps import steps_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.planning.line.logic import Logic
    from marchtable.planning.line.task import Row
    from marchtable.rules.plan_model import Control, Task
    from marchtable_models.asl.cpsat.convoy.plans import Convoy

__all__ = ["GapSearch"]

STATE = 5e-5  # deterministic time for what is told of a vehicle's state in an Impulse


class GapSearch(LineProblem):
    """
    The plans in which the Gap appears before one vehicle.

    Parameters
    ----------
    plain
        The model of the plans without a Gap.
    at, first, later
        The vehicle by its place in the line, 0 for any; whether it may part the Convoy in the first
        Impulse, and in others.
    """

    def __init__(self, plain: Convoy, at: int, first: bool, later: bool) -> None:
        self.plain, self.at = plain, at
        self.parting = Parting(at, first, later, plain.is_leaving_shared) if at else None
        line, last, free = plain.line, len(plain.line) - 1, plain.is_loose
        lone = {line[end].id for end, part in ((0, 1), (last, last)) if at in (0, part)}
        rolls = plain.rolls == "avoid"
        steps = steps_for(plain.rulebook, plain.position, line, avoid=rolls, lone=lone)
        self.left = [plain.most] * len(line) if free else plain.left
        apart = [steps[unit.id] for unit in line]
        self.graph = plain.graph_for(max(self.left), apart, free=free)
        self.worth, self.cuts = plain.told_of(self.graph)
        told = (plain.rulebook.edition(plain.position), self.graph, plain.spent, plain.means)
        self.ends = Ends(*told, bound=at > 0 and not free, parts=self._parts)

    @property
    def left_out(self) -> set[str]:
        """The clauses that are not modelled and bore on steps and endings."""
        return self.ends.left_out | self.graph.left_out

    def bind(self, logic: Logic) -> None:
        """State how the Gap is made, and what is so once it is there."""
        state_gap(logic, self.at)

    def best_of(self, least: int | None, task: Task, control: Control) -> tuple[Parted, int] | None:
        """Return the best plan that comes to so much, None for any, and to what it comes; raises TimeoutError at a limit."""
        limits = Limits(self.worth, task)
        checked(control)
        logic = self._logic(limits, least, control)
        if logic is None:
            return None
        terms, _ = limits.terms(logic, limits.sum, whole=True)
        # where all plans are as good: one without detours, unless any will do
        sought = terms or (_spending(logic) if limits.weights else [])
        values = self.solved(logic, control, sought)
        if values is None:
            return None
        total = sum(value for literal, value in terms if values[literal])
        joint = max(t for t in range(1, logic.last + 1) if values[logic.joint[t]])
        plan = Parted(self.at, joint, *logic.courses(values))
        return plan, total - limits.sum.least

    def _logic(self, limits: Limits, least: int | None, control: Control) -> Logic | None:
        """Return the plans that come to so much as clauses, None if there is none."""
        found = self._reached(limits, least)
        if found is None or not self._open([self.at], found, limits.asking(least), control):
            return None
        ends = found.ends & self.ends.may_end(found.ends)
        found = self._reached(limits, least, found._replace(ends=ends))
        if found is None:
            return None
        work(STATE * int(np.count_nonzero(found.active)))
        return self.stated(found, limits, least)

    def _reached(
        self, limits: Limits, least: int | None, within: Layers | None = None
    ) -> Layers | None:
        """Return what of the states a plan can use that comes to so much, None if there is none."""
        graph, rows = self.graph, [limits.sum, *limits.rows]
        parts = [
            (part, graph.part(part, min(self.left[i] for i in part)),
             [limits.share(row, part) for row in rows])
            for part in self._parts
        ]  # fmt: skip
        wanted = limits.wanted(limits.bounds()[1] if least is None else least)
        anywhere = Layers(graph.masks, graph.masks, blank(graph, 0))
        return in_parts(parts, wanted, within or anywhere)

    @property
    def _parts(self) -> Sequence[range]:
        """The parts of the line: each vehicle by itself if any may part it."""
        count, at = len(self.plain.line), self.at
        return (range(at), range(at, count)) if at else [range(i, i + 1) for i in range(count)]

    def _open(
        self, some: Iterable[int], found: Layers, rows: Sequence[Row], control: Control
    ) -> list[int]:
        """Return before which of some vehicles a Gap may be, as far as last places tell."""
        graph = self.graph
        links = {at: [i != at for i in range(graph.count)] for at in some}
        return [
            at for at, linked in links.items()
            if could_end(graph, found.ends, rows, self._parts, linked, control)
        ]  # fmt: skip

    def could_part(
        self, some: Iterable[int], least: int | None, task: Task, control: Control
    ) -> list[int]:
        """Return before which of some vehicles a Gap may be in a plan of so much, as far as last places tell."""
        control.spend(MASK * len(self.graph.masks))
        limits = Limits(self.worth, task)
        found = self._reached(limits, least)
        return [] if found is None else self._open(some, found, limits.asking(least), control)


def _spending(logic: Logic) -> list[tuple[int, int]]:
    """Return the literals of what either part spends, against it."""
    return [(x, -n) for part in logic.parts for n, x in part.totals[logic.last].items() if n]
