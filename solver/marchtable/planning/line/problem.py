"""What is to be planned for a line: where it can be, what that is worth, how it may end."""

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
    A line that may end its turn anywhere.

    Attributes
    ----------
    all_alike, alike
        Whether all of a part must end moving or none, as far as layers know; the clause that the
        model is to state it by, "" if it is stated otherwise.
    uncounted
        The members that count neither with those moving nor with the others.
    clause, one_for_all
        The clause on what must stand before a member that ends moving, and whether it is enough that one
        of those may end so.
    left_out
        Clauses, not modelled, that bore on how members end.
    """

    all_alike, alike, clause, one_for_all = False, "", "", False
    uncounted: frozenset[int] = frozenset()

    def __init__(self, graph: StateGraph) -> None:
        self.graph = graph
        self.left_out: set[str] = set()

    def may_end(self, ends: Any) -> Any:
        """Return for a table of ends what may be spent where, whatever stands beside."""
        return np.full(len(ends), self.graph.full, ends.dtype)

    def binds(self, _i: int, _state: int) -> bool:
        """Return whether it matters how a member ends in a state."""
        return False

    def poorest(self, i: int) -> Sequence[tuple[int, tuple[int, ...]]]:
        """Return what the poorest of those who end with a member may have left, in half points, and who must have gone for it."""
        raise NotImplementedError

    def needs(
        self, i: int, state: int, level: int, budget: int
    ) -> tuple[frozenset[int], ...] | None:
        """
        Return sets of places, in each of which another member must stand; None: it cannot end so.

        So much is spent by the plan, in steps of the graph's grain, and the poorest has so many half
        points left.
        """
        raise NotImplementedError


class LineProblem:
    """
    What plans of one line are made of.

    Attributes
    ----------
    graph, worth, ends, cuts
        Where it can be, what that is worth, how it may end, and what is not to be proposed.
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
        """The most rounds that a plan has."""
        return self.graph.most
