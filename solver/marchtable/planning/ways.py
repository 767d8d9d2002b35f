"""
The ways of one unit alone: to each Location, the cheapest and least exposed.

Without threats and Locations to avoid, reach finds them, much faster on a large map. Otherwise they
are the undominated paths in the movement graph. If a unit is wanted off the map, ways also end
there, by the rulebook's action for it.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.dominance import Front
from marchtable.planning.paths import actions_of, paths
from marchtable.reachability.graph import Movement
from marchtable.reachability.reach import reach
from marchtable.rules.clause import switched_off
from marchtable.rules.rolls import passing
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from marchtable.rules.plan_model import Rolls
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["End", "Played", "Way", "played", "unsupported", "ways"]

Played = tuple["Position[Any, Any]", "tuple[Action, ...]"]
"""The position after some actions, and the full log."""


class End(NamedTuple):
    """
    The end of a way.

    Parameters
    ----------
    at
        The last Location.
    leaves
        Whether the unit leaves the map from there.
    """

    at: str
    leaves: bool = False


class Way:
    """
    A way of one unit to another Location, or off the map.

    Parameters
    ----------
    end
        Its end.
    points
        Its cost, in half points.
    exposure
        The sum of the threats of the Locations entered.
    made
        Returns its actions, without settling rolls on the way.
    """

    __slots__ = ("__dict__", "_made", "end", "exposure", "points")

    def __init__(
        self, end: End, points: int, exposure: int, made: Callable[[], tuple[Action, ...]]
    ) -> None:
        self.end, self.points, self.exposure, self._made = end, points, exposure, made

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """Its actions."""
        return self._made()


def played(position: Position[Any, Any], actions: Iterable[Action], rolls: Rolls) -> Played | None:
    """Return the position after some actions and the full log, or None if it is not legal."""
    book, log = find_rulebook(position.rulebook), list[Any]()
    for action in actions:
        ruling = book.rule(position, action)
        if not ruling.is_legal:
            return None
        log.append(action)
        position = ruling.after
        while position.pending:
            event = passing(position)
            if event is None or rolls == "avoid":
                return None
            log.append(event)
            position = book.rule(position, event).after
    return position, tuple(log)


def ways(
    position: Position[Any, Any], name: str, goal: Goal, rolls: Rolls,
    off: Collection[str] = (), left_out: set[str] | None = None,
) -> dict[End, tuple[Way, ...]]:  # fmt: skip
    """
    Return a unit's ways, by cost, to each Location except its own, and off the map.

    No way to a Location is both as cheap and as little exposed as another. None enters a Location
    that the goal avoids. While clauses are off, some may cost more than the unit has; whether that
    is forbidden is for the referee to decide.

    Parameters
    ----------
    off
        The Locations from which it can leave the map.
    left_out
        Collects the unmodelled clauses that alone keep it from leaving.
    """
    found: dict[End, list[Way]] = {}
    unit, news = position.unit(name), Front()
    leaving = _Leaving(position, name, rolls, off, set() if left_out is None else left_out)
    for way in _paths(position, name, goal, rolls):
        at = way.end.at
        if at != unit.at and news.takes(way.end, way.points, way.exposure):
            found.setdefault(way.end, []).append(way)
        if at in off and (gone := leaving.by(way)) is not None:
            some = found.setdefault(gone.end, [])
            some[:] = [one for one in some if not _beats(gone, one)]
            some.append(gone)
    return {end: tuple(some) for end, some in found.items()}


def _beats(one: Way, other: Way) -> bool:
    return one.points <= other.points and one.exposure <= other.exposure


def _paths(position: Position[Any, Any], name: str, goal: Goal, rolls: Rolls) -> Iterator[Way]:
    """Yield a unit's ways to each Location in each mode, including its own, cheapest first."""
    spent = find_rulebook(position.rulebook).spent(position.unit(name))
    if not (goal.avoid or goal.threat or switched_off()):
        found = reach(position, [name], rolls=rolls)[0]
        for place in found.places:
            yield Way(End(place.at), place.spent - spent, 0, partial(found.steps_to, place))
        return
    graph = _graph(position, name, rolls)
    for label in paths(graph, goal.threat, goal.avoid):
        made = partial(actions_of, graph, label)
        yield Way(End(label.node[0]), label.spent - spent, label.exposure, made)


class _Leaving:
    """
    One unit's ways off the map, tried by the referee.

    Parameters
    ----------
    position, name, rolls
        The starting position, the unit, and the policy for rolls.
    off
        The Locations from which it can leave.
    left_out
        Collects the unmodelled clauses that alone keep it from leaving.
    """

    def __init__(
        self, position: Position[Any, Any], name: str, rolls: Rolls, off: Collection[str],
        left_out: set[str],
    ) -> None:  # fmt: skip
        self._position, self._rolls, self._left_out = position, rolls, left_out
        self._rulebook = find_rulebook(position.rulebook)
        self._exit = self._rulebook.exit_of(position.unit(name)) if off else None
        self._news = Front()

    def by(self, way: Way) -> Way | None:
        """Return a way extended off the map; None if forbidden, or no better than a known way."""
        leave, at = self._exit, way.end.at
        if leave is None or self._news.beats(at, way.points, way.exposure):
            return None  # the way cannot become cheaper by leaving
        done = played(self._position, way.actions, self._rolls)
        if done is None:
            return None
        ruling = self._rulebook.rule(done[0], leave)
        if not ruling.is_legal:
            if ruling.unsupported and not ruling.violations:
                self._left_out |= {one.clause for one in ruling.unsupported}
            return None
        if ruling.after.pending and self._rolls == "avoid":
            return None
        points = way.points + sum(receipt.amount for receipt in ruling.receipts)
        if not self._news.takes(at, points, way.exposure):
            return None
        return Way(End(at, leaves=True), points, way.exposure, lambda: (*way.actions, leave))


def unsupported(
    position: Position[Any, Any], name: str, goal: Goal, rolls: Rolls
) -> tuple[str, ...]:
    """Return the unmodelled clauses that affect steps from the places on :func:`ways`."""
    if not switched_off():
        jointly = find_rulebook(position.rulebook).planned_jointly
        met = reach(position, [name], rolls=rolls)[0].unsupported
        return tuple(clause for clause in met if clause not in jointly)
    graph = _graph(position, name, rolls)
    some = [*paths(graph, goal.threat, goal.avoid)]
    return graph.unsupported([(one.node, one.spent) for one in some])


def _graph(position: Position[Any, Any], name: str, rolls: Rolls) -> Movement:
    """Return the unit's movement graph; with clauses off, as if it had enough points."""
    return Movement(position, name, rolls, free=bool(switched_off()))
