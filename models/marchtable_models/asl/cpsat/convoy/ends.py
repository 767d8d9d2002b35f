"""How a Convoy may end its MPh: which states, and what must stand beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.planning.line.problem import AnyEnd
from marchtable_models.asl.clauses.vehicles.movement import end_in_motion
from marchtable_models.asl.facts.lines import LineEnd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.planning.line.graph import Course
    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.rules.edition import Edition

__all__ = ["Ends"]


class Ends(AnyEnd):
    """
    What the rules say of ending the MPh.

    Parameters
    ----------
    edition, graph
        The rules, and the states.
    before
        What each vehicle had spent before the plan, in half points.
    left
        What each vehicle has left, in half points.
    bound
        Whether that matters to who ends in Motion.
    parts
        The vehicles that end together, by default all.
    """

    clause = end_in_motion.id

    def __init__(
        self,
        edition: Edition,
        graph: StateGraph,
        before: Sequence[int],
        left: Sequence[int],
        *,
        bound: bool = True,
        parts: Sequence[range] = (),
    ) -> None:
        super().__init__(graph)
        self._parts = parts or (range(graph.count),)
        self.before = before
        self.left, self.bound = left, bound
        bars = edition.judge(LineEnd(members=2, moving=1)).bars
        self.alike = next((bar.clause for bar in bars), "")
        self.all_alike = bool(bars)

    # -- in masks --------------------------------------------------------------------------------

    def may_end(self, ends: Any) -> Any:
        """Return for a table of ends what may be spent where, if whatever may help stands beside."""
        graph = self.graph
        live = np.bitwise_or.reduce(ends.reshape(-1, graph.count, graph.size), axis=0) != 0
        found = np.full((graph.count, graph.size), graph.full, ends.dtype)
        for i in range(graph.count) if self.bound else ():
            least = self.poorest(i)[0][0]
            for state in (s for s in np.flatnonzero(live[i]).tolist() if graph.is_moving(i, s)):
                level = self.level(i, state, least, self._every(i, state))
                found[i, state] = graph.full >> level << level
        return np.tile(found.reshape(-1), graph.most + 1)

    def _every(self, i: int, state: int) -> int:
        """Return the code of all places before a vehicle."""
        return (1 << len(self.graph.graphs[i].ahead(self.graph.own[i][state]))) - 1

    def poorest(self, i: int) -> list[tuple[int, tuple[int, ...]]]:
        """Return what the poorest on the map of those who end with a vehicle may have left, and who must have gone for it."""
        if not self.graph.has_exits:
            part = next(part for part in self._parts if i in part)
            return [(min(self.left[j] for j in part), ())]
        return [
            (budget, tuple(j for j, left in enumerate(self.left) if left < budget))
            for budget in sorted(set(self.left))
        ]

    def level(self, i: int, state: int, budget: int, code: int) -> int:
        """
        Return the fewest levels with which a vehicle may end so; as many as there are: never.

        The poorest has so many half points left; the places of a code before the vehicle are taken.
        """
        graph, before = self.graph, self.before[i]
        least, doubts = graph.graphs[i].ends_from(graph.own[i][state], budget + before, code)
        self.left_out.update(doubts)
        return min(graph.levels, max(0, -((before - int(least)) // graph.grain)))

    # -- of one plan -----------------------------------------------------------------------------

    def binds(self, i: int, state: int) -> bool:
        """Return whether it matters how a vehicle ends in a state: in Motion, unless any sum is allowed."""
        return self.bound and self.graph.is_moving(i, state)

    def needs(
        self, i: int, state: int, level: int, budget: int
    ) -> tuple[frozenset[int], ...] | None:
        """
        Return sets of places, in each of which a vehicle of the Convoy must stand; None: it cannot end.

        So much is spent by the plan, in steps of the graph's grain, and the poorest has so many half
        points left.
        """
        graph = self.graph
        if not self.binds(i, state):
            return ()
        every = self._every(i, state)
        if self.level(i, state, budget, every) > level:
            return None
        if self.level(i, state, budget, 0) <= level:  # more that stand there are no hindrance
            return ()
        ahead = graph.graphs[i].ahead(graph.own[i][state])
        barred = [code for code in range(every) if self.level(i, state, budget, code) > level]
        largest = [a for a in barred if not any(a != b and a & b == a for b in barred)]
        return tuple(
            frozenset(p for k, p in enumerate(ahead) if not code >> k & 1) for code in largest
        )

    def allow(self, course: Course) -> bool:
        """Return whether a plan may end as it does, in which nobody leaves the map."""
        graph, final = self.graph, course.states[-1]
        if self.all_alike and len({graph.is_moving(i, s) for i, s in enumerate(final)}) > 1:
            return False
        level, budget = course.spent[-1] // graph.grain, min(self.left)
        places = [graph.place_of(i, s) for i, s in enumerate(final)]
        told = (self.needs(i, s, level, budget) for i, s in enumerate(final))
        return all(
            needs is not None and all(need & {*places[:i], *places[i + 1 :]} for need in needs)
            for i, needs in enumerate(told)
        )
