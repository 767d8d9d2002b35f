"""The ways of one unit alone: to each Location those that are cheapest and least exposed.

Where nothing threatens and nothing is to be avoided, that is what reach finds. Else the same
compiled space is searched for all ways that no other beats in both respects.
"""

from __future__ import annotations

from functools import cached_property, partial
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.budget import work
from marchtable.reachability.compiled import NO_LIMIT, Limits
from marchtable.reachability.reach import query_of, reach
from marchtable.rules.clause import switched_off
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from marchtable.reachability.reach import Query
    from marchtable.reachability.space import Space
    from marchtable.rules.plan_model import Rolls
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["Way", "unsupported", "ways"]

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
            tell = partial(found.actions_to, place)
            best[place.at] = (Way(place.at, place.spent - spent, 0, tell),)
    return best


def unsupported(
    position: Position[Any, Any], name: str, goal: Goal, rolls: Rolls
) -> tuple[str, ...]:
    """Return the clauses, not modelled, that bear on steps from where :func:`ways` lead through."""
    if not switched_off():
        jointly = find_rulebook(position.rulebook).planned_jointly
        found = reach(position, [name], rolls=rolls)[0].unsupported
        return tuple(clause for clause in found if clause not in jointly)
    import numpy as np

    query = query_of(position, name, rolls=rolls)
    labels = _labels(query, goal, position)
    states, spent = (
        np.array([getattr(label, field) for label in labels], np.int32)
        for field in ("state", "spent")
    )
    return query.space.unsupported_in(states, spent)


# -- points against exposure -----------------------------------------------------------------------


class _Label(NamedTuple):
    """One way to a state: what it costs, how exposed it is, and by which arc it came from where."""

    spent: int
    exposure: int
    number: int
    state: int
    row: int
    arc: int
    before: _Label | None


class _Frontier:
    """The labels that no other beats, state by state."""

    def __init__(self) -> None:
        self._kept: dict[int, list[tuple[int, int]]] = {}

    def takes(self, state: int, spent: int, exposure: int) -> bool:
        """Return whether a label is news, and keep it if it is."""
        kept = self._kept.setdefault(state, [])
        if any(s <= spent and e <= exposure for s, e in kept):
            return False
        kept.append((spent, exposure))
        return True


def _traded_off(
    position: Position[Any, Any], name: str, goal: Goal, rolls: Rolls
) -> dict[str, tuple[Way, ...]]:
    query = query_of(position, name, rolls=rolls)
    unit, board, width = position.unit(name), position.board, query.space.width
    spent = find_rulebook(position.rulebook).spent(unit)
    labels = _labels(query, goal, position)
    found: dict[str, list[Way]] = {}
    news = _Frontier()
    for label in sorted(labels, key=lambda label: label[:3]):
        number = label.state // width
        at = board.locations[number].name
        if at != unit.at and news.takes(number, label.spent, label.exposure):
            tell = partial(_actions, query, label, name, board)
            way = Way(at, label.spent - spent, label.exposure, tell)
            found.setdefault(at, []).append(way)
    return {at: tuple(some) for at, some in found.items()}


def _labels(query: Query, goal: Goal, position: Position[Any, Any]) -> list[_Label]:
    """Return the labels of all states that no other label of its state beats."""
    if not query.starts:
        return []
    import numpy as np

    board, width = position.board, query.space.width
    threat = [goal.threat.get(place.name, 0) for place in board.locations]
    barred = [place.name in goal.avoid for place in board.locations]
    limits = Limits(ample=NO_LIMIT) if switched_off() else query.limits
    space, numbers, (starts,) = query.space.complete([query.starts], [query.costs], [limits])
    states = numbers.tolist()
    own = space.limit if query.limits is None else query.limits.array(numbers // width, space.limit)
    ends = own.tolist()
    limit = [NO_LIMIT] * len(ends) if switched_off() else ends
    over = query.space.mover.overdrafts(np.arange(len(space.target)))
    taken = {arc: int(over[arc]) for arc in np.flatnonzero(over).tolist()}
    waiting: list[_Label] = []
    count = 0
    for row, spent in zip(starts, query.costs, strict=True):
        comes_on, at = query.unit.at is None, states[row] // width
        if not (comes_on and barred[at]):
            exposure = threat[at] if comes_on else 0
            heappush(waiting, _Label(spent, exposure, count, states[row], row, -1, None))
            count += 1
    kept: list[_Label] = []
    news = _Frontier()
    while waiting:
        label = heappop(waiting)
        if not news.takes(label.state, label.spent, label.exposure):
            continue
        if len(kept) % SOME == 0:
            work(LABELS)
        kept.append(label)
        here = label.state // width
        for arc, to, least in _arcs(space, label, ends):
            there = states[to] // width
            if least > limit[to] or (there != here and barred[there]):
                continue
            spent = max(least, taken.get(arc, 0))
            exposure = label.exposure + (threat[there] if there != here else 0)
            heappush(waiting, _Label(spent, exposure, count, states[to], to, arc, label))
            count += 1
    return kept


def _arcs(space: Space, label: _Label, ends: list[int]) -> Iterator[tuple[int, int, int]]:
    """Yield arc, where it leads and half points spent for each step from a label, ends last."""
    first, middle, last, arcs, bits = space.lists
    low = (1 << bits) - 1
    for arc in range(first[label.row], middle[label.row]):
        yield arc, arcs[arc] >> bits, label.spent + (arcs[arc] & low)
    for arc in range(middle[label.row], last[label.row]):
        to = arcs[arc] >> bits
        if label.spent <= ends[to]:
            yield arc, to, ends[to]


def _actions(query: Query, label: _Label, name: str, board: Any) -> tuple[Action, ...]:
    found: tuple[Action, ...] = ()
    step: _Label | None = label
    while step is not None:
        if step.before is not None:
            found = (*query.space.actions_on(step.arc, step.state, name), *found)
        elif query.arrivals is not None:
            width = query.space.width
            place = board.locations[step.state // width].name, query.space.modes[step.state % width]
            found = (*query.arrivals.ways[place].actions, *found)
        step = step.before
    return found
