"""The plans of a Convoy in which a Gap appears before one vehicle, the best of them by CP-SAT."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from marchtable.budget import work
from marchtable.planning.line.deciding import checked, could_end, solved, stated
from marchtable.planning.line.layers import MORE, ending_by, in_parts
from marchtable.planning.line.problem import Parting
from marchtable.planning.line.problem import LineProblem
from marchtable.planning.line.sweep import Layers
from marchtable.planning.line.worth import Limits
from marchtable_models.asl.cpsat.convoy.ends import Ends
from marchtable_models.asl.cpsat.convoy.steps import steps_for
from marchtable_models.asl.cpsat.line_relations import credit_alone

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from marchtable.planning.line.constraints import Constraints
    from marchtable.planning.line.graph import Course
    from marchtable.rules.plan_model import Control, Task
    from marchtable_models.asl.cpsat.convoy.plans import Convoy

__all__ = ["GapSearch", "Parted"]

STATE = 5e-5  # deterministic time for what is told of a vehicle's state in an Impulse


class Parted(NamedTuple):
    """
    A plan with a Gap: what either part does, each vehicle told in both.

    Parameters
    ----------
    at
        The first vehicle of the rear part.
    joint
        How many Impulses all make together, the one that makes the Gap being the last.
    front, rear
        The parts' plans: in each the vehicles of the other stay as they are.
    """

    at: int
    joint: int
    front: Course
    rear: Course

    @property
    def each(self) -> tuple[Course, ...]:
        """The plan of each vehicle's part."""
        rears = len(self.front.states[0]) - self.at
        return (self.front,) * self.at + (self.rear,) * rears


class GapSearch(LineProblem):
    """
    The plans in which the Gap appears before one vehicle.

    Parameters
    ----------
    plain
        The model of the plans without a Gap.
    lone
        The vehicles that a Gap may leave alone.
    """

    parting: Parting

    def __init__(self, plain: Convoy, lone: Collection[str]) -> None:
        self.plain = plain
        line, free, avoid = plain.line, plain.is_loose, plain.rolls == "avoid"
        steps = steps_for(plain.rulebook, plain.position, line, avoid=avoid, lone=lone)
        self.left = [plain.most] * len(line) if free else plain.left
        apart = [steps[unit.id] for unit in line]
        self.graph = plain.graph_for(max(self.left), apart, free=free)
        self.worth, _ = plain.given(self.graph)

    def before(self, at: int, *, first: bool, later: bool) -> GapSearch:
        """Return the search of plans in which a vehicle parts the Convoy: in the first Impulse, in later ones."""
        found, plain = copy(self), self.plain
        rules = plain.rulebook.edition(plain.position)
        means = [own + credit_alone(rules) for own in plain.means]
        found.parting = Parting(at, first, later, plain.is_leaving_shared, means)
        _, found.cuts = plain.given(self.graph)
        bound = not plain.is_loose
        found.ends = Ends(
            rules, self.graph, plain.spent, plain.means, bound=bound, parts=found.halves
        )
        return found

    @property
    def left_out(self) -> set[str]:
        """The clauses that are not modelled and bore on steps and endings."""
        return self.ends.left_out | self.graph.left_out

    def best_of(self, least: int | None, task: Task, control: Control) -> tuple[Parted, int] | None:
        """Return the best plan that comes to so much, None for any, and to what it comes; raises TimeoutError at a limit."""
        limits = Limits(self.worth, task)
        checked(control)
        layers = self._reached(limits, least)
        if layers is None or not could_end(self, layers, limits, least, control):
            return None
        for more in (None,) if limits.weights else MORE:
            found = self._solved(layers, limits, least, more, control)
            if found is not None:
                return found
        return None

    def _solved(
        self, layers: Layers, limits: Limits, least: int | None, more: int | None, control: Control
    ) -> tuple[Parted, int] | None:
        """Return the best plan within some layers, of so many rounds more than it takes at least; None: of any number."""
        ends = layers.ends if more is None else ending_by(self.graph, layers.ends, more)
        ends = ends & self.ends.may_end(ends)
        found = self._reached(limits, least, layers._replace(ends=ends))
        if found is None:
            return None
        work(STATE * int(np.count_nonzero(found.active)))
        model = stated(self, found, limits, least)
        terms, _ = limits.terms(model, limits.sum, whole=True)
        # where all plans are as good: one without detours, unless any will do
        sought = terms or (_spending(model) if limits.weights else [])
        values = solved(model, control, sought)
        if values is None:
            return None
        total = sum(value for literal, value in terms if values[literal])
        joint = max(t for t in range(1, model.last + 1) if values[model.joint[t]])
        plan = Parted(self.parting.at, joint, *model.courses(values))
        return plan, total - limits.sum.least

    def _reached(
        self, limits: Limits, least: int | None, within: Layers | None = None
    ) -> Layers | None:
        """Return what of the states a plan can use that comes to so much, None if there is none."""
        graph, rows = self.graph, [limits.sum, *limits.rows]
        parts = [
            (part, graph.part(part, min(self.left[i] for i in part)),
             [limits.share(row, part) for row in rows])
            for part in self.halves
        ]  # fmt: skip
        wanted = limits.wanted(limits.bounds()[1] if least is None else least)
        return in_parts(parts, wanted, within or self._anywhere())

    def _anywhere(self) -> Layers:
        """Return where vehicles can be, alone only if nobody else is of their part."""
        graph, masks = self.graph, self.graph.masks.copy()
        table = masks.reshape(graph.most + 1, graph.count, graph.size)
        for part in (part for part in self.halves if len(part) > 1):
            for i in part:
                table[:, i, [s for s in range(graph.span[i]) if graph.is_alone(i, s)]] = 0
        return Layers(masks, masks)

    @property
    def halves(self) -> Sequence[range]:
        """The parts of the line."""
        return range(self.parting.at), range(self.parting.at, self.graph.count)


def _spending(model: Constraints) -> list[tuple[int, int]]:
    """Return the literals of what either part spends, against it."""
    return [(x, -n) for part in model.parts for n, x in part.totals[model.last].items() if n]
