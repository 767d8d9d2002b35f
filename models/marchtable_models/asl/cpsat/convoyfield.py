"""A Convoy's part of the map as arrays: the states of its vehicles, and what is one step away."""

from __future__ import annotations

from copy import copy
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable_models.asl.cpsat.convoycompiled import WIDEST, run
from marchtable_models.asl.cpsat.convoygraph import OFF, PLACE

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from marchtable.board import Board
    from marchtable_models.asl.cpsat.convoygraph import Graph
    from marchtable_models.asl.cpsat.convoysteps import State, Step, Steps

__all__ = ["Course", "Field"]

ALL = 2**40
"""No budget."""


class Course(NamedTuple):
    """A plan as numbers: each vehicle's state after each Impulse, and what is spent by then."""

    states: tuple[tuple[int, ...], ...]
    spent: tuple[int, ...]


class Field:
    """
    The states that vehicles of a Convoy can reach, and where each can be after each Impulse.

    A vehicle's state is a number of its sort's (see :class:`Graph`). What is spent counts in steps
    of a `grain`, as bits of masks: ``masks[(t * count + i) * size + state]`` tells for what sums
    vehicle i can be in a state after t Impulses.

    Parameters
    ----------
    board
        The map.
    steps, starts
        What each vehicle may do, and where it is.
    entering
        By vehicle: where it may come on; None for one before which there may be a Gap.
    most, budget
        How many Impulses there are, and for how many half points in all.
    avoid
        Locations that are not entered.
    free
        Count every Impulse as one half point: only how many there are matters.
    """

    def __init__(
        self,
        board: Board,
        steps: Sequence[Steps],
        starts: Sequence[State],
        entering: Sequence[Iterable[str] | None],
        most: int,
        budget: int,
        avoid: Iterable[str] = (),
        *,
        free: bool = False,
    ) -> None:
        self.board, self.free, self.most, self.budget = board, free, most, budget
        self.count = len(steps)
        self.graphs = [each.graph for each in steps]
        self.places = self.graphs[0].places
        self.starts = [g.number(s) for g, s in zip(self.graphs, starts, strict=True)]
        self.shut = np.zeros(len(self.places), bool)
        self.shut[[self.places.number[board.resolve(name)] for name in avoid]] = True
        self.linked = np.array([told is not None for told in entering], np.int64)
        self.entering = np.zeros((self.count, len(self.places)), np.int64)
        for i, told in enumerate(entering):
            self.entering[i, [self.places.number[board.resolve(name)] for name in told or ()]] = 1
        self._spread()

    # -- arrays --------------------------------------------------------------------------------

    def _spread(self) -> None:
        """Find where each vehicle can be, asking about every state that is met."""
        while True:
            self._lay_out()
            found = self.blank()
            for i, start in enumerate(self.starts):
                found[i * self.size + start] = 1
            todo = np.zeros(len(self.place), np.int64)
            none = np.zeros(0, np.int64)
            if not run(
                "spread", self.levels, len(found), found, none, self.most, self.costs, self.full,
                self.first, self.to, self.kind, self.asked, todo, self.ladder, *self.line,
            ):  # fmt: skip
                self.masks = found
                self._note()
                return
            for i, graph in enumerate(self.graphs):
                here = todo[self.base[i] : self.base[i] + self.span[i]]
                graph.ask([int(n) for n in np.flatnonzero(here)])

    def _note(self) -> None:
        """Keep as lists what is asked for state by state."""
        places = {key: graph.table().place.tolist() for key, graph in self._sorts().items()}
        moving = {key: graph.table().moving.tolist() for key, graph in self._sorts().items()}
        self._place = [places[id(graph)] for graph in self.graphs]
        self._moving = [moving[id(graph)] for graph in self.graphs]
        self._ways: dict[int, dict[int, list[tuple[int, int, int, Step]]]] = {
            key: {} for key in places
        }

    def _sorts(self) -> dict[int, Graph]:
        return {id(graph): graph for graph in self.graphs}

    def _lay_out(self) -> None:
        tables = {key: graph.table() for key, graph in self._sorts().items()}
        begin, at = {}, 0
        for key, table in tables.items():
            begin[key] = at
            at += len(table.place)
        told = list(tables.values())
        self.base = np.array([begin[id(graph)] for graph in self.graphs], np.int64)
        self.span = np.array([len(tables[id(g)].place) for g in self.graphs], np.int64)
        self.size = int(self.span.max())
        shifts = np.cumsum([0, *(len(table.to) for table in told)])
        parts = [table.first[:-1] + shift for table, shift in zip(told, shifts, strict=False)]
        self.first = np.concatenate([*parts, shifts[-1:]]).astype(np.int64)
        self.to = np.concatenate([table.to for table in told])
        self.flags = np.concatenate([table.flags for table in told])
        self.place = np.concatenate([table.place for table in told])
        self.moving = np.concatenate([table.moving for table in told])
        self.asked = np.concatenate([table.asked for table in told])
        self._count(np.concatenate([table.cost for table in told]), begin, tables)
        places = self.places
        seen = np.zeros(len(places), np.int64)
        self.line = (
            self.count, self.size, self.base, self.span, self.place, places.near_at, places.near,
            self.entering.reshape(-1), self.linked, len(places), seen,
        )  # fmt: skip

    def _count(self, cost: Any, begin: dict[int, int], tables: dict[int, Any]) -> None:
        """Number the costs: 0 stands for staying, -1 for a step that cannot be made."""
        if self.free:
            cost = np.ones_like(cost)
        usable = cost <= self.budget
        if self.shut.any():
            goes = np.concatenate(
                [begin[key] + table.to for key, table in tables.items()] or [cost]
            )
            usable &= ~((self.flags & PLACE > 0) & self.shut[self.place[goes]])
        costs = sorted({*cost[usable].tolist()})
        self.grain = gcd(*costs) or 1
        self.levels = self.budget // self.grain + 1
        self.full = (1 << self.levels) - 1
        self.costs = np.array([0, *(c // self.grain for c in costs)], np.int64)
        self.kind = np.where(usable, np.searchsorted(np.array([0, *costs]), cost), -1)
        self.ladder = np.zeros(len(self.costs) + 1, np.int64)
        self.small = self.levels <= WIDEST

    def linking(self, vehicles: Container[int]) -> Field:
        """Return this field with only some vehicles bound to be beside the one ahead of them."""
        found = copy(self)
        found.linked = np.array([i in vehicles for i in range(self.count)], np.int64)
        if (found.linked[1:] == self.linked[1:]).all():
            return self
        found._spread()
        return found

    def blank(self) -> Any:
        """Return an empty table of masks."""
        kind = np.int64 if self.small else object
        return np.zeros((self.most + 1) * self.count * self.size, kind)

    # -- names ---------------------------------------------------------------------------------

    def state(self, i: int, number: int) -> State:
        """Return a state of a vehicle."""
        return self.graphs[i].states[number]

    def place_of(self, i: int, number: int) -> int:
        """Return the place of a vehicle's state."""
        return self._place[i][number]

    def is_moving(self, i: int, number: int) -> bool:
        """Tell whether a vehicle's state is one in Motion."""
        return bool(self._moving[i][number])

    def ways(self, i: int, state: int) -> list[tuple[int, int, int, Step]]:
        """Return the steps of a vehicle: where to, for how many half points, its flags, itself."""
        graph = self.graphs[i]
        known = self._ways[id(graph)]
        found = known.get(state)
        if found is not None:
            return found
        found = known[state] = []
        for (to, cost, flags), step in zip(graph.arcs[state] or (), graph.ways[state], strict=True):
            paid = 1 if self.free else cost
            closed = flags & PLACE and self.shut[self.place_of(i, to)]
            if paid <= self.budget and not closed:
                found.append((to, paid, flags, step))
        return found

    def is_beside(self, i: int, p: int, q: int) -> bool:
        """Tell whether vehicle i may be in place q with the one ahead of it in p."""
        if p == OFF or not self.linked[i]:
            return True
        if q == OFF:
            return bool(self.entering[i, p])
        return q in self.places.beside[p]
