"""What is to be planned for a line: where it can be, what that is worth, how it may end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.line.constraints import state_line
from marchtable.planning.line.logic import Logic, solved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.planning.line.cuts import Cuts
    from marchtable.planning.line.ends import AnyEnd
    from marchtable.planning.line.graph import Course
    from marchtable.planning.line.layers import Kept
    from marchtable.planning.line.parts import Parting
    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.planning.line.tables import Layers
    from marchtable.planning.line.task import Limits
    from marchtable.planning.line.worth import Worth
    from marchtable.rules.plan_model import Control

__all__ = ["LineProblem"]


class LineProblem:
    """
    What plans of one line are made of.

    Attributes
    ----------
    graph, worth, ends, cuts
        Where it can be, what that is worth, how it may end, and what is not to be proposed.
    kept
        Layers that are there already.
    parting
        How it parts, if it does.
    """

    graph: StateGraph
    worth: Worth
    ends: AnyEnd
    cuts: Cuts
    kept: Kept
    parting: Parting | None = None

    @property
    def most(self) -> int:
        """The most rounds that a plan has."""
        return self.graph.most

    def bind(self, logic: Logic) -> None:
        """State what binds the members besides: nothing."""

    def is_legal(self, course: Course) -> bool:
        """Return whether a plan is one of the space: it ends as it may, and nobody goes straight back."""
        return self.graph.holds(course) and self.ends.allow(course) and not self.cuts.breaks(course)

    def stated(self, layers: Layers, limits: Limits, least: int | None) -> Logic:
        """Return as clauses the plans within some layers that come to so much, None for any."""
        logic = Logic(self.graph, layers, self.parting)
        state_line(logic)
        self.bind(logic)
        self.ends.state(logic)
        limits.state(logic, least)
        self.cuts.state(logic)
        return logic

    def solved(
        self, logic: Logic, control: Control, sought: Sequence[tuple[int, int]] = ()
    ) -> Any | None:
        """Return what :func:`.logic.solved` does, of plans in which nobody goes straight back."""
        while (values := solved(logic, control, sought)) is not None:
            backs = {each for course in logic.courses(values) for each in self.cuts.breaks(course)}
            if not backs:
                return values
            self.cuts.learn(backs)
            for each in sorted(backs):
                self.cuts.not_back(logic, *each)
        return None
