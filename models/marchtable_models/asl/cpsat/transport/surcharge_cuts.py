"""Surcharge cuts: what it costs that others stand on a way, told for every other way as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.cpsat.reached.ends import to_end
from marchtable_models.asl.cpsat.transport.cuts import AtLeast, SurchargeCut
from marchtable_models.asl.cpsat.transport.options import Trip
from marchtable_models.asl.cpsat.transport.standing import Standing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.transport.arrivals import Arrival, Crowd
    from marchtable_models.asl.cpsat.transport.cuts import Clock, Said
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Offer
    from marchtable_models.asl.cpsat.transport.tables import Left
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["SurchargeCuts"]

replace = msgspec.structs.replace


class SurchargeCuts(Standing):
    """
    Finds ways among others, and makes cuts of what these cost.

    Parameters
    ----------
    instance, clock
        The problem, and when its columns act.
    """

    def __init__(self, instance: Instance, clock: Clock) -> None:
        super().__init__(instance, clock)
        self._touching: dict[tuple[str, frozenset[str | None]], Callable[..., bool]] = {}
        self._left: dict[tuple[object, ...], Left | None] = {}

    def of_boarder(
        self, here: AslPosition, offer: Offer, kept: Sequence[str]
    ) -> Iterator[SurchargeCut]:
        """Yield that a unit does not get to a vehicle without paying for company (the policy)."""
        assert offer.trip is not None
        assert offer.board is not None
        vehicle, time = offer.trip.load.vehicle, self.clock.boards(offer)
        if not self._is_new(here, kept, "boards", offer.unit, vehicle.id, time):
            return

        def more(column: Offer | Trip) -> int | None:
            trip = None if isinstance(column, Trip) else column.trip
            is_same = trip is not None and column.board is not None  # type: ignore[union-attr]
            return None if is_same and trip.load.vehicle is vehicle else 0  # type: ignore[union-attr]

        stands = self.stands(here, kept, time)
        yield SurchargeCut(stands, offer.unit, more, self.clauses, vehicle.id)

    def of_walker(
        self, here: AslPosition, offer: Offer, kept: Sequence[str]
    ) -> Iterator[SurchargeCut]:
        """Yield what ways on foot cost, from where it stands at first or from where it was left."""
        name, time, trip = offer.unit, self.clock.walks(offer), offer.trip
        start = here.unit(name).at if trip is None else id(trip)
        stay = all(other in self.instance.vehicles for other in kept)  # while others walk
        if not self._is_new(here, kept, "walks", name, start, time[:-2] if stay else time):
            return
        if not self._is_as_told(here, offer):
            return
        places = self.places_of(here, self.asked(here, offer), to_end, kept)

        def more(column: Offer | Trip) -> int | None:
            if isinstance(column, Trip) or column.trip is not trip or column.walk is None:
                return 0
            if not stay and self.clock.walks(column) != time:
                return 0  # then others may stand elsewhere
            place = places.by(column.at)
            return None if place is None else place.spent - column.walk.spent

        vehicle = "" if trip is None else trip.load.vehicle.id
        yield SurchargeCut(self.stands(here, kept, time), name, more, self.clauses, vehicle)

    def _is_as_told(self, here: AslPosition, offer: Offer) -> bool:
        """Tell whether a unit that has left its vehicle has spent no more than the tables say."""
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
    ) -> Iterator[SurchargeCut]:
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
    ) -> Iterator[SurchargeCut]:  # fmt: skip
        """Yield what it costs while in some places so many stand about, and some others where they do."""
        name, time = trip.load.vehicle.id, (1, self.clock.order[trip.load.vehicle.id])
        throngs = tuple(self._throng(name, *told) for told in sorted(counts.items()))
        about = frozenset([*(at for at, _ in counts), *(here.unit(n).at for n in others)])
        yield from self._passages(
            here, trip, leaving, self._among(here, name, counts, others),
            (others, frozenset(counts.items())), about, self.stands(here, others, time), throngs,
        )  # fmt: skip

    def _exactly(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], kept: Sequence[str],
        spent: Arrival,
    ) -> Iterator[SurchargeCut]:  # fmt: skip
        """Yield what it costs that these stand where they do, with all that is aboard them."""
        time = (1, self.clock.order[trip.load.vehicle.id])
        about = frozenset(here.unit(name).at for name in kept)
        stands = self.stands(here, kept, time)
        yield from self._passages(here, trip, leaving, spent, (kept, None), about, stands, ())

    def _passages(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], spent: Arrival,
        key: tuple[Sequence[str], object], about: frozenset[str | None],
        stands: tuple[Said, ...], throngs: tuple[AtLeast, ...],
    ) -> Iterator[SurchargeCut]:  # fmt: skip
        vehicle, (kept, what) = trip.load.vehicle, key
        touches = self._touches(vehicle, about)
        if self._is_new(here, kept, "goes", vehicle.id, what):
            yield SurchargeCut(
                stands, vehicle.id, lambda column: self._more_to_go(column, spent), self.clauses,
                touches=touches, throngs=throngs,
            )  # fmt: skip
        for offer in leaving:
            if self._is_new(here, kept, "leaves", vehicle.id, offer.unit, what):
                yield SurchargeCut(
                    stands, offer.unit, lambda c: self._more_to_leave(c, vehicle, spent),
                    self.clauses, vehicle.id, touches, throngs,
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
    ) -> int | None:
        if not isinstance(column, Trip):
            return 0
        spent, load = arrival(column), column.load
        if spent is None:
            return None
        if spent == column.spent:
            return 0
        if not column.drop:
            return spent - column.spent
        stopped = self.instance.stopped(load, spent, column.at)
        left = [self.instance.left(seat, stopped, column.unhook) for seat in load.seats]
        after = min((one.spent for one in left if one is not None), default=None)
        return None if after is None else after - column.score[3] - load.vehicle.points.spent

    def _more_to_leave(
        self, column: Offer | Trip, vehicle: AslUnit, arrival: Callable[[Trip], int | None]
    ) -> int | None:
        if isinstance(column, Trip) or column.trip is None or column.carried:
            return 0
        trip = column.trip
        if trip.load.vehicle is not vehicle:
            return 0
        spent = arrival(trip)
        if spent is None:
            return None
        told, now = (self.left(column, trip, n) for n in (trip.spent, spent))
        return (
            None if now is None or told is None else now.unit.points.spent - told.unit.points.spent
        )
