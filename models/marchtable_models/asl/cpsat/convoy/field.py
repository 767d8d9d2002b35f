"""A Convoy's part of the map as arrays: the states of its vehicles, and what is one step away."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import numpy as np

from marchtable_models.asl.cpsat.convoy.arrays import Arrays
from marchtable_models.asl.cpsat.convoy.graph import OFF
from marchtable_models.asl.cpsat.convoy.links import beside
from marchtable_models.asl.cpsat.convoy.states import Course

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from marchtable.board import Board
    from marchtable_models.asl.cpsat.convoy.arrays import Way
    from marchtable_models.asl.cpsat.convoy.links import Links
    from marchtable_models.asl.cpsat.convoy.states import State
    from marchtable_models.asl.cpsat.convoy.steps import Steps

__all__ = ["Course", "Field"]


class Field(Arrays):
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
    links
        What binds each to the one ahead.
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
        links: Links,
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
        self.shut = np.zeros(len(self.places), bool)
        shut = [self.places.number[board.resolve(name)] for name in avoid]
        self.shut[shut] = True
        if self.is_twice:
            self.shut[[self.places.count + p for p in shut]] = True
        self.apart, self.beside = links.apart, beside(board, self.places, links.apart)
        self.linked = np.array(links.bound, np.int64)
        self.entering = np.zeros((self.count, len(self.places)), np.int64)
        for i, told in enumerate(links.waiting):
            self.entering[i, [self.places.number[name] for name in told]] = 1
        self._spread()

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

    def asked_about(self) -> int:
        """Return in how many states of a sort of vehicle one of it can be."""
        met = {
            (id(graph), n) for graph, own in zip(self.graphs, self.own, strict=True) for n in own
        }
        return len(met)

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
        return q in self.beside.sets[p]
