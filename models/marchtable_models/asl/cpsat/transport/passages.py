"""Ways as units stand: who of them matters for a way, and what that costs on every other way."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable_models.asl.cpsat.transport.boarding import to_board
from marchtable_models.asl.cpsat.transport.cuts import Literal, Passage
from marchtable_models.asl.cpsat.transport.gather import to_end, to_stand
from marchtable_models.asl.cpsat.transport.offers import Trip
from marchtable_models.asl.cpsat.transport.replay import is_granted
from marchtable_models.asl.survey import modes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from marchtable.action import Action
    from marchtable.position import Position
    from marchtable.ruling import Ruling
    from marchtable_models.asl.cpsat.transport.cuts import Clock, Time
    from marchtable_models.asl.cpsat.transport.gather import Gathered
    from marchtable_models.asl.cpsat.transport.offers import Load, Offer
    from marchtable_models.asl.cpsat.transport.replay import Run
    from marchtable_models.asl.cpsat.transport.tables import Left
    from marchtable_models.asl.cpsat.transport.ways import Place, Places
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]
    Asked = tuple[AslUnit, Any, int]

__all__ = ["Passages", "Settled", "broken", "least", "standing_in", "without"]

replace = msgspec.structs.replace


class Settled(NamedTuple):
    """
    A way as units stand.

    Parameters
    ----------
    rulings
        On its steps; None if there is no way.
    spent
        Half points spent at its end.
    kept
        The others that make it dearer than it is without them, or bar it.
    """

    rulings: list[Ruling] | None
    spent: int
    kept: tuple[str, ...]


class Fault(NamedTuple):
    """
    A way that others make dearer, or bar.

    Parameters
    ----------
    run, here
        Who rules, and where everybody stands.
    actions
        The way.
    names
        Who makes it dearer.
    """

    run: Run
    here: AslPosition
    actions: tuple[Action, ...]
    names: tuple[str, ...]

    def clauses(self) -> Iterator[str]:
        """Yield the clauses that it breaks, or that charge more for it than where nobody stands about."""
        told = (self.here, without(self.here, self.names))
        return broken(*(self.run.tried(self.actions, one) for one in told))


class Passages:
    """
    Finds ways among others, and makes cuts of what these cost.

    Parameters
    ----------
    gathered, clock
        The problem, and when its columns act.
    """

    def __init__(self, gathered: Gathered, clock: Clock) -> None:
        self.gathered, self.clock = gathered, clock
        self._made: set[object] = set()
        self._faults: tuple[Fault, ...] = ()
        self._stands: dict[str, set[str]] = {}
        self._literals: dict[tuple[str, str | None, Time], Literal] = {}

    # -- ways --------------------------------------------------------------------------------------

    def settled(
        self, run: Run, asked: Asked, told: Place, fits: Callable[[Any], bool],
        load: Load | None = None,
    ) -> Settled:  # fmt: skip
        """Return the cheapest way to a place as units now stand; `told` is without any of them."""
        name, here = asked[0].id, run.position
        self._faults = ()
        kept: tuple[str, ...] = ()
        place: Place | None = told
        while place is not None:
            actions = place.actions(name)
            rulings = run.tried(actions)
            spent = _spent(rulings, name, place.spent)
            if spent is not None and spent <= place.spent:
                return Settled(rulings, spent, kept)
            more = self._blamed(run, name, place, kept)
            if not more:  # reach knows of something that others do not make
                return Settled(None if spent is None else rulings, spent or 0, kept)
            kept += more
            place = self._places(here, asked, fits, kept, load).by(told.at)
        return Settled(None, 0, kept)

    def _places(
        self, here: AslPosition, asked: Asked, fits: Callable[[Any], bool], kept: Collection[str],
        load: Load | None = None,
    ) -> Places:  # fmt: skip
        standing = [u for u in here.units if {u.id, u.aboard, u.towed_by} & {*kept}]
        empty = self.gathered.tables.empty.with_units(standing)
        if load is not None:
            empty = self.gathered.with_rider(empty, load)
        return self.gathered.searched(empty, [asked], fits)[0]

    def _blamed(self, run: Run, name: str, place: Place, kept: tuple[str, ...]) -> tuple[str, ...]:
        """Return who, with those kept, makes a way dearer or bars it: as few as will do."""
        here, actions = run.position, place.actions(name)
        others = [n for n in standing_in(self.gathered, here) if n not in (name, *kept)]

        def is_bad(some: Collection[str]) -> bool:
            bare = without(here, {n for n in others if n not in some})
            spent = _spent(run.tried(actions, bare), name, place.spent)
            return spent is None or spent > place.spent

        way = {here.unit(name).at, *place.entered()}
        near = [n for n in others if here.unit(n).at in way]
        alike = [n for n in near if name in self.gathered.vehicles and n in self.gathered.vehicles]
        found: tuple[str, ...] = next(((n,) for n in alike if is_bad((n,))), ())
        found = found or least(near if is_bad(near) else others, is_bad)
        self._faults += (Fault(run, here, actions, found),)
        return found

    @property
    def clauses(self) -> Callable[[], tuple[str, ...]]:
        """What tells the clauses by which a way that was settled just now is dearer, or barred."""
        faults = self._faults
        return lambda: tuple(dict.fromkeys(c for fault in faults for c in fault.clauses()))

    # -- cuts --------------------------------------------------------------------------------------

    def stands(self, here: AslPosition, names: Sequence[str], time: Time) -> tuple[Literal, ...]:
        """Return the literals of units' standing where they do, just before a time."""
        where = self.clock.where

        def stands(name: str) -> Literal:
            at = here.unit(name).at
            key = (name, at, time)
            if key not in self._literals:
                self._literals[key] = Literal(name, lambda column: where(column, time) == at)
            return self._literals[key]

        return tuple(stands(name) for name in names)

    def _is_new(self, here: AslPosition, kept: Sequence[str], *what: object) -> bool:
        key = (*what, frozenset((name, here.unit(name).at) for name in kept))
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
        about = {here.unit(name).at for name in kept}

        def touches(column: Offer | Trip) -> bool:
            other = column if isinstance(column, Trip) else column.trip
            return other is not None and other.load.vehicle is vehicle and _meets(other, about)

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

    def along(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], kept: Sequence[str]
    ) -> Iterator[Passage]:
        """Yield the same for each vehicle that might stand elsewhere on the way instead."""
        assert trip.way is not None
        order, name = self.clock.order, trip.load.vehicle.id
        for other in kept:
            if order.get(other, order[name]) >= order[name]:
                continue  # it has not moved by then
            for at in trip.way.entered():
                if at in self._ends(other):
                    there = here.with_units([replace(here.unit(other), at=at)])
                    for some in dict.fromkeys(((other,), tuple(kept))):
                        yield from self.of_vehicle(there, trip, leaving, some)

    def _ends(self, vehicle: str) -> set[str]:
        """Return where a vehicle may stand at the end."""
        if vehicle not in self._stands:
            gathered = self.gathered
            pairs = zip(gathered.loads, gathered.stops, strict=True)
            found = [places.at for load, places in pairs if load.vehicle.id == vehicle]
            board = gathered.position.board
            self._stands[vehicle] = {
                board.locations[n].name for at in found for n in at.tolist() if n < len(board)
            } | {str(gathered.vehicles[vehicle].at)}
        return self._stands[vehicle]

    def _arrivals(self, here: AslPosition, kept: Sequence[str]) -> Callable[[Trip], int | None]:
        """Return what tells half points spent at the end of a trip, None if it cannot be made."""
        known: dict[int, tuple[Load, Places]] = {}
        about = {here.unit(name).at for name in kept}

        def spent(trip: Trip) -> int | None:
            load = trip.load
            if not _meets(trip, about):
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

    # -- who sets out ------------------------------------------------------------------------------

    def asked(self, here: AslPosition, offer: Offer) -> Asked:
        """Return a unit as its walk starts: from where it stood, or where it has been left."""
        unit = here.unit(offer.unit)
        return unit, modes.mode_of(unit), unit.spent

    def board(self, run: Run, offer: Offer) -> Settled:
        """Return the way of a unit to the vehicle that it boards."""
        assert offer.board is not None
        return self.settled(run, self.asked(run.position, offer), offer.board, to_board)

    def walk(self, run: Run, offer: Offer) -> Settled:
        """Return the way of a unit to where it ends."""
        assert offer.walk is not None
        return self.settled(run, self.asked(run.position, offer), offer.walk, to_end)

    def drive(self, run: Run, trip: Trip) -> Settled:
        """Return the way of a vehicle."""
        assert trip.way is not None
        asked = self.gathered.setting_out(trip.load)
        return self.settled(run, asked, trip.way, to_stand, trip.load)


def _meets(trip: Trip, about: Collection[str | None]) -> bool:
    """Tell whether a trip leads through some Locations."""
    if trip.way is None:
        return False
    return any(at in about for at in (trip.load.vehicle.at, *trip.way.entered()))


def standing_in(gathered: Gathered, here: AslPosition) -> list[str]:
    """Return the plan's units that stand on the ground."""
    return [
        unit.id for unit in here.units
        if unit.id in gathered.names and unit.at is not None
        and not (unit.aboard or unit.towed_by)
    ]  # fmt: skip


def without(here: AslPosition, names: Collection[str]) -> AslPosition:
    """Return the position without some units and what is aboard them."""
    if not names:
        return here
    return here.with_units([
        replace(unit, at=None)
        for unit in here.units
        if unit.id in names or unit.aboard in names or unit.towed_by in names
    ])  # fmt: skip


def least(names: Sequence[str], is_bad: Callable[[Collection[str]], bool]) -> tuple[str, ...]:
    """Return as few of the names as are still bad; none if even all of them are not."""
    kept = list(names)
    if not kept or is_bad(()) or not is_bad(kept):
        return ()
    for name in names:
        fewer = [other for other in kept if other != name]
        if is_bad(fewer):
            kept = fewer
    return tuple(kept)


def _spent(rulings: Sequence[Ruling], name: str, before: int) -> int | None:
    """Return what a unit has spent after some steps, None if one was refused."""
    if not rulings:
        return before
    last = rulings[-1]
    return last.after.unit(name).spent if is_granted(last) else None


def broken(dear: Sequence[Ruling], plain: Sequence[Ruling]) -> Iterator[str]:
    """Yield the clauses that a way breaks, or that charge more for it than where nobody stands about."""
    yield from (v.clause for v in (*dear[-1].violations, *dear[-1].unsupported))
    charged = [_charged(rulings) for rulings in (dear, plain)]
    yield from (clause for clause, amount in charged[0].items() if amount > charged[1][clause])


def _charged(rulings: Sequence[Ruling]) -> Counter[str]:
    found: Counter[str] = Counter()
    for charge in (c for ruling in rulings for r in ruling.receipts for c in r.charges):
        found[charge.clause] += charge.amount
    return found
