"""How a Convoy may end its MPh: which states, and what must stand beside them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.planning.line.ends import AnyEnd
from marchtable_models.asl.clauses.vehicles.movement import end_in_motion
from marchtable_models.asl.facts.lines import LineEnd

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from marchtable.planning.line.graph import Course
    from marchtable.planning.line.logic import Logic
    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.rules.edition import Edition

__all__ = ["Ends"]

LEAST = 2  # places before a vehicle; more where there is a bridge


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
        told = edition.judge(LineEnd(members=2, moving=1)).bars
        self.alike = next((bar.clause for bar in told), "")
        self.all_alike = bool(told)

    # -- in masks --------------------------------------------------------------------------------

    def may_end(self, ends: Any) -> Any:
        """Return for a table of ends what may be spent where, whatever stands beside."""
        graph = self.graph
        row = np.bitwise_or.reduce(self.table(ends), axis=2)
        return np.tile(row.reshape(-1), graph.most + 1)

    @cached_property
    def width(self) -> int:
        """Before how many places a vehicle may stand."""
        graph = self.graph
        return max(
            LEAST,
            *(len(row) for i in range(graph.count) for row in graph.graphs[i].fronts(graph.own[i])),
        )

    def table(self, ends: Any) -> Any:
        """Return by vehicle, state and what is taken before it, what may be spent as it ends."""
        graph = self.graph
        kind = np.int64 if graph.small else object
        found = np.full((graph.count, graph.size, 1 << self.width), graph.full, kind)
        for i, here in self._bound(ends):
            least = self.least_levels(i, here, self._poorest(i)[0][0])
            found[i, here] = _from(least, graph)
        return found

    def _bound(self, ends: Any) -> Iterator[tuple[int, list[int]]]:
        """Yield the vehicles with those of their states in Motion in which it matters what is left."""
        graph = self.graph
        ends = ends.reshape(graph.most + 1, graph.count, graph.size)
        live = np.bitwise_or.reduce(ends, axis=0) != 0
        for i in range(graph.count):
            states = np.flatnonzero(live[i]).tolist() if self.bound else ()
            here = [s for s in states if graph.is_moving(i, s)]
            if here:
                yield i, here

    def _poorest(self, i: int) -> list[tuple[int, tuple[int, ...]]]:
        """Return what the poorest on the map of those who end with a vehicle may have left, and who must have gone for it."""
        if not self.graph.has_exits:
            part = next(part for part in self._parts if i in part)
            return [(min(self.left[j] for j in part), ())]
        return [
            (budget, tuple(j for j, left in enumerate(self.left) if left < budget))
            for budget in sorted(set(self.left))
        ]

    def least_levels(self, i: int, states: Sequence[int], budget: int) -> Any:
        """
        Return by state and what is taken before it the fewest levels with which it may end.

        The poorest has so many half points left.
        """
        graph = self.graph
        total = budget + self.before[i]
        own = [graph.own[i][n] for n in states]
        told = graph.graphs[i].ends(total, own, self.width)[own]
        self.left_out |= graph.graphs[i].doubts(total, own)
        return np.maximum(0, -((self.before[i] - told) // graph.grain))

    # -- of one plan -----------------------------------------------------------------------------

    def needs(
        self, i: int, state: int, level: int, budget: int
    ) -> tuple[frozenset[int], ...] | None:
        """
        Return sets of places, in each of which a vehicle of the Convoy must stand; None: it cannot end.

        So much is spent by the plan, in steps of the graph's grain, and the poorest has so many half
        points left.
        """
        graph = self.graph
        if not self.bound or not graph.is_moving(i, state):
            return ()
        allowed = self.least_levels(i, [state], budget)[0] <= level
        ahead = graph.graphs[i].ahead(graph.own[i][state])
        every = (1 << len(ahead)) - 1
        if not allowed[every]:
            return None
        barred = [code for code in range(every) if not allowed[code]]
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

    # -- in clauses ------------------------------------------------------------------------------

    def state(self, logic: Logic) -> None:
        """State that all of a part end in Motion or none, and what must stand before whoever ends in it."""
        for part, others in zip(logic.parts, logic.others, strict=True):
            self._state_motion(logic, part.members)
            with logic.under(end_in_motion.id):
                for i in part.members:
                    for state in logic.at[i][logic.last]:
                        for level in logic.fitting(i, logic.last, state):
                            self._state_needs(logic, (i, state, level), others)

    def _state_motion(self, logic: Logic, members: Iterable[int]) -> None:
        """State that some vehicles all end in Motion or none."""
        moving = logic.new()
        with logic.under(self.alike):
            for i in members if self.all_alike else ():
                for state, literal in logic.at[i][logic.last].items():
                    is_moving = self.graph.is_moving(i, state)
                    logic.any_of((~literal, moving if is_moving else ~moving))

    def _state_needs(
        self, logic: Logic, how: tuple[int, int, int], others: Mapping[int, int]
    ) -> None:
        """State what must stand before a vehicle that ends in a state at a level, perhaps one of another part."""
        (i, state, level), end, part = how, logic.last, logic.part_of(how[0])
        literal, total = logic.at[i][end][state], part.totals[end][level]
        for budget, poorer in self._poorest(i):
            gone = [logic.gone(j, end) for j in poorer]
            left = [~x for x in gone if x is not None]
            if len(left) < len(gone):
                continue
            needs = self.needs(i, state, level, budget)
            for places in [frozenset[int]()] if needs is None else needs:
                mates = [logic.spots[j][end].items() for j in part.members if j != i]
                there = [x for told in (*mates, others.items()) for p, x in told if p in places]
                logic.any_of((~literal, ~total, *left, *there))


def _from(least: Any, graph: StateGraph) -> Any:
    """Return masks of all that is as much as told, or more."""
    known = [graph.full >> level << level for level in range(graph.levels + 1)]
    table = np.array(known, np.int64 if graph.small else object)
    return table[np.minimum(least, graph.levels)]
