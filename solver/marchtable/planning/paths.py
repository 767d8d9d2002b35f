"""Label setting on the movement graph: all paths that no other one dominates."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from marchtable.budget import work

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Hashable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from marchtable.state.action import Action

__all__ = ["Edges", "Label", "Source", "UnitGraph", "actions_of", "labels", "paths"]

SOME, LABELS = 1000, 0.01  # labels per deterministic time charged


class Source(Protocol):
    """A unit's start."""

    @property
    def node(self) -> Any:
        """The node: (Location, mode)."""

    @property
    def spent(self) -> int:
        """The half points spent there."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions that lead there."""


class Edges(Protocol):
    """The steps of units that are equivalent, wherever they begin."""

    def out(self, node: Any) -> Iterable[Any]:
        """Return the steps out of a node, those that take everything last."""

    def after(self, spent: int, step: Any) -> tuple[int, Any] | None:
        """Return the points spent and the node after a step, or None if there are too few."""

    def kind(self, a: str, b: str) -> Hashable:
        """Return a key that is equal for pairs of Locations between which the map is the same."""


class UnitGraph(Edges, Protocol):
    """The graph that planners search: what one unit can do from where it is."""

    @property
    def starts(self) -> Sequence[Source]:
        """Its starts; if it waits off the map, each place where it can enter."""

    @property
    def comes_on(self) -> bool:
        """Whether it waits off the map."""

    def actions(self, step: Any) -> tuple[Action, ...]:
        """Return the actions of a step."""


class Label(NamedTuple):
    """A way to a node: points spent, exposure, and the step and label before it."""

    spent: int
    exposure: int
    node: Any
    step: Any = None
    before: Label | None = None

    def path(self) -> list[Label]:
        """Return the way, node by node."""
        found = [self]
        while (before := found[-1].before) is not None:
            found.append(before)
        return found[::-1]


def labels(
    starts: Iterable[Label], steps: Callable[[Label], Iterable[tuple[int, int, Any, Any]]]
) -> Iterator[Label]:
    """
    Yield the ways to each node that no other there beats in points and exposure, cheapest first.

    Parameters
    ----------
    starts
        Their starts.
    steps
        Returns the steps from the end of a way: points spent, exposure, node, and step.
    """
    waiting = [(one.spent, one.exposure, -n, *one[2:]) for n, one in enumerate(starts)]
    heapify(waiting)
    least: dict[Any, int] = {}
    offered: dict[Any, int] = {}
    count = 0
    while waiting:
        spent, exposure, _, node, step, before = heappop(waiting)
        if exposure >= least.get(node, exposure + 1):
            continue
        least[node] = exposure
        label = Label(spent, exposure, node, step, before)
        yield label
        for total, met, to, way in steps(label):
            if met < least.get(to, met + 1) and total < offered.get((to, met), total + 1):
                offered[to, met] = total
                count += 1
                heappush(waiting, (total, met, count, to, way, label))


def paths(
    graph: UnitGraph, threat: Mapping[str, int] | None = None, avoid: Collection[str] = ()
) -> Iterator[Label]:
    """
    Yield the undominated ways of a unit to each node, the cheapest first.

    Parameters
    ----------
    graph
        The movement graph.
    threat
        The exposure of entering each Location.
    avoid
        Locations that it does not enter.
    """
    met, barred, after = threat or {}, frozenset(avoid), graph.after

    def steps(label: Label) -> Iterator[tuple[int, int, Any, Any]]:
        at, spent, exposure = label.node[0], label.spent, label.exposure
        for step in graph.out(label.node):
            if (found := after(spent, step)) is not None:
                total, to = found
                if (there := to[0]) == at:
                    yield total, exposure, to, step
                elif there not in barred:
                    yield total, exposure + met.get(there, 0), to, step

    starts = (
        Label(one.spent, met.get(one.node[0], 0) if graph.comes_on else 0, one.node, one)
        for one in graph.starts
        if not (graph.comes_on and one.node[0] in barred)
    )
    for number, label in enumerate(labels(starts, steps), 1):
        if number % SOME == 0:
            work(LABELS)
        yield label


def actions_of(graph: UnitGraph, label: Label) -> tuple[Action, ...]:
    """Return the actions of a way, without settling rolls."""
    first, *rest = label.path()
    found = [*first.step.actions]
    for one in rest:
        found += graph.actions(one.step)
    return tuple(found)
