"""Makes cuts of what it costs that others stand on a way, for every other way as well."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.cpsat.reached.ends import to_end
from marchtable_models.asl.cpsat.transport.arrivals import Arrivals
from marchtable_models.asl.cpsat.transport.cuts import Literal, Passage, Throng
from marchtable_models.asl.cpsat.transport.offers import Trip, name_of
from marchtable_models.asl.cpsat.transport.settled import Settling
from marchtable_models.asl.cpsat.transport.turns import After, Home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable.position import Position
    from marchtable_models.asl.cpsat.transport.arrivals import Arrival, Crowd
    from marchtable_models.asl.cpsat.transport.cuts import Clock, Said, Time
    from marchtable_models.asl.cpsat.transport.gather import Gathered
    from marchtable_models.asl.cpsat.transport.offers import Offer
    from marchtable_models.asl.cpsat.transport.tables import Left
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Passages"]

replace = msgspec.structs.replace
MOST_PLACES = 8
"""Of how many places on a way some are tried together."""


class Passages(Settling):
    """
    Finds ways among others, and makes cuts of what these cost.

    Parameters
    ----------
    gathered, clock
        The problem, and when its columns act.
    """

    def __init__(self, gathered: Gathered, clock: Clock) -> None:
        super().__init__(gathered)
        self.clock, self.arrivals = clock, Arrivals(gathered)
        self._made: set[object] = set()
        self._at: dict[str, Callable[..., bool]] = {}
        self._literals: dict[tuple[object, ...], tuple[Said, ...]] = {}
        self._touching: dict[tuple[str, frozenset[str | None]], Callable[..., bool]] = {}

    def stands(self, here: AslPosition, names: Sequence[str], time: Time) -> tuple[Said, ...]:
        """Return the literals of units' standing where they do, just before a time."""
        return tuple(one for name in names for one in self._stands_at(here, name, time))

    def _stands_at(self, here: AslPosition, name: str, time: Time) -> tuple[Said, ...]:
        """Return the literals of a unit's standing where it does, and of the turns that takes."""
        at, acting = here.unit(name).at, self.clock.acting(time)
        by = name if name in self.clock.order else self.clock.carriers.get(name)
        is_own = acting is None or by is None or by == acting  # whoever acts before whom
        when: object = time if is_own else acting
        if is_own and name in self.clock.order:
            when = time <= (1, self.clock.order[name])
        key = (name, at, by, when)
        if key not in self._literals:
            self._literals[key] = (
                (Literal(name, lambda column: self.clock.where(column, time) == at),)
                if is_own
                else self._in_turn(name, at, str(by), str(acting))
            )
        return self._literals[key]

    def _in_turn(self, name: str, at: str | None, by: str, acting: str) -> tuple[Said, ...]:
        if by == name and at == self.clock.home[name]:
            return (Home(name, lambda column: column.at == at, acting),)

        def stands(column: Offer | Trip) -> bool:
            trip = column if isinstance(column, Trip) else column.trip
            is_off = isinstance(column, Trip) or not column.carried
            return trip is not None and name_of(trip) == by and is_off and column.at == at

        return (Literal(name, stands), After(acting, by))

    def _is_new(self, here: AslPosition, kept: Sequence[str], *what: object) -> bool:
        carriers = self.clock.carriers
        key = (*what, frozenset((name, here.unit(name).at, carriers.get(name)) for name in kept))
        is_new = key not in self._made
        self._made.add(key)
        return is_new

    def of_boarder(self, here: AslPosition, offer: Offer, kept: Sequence[str]) -> Iterator[Passage]:
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
        yield Passage(stands, offer.unit, more, self.clauses, vehicle.id)

    def of_walker(self, here: AslPosition, offer: Offer, kept: Sequence[str]) -> Iterator[Passage]:
        """Yield what ways on foot cost, from where it stands at first or from where it was left."""
        name, time, trip = offer.unit, self.clock.walks(offer), offer.trip
        start = here.unit(name).at if trip is None else id(trip)
        stay = all(other in self.gathered.vehicles for other in kept)  # while others walk
        if not self._is_new(here, kept, "walks", name, start, time[:-2] if stay else time):
            return
        if not self._is_as_told(here, offer):
            return
        places = self._places(here, self.asked(here, offer), to_end, kept)

        def more(column: Offer | Trip) -> int | None:
            if isinstance(column, Trip) or column.trip is not trip or column.walk is None:
                return 0
            if not stay and self.clock.walks(column) != time:
                return 0  # then others may stand elsewhere
            place = places.by(column.at)
            return None if place is None else place.spent - column.walk.spent

        vehicle = "" if trip is None else trip.load.vehicle.id
        yield Passage(self.stands(here, kept, time), name, more, self.clauses, vehicle)

    def _is_as_told(self, here: AslPosition, offer: Offer) -> bool:
        """Tell whether a unit that has left its vehicle has spent no more than the tables say."""
        trip = offer.trip
        if trip is None:
            return True
        left = self.left(offer, trip, trip.spent)
        return left is not None and here.unit(offer.unit).spent == left.unit.spent

    def left(self, offer: Offer, trip: Trip, spent: int) -> Left | None:
        """Return a unit that leaves its vehicle once this has spent so much, None where it may not."""
        seat = next(s for s in trip.load.seats if s.unit.id == offer.unit)
        stopped = self.gathered.stopped(trip.load, spent, trip.at)
        return self.gathered.left(seat, stopped, trip.unhook)

    def of_vehicle(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], kept: Sequence[str]
    ) -> Iterator[Passage]:
        """
        Yield what a vehicle's ways cost, and what that means to those who leave it.

        Of other vehicles any that are alike may stand there.
        """
        name = trip.load.vehicle.id
        counts = self._counted(here, name, kept)
        rest = [other for other in kept if other not in self.clock.order]
        for some, enough in self._parts(here, trip, counts, rest):
            yield from self._charged(here, trip, leaving, some, rest, enough)
        told = self._among(here, name, counts, rest)
        as_is = self._standing(here, kept)
        real = self.arrivals.among(as_is, self._key(here, kept))
        if told(trip) != real(trip):  # what is aboard of those who stand about matters
            yield from self._exactly(here, trip, leaving, kept, real)

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
    ) -> Iterator[tuple[dict[Crowd, int], int]]:
        """
        Yield those who stand about, and how many of the places have to be taken.

        As few of them as make as much of it, more places of which as few do, and one by one.
        """
        name = trip.load.vehicle.id
        told = self._among(here, name, counts, others)(trip)
        least = dict(counts)
        for crowd in counts:
            while least.get(crowd):
                fewer = {k: n - (k == crowd) for k, n in least.items() if n > (k == crowd)}
                if self._among(here, name, fewer, others)(trip) != told:
                    break
                least = fewer
        spread = self._spread(here, trip, least, others) if told is None else least
        yield spread, len(least)
        if counts != least:
            yield counts, len(counts)
        for crowd in self._on_way(trip):
            for count in range(1, counts.get(crowd, 1) + 1):
                yield {crowd: count}, 1

    def _on_way(self, trip: Trip) -> list[Crowd]:
        """Return what other vehicles may show on its way."""
        at = dict.fromkeys(trip.way.entered() if trip.way is not None else ())
        name = trip.load.vehicle.id
        return [crowd for one in at for crowd in self.arrivals.crowds(name, one)]

    def _spread(
        self, here: AslPosition, trip: Trip, least: dict[Crowd, int], others: Sequence[str]
    ) -> dict[Crowd, int]:
        """Return more places on the way of which any so many bar it, taken by one each."""
        name, size, found = trip.load.vehicle.id, len(least), dict(least)
        if size < 2 or set(least.values()) != {1}:
            return least
        for crowd in self._on_way(trip):
            if crowd in found or len(found) == MOST_PLACES:
                continue
            some = combinations(found, size - 1)
            told = (self._among(here, name, dict.fromkeys((crowd, *rest), 1), others)(trip)
                    for rest in some)  # fmt: skip
            if all(one is None for one in told):
                found[crowd] = 1
        return found

    def _among(
        self, here: AslPosition, name: str, counts: dict[Crowd, int], others: Sequence[str]
    ) -> Arrival:
        """Return what tells arrivals while so many stand about, and some others where they do."""
        standing = [*self.arrivals.standing(name, counts), *self._standing(here, others)]
        key = (name, frozenset(counts.items()), self._key(here, others))
        return self.arrivals.among(standing, key)

    def _standing(self, here: AslPosition, names: Sequence[str]) -> list[AslUnit]:
        return [u for u in here.units if {u.id, u.aboard, u.towed_by} & {*names}]

    def _key(self, here: AslPosition, names: Sequence[str]) -> frozenset[AslUnit]:
        return frozenset(self._standing(here, names))

    def _charged(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], counts: dict[Crowd, int],
        others: Sequence[str], enough: int,
    ) -> Iterator[Passage]:  # fmt: skip
        """Yield what it costs while in so many places so many stand about, and some others where they do."""
        name, time = trip.load.vehicle.id, (1, self.clock.order[trip.load.vehicle.id])
        throngs = tuple(self._throng(name, *told) for told in sorted(counts.items()))
        about = frozenset([*(at for at, _ in counts), *(here.unit(n).at for n in others)])
        some = [
            {crowd: counts[crowd] for crowd in chosen} for chosen in combinations(counts, enough)
        ]
        spent = _soonest([self._among(here, name, one, others) for one in some])
        yield from self._passages(
            here, trip, leaving, spent, (others, (frozenset(counts.items()), enough)), about,
            self.stands(here, others, time), throngs, enough,
        )  # fmt: skip

    def _throng(self, name: str, crowd: Crowd, count: int) -> Throng:
        """Return what tells whether so many stand somewhere when a vehicle acts."""
        at, others = crowd[0], self.arrivals.others(name, crowd)
        homes = frozenset(other for other in others if self.clock.home[other] == at)
        return Throng(at, others, count, self._end(at), name, homes)

    def _exactly(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], kept: Sequence[str],
        spent: Arrival,
    ) -> Iterator[Passage]:  # fmt: skip
        """Yield what it costs that these stand where they do, with all that is aboard them."""
        time = (1, self.clock.order[trip.load.vehicle.id])
        about = frozenset(here.unit(name).at for name in kept)
        stands = self.stands(here, kept, time)
        yield from self._passages(here, trip, leaving, spent, (kept, None), about, stands, (), 0)

    def _passages(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], spent: Arrival,
        key: tuple[Sequence[str], object], about: frozenset[str | None],
        stands: tuple[Said, ...], throngs: tuple[Throng, ...], enough: int,
    ) -> Iterator[Passage]:  # fmt: skip
        vehicle, (kept, what) = trip.load.vehicle, key
        touches = self._touches(vehicle, about)
        if self._is_new(here, kept, "goes", vehicle.id, what):
            yield Passage(
                stands, vehicle.id, lambda column: self._more_to_go(column, spent), self.clauses,
                touches=touches, throngs=throngs, enough=enough,
            )  # fmt: skip
        for offer in leaving:
            if self._is_new(here, kept, "leaves", vehicle.id, offer.unit, what):
                yield Passage(
                    stands, offer.unit, lambda c: self._more_to_leave(c, vehicle, spent),
                    self.clauses, vehicle.id, touches, throngs, enough,
                )  # fmt: skip

    def _end(self, at: str) -> Callable[..., bool]:
        """Return what tells whether a column ends in a Location."""
        return self._at.setdefault(at, lambda column: column.at == at)

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
        stopped = self.gathered.stopped(load, spent, column.at)
        left = [self.gathered.left(seat, stopped, column.unhook) for seat in load.seats]
        after = min((one.spent for one in left if one is not None), default=None)
        return None if after is None else after - column.score[3] - load.vehicle.spent

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
        return None if now is None or told is None else now.unit.spent - told.unit.spent


def _soonest(arrivals: Sequence[Arrival]) -> Arrival:
    """Return what tells the least spent that several arrivals tell, None if all tell that."""
    if len(arrivals) == 1:
        return arrivals[0]

    def spent(trip: Trip) -> int | None:
        told = [found for found in (one(trip) for one in arrivals) if found is not None]
        return min(told, default=None)

    return spent
