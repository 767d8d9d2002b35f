"""The state graph of a line as arrays: the states of its members, found by asking about what is met, and what is one step away."""

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
    from marchtable.planning.line.graph import Places, State, Step, Steps
    from marchtable.planning.line.links import Beside, Hexes, Links

__all__ = ["Scope", "StateGraph", "Way"]

Way = tuple[int, int, int, "Step"]
"""Where a step leads, for how many half points, its flags, and the step."""


class Scope(NamedTuple):
    """
    How far plans go.

    Parameters
    ----------
    most, budget
        How many rounds there are, and for how many half points in all.
    avoid
        Locations that are not entered.
    free
        Count every round as one half point: only how many there are matters.
    caps
        By member: how many half points may be spent while it is on the map; or a function that gives for a
        member and a state how many may be spent by who is in it. By default all.
    halted
        Whether the line has stopped already; None if it may start again whenever it has.
    parted
        Whether it may part anywhere: then each can be wherever it can by itself.
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
    The states that members of a line can reach, and where each can be after each round.

    A member's states are numbered for itself, ``own`` holds its sort's numbers (:class:`Graph`).
    What is spent counts in steps of a `grain`, as bits of masks: ``masks[(t * count + i) * size +
    state]`` holds the sums for which member i can be in a state after t rounds.

    Parameters
    ----------
    board
        The map.
    steps, starts
        What each member may do, and where it is.
    links
        What binds each to the one ahead.
    scope
        How far plans go.

    Attributes
    ----------
    has_exits
        Whether members may leave the map.
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
            # who has left is off the map, too, wherever the one ahead is; who still waits is bound
            self.entering[[not waits for waits in links.waiting]] = 1
        self._spread()

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
            np.concatenate(arrays) for arrays in zip(*parts, strict=True)
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
        extra = (place, moving, self.spot[here], idle)
        return counts, np.maximum(to, 0), kind, self.flags[arcs], *extra

    def _close(self) -> None:
        """Put together what every sweep reads, and keep as lists what is asked for one by one."""
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

    # -- what is paid ----------------------------------------------------------------------------

    def round_cost(self, costs: Iterable[int]) -> int:
        """Return what a round costs in which members spend so much themselves, in half points."""
        return reduce(lambda a, b: max(self.links.shares(a, b)), costs, 0)

    @property
    def dearest(self) -> int:
        """The most that a known step costs, in half points: what a round can cost where nobody has to pay for it."""
        rows = (row or () for graph in self.graphs for row in graph.rows)
        return max((cost for row in rows for _, cost, *_ in row), default=0)

    def bears(self, cost: int, other: int) -> bool:
        """Return whether a round with a step for so much costs no more with another in it; in levels."""
        own = cost * self.grain
        return self.round_cost((own, other * self.grain)) == own

    @cached_property
    def has_one_sum(self) -> bool:
        """Whether all pay what the dearest step of a round costs: kinds of cost are numbered in that order."""
        pairs = combinations_with_replacement((self.costs * self.grain).tolist(), 2)
        return all({*self.links.shares(a, b)} == {b} for a, b in pairs)

    # -- parts -----------------------------------------------------------------------------------

    def part(self, members: range, most: int) -> StateGraph:
        """Return some neighbours as a line, each beside the one ahead, that may spend so many half points, for others' steps too."""
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

    # -- what is known so far --------------------------------------------------------------------

    def _sorts(self) -> dict[int, Any]:
        return {id(graph): graph for graph in self.graphs}

    def _lay_out(self, live: Any | None) -> None:
        """Put all sorts' tables together; with live states, fill in only their arcs' costs."""
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
        self.levels = max(0, self.budget) // self.grain + 1  # who has less than nothing stays
        self.full = (1 << self.levels) - 1
        self.costs = np.array([0, *(c // self.grain for c in costs)], np.int64)
        number = np.searchsorted(np.array(costs), cost) + 1
        self.kind = np.where(usable, np.where(stays, 0, number), -1)
        self.small = self.levels <= WIDEST
        self.ladder = np.zeros(len(self.costs) + 1, np.int64 if self.small else object)

    # -- what is asked of it -------------------------------------------------------------------

    def asked_about(self) -> int:
        """Return in how many states of a sort of member one of it can be."""
        met = {
            (id(graph), n) for graph, own in zip(self.graphs, self.own, strict=True) for n in own
        }
        return len(met)

    @property
    def left_out(self) -> set[str]:
        """The clauses that are not modelled and bear on steps of members where they can be."""
        return {
            clause
            for graph, own in zip(self.graphs, self.own, strict=True) if graph.unmodelled
            for n in own for clause in graph.unmodelled.get(n, ())
        }  # fmt: skip

    def holds(self, course: Course) -> bool:
        """Return whether each member can be where a plan has it for what that has spent."""
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
        """Return where a member is to the goal, in a state; see :class:`Places`."""
        return int(self._spot[i][number])

    def is_on_map(self, spot: int) -> bool:
        """Return whether who is in a spot neither waits off the map nor has left it."""
        return OFF < spot < self.places.count

    def hexes(self, place: int) -> Hexes:
        """Return the hex of a place on the map."""
        at = self.board[str(self.places.names[place])]
        return [(at.u, at.v)]

    def is_gone(self, i: int, number: int) -> bool:
        """Return whether a member has left the map in a state."""
        return self.has_exits and self._spot[i][number] >= self.places.count

    def plain(self, i: int, number: int) -> int:
        """Return a state's number, the same for all states of who has left by the same Location."""
        return self._spot[i].index(self._spot[i][number]) if self.is_gone(i, number) else number

    def is_alone(self, i: int, number: int) -> bool:
        """Return whether a member is the last of its line on the map in a state."""
        return self.is_twice and self._place[i][number] >= self.places.count

    def spent(self, i: int, course: Course) -> int:
        """Return what a member has spent in a plan: once it has left the map it spends no more."""
        if not self.has_exits:
            return course.spent[-1]
        return next(
            (spent for row, spent in zip(*course, strict=True) if self.is_gone(i, row[i])),
            course.spent[-1],
        )

    def is_moving(self, i: int, number: int) -> bool:
        """Return whether a member's state is one moving."""
        return bool(self._moving[i][number])

    def ways(self, i: int, state: int) -> list[Way]:
        """Return the steps of a member: where to, for how many half points, its flags, itself."""
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
        """Return the places in which member i is near enough to the one ahead of it in p, on the map."""
        around = self.beside.sets[p]
        return {*around, OFF} if self.entering[i, p] else around
