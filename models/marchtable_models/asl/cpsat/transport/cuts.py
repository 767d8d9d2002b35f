"""What the referee refused or charged beyond the tables, and who had to stand where for it."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

from marchtable.planning.choice.options import Presence
from marchtable_models.asl.cpsat.transport.options import Trip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable.planning.choice.options import Counted, Given, Pair, Price, Spot
    from marchtable_models.asl.cpsat.transport.arrivals import Arrivals
    from marchtable_models.asl.cpsat.transport.clock import Clock, Time
    from marchtable_models.asl.cpsat.transport.options import Offer

    Column = Offer | Trip
    Test = Callable[[Column], bool]
    Token = str | tuple[str, str]

__all__ = ["FREE", "Charge", "Listed", "Spots", "aboard_of", "exactly"]

IS, INSIDE = "is", "inside"
FREE: Price = (0, 0)


def aboard_of(column: Column) -> str:
    """Return the vehicle that a column's unit is aboard of first, "" for none."""
    trip = getattr(column, "trip", None)
    return "" if trip is None else str(trip.unit)


class Listed:
    """
    Columns by number, by unit, and by unit and end: who is about where, as the choice asks it.

    Parameters
    ----------
    spots, columns
        What tells who stands where, and all columns.
    """

    def __init__(self, spots: Spots, columns: Sequence[Column]) -> None:
        self._spots, self._columns = spots, columns
        self.numbers = {column: number for number, column in enumerate(columns)}
        self.units: dict[str, list[tuple[int, Column]]] = defaultdict(list)
        self.at: dict[tuple[str, str], list[tuple[int, Column]]] = defaultdict(list)
        for number, column in enumerate(columns):
            unit = column.unit
            self.units[unit].append((number, column))
            self.at[unit, column.at].append((number, column))

    def party(self, number: int) -> str:
        """Return in whose turn a column is done: its unit's."""
        return self._columns[number].unit

    def about(self, actor: str, party: str, spot: Spot) -> Iterator[Counted]:  # noqa: ARG002 - each has its own turn
        """Return which columns have units in a spot as one acts."""
        return self._spots.around(self, actor, spot)

    def standing(self, spot: Spot) -> tuple[()]:  # noqa: ARG002 - spots know more than that
        """Return nothing: it turns on who acts when."""
        return ()


class Charge:
    """
    What an actor's columns cost more, all of them, while others stand about.

    Parameters
    ----------
    given
        Who stands where.
    actor
        The unit or vehicle that pays more.
    more
        Tells how much more a column of the actor costs, None if it cannot be done.
    clauses
        What tells the clauses that charge for it.
    vehicle
        The vehicle that the actor is aboard of first where it pays more, if that is one.
    touches
        Tells at once which columns of the actor might cost more, if that is to be told.
    """

    def __init__(
        self, given: Given, actor: str, more: Callable[[Column], Price | None],
        clauses: Callable[[], tuple[str, ...]], vehicle: str = "", touches: Test | None = None,
    ) -> None:  # fmt: skip
        self.given, self.actor, self._more, self._clauses = given, actor, more, clauses
        self.vehicle, self._touches = vehicle, touches
        self._known: dict[Column, Sequence[Price]] = {}

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that charge for it."""
        return self._clauses()

    def surcharge(self, column: Column) -> Sequence[Price]:
        """Return what a column of the actor costs more; no price if it cannot be done."""
        if column not in self._known:
            more = self._more(column)
            self._known[column] = () if more is None else ((max(0, more[0]), max(0, more[1])),)
        return self._known[column]

    @property
    def token(self) -> Token:
        """The actor, or the actor as it is aboard of a vehicle."""
        return (self.actor, self.vehicle) if self.vehicle else self.actor

    @cached_property
    def touches(self) -> Test:
        """What tells which columns of the actor might cost more."""
        return self._touches or (lambda column: self.surcharge(column) != (FREE,))


class Spots:
    """
    Who stands somewhere as another acts, by name or any that look the same; and who does just what.

    Parameters
    ----------
    clock, arrivals
        When columns act, and which vehicles look the same.
    """

    def __init__(self, clock: Clock, arrivals: Arrivals) -> None:
        self.clock, self.arrivals = clock, arrivals
        self._columns: list[Column] = []
        self._numbers: dict[Column, int] = {}
        self._tests: dict[Spot, Test] = {}

    def standing(self, name: str, at: str | None, time: Time) -> Presence:
        """Return that a unit stands somewhere just before a time."""
        if name in self.clock.order:  # all vehicles act between boarders and walkers
            time = time[:2] if time[:2] != self.clock.drives(name) else time
            time = time[:1] if time[0] != 1 else time
        return Presence((str(at), (name, time)), 1)

    def alike(self, actor: str, crowd: tuple[str, int], count: int) -> Presence:
        """Return that so many vehicles that look the same stand somewhere as another acts."""
        return Presence((crowd[0], (crowd[1], self.clock.drives(actor))), count)

    def doing(self, column: Column) -> Presence:
        """Return that a unit does just that."""
        number = self._numbers.setdefault(column, len(self._columns))
        if number == len(self._columns):
            self._columns.append(column)
        return Presence((column.unit, (IS, number)), 1)

    def inside(self, name: str, vehicle: str) -> Presence:
        """Return that a unit is aboard of a vehicle first."""
        return Presence((name, (INSIDE, vehicle)), 1)

    def _read(self, spot: Spot) -> tuple[str, Any, Any]:
        """Return a Location or unit, what is to be there, and the time or what it does."""
        where, told = spot
        who, what = cast("tuple[Any, Any]", told)
        return where, who, what

    def units(self, actor: str, spot: Spot) -> Sequence[str]:
        """Return whose columns a spot is about."""
        where, who, _ = self._read(spot)
        if who in (IS, INSIDE):
            return (where,)
        return (who,) if isinstance(who, str) else self.arrivals.others(actor, (where, who))

    def counts(self, spot: Spot, column: Column) -> tuple[Pair, int, int]:
        """Return how many a column has there, before its vehicle acts and after, and whose turns matter."""
        where, who, what = self._read(spot)
        if who in (IS, INSIDE):
            is_so = column is self._columns[what] if who == IS else aboard_of(column) == what
            return ("", ""), int(is_so), int(is_so)
        return self.clock.counts(column, where, what)

    def around(self, listed: Listed, actor: str, spot: Spot) -> Iterator[Counted]:
        """Yield which of the columns listed have units in a spot as one acts."""
        where, who, what = self._read(spot)
        if who == IS:
            number = listed.numbers.get(self._columns[what])
            if number is not None:
                yield number, ("", ""), 1, 1
            return
        acting = self.clock.acting(what) if who != INSIDE else None
        for name in self.units(self._acting(actor, spot), spot):
            if acting is not None and name in self.clock.order and name != acting:
                is_home = self.clock.home[name] == where
                columns = listed.units.get(name) if is_home else listed.at.get((name, where))
                pair = (acting, name)
                for number, column in columns or ():
                    yield number, pair, int(is_home), int(column.at == where)
                continue
            for number, column in listed.units.get(name, ()):
                pair, before, after = self.counts(spot, column)
                if before or after:
                    yield number, pair, before, after

    def _acting(self, actor: str, spot: Spot) -> str:
        """Return the vehicle that acts where a spot is told for one."""
        _, who, time = self._read(spot)
        return actor if isinstance(who, str) else str(self.clock.acting(time))

    def _is_there(self, spot: Spot, column: Column) -> bool:
        """Return whether a column has its unit in a spot, and another might not: all vehicles begin at home."""
        _, before, after = self.counts(spot, column)
        if isinstance(column, Trip):
            return bool(after) and (spot[1][0] == IS or spot[1][1][0] != 0)
        return bool(before or after)

    def tests(self, charge: Charge) -> Iterator[tuple[Token, Test]]:
        """Yield whom a charge is about, and what tells which of their columns have a part in it."""
        for spot, _ in charge.given:
            if spot not in self._tests:
                self._tests[spot] = partial(self._is_there, spot)
            for name in self.units(self._acting(charge.actor, spot), spot):
                yield name, self._tests[spot]
        yield charge.token, charge.touches


def exactly(column: Column) -> Any:
    """Return what tells whether a column is just that one."""
    return lambda other: other is column
