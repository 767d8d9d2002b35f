"""Where each member of a line can be after each round, found by asking about what is met."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.planning.line.compiled import WIDEST, run
from marchtable.planning.line.graph import OFF, PLACE, STAYS, restarts
from marchtable.planning.line.tables import Line, Moves

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.planning.line.graph import Places
    from marchtable.planning.line.links import Beside
    from marchtable.planning.line.states import Step

__all__ = ["Arrays", "Way"]

Way = tuple[int, int, int, "Step"]
"""Where a step leads, for how many half points, its flags, and the step."""


class Arrays:
    """
    States and arcs of a line's members as arrays, laid out by who is told.

    States that are reached get numbers by when they are, and then by name; costs that occur get
    theirs: what had been asked about them before, for other questions, makes no difference.

    Attributes
    ----------
    size, levels, small
        How many states a member has at most, how many sums can be spent, whether these fit masks
        of numba.
    """

    graphs: list[Any]
    places: Places
    caps: Sequence[int] | Callable[[int, Any], int] | None
    shut: Any
    linked: Any
    beside: Beside
    entering: Any
    halted: bool | None
    hexes: Any
    follows: int
    in_turn: int
    is_twice: bool
    free: bool
    count: int
    most: int
    budget: int
    own: list[list[int]]
    _begun: list[int]
    size, levels, small = 0, 0, True

    def blank(self) -> Any:
        """Return an empty table of masks."""
        kind: Any = np.int64 if self.small else object
        return np.zeros((self.most + 1) * self.count * self.size, kind)

    def _spread(self) -> None:
        """Find where each member can be, asking about every state that is met."""
        live = None
        while True:
            self._lay_out(live)
            found = self.blank()
            for i, start in enumerate(self._begun):
                found[i * self.size + start] = 1
            todo = np.zeros(len(self.place), np.int64)
            limits, none = self._limits(), np.zeros(0, np.int64)
            if run(
                "spread", self.levels, len(found), found, limits, none, todo, self.moves, self.line
            ):
                for i, graph in enumerate(self.graphs):
                    here = todo[self.base[i] : self.base[i] + self.span[i]]
                    graph.ask([int(n) for n in np.flatnonzero(here)])
                continue
            if live is not None or (live := self._live_only(found)) is None:
                self._keep(found)
                return

    def _live_only(self, found: Any) -> Any | None:
        """Return which states are reached, None if all costs are those of their arcs."""
        live = np.zeros(len(self.place), bool)
        masks = found.reshape(self.most + 1, self.count, self.size)
        for i in range(self.count):
            live[self.base[i] : self.base[i] + self.span[i]] |= masks[:, i, : self.span[i]].any(
                axis=0
            )
        used = np.unique(self.kind[np.repeat(live, np.diff(self.first))])
        return None if np.count_nonzero(used > 0) == len(self.costs) - 1 else live

    def _limits(self) -> Any:
        """Return masks of what may be spent where, nothing if that is all the same."""
        if callable(self.caps):
            return self._by_state(self.caps)
        if self.caps is None or min(self.caps) >= self.budget:
            return np.zeros(0, np.int64)
        table = np.full((self.count, self.size), self.full, np.int64 if self.small else object)
        for i, cap in enumerate(self.caps):
            spots = self.spot[self.base[i] : self.base[i] + self.span[i]]
            here = np.flatnonzero(spots < self.places.count)
            table[i, here] = self._within(cap)
        return np.tile(table.reshape(-1), self.most + 1)

    def _within(self, cap: int) -> int:
        """Return the mask of all sums up to a cap."""
        return (1 << max(-1, min(cap, self.budget) // self.grain) + 1) - 1

    def _by_state(self, means: Callable[[int, Any], int]) -> Any:
        """Return masks of what may be spent by who is in which state."""
        table = np.zeros((self.count, self.size), np.int64 if self.small else object)
        for i, graph in enumerate(self.graphs):
            table[i, : len(graph.states)] = [self._within(means(i, s)) for s in graph.states]
        return np.tile(table.reshape(-1), self.most + 1)

    # -- what is kept ----------------------------------------------------------------------------

    def _keep(self, found: Any) -> None:
        """Give what is reached new numbers, member by member."""
        masks = found.reshape(self.most + 1, self.count, self.size)
        live = [self._ordered(i, masks[:, i] != 0) for i in range(self.count)]
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
        counts, self.to, self.kind, self.flags, place, moving, self.spot, self.idle = (
            np.concatenate(told) for told in zip(*parts, strict=True)
        )
        self.first = np.cumsum([0, *counts]).astype(np.int64)
        self.place, self.moving = place, moving
        self.asked = np.ones(len(place), np.int64)
        self._close()

    def _ordered(self, i: int, reached: Any) -> Any:
        """Return the states that a member reaches, by when it does and then by name."""
        here = np.flatnonzero(reached.any(axis=0))
        return here[
            np.lexsort((self.graphs[i].table().rank[here], reached[:, here].argmax(axis=0)))
        ]

    def _part(self, i: int, live: Any) -> tuple[Any, ...]:
        """Return how many arcs each of a member's states has, the arcs, where it is, and who stays."""
        here = live + self.base[i]
        begin, counts = self.first[here], self.first[here + 1] - self.first[here]
        shift = np.repeat(begin - np.cumsum(counts) + counts, counts)
        arcs = shift + np.arange(len(shift))
        number = np.full(int(self.span[i]), -1, np.int64)
        number[live] = np.arange(len(live))
        to = number[self.to[arcs]]
        kind = np.where(to < 0, -1, self.kind[arcs])
        place, moving = self.place[here], self.moving[here]
        idle = np.maximum(number[self.idle[here]], 0)  # in the last layer nobody stays
        told = (place, moving, self.spot[here], idle)
        return counts, np.maximum(to, 0), kind, self.flags[arcs], *told

    def _close(self) -> None:
        """Put together what every sweep reads, and keep as lists what is asked for one by one."""
        near, places = self.beside, self.places
        kind: Any = np.int64 if self.small else object
        seen, some = np.zeros(len(places), kind), np.zeros(self.size, kind)
        live = np.zeros(self.count * (self.size + 1) + 1, np.int64)
        self.line = Line(
            self.count, self.size, self.base, self.span, self.place, self.hexes, near.begins,
            near.places, self.entering.reshape(-1), self.linked, seen, some, live, self.follows,
            self.in_turn, np.where(self.in_turn, self.spot == OFF, False).astype(np.int64),
        )  # fmt: skip
        self.moves = Moves(
            self.most, self.costs, self.full, self.first, self.to, self.kind, self.asked,
            self.idle, self.ladder,
        )  # fmt: skip
        self._place = [row.tolist() for row in np.split(self.place, self.base[1:])]
        self._spot: list[list[int]] = self._place
        if self.is_twice:
            self._spot = [row.tolist() for row in np.split(self.spot, self.base[1:])]
        self._moving = [row.tolist() for row in np.split(self.moving, self.base[1:])]
        self._ways: list[dict[int, list[Way]]] = [{} for _ in range(self.count)]

    # -- what is known so far --------------------------------------------------------------------

    def _sorts(self) -> dict[int, Any]:
        return {id(graph): graph for graph in self.graphs}

    def _lay_out(self, live: Any | None) -> None:
        """Put all sorts' tables together; told which states are live, have only their arcs' costs."""
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
        self.idle = np.concatenate([table.idle for table in told])
        self.spot = np.concatenate([table.spot for table in told])
        usable = True if live is None else np.repeat(live, np.diff(self.first))
        self._count(np.concatenate([table.cost for table in told]), begin, tables, usable)
        self._close()

    def _count(self, cost: Any, begin: dict[int, int], tables: dict[int, Any], usable: Any) -> None:
        """Give the costs numbers from 1: 0 stands for staying, -1 for a step that cannot be made."""
        if self.free:
            cost = np.minimum(cost, 1)
        begun = [(id(graph), n) for graph, n in zip(self.graphs, self._begun, strict=True)]
        usable = usable & (cost <= self.budget) & ~restarts(tables, begun, self.halted)
        if self.shut.any():
            goes = np.concatenate(
                [begin[key] + table.to for key, table in tables.items()] or [cost]
            )
            usable &= ~((self.flags & PLACE > 0) & self.shut[self.place[goes]])
        stays = self.flags & STAYS > 0
        costs = sorted({*cost[usable & ~stays].tolist()})
        self.grain = gcd(*costs) or 1
        self.levels = self.budget // self.grain + 1
        self.full = (1 << self.levels) - 1
        self.costs = np.array([0, *(c // self.grain for c in costs)], np.int64)
        number = np.searchsorted(np.array(costs), cost) + 1
        self.kind = np.where(usable, np.where(stays, 0, number), -1)
        self.small = self.levels <= WIDEST
        self.ladder = np.zeros(len(self.costs) + 1, np.int64 if self.small else object)
