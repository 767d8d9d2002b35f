"""Makes cuts of what it costs that others stand on a way, for every other way as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.cpsat.reached.ends import home_of, to_end, to_stand
from marchtable_models.asl.cpsat.transport.cuts import Literal, Passage
from marchtable_models.asl.cpsat.transport.offers import Trip, name_of
from marchtable_models.asl.cpsat.transport.settled import Settling
from marchtable_models.asl.cpsat.transport.turns import After, Home

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from marchtable.position import Position
    from marchtable_models.asl.cpsat.reached.places import Places
    from marchtable_models.asl.cpsat.transport.cuts import Clock, Said, Time
    from marchtable_models.asl.cpsat.transport.gather import Gathered
    from marchtable_models.asl.cpsat.transport.offers import Load, Offer
    from marchtable_models.asl.cpsat.transport.tables import Left
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Passages"]

replace = msgspec.structs.replace


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
        self.clock = clock
        self._made: set[object] = set()
        self._stands: dict[str, set[str]] = {}
        self._ways: dict[int, tuple[Trip, frozenset[str | None]]] = {}
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
        """Yield what a vehicle's ways cost, and what that means to those who leave it."""
        vehicle, time = trip.load.vehicle, (1, self.clock.order[trip.load.vehicle.id])
        stands = self.stands(here, kept, time)
        spent = self._arrivals(here, kept)
        touches = self._touches(vehicle, frozenset(here.unit(name).at for name in kept))
        if self._is_new(here, kept, "goes", vehicle.id):
            yield Passage(
                stands, vehicle.id, lambda column: self._more_to_go(column, spent), self.clauses,
                touches=touches,
            )  # fmt: skip
        for offer in leaving:
            if self._is_new(here, kept, "leaves", vehicle.id, offer.unit):
                yield Passage(
                    stands,
                    offer.unit,
                    lambda c: self._more_to_leave(c, vehicle, spent),
                    self.clauses,
                    vehicle.id,
                    touches,
                )

    def _touches(self, vehicle: AslUnit, about: frozenset[str | None]) -> Callable[..., bool]:
        """Return what tells whether a column is about a vehicle's going through some Locations."""

        def touches(column: Offer | Trip) -> bool:
            other = column if isinstance(column, Trip) else column.trip
            return other is not None and other.load.vehicle is vehicle and self._meets(other, about)

        return self._touching.setdefault((vehicle.id, about), touches)

    def along(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], kept: Sequence[str]
    ) -> Iterator[Passage]:
        """Yield the same for each vehicle that might stand elsewhere on the way instead."""
        assert trip.way is not None
        order, name = self.clock.order, trip.load.vehicle.id
        for other in kept:
            if other not in order or other == name:
                continue
            for at in trip.way.entered():
                if at in self._ends(other):
                    there = here.with_units([replace(here.unit(other), at=at)])
                    for some in dict.fromkeys(((other,), tuple(kept))):
                        yield from self.of_vehicle(there, trip, leaving, some)

    def _meets(self, trip: Trip, about: Collection[str | None]) -> bool:
        """Tell whether a trip leads through some Locations."""
        if trip.way is None:
            return False
        if id(trip) not in self._ways:
            at = frozenset((trip.load.vehicle.at, *trip.way.entered()))
            self._ways[id(trip)] = (trip, at)
        return not self._ways[id(trip)][1].isdisjoint(about)

    def _ends(self, vehicle: str) -> set[str]:
        """Return where a vehicle may stand at the end."""
        if vehicle not in self._stands:
            gathered = self.gathered
            pairs = zip(gathered.loads, gathered.stops, strict=True)
            found = [places.at for load, places in pairs if load.vehicle.id == vehicle]
            board = gathered.position.board
            self._stands[vehicle] = {
                board.locations[n].name for at in found for n in at.tolist() if n < len(board)
            } | {home_of(gathered.vehicles[vehicle])}
        return self._stands[vehicle]

    def _arrivals(self, here: AslPosition, kept: Sequence[str]) -> Callable[[Trip], int | None]:
        """Return what tells half points spent at the end of a trip, None if it cannot be made."""
        known: dict[int, tuple[Load, Places]] = {}
        about = {here.unit(name).at for name in kept}

        def spent(trip: Trip) -> int | None:
            load = trip.load
            if not self._meets(trip, about):
                return trip.spent
            if id(load) not in known:
                asked = self.gathered.setting_out(load)
                known[id(load)] = load, self._places(here, asked, to_stand, kept, load)
            place = known[id(load)][1].by(trip.at)
            return None if place is None else place.spent

        return spent

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
