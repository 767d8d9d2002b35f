"""What is to be planned for a line: where it can be, what that is worth, how it may end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from marchtable.planning.line.cuts import Cuts
    from marchtable.planning.line.ends import AnyEnd
    from marchtable.planning.line.graph import Course
    from marchtable.planning.line.layers import Kept
    from marchtable.planning.line.parts import Parting
    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.planning.line.worth import Worth

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

    def is_legal(self, course: Course) -> bool:
        """Return whether a plan is one of the space: it ends as it may, and nobody goes straight back."""
        return self.graph.holds(course) and self.ends.allow(course) and not self.cuts.breaks(course)
