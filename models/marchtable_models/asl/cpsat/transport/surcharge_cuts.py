"""Surcharge cuts: what it costs that others stand on a way, told for every other way as well."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.cpsat.reached.ends import to_end
from marchtable_models.asl.cpsat.transport.arrivals import Arrivals
from marchtable_models.asl.cpsat.transport.cuts import FREE, Charge, Spots, aboard_of
from marchtable_models.asl.cpsat.transport.options import Trip
from marchtable_models.asl.cpsat.transport.resolved_paths import PathResolver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable.planning.choice.options import Given, Price
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.transport.arrivals import Arrival, Crowd
    from marchtable_models.asl.cpsat.transport.clock import Clock, Time
    from marchtable_models.asl.cpsat.transport.cuts import Column
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Offer
    from marchtable_models.asl.cpsat.transport.tables import Left
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["SurchargeCuts"]

replace = msgspec.structs.replace


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
        self.clock, self.arrivals = clock, Arrivals(instance)
        self.spots = Spots(clock, self.arrivals)
        self._made: set[object] = set()
        self._touching: dict[tuple[str, frozenset[str | None]], Callable[..., bool]] = {}
        self._left: dict[tuple[object, ...], Left | None] = {}

    def stands(self, here: AslPosition, names: Sequence[str], time: Time) -> Given:
        """Return that units stand where they do, just before a time."""
        return frozenset(self.spots.standing(name, here.unit(name).at, time) for name in names)

    def _is_new(self, here: AslPosition, kept: Sequence[str], *what: object) -> bool:
        carriers = self.clock.carriers
        key = (*what, frozenset((name, here.unit(name).at, carriers.get(name)) for name in kept))
        is_new = key not in self._made
        self._made.add(key)
        return is_new

    def _counted(self, here: AslPosition, name: str, kept: Sequence[str]) -> dict[Crowd, int]:
        """Return how many other vehicles stand where of those kept."""
        order, found = self.clock.order, Counter[tuple[str, int]]()
        for other in kept:
            if other in order and other != name:
                at = str(here.unit(other).at)
                found[at, self.arrivals.shown(other, at)] += 1
        return dict(found)

    def _parts(
        self, here: AslPosition, trip: Trip, counts: dict[Crowd, int], others: Sequence[str]
    ) -> Iterator[dict[Crowd, int]]:
        """Yield those who stand about: as few as make as much of it, then one by one on the way."""
        name = trip.load.vehicle.id
        told = self._among(here, name, counts, others)(trip)
        least = dict(counts)
        for crowd in counts:
            while least.get(crowd):
                fewer = {k: n - (k == crowd) for k, n in least.items() if n > (k == crowd)}
                if self._among(here, name, fewer, others)(trip) != told:
                    break
                least = fewer
        yield least
        for crowd in self._on_way(trip):
            if {crowd: 1} != least:
                yield {crowd: 1}

    def _on_way(self, trip: Trip) -> list[Crowd]:
        """Return what other vehicles may show on its way."""
        at = dict.fromkeys(trip.way.entered() if trip.way is not None else ())
        name = trip.load.vehicle.id
        return [crowd for one in at for crowd in self.arrivals.crowds(name, one)]

    def _among(
        self, here: AslPosition, name: str, counts: dict[Crowd, int], others: Sequence[str]
    ) -> Arrival:
        """Return what tells arrivals while so many stand about, and some others where they do."""
        standing = [*self.arrivals.standing(name, counts), *self._standing(here, others)]
        key = (name, frozenset(counts.items()), self._key(here, others))
        return self.arrivals.among(standing, key)

    def _standing(self, here: AslPosition, names: Sequence[str]) -> list[AslUnit]:
        return [u for u in here.units if {u.id, u.cargo.aboard, u.cargo.towed_by} & {*names}]

    def _key(self, here: AslPosition, names: Sequence[str]) -> frozenset[AslUnit]:
        return frozenset(self._standing(here, names))

    def of_boarder(self, here: AslPosition, offer: Offer, kept: Sequence[str]) -> Iterator[Charge]:
        """Yield that a unit does not get to a vehicle without paying for company (the policy)."""
        assert offer.trip is not None
        assert offer.board is not None
        vehicle, time = offer.trip.load.vehicle, self.clock.boards(offer)
        if not self._is_new(here, kept, "boards", offer.unit, vehicle.id, time):
            return

        def more(column: Column) -> Price | None:
            boards = getattr(column, "board", None) is not None
            return None if boards and aboard_of(column) == vehicle.id else FREE

        stands = self.stands(here, kept, time)
        yield Charge(stands, offer.unit, more, self.clauses, vehicle.id)

    def of_walker(self, here: AslPosition, offer: Offer, kept: Sequence[str]) -> Iterator[Charge]:
        """Yield what ways on foot cost, from where it stands at first or from where it was left."""
        name, time, trip = offer.unit, self.clock.walks(offer), offer.trip
        start = here.unit(name).at if trip is None else id(trip)
        stay = all(other in self.instance.vehicles for other in kept)  # while others walk
        if not self._is_new(here, kept, "walks", name, start, time[:-2] if stay else time):
            return
        if not self._is_as_told(here, offer):
            return
        places = self.places_of(here, self.asked(here, offer), to_end, kept)

        def more(column: Column) -> Price | None:
            if isinstance(column, Trip) or column.trip is not trip or column.walk is None:
                return FREE
            if not stay and self.clock.walks(column) != time:
                return FREE  # then others may stand elsewhere
            place = places.by(column.at)
            return None if place is None else (place.spent - column.walk.spent, 0)

        vehicle = "" if trip is None else trip.load.vehicle.id
        yield Charge(self.stands(here, kept, time), name, more, self.clauses, vehicle)

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
            self._left[key] = self.instance.left(seat, stopped, trip.unhook)
        return self._left[key]

    def of_vehicle(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], kept: Sequence[str]
    ) -> Iterator[Charge]:
        """
        Yield what a vehicle's ways cost, and what that means to those who leave it.

        Of other vehicles any that are alike may stand there.
        """
        name = trip.load.vehicle.id
        counts = self._counted(here, name, kept)
        rest = [other for other in kept if other not in self.clock.order]
        for some in self._parts(here, trip, counts, rest):
            yield from self._charged(here, trip, leaving, some, rest)
        told = self._among(here, name, counts, rest)
        as_is = self._standing(here, kept)
        real = self.arrivals.among(as_is, self._key(here, kept))
        if told(trip) != real(trip):  # what is aboard of those who stand about matters
            yield from self._exactly(here, trip, leaving, kept, real)

    def _charged(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], counts: dict[Crowd, int],
        others: Sequence[str],
    ) -> Iterator[Charge]:  # fmt: skip
        """Yield what it costs while in some places so many stand about, and some others where they do."""
        name, time = trip.load.vehicle.id, (1, self.clock.order[trip.load.vehicle.id])
        throngs = {self.spots.alike(name, *told) for told in counts.items()}
        about = frozenset([*(at for at, _ in counts), *(here.unit(n).at for n in others)])
        yield from self._passages(
            here, trip, leaving, self._among(here, name, counts, others),
            (others, frozenset(counts.items())), about, self.stands(here, others, time) | throngs,
        )  # fmt: skip

    def _exactly(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], kept: Sequence[str],
        spent: Arrival,
    ) -> Iterator[Charge]:  # fmt: skip
        """Yield what it costs that these stand where they do, with all that is aboard them."""
        time = (1, self.clock.order[trip.load.vehicle.id])
        about = frozenset(here.unit(name).at for name in kept)
        stands = self.stands(here, kept, time)
        yield from self._passages(here, trip, leaving, spent, (kept, None), about, stands)

    def _passages(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], spent: Arrival,
        key: tuple[Sequence[str], object], about: frozenset[str | None],
        stands: Given,
    ) -> Iterator[Charge]:  # fmt: skip
        vehicle, (kept, what) = trip.load.vehicle, key
        touches = self._touches(vehicle, about)
        if self._is_new(here, kept, "goes", vehicle.id, what):
            yield Charge(
                stands, vehicle.id, lambda column: self._more_to_go(column, spent), self.clauses,
                touches=touches,
            )  # fmt: skip
        for offer in leaving:
            if self._is_new(here, kept, "leaves", vehicle.id, offer.unit, what):
                yield Charge(
                    stands, offer.unit, lambda c: self._more_to_leave(c, vehicle, spent),
                    self.clauses, vehicle.id, touches,
                )  # fmt: skip

    def _touches(self, vehicle: AslUnit, about: frozenset[str | None]) -> Callable[..., bool]:
        """Return what tells whether a column is about a vehicle's going through some Locations."""

        def touches(column: Offer | Trip) -> bool:
            other = column if isinstance(column, Trip) else column.trip
            return (
                other is not None
                and other.load.vehicle is vehicle
                and self.arrivals.meets(other, about)
            )

        return self._touching.setdefault((vehicle.id, about), touches)

    def _more_to_go(
        self, column: Offer | Trip, arrival: Callable[[Trip], int | None]
    ) -> Price | None:
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
        left = [self.instance.left(seat, stopped, column.unhook) for seat in load.seats]
        after = min((one.spent for one in left if one is not None), default=None)
        return None if after is None else (after - column.points - load.vehicle.points.spent, 0)

    def _more_to_leave(
        self, column: Offer | Trip, vehicle: AslUnit, arrival: Callable[[Trip], int | None]
    ) -> Price | None:
        if isinstance(column, Trip) or column.trip is None or column.carried:
            return FREE
        trip = column.trip
        if trip.load.vehicle is not vehicle:
            return FREE
        spent = arrival(trip)
        if spent is None:
            return None
        told, now = (self.left(column, trip, n) for n in (trip.spent, spent))
        return (
            None
            if now is None or told is None
            else (now.unit.points.spent - told.unit.points.spent, 0)
        )
