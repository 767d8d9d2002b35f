"""
Where a unit can go: a graph compiled from the rulings themselves, searched by the kernel.

The search space is Location x mode (facing, stopped or moving, what is still open to it). Its arcs
are not written anywhere: when a search reaches a state, the compiler puts the unit there, calls
``rule``, and records the cost and the resulting mode for all states with equal facts.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.arguments import public
from marchtable.budget import report_progress
from marchtable.checking import Checks
from marchtable.errors import BadInputError, InternalError
from marchtable.reachability.arrivals import arrivals, has_first_steps
from marchtable.reachability.compiled import SearchLimits
from marchtable.reachability.sharing import own_space, shared_space, undisturbed
from marchtable.reachability.space import nowhere
from marchtable.rules.clause import switched_off
from marchtable.rules.rolls import passed, passing, without_rolls
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.position import checked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.reachability.arrivals import Arrival, Arrivals
    from marchtable.reachability.compiled import CompiledSpace
    from marchtable.reachability.space import Ints, Reached
    from marchtable.state.action import Action
    from marchtable.state.position import Position, Unit

__all__ = ["Place", "Query", "Reach", "query_of", "reach"]

PATHS = 8
"""Maximum number of places whose path is judged again while answers are checked."""


class Place(NamedTuple):
    """A place that a unit can reach: Location, mode, and half points spent and left there."""

    at: str
    mode: Any
    spent: int
    left: int
    number: int


class Reach:
    """
    Everywhere a unit can go, cheapest first, kept as arrays until accessed.

    Attributes
    ----------
    asked, position
        The position asked about, and the same with nothing pending.
    unit
        The unit.
    found
        The kernel's arrays of reached states.
    """

    def __init__(self, position: Position[Any, Any], query: Query, found: Reached) -> None:
        self.asked, self.position = position, without_rolls(position)
        self.unit, self.space, self.found = query.unit, query.space, found
        self._arrivals = query.arrivals

    @property
    def is_exact(self) -> bool:
        """Whether no unmodelled clause applies to a step that could be tried."""
        return not self.unsupported

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """Ids of clauses by which the unit might get farther than alone, without a roll first."""
        book = find_rulebook(self.position.rulebook)
        return tuple(book.left_out(self.position, self.unit, self.most_left()))

    @cached_property
    def unsupported(self) -> tuple[str, ...]:
        """Ids of clauses that apply to steps within reach and are unmodelled, or left out."""
        found = self.space.unsupported_from(self.found) if len(self.found) else ()
        off_map = () if self._arrivals is None else self._arrivals.unsupported
        return tuple(sorted({*found, *off_map, *self.left_out}))

    @cached_property
    def assumed(self) -> tuple[str, ...]:
        """Clauses whose rolls are assumed passed on some of the paths."""
        found = self.space.rolls_on(self.found.arc)
        if self._arrivals is None:
            return found
        starts = [self._way_on(i) for i, p in enumerate(self.found.parent.tolist()) if p < 0]
        return tuple(sorted({*found, *(name for way in starts for name in way.rolls)}))

    def _way_on(self, number: int) -> Arrival:
        """Return the way by which a search began at its `number`-th state."""
        state, width = int(self.found.state[number]), self.space.width
        assert self._arrivals is not None
        place = (
            self.position.board.locations[state // width].name,
            self.space.modes[state % width],
        )
        return self._arrivals.ways[place]

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every reached Location and mode, cheapest first."""
        return tuple(self._picked(slice(None)))

    def _picked(self, which: Any) -> Iterator[Place]:
        """Yield the reached places that an index of arrays selects."""
        import numpy as np

        locations, modes = self.position.board.locations, self.space.modes
        numbers = np.arange(len(self.found))[which]
        mode = self.found.state[which] % self.space.width
        picked = (self._where[which], mode, self.found.spent[which], self._left[which], numbers)
        for at, kind, spent, left, number in zip(*(one.tolist() for one in picked), strict=True):
            yield Place(locations[at].name, modes[kind], spent, left, number)

    @cached_property
    def _left(self) -> Ints:
        return self.space.left(self.found)

    def best(self) -> dict[str, Place]:
        """Return, for each Location reached, the place with the most points left."""
        found: dict[str, Place] = {}
        for place in self.places:
            if place.at not in found or place.left > found[place.at].left:
                found[place.at] = place
        return found

    @cached_property
    def _where(self) -> Ints:
        """The index of the Location of each state reached."""
        return self.found.state // self.space.width

    @cached_property
    def locations(self) -> frozenset[str]:
        """The Locations reached."""
        board = self.position.board
        return frozenset(board.locations[n].name for n in set(self._where.tolist()))

    @cached_property
    def notes(self) -> dict[str, Any]:
        """A rulebook's derived data about it, under keys of its own."""
        return {}

    def most_left(self) -> dict[str, int]:
        """Return the most half points left in each Location reached; faster than `best`."""
        import numpy as np

        # Backwards, from few points left to many: nearly in order, so the last entry of a Location
        # stays.
        left = self._left[::-1]
        order = np.argsort(left, kind="stable")
        most = np.full(len(self.position.board), -1)
        most[self._where[::-1][order]] = left[order]
        reached = np.flatnonzero(most >= 0)
        locations = self.position.board.locations
        numbers = zip(reached.tolist(), most[reached].tolist(), strict=True)
        return {locations[number].name: left for number, left in numbers}

    def places_at(self, at: str) -> list[Place]:
        """Return the places of a Location, those with the most points left first."""
        import numpy as np

        numbers = np.flatnonzero(self._where == self.position.board.index[at])
        return sorted(self._picked(numbers), key=lambda place: -place.left)

    @public
    def actions_to(self, place: Place) -> tuple[Action, ...]:
        """
        Return the log of a cheapest way there, with every required roll settled as passed.

        It begins with the events that settle pending rolls.

        Raises
        ------
        BadInputError
            If a pending roll cannot be passed.
        """
        opening = passed(self.asked)
        if opening is None:
            raise BadInputError(
                "what is pending cannot be passed: settle it first", field="position"
            )
        return opening.events + tuple(ruling.action for ruling in self.replay(place))

    @public
    def steps_to(self, place: Place) -> tuple[Action, ...]:
        """Return the actions of a cheapest way there without settling rolls, for dice to come."""
        path = self.found.path(place.number)
        way_on = (
            () if self._arrivals is None else self._way_on(self.found.index[path[0][0]]).actions
        )
        return way_on + tuple(
            action
            for state, arc in path
            if arc >= 0
            for action in self.space.actions_on(arc, state, self.unit.id)
        )

    @public
    def replay(self, place: Place) -> list[Any]:
        """
        Return the referee's rulings along a cheapest way there, with every roll settled as passed.

        Raises
        ------
        InternalError
            If the referee does not agree with the search.
        """
        rulebook = find_rulebook(self.position.rulebook)
        position, rulings = self.position, []
        waiting = [*self.steps_to(place)][::-1]
        while waiting or position.pending:
            action = passing(position) if position.pending else waiting.pop()
            if action is None:
                raise InternalError(f"reach assumes a roll that cannot be passed: {position.key()}")
            ruling = rulebook.rule(position, action)
            if not ruling.is_legal:
                raise InternalError(f"reach proposes an illegal step: {action} in {position.key()}")
            rulings.append(ruling)
            position = ruling.after
        unit = position.unit(self.unit.id)
        if (unit.at, rulebook.spent(unit)) != (place.at, place.spent):
            raise InternalError(
                f"reach says {place.at} at {place.spent} half points, the referee "
                f"{unit.at} at {rulebook.spent(unit)} ({self.position.key()})"
            )
        return rulings


@public
def reach(
    position: Position[Any, Any], units: Sequence[str], *, rolls: str = "pass"
) -> list[Reach]:
    """
    Find everywhere units can go, each moving alone from where it is now.

    Parameters
    ----------
    position
        The position; a pending roll is assumed passed.
    units
        Ids of the units.
    rolls
        ``"pass"`` assumes that each roll on the way succeeds (the answer lists them under
        ``assumed``); ``"avoid"`` takes no step that requires a roll.

    Returns
    -------
    list of Reach
        One for each unit, in order.

    Raises
    ------
    UnknownNameError
        If there is no such unit.
    BadInputError
        If `rolls` is neither, `units` is not a list, or the position is none.
    """
    if isinstance(units, str):
        raise BadInputError(f"expected a list of units: [{units!r}]", field="units")
    avoid = rolls == "avoid"
    queries = _queries(without_rolls(checked(position)), units, avoid=avoid)
    answers = [Reach(position, query, found) for query, found in _searched(queries)]
    for answer in answers if Checks.on else ():
        for place in answer.places[:: 1 + len(answer.places) // PATHS]:
            answer.replay(place)
    return answers


def query_of(position: Position[Any, Any], name: str, *, rolls: str = "pass") -> Query:
    """
    Return the search space of a unit and the starts of its search.

    For searches other than :func:`reach`; nothing may be pending.
    """
    (query,) = _queries(position, (name,), avoid=rolls == "avoid")
    return query


class Query(NamedTuple):
    """
    The search for a unit's reach.

    Parameters
    ----------
    unit, space
        The unit and its space.
    starts, costs
        The starting states, none if it cannot begin, and half points spent there.
    limits
        Its limits, if not the space's own.
    arrivals
        The ways to the starts, if the unit is off the map or has first steps of its own.
    """

    unit: Unit
    space: CompiledSpace
    starts: tuple[int, ...]
    costs: tuple[int, ...]
    limits: SearchLimits | None = None
    arrivals: Arrivals | None = None


def _queries(position: Position[Any, Any], names: Sequence[str], *, avoid: bool) -> list[Query]:
    """Return the search for each unit, as far as known from an earlier question."""
    every = position.__dict__.setdefault("queries", {})
    known: dict[str, Query] = every.setdefault((avoid, switched_off()), {})
    for name in names:
        if name not in known:
            known[name] = _made(position, position.unit(name), avoid=avoid)
    return [known[name] for name in names]


def _made(position: Position[Any, Any], unit: Unit, *, avoid: bool) -> Query:
    rulebook = find_rulebook(position.rulebook)
    shares = unit.at is not None and rulebook.shares_space(position, unit)
    space = (shared_space if shares else own_space)(position, unit, avoid=avoid)
    if unit.at is None or has_first_steps(position, unit):
        return _from_arrivals(position, unit, space, avoid=avoid)
    start, spent = space.state(unit.at, rulebook.mode(unit)), rulebook.spent(unit)
    return Query(unit, space, (start,), (spent,), _own_limits(space, start, spent))


def _own_limits(space: CompiledSpace, start: int, spent: int) -> SearchLimits | None:
    """Return the limits of a unit that has spent more than its state allows: wounded, or led before."""
    return SearchLimits(raised=(start, spent)) if spent > space.limit(start) else None


def _from_arrivals(
    position: Position[Any, Any], unit: Unit, space: CompiledSpace, *, avoid: bool
) -> Query:
    found = arrivals(position, unit.id, avoid=avoid)
    states = tuple(space.state(at, mode) for at, mode in found.ways)
    costs = tuple(way.spent for way in found.ways.values())
    limits = None if unit.at is None else _own_limits(space, states[0], costs[0])
    return Query(unit, space, states, costs, limits, found)


def _searched(queries: Sequence[Query]) -> Iterator[tuple[Query, Reached]]:
    """Yield the result of each query; those on one space are searched together."""
    groups: dict[CompiledSpace, list[Query]] = {}
    for query in queries:
        if query.starts:
            groups.setdefault(query.space, []).append(query)
    with undisturbed():
        found = {}
        for number, (space, group) in enumerate(groups.items(), 1):
            report_progress(f"finding the reach of {group[0].unit.id}", number, len(groups))
            found[space] = iter(_found(space, group))
        for query in queries:
            yield query, next(found[query.space]) if query.starts else nowhere()


def _found(space: CompiledSpace, queries: Sequence[Query]) -> list[Reached]:
    asked = [(query.starts, query.costs, query.limits) for query in queries]
    return space.search(*zip(*asked, strict=True))
