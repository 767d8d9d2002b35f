"""The state graph of a line as arrays: the states of its members, and what is one step away."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from marchtable.planning.line.arrays import Arrays
from marchtable.planning.line.graph import LAST, OFF
from marchtable.planning.line.links import beside
from marchtable.planning.line.states import Course

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from marchtable.board.board import Board
    from marchtable.planning.line.arrays import Way
    from marchtable.planning.line.graph import Steps
    from marchtable.planning.line.links import Links
    from marchtable.planning.line.logic import Logic
    from marchtable.planning.line.states import State

__all__ = ["Course", "Scope", "StateGraph"]


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
        By member: how many half points may be spent while it is on the map; or what tells of a
        member and a state how many may be spent by who is in it. By default all.
    halted
        Whether the line has stopped already; None if it may start again whenever it has.
    """

    most: int
    budget: int
    avoid: Iterable[str] = ()
    free: bool = False
    caps: Sequence[int] | Callable[[int, Any], int] | None = None
    halted: bool | None = None


class StateGraph(Arrays):
    """
    The states that members of a line can reach, and where each can be after each round.

    A member's states are numbered for itself, ``own`` tells its sort's numbers (:class:`Graph`).
    What is spent counts in steps of a `grain`, as bits of masks: ``masks[(t * count + i) * size +
    state]`` tells for what sums member i can be in a state after t rounds.

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
    has_exits, in_order
        Whether members may leave the map, and none before the one ahead.
    bonds
        What states to a solver whatever else binds the members.
    """

    def __init__(
        self,
        board: Board,
        steps: Sequence[Steps],
        starts: Sequence[State],
        links: Links,
        scope: Scope,
    ) -> None:
        self.board, self.free, self.most, self.budget = board, scope.free, scope.most, scope.budget
        self.caps, self.halted = scope.caps, scope.halted
        self.has_exits = any(each.exits for each in steps)
        self.in_order = links.in_order
        self.bonds: tuple[Callable[[Logic], None], ...] = ()
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
        self.apart, self.follows = links.apart, int(links.follows)
        self.in_turn = int(links.in_turn)
        self.beside = beside(board, self.places, links)
        self.hexes = np.arange(len(self.places)) if links.shared else self.places.hexes
        self.linked = np.array(links.bound, np.int64)
        self.entering = np.zeros((self.count, len(self.places)), np.int64)
        for i, told in enumerate(links.waiting):
            self.entering[i, [self.places.number[name] for name in told]] = 1
        self._spread()

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
        """Tell whether each member can be where a plan has it for what that has spent, and it ends once it must."""
        masks = self.masks.reshape(self.most + 1, self.count, self.size)
        pairs = list(pairwise(course.states))
        return all(
            int(masks[t, i, state]) >> spent // self.grain & 1
            for t, (row, spent) in enumerate(zip(*course, strict=True))
            for i, state in enumerate(row)
        ) and not any(
            flags & LAST
            for before, after in pairs[:-1]
            for i, state in enumerate(before)
            for to, _, flags, _ in self.ways(i, state)
            if to == after[i] != state
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

    def is_gone(self, i: int, number: int) -> bool:
        """Tell whether a member has left the map in a state."""
        return self.has_exits and self._spot[i][number] >= self.places.count

    def plain(self, i: int, number: int) -> int:
        """Return a state's number, the same for all states of who has left by the same Location."""
        return self._spot[i].index(self._spot[i][number]) if self.is_gone(i, number) else number

    def is_alone(self, i: int, number: int) -> bool:
        """Tell whether a member is the last of its line on the map in a state."""
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
        """Tell whether a member's state is one moving."""
        return bool(self._moving[i][number])

    def ways(self, i: int, state: int) -> list[Way]:
        """Return the steps of a member: where to, for how many half points, its flags, itself."""
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
        """Tell whether member i may be in place q with the one ahead of it in p."""
        if p == OFF or not self.linked[i]:
            return True
        if q == OFF:
            return bool(self.entering[i, p])
        return q in self.beside.sets[p]
