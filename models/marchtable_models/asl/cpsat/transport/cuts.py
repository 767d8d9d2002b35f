"""What the referee refused or charged beyond the tables, and who had to stand where for it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.cpsat.transport.options import Trip, name_of
from marchtable_models.asl.cpsat.transport.precedence import After, Home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from marchtable.planning.tasks import Five
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Offer
    from marchtable_models.asl.cpsat.transport.precedence import Chosen, Turns
    from marchtable_models.asl.cpsat.transport.replay import Group

    Test = Callable[[Offer | Trip], bool]

__all__ = ["AtLeast", "Clock", "Cut", "Literal", "Said", "SurchargeCut", "Token", "aboard_of"]

Time = tuple[int, ...]
Token = str | tuple[str, str]
"""A unit, or a unit as it is aboard of a vehicle."""


def aboard_of(column: Offer | Trip) -> str:
    """Return the vehicle that a column's unit is aboard of, ``""`` for none."""
    trip = None if isinstance(column, Trip) else column.trip
    return "" if trip is None else trip.load.vehicle.id


class Literal(NamedTuple):
    """Whether a unit or vehicle does one of those things that the test tells."""

    unit: str
    test: Callable[[Offer | Trip], bool]

    def holds(self, chosen: Chosen, turns: Turns) -> bool:  # noqa: ARG002
        """Tell whether it is so in a plan."""
        return self.test(chosen[self.unit])

    def tests(self) -> Iterator[tuple[Token, Test]]:
        """Yield whom it is about, and what tells which of its columns."""
        yield self.unit, self.test


Said = Literal | After | Home


class AtLeast(NamedTuple):
    """
    Whether so many of some vehicles, or more, stand in a Location when another acts.

    Parameters
    ----------
    at, names, enough
        The Location, the vehicles, and how many.
    test
        Tells whether a column ends there.
    actor
        The vehicle that acts.
    homes
        Those of the others that begin there.
    """

    at: str
    names: tuple[str, ...]
    enough: int
    test: Callable[[Offer | Trip], bool]
    actor: str
    homes: frozenset[str]

    def literals(self, name: str) -> tuple[Said, ...]:
        """Return what is to hold so that one of the vehicles stands there then."""
        if name in self.homes:
            return (Home(name, self.test, self.actor),)
        return (Literal(name, self.test), After(self.actor, name))

    def holds(self, chosen: Chosen, turns: Turns) -> bool:
        """Tell whether in a plan so many stand there."""
        able = self.able(chosen)
        if len(able) < self.enough:  # then nobody need have told their turns
            return False
        told = (all(x.holds(chosen, turns) for x in self.literals(name)) for name in able)
        return sum(told) >= self.enough

    def able(self, chosen: Chosen) -> list[str]:
        """Return the vehicles that stand there in a plan if turns are such."""
        return [name for name in self.names if name in self.homes or self.test(chosen[name])]


class Cut(NamedTuple):
    """
    What comes of doing some things together.

    Parameters
    ----------
    literals
        What is done.
    extra
        How much more than is told that comes to, by criterion; None if the referee refuses it.
    clauses
        The clauses that it broke.
    """

    literals: tuple[Said, ...]
    extra: Five | None
    clauses: tuple[str, ...] = ()

    def tests(self) -> Iterator[tuple[Token, Test]]:
        """Yield whom it is about, and what tells which of the columns may have a part in it."""
        for literal in self.literals:
            yield from literal.tests()


class SurchargeCut:
    """
    What ways cost more, all of one unit or vehicle, while others stand about.

    Parameters
    ----------
    literals
        Who stands where.
    actor
        Who pays more.
    more
        Tells half points more for a column of the actor, None if it cannot be done.
    clauses
        What tells the clauses that charge for it.
    vehicle
        The vehicle that the actor is aboard of first where it pays more, if that is one.
    touches
        Tells at once which columns of the actor might cost more, if that is to be told.
    throngs
        What else has to stand where.
    """

    def __init__(
        self, literals: tuple[Said, ...], actor: str,
        more: Callable[[Offer | Trip], int | None], clauses: Callable[[], tuple[str, ...]],
        vehicle: str = "", touches: Callable[[Offer | Trip], bool] | None = None,
        throngs: tuple[AtLeast, ...] = (),
    ) -> None:  # fmt: skip
        self.throngs = throngs
        self.literals, self.actor, self._more, self._clauses = literals, actor, more, clauses
        self.vehicle, self.touches = vehicle, touches
        self._known: dict[int, tuple[Offer | Trip, int | None]] = {}

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that charge for it."""
        return self._clauses()

    def surcharge(self, column: Offer | Trip) -> int | None:
        """Return half points more for a column of the actor, None if it cannot be done."""
        if id(column) not in self._known:
            self._known[id(column)] = (column, self._more(column))
        return self._known[id(column)][1]

    def is_met(self, chosen: Chosen, turns: Turns) -> bool:
        """Tell whether in a plan all stand as it says."""
        return all(x.holds(chosen, turns) for x in (*self.throngs, *self.literals))

    def _is_dear(self, column: Offer | Trip) -> bool:
        """Tell whether a column of the actor costs more, or cannot be done."""
        return self.surcharge(column) != 0

    @property
    def _who(self) -> Token:
        """The actor, or the actor as it is aboard of a vehicle."""
        return (self.actor, self.vehicle) if self.vehicle else self.actor

    def tests(self) -> Iterator[tuple[Token, Test]]:
        """Yield whom it is about, and what tells which of the columns may have a part in it."""
        for literal in self.literals:
            yield from literal.tests()
        yield from ((name, at_least.test) for at_least in self.throngs for name in at_least.names)
        yield self._who, self.touches or self._is_dear


class Clock:
    """
    When the columns of a plan act, and where units stand at a time.

    A vehicle is told by its place in the order that is kept where nothing speaks for another one.

    Parameters
    ----------
    instance
        The problem.

    Attributes
    ----------
    carriers
        The vehicles that units are aboard of, or have left, in the plan that is acted out.
    """

    def __init__(self, instance: Instance) -> None:
        self.order = instance.order
        self._names = [*sorted(self.order, key=self.order.__getitem__)]
        self.home: Mapping[str, str | None] = {u.id: u.at for u in instance.position.units}
        self.inside = set(instance.aboard)
        self.carriers: dict[str, str] = {}
        self.place = {name: number for number, name in enumerate(sorted(instance.measure.movers))}

    def begin(self, groups: Iterable[Group]) -> None:
        """Take note of who leaves which vehicle in a plan."""
        self.carriers = {
            offer.unit: name_of(offer.trip)
            for group in groups
            for offer in group.offers
            if offer.trip is not None
        }

    def of(self, group: Group) -> Time:
        """Return when a group acts."""
        if group.trip is not None:
            return (1, self.order[group.trip.load.vehicle.id])
        (offer,) = group.offers
        return self.boards(offer) if group.boards else self.walks(offer)

    def acting(self, time: Time) -> str | None:
        """Return the vehicle that acts at a time, or that somebody leaves then."""
        return self._names[time[1]] if time[0] == 1 else None

    def boards(self, offer: Offer) -> Time:
        """Return when a unit boards."""
        assert offer.trip is not None
        load = offer.trip.load
        place = self.place[offer.unit]
        return (0, self.order[load.vehicle.id], int(offer.unit not in load.counted), place)

    def walks(self, offer: Offer) -> Time:
        """Return when a unit walks to where it ends: who has least to spare first."""
        last = (offer.left or 0, self.place[offer.unit])
        if offer.trip is None:
            return (2, *last)
        return (1, self.order[offer.trip.load.vehicle.id], 1, *last)

    def where(self, column: Offer | Trip, time: Time) -> str | None:
        """Return where a unit stands on the ground just before a time, None if it is aboard."""
        if isinstance(column, Trip):
            return column.at if self._has_acted(column, time) else self.home[name_of(column)]
        if column.trip is not None and (column.board is None or self.boards(column) < time):
            if column.carried or not self._has_acted(column.trip, time):
                return None
            if column.walk is None or time <= self.walks(column):
                return column.trip.at
            return column.at
        if column.trip is None and column.walk is not None and self.walks(column) < time:
            return column.at
        return self.home[column.unit]

    def _has_acted(self, trip: Trip, time: Time) -> bool:
        """Tell whether a vehicle has acted, in whichever order the others do."""
        acts = (1, self.order[name_of(trip)])
        return time[0] > 1 or (time > acts and time[:2] == acts)
