"""
A unit's movement as a networkx graph with terrain-weighted edges, built lazily.

Nodes are (Location, mode), edges the steps that reach has compiled, each with its cost in half
points. Units that share a compiled space share the graph; what each may spend is its own
(:class:`Movement`). Planners see only :class:`~marchtable.planning.paths.UnitGraph`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.reachability.compiled import NO_LIMIT, SearchLimits
from marchtable.reachability.crossings import crossings_of
from marchtable.reachability.reach import Reach, query_of
from marchtable.reachability.space import nowhere
from marchtable.reachability.successors import UNMET

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence

    import networkx as nx

    from marchtable.reachability.compiled import CompiledSpace
    from marchtable.reachability.space import SearchSpace
    from marchtable.state.action import Action
    from marchtable.state.position import Position

    State = tuple[str | None, Hashable]

__all__ = ["Movement", "SharedGraph", "Start", "Step", "graph_of"]

NODE, EDGE = 900, 700
"""Approximate bytes of a node and of an edge."""


class Start(NamedTuple):
    """A unit's start: the node, half points spent, the actions that lead there, and their rolls."""

    node: State
    spent: int
    actions: tuple[Action, ...] = ()
    rolls: tuple[str, ...] = ()


class Step(NamedTuple):
    """
    A possible step of a unit.

    Parameters
    ----------
    to
        Its target node.
    points
        Its cost, in half points; the minimum for one that takes everything.
    takes_all
        Whether it takes all that is left.
    most
        The most half points that may be spent after it.
    arc
        Its key in the graph.
    least
        The half points that must be left before it, if it takes all.
    """

    to: State
    points: int
    takes_all: bool
    most: int
    arc: int
    least: int = 0


class SharedGraph:
    """
    The graph of all units that share a space, as far as searches have looked.

    Parameters
    ----------
    space
        The compiled space.

    Attributes
    ----------
    net
        The networkx graph. A node has ``most``, the most half points that may have been spent
        there; an edge, by its arc, has ``points`` and ``takes_all``.
    """

    def __init__(self, space: CompiledSpace) -> None:
        import networkx as nx

        self.space = space
        self.net: nx.MultiDiGraph[State] = nx.MultiDiGraph()
        self._nodes: dict[int, State] = {}
        self._rows: dict[State, int] = {}
        self._steps: dict[State, list[Step]] = {}
        self._lists: _Lists | None = None
        self._edges = 0

    @property
    def nbytes(self) -> int:
        """Its approximate size in bytes."""
        return NODE * len(self.net) + EDGE * self._edges

    def out(self, node: State) -> list[Step]:
        """Return the steps out of a node, those that take everything last."""
        found = self._steps.get(node)
        if found is None:
            with self.space.mover.lock:
                found = self._steps[node] = self._grown(node)
        return found

    def add(self, at: str, mode: Hashable) -> State:
        """Return the node of a Location and a mode."""
        with self.space.mover.lock:
            state = self.space.state(at, mode)
            (row,) = self.space.mover.rows_of([state]).tolist()
            return self._node(row)

    def _node(self, row: int) -> State:
        """Return the node of a row of the arrays."""
        node = self._nodes.get(row)
        if node is None:
            space = self.space
            state = int(space.mover.numbers.taken()[row])
            at = space.board.locations[state // space.width].name
            node = self._nodes[row] = (at, space.modes[state % space.width])
            self._rows[node] = row
            self.net.add_node(node, most=space.limit(state))
        return node

    def _grown(self, node: State) -> list[Step]:
        """Add the steps out of a node to the graph, asking the rulebook for unknown ones."""
        nodes, add = self._nodes, self.net.add_edge
        found = []
        for arc, row, points, most, least, takes_all in self._arcs(node):
            to = nodes.get(row) or self._node(row)
            found.append(Step(to, points, takes_all, most, arc, least))
            add(node, to, arc, points=points, takes_all=takes_all)
        self._edges += len(found)
        return found

    def _arcs(self, node: State) -> Iterator[tuple[int, int, int, int, int, bool]]:
        """Yield a node's arcs: number, row, half points, limit there, `least`, whether it takes all."""
        row, mover = self._rows[node], self.space.mover
        lists = self._lists
        if lists is None or lists.space is not self.space.space:
            lists = self._lists = _Lists.of(self.space)
        if row < len(lists.first) and (first := lists.first[row]) != UNMET:
            middle, last = lists.middle[row], lists.last[row]
            to, cost, limit = lists.target[first:last], lists.cost, lists.limit
            most, points = [limit[one] for one in to], cost[first:middle] + lists.over[middle:last]
            least = cost[first:last]
        else:
            state = _array([self.space.state(str(node[0]), node[1])])
            first, middle, last = (int(one[0]) for one in self.space.expand(state)[:3])
            rows = mover.target.taken()[first:last]
            to, most = rows.tolist(), mover.most.taken()[rows].tolist()
            over = mover.overdrafts(_array(range(middle, last))).tolist()
            least = mover.cost.taken()[first:last].tolist()
            points = least[: middle - first] + over
        arcs = range(first, last)
        ends = [arc >= middle for arc in arcs]
        yield from zip(arcs, to, points, most, least, ends, strict=True)

    def actions(self, step: Step, unit: str) -> tuple[Action, ...]:
        """Return the actions of a step, for the unit of that id, without settling rolls."""
        state = self.space.state(str(step.to[0]), step.to[1])
        return self.space.actions_on(step.arc, state, unit)


class _Lists(NamedTuple):
    """The arrays of a space as lists, which are faster for single look-ups."""

    space: SearchSpace
    first: list[int]
    middle: list[int]
    last: list[int]
    target: list[int]
    cost: list[int]
    limit: list[int]
    over: list[int]

    @classmethod
    def of(cls, compiled: CompiledSpace) -> _Lists:
        """Return the lists of what is known now."""
        space = compiled.space
        over = compiled.mover.overdrafts(_array(range(len(space.target))))
        arrays = (
            space.first,
            space.middle,
            space.last,
            space.target,
            space.cost,
            space.limit,
            over,
        )
        return cls(space, *(one.tolist() for one in arrays))


def _array(some: Iterable[int]) -> Any:
    """Return numbers as an array."""
    import numpy as np

    return np.array([*some], np.int64)


def graph_of(space: CompiledSpace) -> SharedGraph:
    """Return the graph of a space, cached with it; its bytes count among its mover's."""
    with space.mover.lock:
        found: SharedGraph | None = space.notes.get("graph")
        if found is None:
            found = space.notes["graph"] = SharedGraph(space)
            space.mover.draws(found)
    return found


class Paths:
    """
    The movement of one unit in a space, from its start (:class:`~marchtable.planning.paths.UnitGraph`).

    Parameters
    ----------
    space
        The compiled space.
    unit
        The unit's id.
    starts
        Its place, and each place that a first step of its own leads to; off the map, each place
        where it can enter.
    limits
        Its limits, if not those of the rules.
    comes_on
        Whether it waits off the map.
    free
        Whether it may spend more than it has.
    """

    def __init__(
        self, space: CompiledSpace, unit: str, starts: Iterable[tuple[Any, ...]],
        limits: SearchLimits | None = None, *, comes_on: bool = False, free: bool = False,
    ) -> None:  # fmt: skip
        self._shared, self._limits, self._is_free = graph_of(space), limits, free
        self.unit, self.comes_on, self._board = unit, comes_on, space.board
        add = self._shared.add
        self.starts = tuple(Start(add(str(at), mode), *rest) for (at, mode), *rest in starts)

    def out(self, node: State) -> Sequence[Step]:
        """Return the steps out of a node, those that take everything last."""
        return self._shared.out(node)

    def after(self, spent: int, step: Step) -> tuple[int, State] | None:
        """Return the points spent and the node after a step, or None if there are too few."""
        most = step.most
        if self._limits is not None:
            space = self._shared.space
            most = self._limits.of(space.state(str(step.to[0]), step.to[1]), space.width, most)
        if step.takes_all:
            return None if spent + step.least > most else (max(most, step.points), step.to)
        total = spent + step.points
        return (total, step.to) if total <= most or self._is_free else None

    def kind(self, a: str, b: str) -> Hashable:
        """Return a key that is equal for pairs of Locations between which the map is the same."""
        return crossings_of(self._shared.space.mover.rulebook, self._board).kind(a, b)

    def actions(self, step: Step) -> tuple[Action, ...]:
        """Return the actions of a step, without settling rolls."""
        return self._shared.actions(step, self.unit)

    def unsupported(self, nodes: Collection[tuple[State, int]]) -> tuple[str, ...]:
        """Return the unmodelled clauses that affect steps out of nodes with these points spent."""
        import numpy as np

        space = self._shared.space
        states = _array(space.state(str(at), mode) for (at, mode), _ in nodes)
        return space.unsupported_in(states, np.array([spent for _, spent in nodes], np.int32))


class Movement(Paths):
    """
    The movement of one unit, moving alone from where it is now.

    Parameters
    ----------
    position, unit
        The position, with nothing pending, and the id of the unit.
    rolls
        ``"pass"`` assumes that rolls on the way succeed, ``"avoid"`` leaves out steps with rolls.
    free
        Whether it may spend more than it has.
    """

    def __init__(
        self, position: Position[Any, Any], unit: str, rolls: str, *, free: bool = False
    ) -> None:
        self._position = position
        self._query = query = query_of(position, unit, rolls=rolls)
        if query.starts:
            limits = SearchLimits(ample=NO_LIMIT) if free else query.limits
            query.space.complete([query.starts], [query.costs], [limits])
        super().__init__(
            query.space, unit, self._begins(), query.limits,
            comes_on=query.unit.at is None, free=free,
        )  # fmt: skip

    def _begins(self) -> Iterator[Any]:
        space, ways = self._query.space, self._query.arrivals
        for state, spent in zip(self._query.starts, self._query.costs, strict=True):
            place = (
                space.board.locations[state // space.width].name,
                space.modes[state % space.width],
            )
            yield place, *((spent,) if ways is None else ways.ways[place])

    def rolls(self, step: Step) -> tuple[str, ...]:
        """Return the clauses whose rolls a step requires."""
        return self._query.space.rolls_on(_array([step.arc]))

    @cached_property
    def reached(self) -> Reach:
        """Its reach."""
        query, found = self._query, nowhere()
        if query.starts:
            (found,) = query.space.search([query.starts], [query.costs], [query.limits])
        return Reach(self._position, query, found)
