"""The ways of one unit alone: to each Location those that are cheapest and least exposed.

Where nothing threatens and nothing is to be avoided, that is what reach finds. Else the same
compiled space is searched for all ways that no other beats in both respects (:func:`labels`, by
which planners search what is no compiled space, too).
"""

from __future__ import annotations

from functools import cached_property, partial
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.budget import work
from marchtable.planning.dominance import Front
from marchtable.reachability.compiled import NO_LIMIT, Limits
from marchtable.reachability.reach import query_of, reach
from marchtable.rules.clause import switched_off
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from marchtable.reachability.reach import Query
    from marchtable.rules.plan_model import Rolls
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["Label", "Way", "labels", "unsupported", "ways"]

SOME, LABELS = 1000, 0.01  # so many labels count for so much deterministic time


class Way:
    """
    A way of one unit to another Location.

    Parameters
    ----------
    at
        Where it ends.
    points
        What it costs, in half points.
    exposure
        The sum of the threats of the Locations entered.
    tell
        Gives its actions, rolls on the way not settled.
    """

    __slots__ = ("__dict__", "_tell", "at", "exposure", "points")

    def __init__(
        self, at: str, points: int, exposure: int, tell: Callable[[], tuple[Action, ...]]
    ) -> None:
        self.at, self.points, self.exposure, self._tell = at, points, exposure, tell

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """Its actions."""
        return self._tell()


def ways(
    position: Position[Any, Any], name: str, goal: Goal, rolls: Rolls
) -> dict[str, tuple[Way, ...]]:
    """
    Return a unit's ways to each Location but the one it is in, by what they cost.

    Of ways to one Location none is both as cheap and as little exposed as another. None enters
    a Location that the goal avoids. While clauses are switched off there may be ways among them
    that cost more than the unit has: whether that is barred is for the referee to say.
    """
    if goal.avoid or goal.threat or switched_off():
        return _traded_off(position, name, goal, rolls)
    unit = position.unit(name)
    spent = find_rulebook(position.rulebook).spent(unit)
    found = reach(position, [name], rolls=rolls)[0]
    best: dict[str, tuple[Way, ...]] = {}
    for place in found.places:
        if place.at not in best and place.at != unit.at:
            tell = partial(found.steps_to, place)
            best[place.at] = (Way(place.at, place.spent - spent, 0, tell),)
    return best


def unsupported(
    position: Position[Any, Any], name: str, goal: Goal, rolls: Rolls
) -> tuple[str, ...]:
    """Return the clauses, not modelled, that bear on steps from where :func:`ways` lead through."""
    if not switched_off():
        jointly = find_rulebook(position.rulebook).planned_jointly
        met = reach(position, [name], rolls=rolls)[0].unsupported
        return tuple(clause for clause in met if clause not in jointly)
    import numpy as np

    query = query_of(position, name, rolls=rolls)
    found = _labels(query, goal, position)
    states, spent = (
        np.array([getattr(label, field) for label in found], np.int32)
        for field in ("node", "spent")
    )
    return query.space.unsupported_in(states, spent)


# -- points against exposure -----------------------------------------------------------------------


class Label(NamedTuple):
    """One way to a node: what is spent there, how much it is exposed, and by which step it came from where."""

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
    Yield the ways to each node that no other there beats in points and in exposure, the cheapest first.

    Parameters
    ----------
    starts
        Where they begin.
    steps
        Gives the steps on from the end of a way: what is spent and exposed then, the node, which step.
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


def _traded_off(
    position: Position[Any, Any], name: str, goal: Goal, rolls: Rolls
) -> dict[str, tuple[Way, ...]]:
    query = query_of(position, name, rolls=rolls)
    unit, board, width = position.unit(name), position.board, query.space.width
    spent = find_rulebook(position.rulebook).spent(unit)
    found: dict[str, list[Way]] = {}
    news = Front()
    for label in _labels(query, goal, position):
        at = board.locations[label.node // width].name
        if at != unit.at and news.takes(at, label.spent, label.exposure):
            tell = partial(_actions, query, label, name, board)
            way = Way(at, label.spent - spent, label.exposure, tell)
            found.setdefault(at, []).append(way)
    return {at: tuple(some) for at, some in found.items()}


def _labels(query: Query, goal: Goal, position: Position[Any, Any]) -> list[Label]:
    """Return the ways to all states that no other to its state beats."""
    if not query.starts:
        return []
    index, width, comes_on = position.board.index, query.space.width, query.unit.at is None
    threat = {index[at]: met for at, met in goal.threat.items()}
    barred = {index[at] for at in goal.avoid}
    steps = _steps(query, threat, barred)
    starts = [
        Label(spent, threat.get(state // width, 0) if comes_on else 0, state)
        for state, spent in zip(query.starts, query.costs, strict=True)
        if not (comes_on and state // width in barred)
    ]
    found = []
    for number, label in enumerate(labels(starts, steps)):
        if number % SOME == 0:
            work(LABELS)
        found.append(label)
    return found


def _steps(
    query: Query, threat: Mapping[int, int], barred: Collection[int]
) -> Callable[[Label], Iterator[tuple[int, int, int, int]]]:
    """Return what gives the steps of a space that may be paid for, ends last; while clauses are off all may."""
    import numpy as np

    limits = Limits(ample=NO_LIMIT) if switched_off() else query.limits
    space, numbers, _ = query.space.complete([query.starts], [query.costs], [limits])
    states, at = numbers.tolist(), (numbers // query.space.width).tolist()
    row_of = {state: row for row, state in enumerate(states)}
    own = query.limits
    ends = (
        space.limit if own is None else own.array(numbers // query.space.width, space.limit)
    ).tolist()
    limit = [NO_LIMIT] * len(ends) if switched_off() else ends
    over = query.space.mover.overdrafts(np.arange(len(space.target)))
    taken = {arc: int(over[arc]) for arc in np.flatnonzero(over).tolist()}
    first, middle, last, arcs, bits = space.lists
    low = (1 << bits) - 1

    def steps(label: Label) -> Iterator[tuple[int, int, int, int]]:
        row = row_of[label.node]
        for arc in range(first[row], last[row]):
            to, is_end = arcs[arc] >> bits, arc >= middle[row]
            least = ends[to] if is_end else label.spent + (arcs[arc] & low)
            there, met = at[to], label.exposure
            if label.spent > ends[to] if is_end else least > limit[to]:
                continue
            if there != at[row]:
                if there in barred:
                    continue
                met += threat.get(there, 0)
            yield max(least, taken.get(arc, 0)), met, states[to], arc

    return steps


def _actions(query: Query, label: Label, name: str, board: Any) -> tuple[Action, ...]:
    found: list[Action] = []
    for one in label.path():
        if one.before is not None:
            found += query.space.actions_on(one.step, one.node, name)
        elif query.arrivals is not None:
            width = query.space.width
            place = board.locations[one.node // width].name, query.space.modes[one.node % width]
            found += query.arrivals.ways[place].actions
    return tuple(found)
