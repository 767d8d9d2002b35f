"""The state graph of a line as arrays, built from the states met and those one step away."""

from __future__ import annotations

from copy import copy
from functools import cached_property, reduce
from itertools import combinations_with_replacement
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable.planning.line.compiled import WIDEST, run
from marchtable.planning.line.graph import OFF, PLACE, STAYS, Course, restarts
from marchtable.planning.line.links import beside
from marchtable.planning.line.sweep import Line, Moves

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from marchtable.board.board import Board
    from marchtable.planning.line.graph import LaneStep, Places, State, Steps
    from marchtable.planning.line.links import Beside, Hexes, Links

__all__ = ["Scope", "StateGraph", "Way"]

Way = tuple[int, int, int, "LaneStep"]
"""A step's target, its cost in half points, its flags, and the step."""


class Scope(NamedTuple):
    """
    The extent of plans.

    Parameters
    ----------
    most, budget
        The maximum number of rounds, and of half points in all.
    avoid
        Locations that are not entered.
    free
        Count every round as one half point: only the number of rounds matters.
    caps
        By member: how many half points may be spent while it is on the map; or a function that
        returns this for a member and a state. By default all.
    halted
        Whether the line has stopped already; None if it can always start again.
    parted
        Whether it can part anywhere: then each member can be wherever it can go by itself.
    """

    most: int
    budget: int
    avoid: Iterable[str] = ()
    free: bool = False
    caps: Sequence[int] | Callable[[int, Any], int] | None = None
    halted: bool | None = None
    parted: bool = False


class StateGraph:
    """
    The reachable states of a line's members, and where each can be after each round.

    A member's states have numbers of their own; ``own`` maps them to its sort's (:class:`LaneGraph`).
    Sums spent count in steps of a `grain`, as bits of masks: ``masks[(t * count + i) * size +
    state]`` holds the sums for which member i can be in a state after t rounds.

    Parameters
    ----------
    board
        The map.
    steps, starts
        Each member's steps, and its start.
    links
        The constraints of each on the one ahead.
    scope
        The extent of plans.

    Attributes
    ----------
    has_exits
        Whether members can leave the map.
    size, levels, small
        The maximum number of a member's states, the number of sums, and whether these fit masks of
        numba.
    """

    graphs: list[Any]
    places: Places
    caps: Sequence[int] | Callable[[int, Any], int] | None
    shut: Any
    linked: Any
    beside: Beside
    entering: Any
    halted: bool | None
    is_twice: bool
    free: bool
    count: int
    most: int
    budget: int
    own: list[list[int]]
    _begun: list[int]
    size, levels, small = 0, 0, True

    def __init__(
        self,
        board: Board,
        steps: Sequence[Steps],
        starts: Sequence[State],
        links: Links,
        scope: Scope,
    ) -> None:
        self.board, self.free, self.most, self.budget = board, scope.free, scope.most, scope.budget
        self.caps, self.halted, self.parted = scope.caps, scope.halted, scope.parted
        self.has_exits = any(each.exits for each in steps)
        self.links, self.clauses = links, links.clauses
        self.count = len(steps)
        self.graphs: list[Any] = [each.graph for each in steps]
        self.places = self.graphs[0].places
        self.is_twice = len(self.places) > self.places.count
        self._begun = [g.number(s) for g, s in zip(self.graphs, starts, strict=True)]
        self.shut = np.zeros(len(self.places), bool)
        shut = [self.places.number[board.resolve(name)] for name in scope.avoid]
        self.shut[shut] = True
        if self.is_twice:
            self.shut[[self.places.count + p for p in shut]] = True
        self.beside = beside(board, self.places, links)
        self.linked = np.array(links.bound, np.int64)
        self.entering = np.zeros((self.count, len(self.places)), np.int64)
        for i, names in enumerate(links.waiting):
            self.entering[i, [self.places.number[name] for name in names]] = 1
        if self.has_exits and not links.in_order:
            # a member that left can be off the map with the one ahead anywhere; one that waits is
            # bound
            self.entering[[not waits for waits in links.waiting]] = 1
        self._spread()

    def blank(self) -> Any:
        """Return an empty table of masks."""
        kind: Any = np.int64 if self.small else object
        return np.zeros((self.most + 1) * self.count * self.size, kind)

    def _spread(self) -> None:
        """Find where each member can be, examining every state met."""
        live = None
        while True:
            self._lay_out(live)
            found = self.blank()
            for i, start in enumerate(self._begun):
                found[i * self.size + start] = 1
            todo = np.zeros(len(self.place), np.int64)
            limits = self._limits()
            if run(
                "sweep_forward", self.levels, len(found), found, limits, todo, self.moves, self.line
            ):
                for i, graph in enumerate(self.graphs):
                    here = todo[self.base[i] : self.base[i] + self.span[i]]
                    graph.ask([int(n) for n in np.flatnonzero(here)])
                continue
            if live is not None or (live := self._live_only(found)) is None:
                self._keep(found)
                return

    def _live_only(self, found: Any) -> Any | None:
        """Return the states that are reached, or None if all costs are those of their arcs."""
        live = np.zeros(len(self.place), bool)
        masks = found.reshape(self.most + 1, self.count, self.size)
        for i in range(self.count):
            live[self.base[i] : self.base[i] + self.span[i]] |= masks[:, i, : self.span[i]].any(
                axis=0
            )
        used = np.unique(self.kind[np.repeat(live, np.diff(self.first))])
        return None if np.count_nonzero(used > 0) == len(self.costs) - 1 else live

    def _limits(self) -> Any:
        """Return masks of the sums permitted in each state; empty if there is no difference."""
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
        """Return masks of the permitted sums by member and state."""
        table = np.zeros((self.count, self.size), np.int64 if self.small else object)
        for i, graph in enumerate(self.graphs):
            table[i, : len(graph.states)] = [self._within(means(i, s)) for s in graph.states]
        return np.tile(table.reshape(-1), self.most + 1)

    # -- kept states -----------------------------------------------------------------------------

    def _keep(self, found: Any) -> None:
        """Renumber the reached states, member by member."""
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
            np.concatenate(arrays) for arrays in zip(*parts, strict=True)
        )
        self.first = np.cumsum([0, *counts]).astype(np.int64)
        self.place, self.moving = place, moving
        self.asked = np.ones(len(place), np.int64)
        self._close()

    def _ordered(self, i: int, reached: Any) -> Any:
        """Return a member's reached states in order of round, then name."""
        here = np.flatnonzero(reached.any(axis=0))
        return here[
            np.lexsort((self.graphs[i].table().rank[here], reached[:, here].argmax(axis=0)))
        ]

    def _part(self, i: int, live: Any) -> tuple[Any, ...]:
        """Return a member's arc counts by state, its arcs, places, and idle states."""
        here = live + self.base[i]
        begin, counts = self.first[here], self.first[here + 1] - self.first[here]
        shift = np.repeat(begin - np.cumsum(counts) + counts, counts)
        arcs = shift + np.arange(len(shift))
        number = np.full(int(self.span[i]), -1, np.int64)
        number[live] = np.arange(len(live))
        to = number[self.to[arcs]]
        kind = np.where(to < 0, -1, self.kind[arcs])
        place, moving = self.place[here], self.moving[here]
        idle = np.maximum(number[self.idle[here]], 0)  # in the last layer no member stays
        extra = (place, moving, self.spot[here], idle)
        return counts, np.maximum(to, 0), kind, self.flags[arcs], *extra

    def _close(self) -> None:
        """Assemble the sweeps' arrays, and keep lists of what is read item by item."""
        near, places = self.beside, self.places
        kind: Any = np.int64 if self.small else object
        seen = np.zeros(len(places), kind)
        live = np.zeros(self.count * (self.size + 1) + 1, np.int64)
        self.line = Line(
            self.count, self.size, self.base, self.span, self.place, near.begins,
            near.places, self.entering.reshape(-1), self.linked * (not self.parted), seen, live,
            np.where(self.links.in_turn, self.spot == OFF, False).astype(np.int64),
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

    # -- payment ---------------------------------------------------------------------------------

    def round_cost(self, costs: Iterable[int]) -> int:
        """Return the cost of a round with these costs of members, in half points."""
        return reduce(lambda a, b: max(self.links.shares(a, b)), costs, 0)

    @property
    def dearest(self) -> int:
        """The maximum cost of a known step, in half points: what an unpaid round can cost."""
        rows = (row or () for graph in self.graphs for row in graph.rows)
        return max((cost for row in rows for _, cost, *_ in row), default=0)

    def costs_no_more(self, cost: int, other: int) -> bool:
        """Return whether a round of a cost costs no more with another step in it; in levels."""
        own = cost * self.grain
        return self.round_cost((own, other * self.grain)) == own

    @cached_property
    def has_one_sum(self) -> bool:
        """Whether all pay for a round's dearest step: kinds of cost are numbered in that order."""
        pairs = combinations_with_replacement((self.costs * self.grain).tolist(), 2)
        return all({*self.links.shares(a, b)} == {b} for a, b in pairs)

    # -- parts -----------------------------------------------------------------------------------

    def part(self, members: range, most: int) -> StateGraph:
        """
        Return some neighbours as a line of their own with a budget in half points.

        It also pays for others' steps.
        """
        found, here = copy(self), slice(members.start, members.stop)
        found.count = len(members)
        found.base, found.span, entering = self.base[here], self.span[here], self.entering[here]
        table = self.masks.reshape(self.most + 1, self.count, self.size)[:, here]
        found.masks = (table & self._within(most)).reshape(-1)
        found.line = self.line._replace(
            members=found.count, base=found.base, span=found.span, entering=entering.reshape(-1),
            linked=np.minimum(np.arange(found.count), 1),
        )  # fmt: skip
        return found

    # -- assembling ------------------------------------------------------------------------------

    def _sorts(self) -> dict[int, Any]:
        return {id(graph): graph for graph in self.graphs}

    def _lay_out(self, live: Any | None) -> None:
        """Join all sorts' tables; with live states, fill in only their arcs' costs."""
        tables = {key: graph.table() for key, graph in self._sorts().items()}
        begin, at = {}, 0
        for key, table in tables.items():
            begin[key] = at
            at += len(table.place)
        listed = list(tables.values())
        self.base = np.array([begin[id(graph)] for graph in self.graphs], np.int64)
        self.span = np.array([len(tables[id(g)].place) for g in self.graphs], np.int64)
        self.size = int(self.span.max())
        shifts = np.cumsum([0, *(len(table.to) for table in listed)])
        parts = [table.first[:-1] + shift for table, shift in zip(listed, shifts, strict=False)]
        self.first = np.concatenate([*parts, shifts[-1:]]).astype(np.int64)
        self.to = np.concatenate([table.to for table in listed])
        self.flags = np.concatenate([table.flags for table in listed])
        self.place = np.concatenate([table.place for table in listed])
        self.moving = np.concatenate([table.moving for table in listed])
        self.asked = np.concatenate([table.asked for table in listed])
        self.idle = np.concatenate([table.idle for table in listed])
        self.spot = np.concatenate([table.spot for table in listed])
        usable = True if live is None else np.repeat(live, np.diff(self.first))
        self._count(np.concatenate([table.cost for table in listed]), begin, tables, usable)
        self._close()

    def _count(self, cost: Any, begin: dict[int, int], tables: dict[int, Any], usable: Any) -> None:
        """Assign the costs numbers from 1: 0 stands for staying, -1 for an impossible step."""
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
        self.levels = max(0, self.budget) // self.grain + 1  # members with less than nothing stay
        self.full = (1 << self.levels) - 1
        self.costs = np.array([0, *(c // self.grain for c in costs)], np.int64)
        number = np.searchsorted(np.array(costs), cost) + 1
        self.kind = np.where(usable, np.where(stays, 0, number), -1)
        self.small = self.levels <= WIDEST
        self.ladder = np.zeros(len(self.costs) + 1, np.int64 if self.small else object)

    # -- queries ---------------------------------------------------------------------------------

    def asked_about(self) -> int:
        """Return the number of states of sorts of members in which some member can be."""
        met = {
            (id(graph), n) for graph, own in zip(self.graphs, self.own, strict=True) for n in own
        }
        return len(met)

    @property
    def left_out(self) -> set[str]:
        """The unmodelled clauses that apply to steps of members where they can be."""
        return {
            clause
            for graph, own in zip(self.graphs, self.own, strict=True) if graph.unmodelled
            for n in own for clause in graph.unmodelled.get(n, ())
        }  # fmt: skip

    def holds(self, course: Course) -> bool:
        """Return whether each member can be where a plan has it for the sums spent."""
        masks = self.masks.reshape(self.most + 1, self.count, self.size)
        return all(
            int(masks[t, i, state]) >> spent // self.grain & 1
            for t, (row, spent) in enumerate(zip(*course, strict=True))
            for i, state in enumerate(row)
        )

    # -- names ---------------------------------------------------------------------------------

    def state(self, i: int, number: int) -> Any:
        """Return a state of a member."""
        return self.graphs[i].states[self.own[i][number]]

    def place_of(self, i: int, number: int) -> int:
        """Return the place of a member's state."""
        return int(self._place[i][number])

    def idle_of(self, i: int, number: int) -> int:
        """Return the state of a member that stays in one."""
        return int(self.idle[self.base[i] + number])

    def spot_of(self, i: int, number: int) -> int:
        """Return a state's spot for the goal; see :class:`Places`."""
        return int(self._spot[i][number])

    def is_on_map(self, spot: int) -> bool:
        """Return whether a spot is on the map, neither waiting nor left."""
        return OFF < spot < self.places.count

    def hexes(self, place: int) -> Hexes:
        """Return the hex of a place on the map."""
        at = self.board[str(self.places.names[place])]
        return [(at.u, at.v)]

    def is_gone(self, i: int, number: int) -> bool:
        """Return whether a member has left the map in a state."""
        return self.has_exits and self._spot[i][number] >= self.places.count

    def plain(self, i: int, number: int) -> int:
        """Return a state's number, equal for all members that left by the same Location."""
        return self._spot[i].index(self._spot[i][number]) if self.is_gone(i, number) else number

    def is_alone(self, i: int, number: int) -> bool:
        """Return whether a member is the last of its line on the map in a state."""
        return self.is_twice and self._place[i][number] >= self.places.count

    def spent(self, i: int, course: Course) -> int:
        """Return what a member spends in a plan: nothing more once it has left the map."""
        if not self.has_exits:
            return course.spent[-1]
        return next(
            (spent for row, spent in zip(*course, strict=True) if self.is_gone(i, row[i])),
            course.spent[-1],
        )

    def is_moving(self, i: int, number: int) -> bool:
        """Return whether a member is moving in a state."""
        return bool(self._moving[i][number])

    def ways(self, i: int, state: int) -> list[Way]:
        """Return a member's steps: target, half points, flags, the step itself."""
        found = self._ways[i].get(state)
        if found is None:
            begin = int(self.first[self.base[i] + state])
            row = self.graphs[i].rows[self.own[i][state]] or ()
            found = self._ways[i][state] = []
            for a, (*_, step) in enumerate(row, begin):
                if self.kind[a] >= 0:
                    cost = int(self.costs[self.kind[a]]) * self.grain
                    found.append((int(self.to[a]), cost, int(self.flags[a]), step))
        return found

    def near(self, i: int, p: int) -> Collection[int]:
        """Return the places on the map in which member i is near enough to the one ahead, in p."""
        around = self.beside.sets[p]
        return {*around, OFF} if self.entering[i, p] else around
