"""The ways of one unit alone: to each Location those that are cheapest and least exposed."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from marchtable.planning.dominance import Front
from marchtable.planning.paths import actions_of, paths
from marchtable.reachability.graph import Movement
from marchtable.rules.clause import switched_off
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.rules.plan_model import Rolls
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

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
    graph = _graph(position, name, goal, rolls)
    unit = position.unit(name)
    spent = find_rulebook(position.rulebook).spent(unit)
    found: dict[str, list[Way]] = {}
    news = Front()
    for label in paths(graph, goal.threat, goal.avoid):
        at = label.node[0]
        if at != unit.at and news.takes(at, label.spent, label.exposure):
            tell = partial(actions_of, graph, label)
            found.setdefault(at, []).append(Way(at, label.spent - spent, label.exposure, tell))
    return {at: tuple(some) for at, some in found.items()}


def unsupported(
    position: Position[Any, Any], name: str, goal: Goal, rolls: Rolls
) -> tuple[str, ...]:
    """Return the clauses, not modelled, that have a say in steps from where :func:`ways` lead through."""
    graph = _graph(position, name, goal, rolls)
    if switched_off():
        some = [*paths(graph, goal.threat, goal.avoid)]
        return graph.unsupported([(one.node, one.spent) for one in some])
    jointly = find_rulebook(position.rulebook).planned_jointly
    met = {*graph.unsupported([(one.node, one.spent) for one in paths(graph)]), *graph.left_out}
    return tuple(sorted(met - jointly))


def _graph(position: Position[Any, Any], name: str, goal: Goal, rolls: Rolls) -> Movement:
    """Return what a unit may do; exactly so where ways that are not the cheapest count, too."""
    free = bool(switched_off())
    trades = bool(goal.avoid or goal.threat) or free
    return Movement(position, name, rolls, exactly=trades, free=free)
