"""Surcharge cuts: what it costs that others stand on a way, told for every other way as well."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from marchtable.planning.choice.options import Cut, Moment, Presence
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.ends import end_number, to_end
from marchtable_models.asl.cpsat.transport.options import Trip, aboard_of
from marchtable_models.asl.cpsat.transport.replay import PathResolver, standing_as
from marchtable_models.asl.extraction.modes import mode_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.board.board import Board
    from marchtable.planning.choice.options import Given, Price
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.reached.paths import Places
    from marchtable_models.asl.cpsat.transport.clock import Clock
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.listing import Ends, Token
    from marchtable_models.asl.cpsat.transport.options import Column, Offer
    from marchtable_models.asl.cpsat.transport.tables import Left
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]
    Arrival = Callable[[Trip], int | None]
    More = Callable[[Column], Price | None]
    Ints = npt.NDArray[np.int32]

__all__ = ["FREE", "Charge", "SurchargeCuts", "part_of"]

FREE: Price = (0, 0)
NEVER = -1
AT_ALL = Moment(3)
"""What a unit does, it does whenever others act."""


class Charge:
    """
    What an actor's columns cost more, all of them, while others stand about.

    Parameters
    ----------
    given
        Who stands where, and when.
    actor
        The unit or vehicle that pays more.
    more
        Tells how much more a column of the actor costs, None if it cannot be done.
    vehicle
        The vehicle that the actor is aboard of first where it pays more, if that is one.
    ends
        The ends, by number, of those columns of the actor, or of their vehicle's trips, that may
        cost more; None for all.
    """

    def __init__(
        self, given: Given, actor: str, more: More, vehicle: str = "", ends: Ends = None
    ) -> None:
        self.given, self.actor, self._more = given, actor, more
        self.token: Token = (actor, vehicle) if vehicle else actor
        self.ends = ends
        self._known: dict[Column, Sequence[Price]] = {}

    def surcharge(self, column: Column) -> Sequence[Price]:
        """Return what a column of the actor costs more; no price if it cannot be done."""
        if column not in self._known:
            more = self._more(column)
            self._known[column] = () if more is None else ((max(0, more[0]), max(0, more[1])),)
        return self._known[column]

    def cut(self, known: Cut[Column] | None) -> Cut[Column]:
        """Return it as a cut, no less than what is known already of the same."""
        if known is None:
            return Cut(self.given, self.actor, self.surcharge)
        return known._replace(surcharge=partial(_dearest, known.surcharge, self.surcharge))


def _dearest(one: Any, two: Any, column: Column) -> Sequence[Price]:
    """Return a price that is no less than either, each being one or none."""
    pairs = zip(one(column), two(column), strict=False)
    return [(max(a, c), max(b, d)) for (a, b), (c, d) in pairs]


def part_of(board: Board, column: Column) -> tuple[Token, Ends]:
    """Return whose a column is, and at which end."""
    inside = aboard_of(column)
    return (column.unit, inside) if inside else column.unit, {end_number(board, column.at)}


class SurchargeCuts(PathResolver):
    """
    Finds ways among others, and makes cuts of what these cost.

    Parameters
    ----------
    instance, clock
        The problem, and when its columns act.
    """

    def __init__(self, instance: Instance, clock: Clock) -> None:
        super().__init__(instance)
        self.clock = clock
        self._made: set[object] = set()
        self._spent: dict[tuple[str, Hashable], dict[int, Ints]] = {}
        self._left: dict[tuple[object, ...], Left | None] = {}

    # -- who stands where --------------------------------------------------------------------------

    def stands(self, here: AslPosition, names: Collection[str], now: Moment) -> Given:
        """Return that units stand where they do, just before a moment."""
        return frozenset(
            Presence((str(here.unit(name).at), name, self._seen(name, now)), 1) for name in names
        )

    def _seen(self, name: str, now: Moment) -> Moment:
        """Return the first of the moments at which one stands as at this one: a vehicle but for its turn."""
        return now._replace(rest=()) if name in self.clock.order and now.party != name else now

    def doing(self, column: Column) -> Presence:
        """Return that a unit does just that."""
        return Presence((column.unit, column, AT_ALL), 1)

    def inside(self, name: str, vehicle: str) -> Presence:
        """Return that a unit is aboard of a vehicle first."""
        return Presence((name, ("aboard", vehicle), AT_ALL), 1)

    def _is_new(self, given: Given, *what: object) -> bool:
        is_new = (given, *what) not in self._made
        self._made.add((given, *what))
        return is_new

    def blocked(self, charge: Charge) -> Iterator[tuple[Token, Ends]]:
        """Yield whom a charge is about, and at which ends their columns have a part in it."""
        board, sorts = self.instance.position.board, self.instance.sorts
        for (where, sort, now), _ in charge.given:
            if isinstance(sort, tuple):
                yield (where, sort[1]), None
            elif isinstance(sort, int):
                alike = (name for name, one in sorts.items() if one == sort and name != now.party)
                yield from ((name, {board.index[where]}) for name in alike)
            elif not isinstance(sort, str):
                yield part_of(board, sort)
            elif sort not in sorts:
                is_home = self.instance.position.unit(sort).at == where
                yield sort, None if is_home else {board.index[where]}
            elif now.stage > 0:  # all vehicles begin at home
                yield sort, {board.index[where]}
        yield charge.token, charge.ends

    # -- on foot -----------------------------------------------------------------------------------

    def of_boarder(self, here: AslPosition, offer: Offer, kept: Sequence[str]) -> Iterator[Charge]:
        """Yield that a unit does not get to a vehicle without paying for company (the policy)."""
        vehicle, given = aboard_of(offer), self.stands(here, kept, self.clock.boards(offer))

        def more(column: Column) -> Price | None:
            boards = getattr(column, "board", None) is not None
            return None if boards and aboard_of(column) == vehicle else FREE

        if self._is_new(given, "boards", offer.unit, vehicle):
            yield Charge(given, offer.unit, more, vehicle)

    def of_walker(self, here: AslPosition, offer: Offer, kept: Sequence[str]) -> Iterator[Charge]:
        """Yield what ways on foot cost, from where it stands at first or from where it was left."""
        now, trip, unit = self.clock.walks(offer), offer.trip, here.unit(offer.unit)
        given = self.stands(here, kept, now)
        stay = all(other in self.instance.vehicles for other in kept)  # while others walk
        if not self._is_new(given, "walks", offer.unit, trip) or not self._is_as_told(here, offer):
            return
        asked = (unit, mode_of(unit), unit.points.spent)
        plain, places = (self.places_of(here, asked, to_end, some) for some in ((), kept))
        known = dict(zip(places.at.tolist(), places.spent.tolist(), strict=True))
        told = zip(plain.at.tolist(), plain.spent.tolist(), strict=True)

        def more(column: Column) -> Price | None:
            if isinstance(column, Trip) or column.trip is not trip or column.walk is None:
                return FREE
            if not stay and self.clock.walks(column) != now:
                return FREE  # then others may stand elsewhere
            place = places.by(column.at)
            return None if place is None else (place.spent - column.walk.spent, 0)

        ends = [at for at, spent in told if known.get(at) != spent]
        yield Charge(given, offer.unit, more, aboard_of(offer), ends)

    def _is_as_told(self, here: AslPosition, offer: Offer) -> bool:
        """Return whether a unit that has left its vehicle has spent no more than the tables say."""
        trip = offer.trip
        if trip is None:
            return True
        left = self.left(offer, trip, trip.spent)
        return left is not None and here.unit(offer.unit).points.spent == left.unit.points.spent

    def left(self, offer: Offer, trip: Trip, spent: int) -> Left | None:
        """Return a unit that leaves its vehicle once this has spent so much, None where it may not."""
        key = (offer.unit, id(trip.load), trip.at, spent, trip.unhook)
        if key not in self._left:
            seat = next(s for s in trip.load.seats if s.unit.id == offer.unit)
            stopped = self.instance.stopped(trip.load, spent, trip.at)
            self._left[key] = self.instance.tables.left(seat.unit, stopped, trip.unhook)
        return self._left[key]

    # -- vehicles ----------------------------------------------------------------------------------

    def of_vehicle(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], kept: Sequence[str]
    ) -> Iterator[Charge]:
        """
        Yield what a vehicle's ways cost, and what that means to those who leave it.

        Of other vehicles any that look the same may stand there, unless it matters what is aboard.
        """
        vehicles, now = self.instance.vehicles, self.clock.drives(trip.unit)
        cars = [name for name in kept if name in vehicles]
        rest = [name for name in kept if name not in vehicles]
        counts = Counter((str(here.unit(n).at), self.instance.sorts[n]) for n in cars)
        empty = [replace(vehicles[name], at=here.unit(name).at) for name in cars]
        some = [*empty, *standing_as(here, rest)]
        key = frozenset([*counts.items(), *standing_as(here, rest)])
        told = self.among(trip.unit, some, key)
        given = self.stands(here, rest, now)
        given |= {Presence((*one, now), count) for one, count in counts.items()}
        real = standing_as(here, kept)
        as_is = told if len(real) == len(some) else self.among(trip.unit, real, frozenset(real))
        if as_is(trip) != told(trip):
            key, given = frozenset(real), self.stands(here, kept, now)
        yield from self.passages(trip, leaving, key, given)

    def passages(
        self, trip: Trip, leaving: Sequence[Offer], key: Hashable, given: Given
    ) -> Iterator[Charge]:
        """Yield what it costs to go among others, for a vehicle and those who leave it (see :meth:`among`)."""
        vehicle, ends = trip.load.vehicle, self._dearer(trip.unit, key)
        spent = self.among(trip.unit, (), key)
        if self._is_new(given, "goes", vehicle.id):
            more = partial(self._more_to_go, spent)
            yield Charge(given, vehicle.id, more, ends=ends)
        for offer in leaving:
            if self._is_new(given, "leaves", vehicle.id, offer.unit):
                more = partial(self._more_to_leave, spent, vehicle)
                yield Charge(given, offer.unit, more, vehicle.id, ends)

    def among(self, name: str, standing: Sequence[AslUnit], key: Hashable) -> Arrival:
        """
        Return what tells half points spent at the end of a vehicle's trips, None for one that cannot be made.

        Parameters
        ----------
        standing, key
            Who stands about, what is aboard them, and what is equal where that comes to the same.
        """
        if (name, key) not in self._spent:
            instance = self.instance
            loads = [load for load in instance.loads if load.vehicle.id == name]
            told = zip(loads, instance.driven(loads, standing), strict=True)
            self._spent[name, key] = {id(load): self._row(places) for load, places in told}
        known, board = self._spent[name, key], self.instance.position.board

        def spent(trip: Trip) -> int | None:
            if trip.way is None:
                return trip.spent
            found = int(known[id(trip.load)][end_number(board, trip.at)])
            return None if found == NEVER else found

        return spent

    def _row(self, places: Places) -> Ints:
        """Return what has been spent at each end, NEVER where nobody gets to."""
        import numpy as np

        self.instance.among_others.update(places.unsupported)
        row = np.full(2 * len(self.instance.position.board) + 1, NEVER, np.int32)
        row[places.at] = places.spent
        return row

    def _dearer(self, name: str, key: Hashable) -> set[int]:
        """Return the ends at which some trip of a vehicle is dearer than with nobody about, or barred."""
        found: set[int] = set()
        for load, places in zip(self.instance.loads, self.instance.stops, strict=True):
            if load.vehicle.id == name:
                row = self._spent[name, key][id(load)]
                found |= {*places.at[row[places.at] != places.spent].tolist()}
        return found

    def _more_to_go(self, arrival: Arrival, column: Column) -> Price | None:
        if not isinstance(column, Trip):
            return FREE
        spent, load = arrival(column), column.load
        if spent is None:
            return None
        if spent == column.spent:
            return FREE
        if not column.drop:
            return spent - column.spent, 0
        stopped = self.instance.stopped(load, spent, column.at)
        left = [self.instance.tables.left(seat.unit, stopped, column.unhook) for seat in load.seats]
        after = min((one.spent for one in left if one is not None), default=None)
        return None if after is None else (after - column.points - load.vehicle.points.spent, 0)

    def _more_to_leave(self, arrival: Arrival, vehicle: AslUnit, column: Column) -> Price | None:
        if isinstance(column, Trip) or column.trip is None or column.carried:
            return FREE
        trip = column.trip
        if trip.load.vehicle is not vehicle:
            return FREE
        spent = arrival(trip)
        if spent is None:
            return None
        told, now = (self.left(column, trip, n) for n in (trip.spent, spent))
        if now is None or told is None:
            return None
        return now.unit.points.spent - told.unit.points.spent, 0
