"""The problem of a line: its states, their worth, and its possible ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.planning.line.cuts import Cuts
    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.planning.line.variables import Parting
    from marchtable.planning.line.worth import Worth

__all__ = ["AnyEnd", "LineProblem"]


class AnyEnd:
    """
    A line that can end its turn anywhere.

    Attributes
    ----------
    all_alike, alike
        Whether all of a part must end moving or none, as far as layers know; the clause for the
        model's row, "" if it is stated otherwise.
    uncounted
        Members that count neither as moving nor as stopped.
    clause, one_for_all
        The clause on what must be before a member that ends moving, and whether it is enough if one
        of them satisfies it.
    left_out
        Unmodelled clauses that applied to members' ends.
    """

    all_alike, alike, clause, one_for_all = False, "", "", False
    uncounted: frozenset[int] = frozenset()

    def __init__(self, graph: StateGraph) -> None:
        self.graph = graph
        self.left_out: set[str] = set()

    def may_end(self, ends: Any) -> Any:
        """Return the sums that may be spent at each end, whatever is beside."""
        return np.full(len(ends), self.graph.full, ends.dtype)

    def binds(self, _i: int, _state: int) -> bool:
        """Return whether it matters how a member ends in a state."""
        return False

    def poorest(self, i: int) -> Sequence[tuple[int, tuple[int, ...]]]:
        """
        Return what the poorest of those that end with a member may have left, in half points.

        Each with the members that must have left the map for it.
        """
        raise NotImplementedError

    def needs(
        self, i: int, state: int, level: int, budget: int
    ) -> tuple[frozenset[int], ...] | None:
        """
        Return sets of places, each of which another member must occupy; None: it cannot end so.

        The plan spends the level, in steps of the graph's grain; the poorest has the budget left,
        in half points.
        """
        raise NotImplementedError


class LineProblem:
    """
    The data of a line's plans.

    Attributes
    ----------
    graph, worth, ends, cuts
        Its states, their worth, its possible ends, and excluded plans.
    parting
        How it parts, if it does.
    """

    graph: StateGraph
    worth: Worth
    ends: AnyEnd
    cuts: Cuts
    parting: Parting | None = None

    @property
    def most(self) -> int:
        """The maximum number of rounds."""
        return self.graph.most
