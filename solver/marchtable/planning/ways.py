"""The ways of one unit alone: to each Location those that are cheapest and least exposed.

Where nothing threatens and nothing is to be avoided, that is what reach finds, much sooner on a
large map. Else they are paths in the movement graph that no other beats in both respects.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from marchtable.planning.dominance import Front
from marchtable.planning.paths import actions_of, paths
from marchtable.reachability.graph import Movement
from marchtable.reachability.reach import reach
from marchtable.rules.clause import switched_off
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.rules.plan_model import Rolls
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position, Unit

__all__ = ["Way", "unsupported", "ways"]


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
    made
        Gives its actions, rolls on the way not settled.
    """

    __slots__ = ("__dict__", "_made", "at", "exposure", "points")

    def __init__(
        self, at: str, points: int, exposure: int, made: Callable[[], tuple[Action, ...]]
    ) -> None:
        self.at, self.points, self.exposure, self._made = at, points, exposure, made

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """Its actions."""
        return self._made()


def ways(
    position: Position[Any, Any], name: str, goal: Goal, rolls: Rolls
) -> dict[str, tuple[Way, ...]]:
    """
    Return a unit's ways to each Location but the one it is in, by what they cost.

    Of ways to one Location none is both as cheap and as little exposed as another. None enters
    a Location that the goal avoids. While clauses are switched off there may be ways among them
    that cost more than the unit has: whether that is barred is for the referee to say.
    """
    unit = position.unit(name)
    spent = find_rulebook(position.rulebook).spent(unit)
    if not (goal.avoid or goal.threat or switched_off()):
        return _cheapest(position, unit, spent, rolls)
    graph = _graph(position, name, rolls)
    found: dict[str, list[Way]] = {}
    news = Front()
    for label in paths(graph, goal.threat, goal.avoid):
        at = label.node[0]
        if at != unit.at and news.takes(at, label.spent, label.exposure):
            made = partial(actions_of, graph, label)
            found.setdefault(at, []).append(Way(at, label.spent - spent, label.exposure, made))
    return {at: tuple(some) for at, some in found.items()}


def _cheapest(
    position: Position[Any, Any], unit: Unit, spent: int, rolls: Rolls
) -> dict[str, tuple[Way, ...]]:
    """Return what reach finds: the cheapest way to each Location, where nothing is traded for points."""
    found = reach(position, [unit.id], rolls=rolls)[0]
    best: dict[str, tuple[Way, ...]] = {}
    for place in found.places:
        if place.at not in best and place.at != unit.at:
            made = partial(found.steps_to, place)
            best[place.at] = (Way(place.at, place.spent - spent, 0, made),)
    return best


def unsupported(
    position: Position[Any, Any], name: str, goal: Goal, rolls: Rolls
) -> tuple[str, ...]:
    """Return the clauses, not modelled, that have a say in steps from where :func:`ways` lead through."""
    if not switched_off():
        jointly = find_rulebook(position.rulebook).planned_jointly
        met = reach(position, [name], rolls=rolls)[0].unsupported
        return tuple(clause for clause in met if clause not in jointly)
    graph = _graph(position, name, rolls)
    some = [*paths(graph, goal.threat, goal.avoid)]
    return graph.unsupported([(one.node, one.spent) for one in some])


def _graph(position: Position[Any, Any], name: str, rolls: Rolls) -> Movement:
    """Return what a unit may do, and while clauses are off what it might if it had enough."""
    return Movement(position, name, rolls, free=bool(switched_off()))
