"""How a line may end: anywhere, unless its space knows better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from marchtable.planning.line.graph import Course
    from marchtable.planning.line.logic import Logic
    from marchtable.planning.line.state_graph import StateGraph

__all__ = ["AnyEnd"]


class AnyEnd:
    """A line that may end its turn anywhere."""

    all_alike = False

    def __init__(self, graph: StateGraph) -> None:
        self.graph = graph
        self.left_out: set[str] = set()

    def may_end(self, ends: Any) -> Any:
        """Return for a table of ends what may be spent where, whatever stands beside."""
        return np.full(len(ends), self.graph.full, ends.dtype)

    def allow(self, _: Course) -> bool:
        """Return whether a plan may end as it does."""
        return True

    def state(self, logic: Logic) -> None:
        """State how plans may end: nothing is to be stated."""
