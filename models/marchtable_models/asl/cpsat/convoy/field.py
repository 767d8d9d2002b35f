"""A Convoy's part of the map as arrays: the states of its vehicles, and what is one step away."""

from __future__ import annotations

from copy import copy
from math import gcd
from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable_models.asl.cpsat.convoy.compiled import WIDEST, run
from marchtable_models.asl.cpsat.convoy.graph import OFF, PLACE, restarts
from marchtable_models.asl.cpsat.convoy.states import Course

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from marchtable.board import Board
    from marchtable_models.asl.cpsat.convoy.graph import Graph
    from marchtable_models.asl.cpsat.convoy.states import State, Step
    from marchtable_models.asl.cpsat.convoy.steps import Steps

__all__ = ["Course", "Field"]

Way = tuple[int, int, int, "Step"]
"""Where a step leads, for how many half points, its flags, and the step."""


class Field:
    """
    The states that vehicles of a Convoy can reach, and where each can be after each Impulse.

    A vehicle's states are numbered for itself, ``own`` tells its sort's numbers (:class:`Graph`).
    What is spent counts in steps of a `grain`, as bits of masks: ``masks[(t * count + i) * size +
    state]`` tells for what sums vehicle i can be in a state after t Impulses.

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
    caps
        By vehicle: how many half points may be spent while it is on the map; by default all.
    halted
        Whether the Convoy has stopped already; None if it may start again whenever it has.

    Attributes
    ----------
    has_exits, ordered
        Whether vehicles may leave the map, and which of them not before the one ahead.
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
        caps: Sequence[int] | None = None,
        halted: bool | None = None,
    ) -> None:
        self.board, self.free, self.most, self.budget = board, free, most, budget
        self.caps, self.halted = caps, halted
        self.has_exits = any(each.exits for each in steps)
        self.ordered: Container[int] = range(1, len(steps)) if self.has_exits else ()
        self.count = len(steps)
        self.graphs = [each.graph for each in steps]
        self.places = self.graphs[0].places
        self.is_twice = len(self.places) > self.places.count
        self._begun = [g.number(s) for g, s in zip(self.graphs, starts, strict=True)]
        self.size, self.levels, self.small = 0, 0, True
        self.shut = np.zeros(len(self.places), bool)
        shut = [self.places.number[board.resolve(name)] for name in avoid]
        self.shut[shut] = True
        if self.is_twice:
            self.shut[[self.places.count + p for p in shut]] = True
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
            for i, start in enumerate(self._begun):
                found[i * self.size + start] = 1
            todo = np.zeros(len(self.place), np.int64)
            limits, none = self._limits(), np.zeros(0, np.int64)
            if not run(
                "spread", self.levels, len(found), found, limits, self.most, self.costs, self.full,
                self.first, self.to, self.kind, self.asked, todo, none, self.ladder, *self.line,
            ):  # fmt: skip
                self._keep(found)
                return
            for i, graph in enumerate(self.graphs):
                here = todo[self.base[i] : self.base[i] + self.span[i]]
                graph.ask([int(n) for n in np.flatnonzero(here)])

    def _limits(self) -> Any:
        """Return masks of what may be spent where, nothing if that is all the same."""
        if self.caps is None or min(self.caps) >= self.budget:
            return np.zeros(0, np.int64)
        table = np.full((self.count, self.size), self.full, np.int64 if self.small else object)
        for i, cap in enumerate(self.caps):
            spots = self.spot[self.base[i] : self.base[i] + self.span[i]]
            here = np.flatnonzero(spots < self.places.count)
            table[i, here] = (1 << min(cap, self.budget) // self.grain + 1) - 1
        return np.tile(table.reshape(-1), self.most + 1)

    def _keep(self, found: Any) -> None:
        """Give what is reached new numbers, vehicle by vehicle."""
        masks = found.reshape(self.most + 1, self.count, self.size)
        live = [np.flatnonzero(masks[:, i].any(axis=0)) for i in range(self.count)]
        parts = [self._part(i, here) for i, here in enumerate(live)]
        span = [len(here) for here in live]
        self.size = max(span)
        self.masks = self.blank()
        table = self.masks.reshape(self.most + 1, self.count, self.size)
        for i, here in enumerate(live):
            table[:, i, : len(here)] = masks[:, i, here]
        self.starts = [int(np.flatnonzero(table[0, i])[0]) for i in range(self.count)]
        self.own = [here.tolist() for here in live]
        self.base = np.cumsum([0, *span[:-1]]).astype(np.int64)
        self.span = np.array(span, np.int64)
        counts, self.to, self.kind, self.flags, place, moving, self.spot = (
            np.concatenate(told) for told in zip(*parts, strict=True)
        )
        self.first = np.cumsum([0, *counts]).astype(np.int64)
        self.place, self.moving = place, moving
        self.asked = np.ones(len(place), np.int64)
        self._close()

    def _part(self, i: int, live: Any) -> tuple[Any, ...]:
        """Return how many arcs each of a vehicle's states has, the arcs, and where it is and goes."""
        here = live + self.base[i]
        begin, counts = self.first[here], self.first[here + 1] - self.first[here]
        shift = np.repeat(begin - np.cumsum(counts) + counts, counts)
        arcs = shift + np.arange(len(shift))
        number = np.full(int(self.span[i]), -1, np.int64)
        number[live] = np.arange(len(live))
        to = number[self.to[arcs]]
        kind = np.where(to < 0, -1, self.kind[arcs])
        place, moving = self.place[here], self.moving[here]
        return counts, np.maximum(to, 0), kind, self.flags[arcs], place, moving, self.spot[here]

    def _close(self) -> None:
        """Put together what every sweep reads, and keep as lists what is asked for one by one."""
        places = self.places
        seen = np.zeros(len(places), np.int64 if self.small else object)
        live = np.zeros(self.count * (self.size + 1) + 1, np.int64)
        self.line = (
            self.count, self.size, self.base, self.span, self.place, places.near_at, places.near,
            self.entering.reshape(-1), self.linked, len(places), seen, live,
        )  # fmt: skip
        self._place = [row.tolist() for row in np.split(self.place, self.base[1:])]
        self._spot: list[list[int]] = self._place
        if self.is_twice:
            self._spot = [row.tolist() for row in np.split(self.spot, self.base[1:])]
        self._moving = [row.tolist() for row in np.split(self.moving, self.base[1:])]
        self._ways: list[dict[int, list[Way]]] = [{} for _ in range(self.count)]

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
        self.spot = np.concatenate([table.spot for table in told])
        self._count(np.concatenate([table.cost for table in told]), begin, tables)
        self._close()

    def _count(self, cost: Any, begin: dict[int, int], tables: dict[int, Any]) -> None:
        """Give the costs numbers: 0 stands for staying, -1 for a step that cannot be made."""
        if self.free:
            cost = np.minimum(cost, 1)
        begun = [(id(graph), n) for graph, n in zip(self.graphs, self._begun, strict=True)]
        usable = (cost <= self.budget) & ~restarts(tables, begun, self.halted)
        if self.shut.any():
            goes = np.concatenate(
                [begin[key] + table.to for key, table in tables.items()] or [cost]
            )
            usable &= ~((self.flags & PLACE > 0) & self.shut[self.place[goes]])
        costs = sorted({*cost[usable].tolist()} - {0})
        self.grain = gcd(*costs) or 1
        self.levels = self.budget // self.grain + 1
        self.full = (1 << self.levels) - 1
        self.costs = np.array([0, *(c // self.grain for c in costs)], np.int64)
        self.kind = np.where(usable, np.searchsorted(np.array([0, *costs]), cost), -1)
        self.small = self.levels <= WIDEST
        self.ladder = np.zeros(len(self.costs) + 1, np.int64 if self.small else object)

    def linking(
        self, vehicles: Container[int], ordered: Container[int] = (), *, halted: bool | None
    ) -> Field:
        """Return this field with only some bound to be beside the one ahead, or to leave after it."""
        found = copy(self)
        found.ordered, found.halted = ordered, halted
        found.linked = np.array([i in vehicles for i in range(self.count)], np.int64)
        if (found.linked[1:] == self.linked[1:]).all() and halted == self.halted:
            return found if self.has_exits else self
        found._spread()
        return found

    def blank(self) -> Any:
        """Return an empty table of masks."""
        kind: Any = np.int64 if self.small else object
        return np.zeros((self.most + 1) * self.count * self.size, kind)

    @property
    def left_out(self) -> set[str]:
        """The clauses that are not modelled and bear on steps of vehicles where they can be."""
        return {
            clause
            for graph, own in zip(self.graphs, self.own, strict=True) if graph.unmodelled
            for n in own for clause in graph.unmodelled.get(n, ())
        }  # fmt: skip

    # -- names ---------------------------------------------------------------------------------

    def state(self, i: int, number: int) -> State:
        """Return a state of a vehicle."""
        return self.graphs[i].states[self.own[i][number]]

    def place_of(self, i: int, number: int) -> int:
        """Return the place of a vehicle's state."""
        return int(self._place[i][number])

    def spot_of(self, i: int, number: int) -> int:
        """Return where a vehicle is to the goal, in a state; see :class:`Places`."""
        return int(self._spot[i][number])

    def is_gone(self, i: int, number: int) -> bool:
        """Tell whether a vehicle has left the map in a state."""
        return self.has_exits and self._spot[i][number] >= self.places.count

    def plain(self, i: int, number: int) -> int:
        """Return a state's number, the same for all states of who has left by the same Location."""
        return self._spot[i].index(self._spot[i][number]) if self.is_gone(i, number) else number

    def is_alone(self, i: int, number: int) -> bool:
        """Tell whether a vehicle is the last of its Convoy on the map in a state."""
        return self.is_twice and self._place[i][number] >= self.places.count

    def spent(self, i: int, course: Course) -> int:
        """Return what a vehicle has spent in a plan: once it has left the map it spends no more."""
        if not self.has_exits:
            return course.spent[-1]
        return next(
            (spent for row, spent in zip(*course, strict=True) if self.is_gone(i, row[i])),
            course.spent[-1],
        )

    def is_moving(self, i: int, number: int) -> bool:
        """Tell whether a vehicle's state is one in Motion."""
        return bool(self._moving[i][number])

    def ways(self, i: int, state: int) -> list[Way]:
        """Return the steps of a vehicle: where to, for how many half points, its flags, itself."""
        found = self._ways[i].get(state)
        if found is None:
            begin = int(self.first[self.base[i] + state])
            steps = self.graphs[i].ways[self.own[i][state]]
            found = self._ways[i][state] = []
            for a, step in enumerate(steps, begin):
                if self.kind[a] >= 0:
                    cost = int(self.costs[self.kind[a]]) * self.grain
                    found.append((int(self.to[a]), cost, int(self.flags[a]), step))
        return found

    def is_beside(self, i: int, p: int, q: int) -> bool:
        """Tell whether vehicle i may be in place q with the one ahead of it in p."""
        if p == OFF or not self.linked[i]:
            return True
        if q == OFF:
            return bool(self.entering[i, p])
        return q in self.places.beside[p]
