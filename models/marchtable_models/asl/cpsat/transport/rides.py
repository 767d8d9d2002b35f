"""What those aboard a vehicle get by each of its trips, and which trips that makes needless."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from marchtable_models.asl.cpsat.prune import covered
from marchtable_models.asl.cpsat.transport.columns import Leaving, Maker
from marchtable_models.asl.cpsat.transport.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.prune import Dims
    from marchtable_models.asl.cpsat.transport.cuts import Token
    from marchtable_models.asl.cpsat.transport.gather import Gathered
    from marchtable_models.asl.cpsat.transport.offers import Offer, Trip
    from marchtable_models.asl.cpsat.transport.stops import Class, Stops

    Ints = npt.NDArray[np.int64]

__all__ = ["Gained", "Rides", "Riding", "best_of"]


class Riding(NamedTuple):
    """
    What units may do that are aboard for a trip.

    Parameters
    ----------
    offers
        What each may do.
    aboard, leaving
        The numbers by which a task compares that, class by class: of who stays aboard, and of who
        leaves, a row for each end.
    is_free
        Whether no cut is about any of the ends.
    """

    offers: list[Offer]
    aboard: list[Ints]
    leaving: list[Ints]
    is_free: bool


class Gained(NamedTuple):
    """
    What all get by a trip.

    Parameters
    ----------
    own
        The vehicle's numbers.
    riding
        Those of whoever is aboard.
    drop, unhook
        Whether a stack leaves it there, and which crew must.
    """

    own: Ints
    riding: Riding
    drop: bool
    unhook: int

    def is_vain(self, own: Ints, others: Sequence[Sequence[Ints]]) -> bool:
        """Tell whether nobody is better off by it than without, told what all get then."""
        if not covered(self.own[None], own)[0]:
            return False
        ends = zip(self.riding.aboard, self.riding.leaving, others, strict=True)
        return all(
            bool(covered(rows, other).all())
            for aboard, leaving, every in ends
            for rows in (aboard, leaving)
            for other in every
        )

    def beats(self, other: Gained) -> bool:
        """Tell whether all get as much, and nobody has to leave who need not there."""
        if self.drop and (not other.drop or self.unhook != other.unhook):
            return False
        if not (self.own >= other.own).all():
            return False
        here, there = self.riding, other.riding
        for aboard, leaving, was, left in zip(
            here.aboard, here.leaving, there.aboard, there.leaving, strict=True
        ):
            if len(left) and not covered(left, leaving if self.drop else aboard).all():
                return False
            if not (aboard >= was).all() and not (len(leaving) and covered(was, leaving).all()):
                return False
        return True


def best_of(told: Mapping[int, Gained], free: Collection[int]) -> list[int]:
    """Return the trips than which none that is in no cut is as good for everybody; of equals one."""
    left = sorted(told, key=lambda row: -_likely(told[row]))
    for row in [*left]:
        if row in left and row in free and told[row].riding.is_free:
            left = [n for n in left if n == row or not told[row].beats(told[n])]
    return left


def _likely(told: Gained) -> int:
    ends = zip(told.riding.aboard, told.riding.leaving, strict=True)
    best = (max(int(rows[:, 0].max()) for rows in both if len(rows)) for both in ends)
    return int(told.own[0]) + sum(best)


def _concerned(stops: Stops) -> list[Token]:
    """Return a vehicle, those who may be aboard, and those as they are aboard of it."""
    vehicle, names = stops.load.vehicle.id, [seat.unit.id for seat in stops.load.seats]
    return [vehicle, *names, *((name, vehicle) for name in names)]


class Rides(Memory):
    """
    Those aboard the vehicles of one problem.

    Parameters
    ----------
    gathered
        The problem.
    whole
        Whether to leave nothing out.
    """

    def __init__(self, gathered: Gathered, *, whole: bool) -> None:
        super().__init__(whole=whole)
        self.gathered, self.maker = gathered, Maker(gathered)
        self._whom: dict[int, list[Token]] = {}

    def _concerned(self, number: int, stops: Stops) -> list[Token]:
        """Return whom a load is about, told its number."""
        if number not in self._whom:
            self._whom[number] = _concerned(stops)
        return self._whom[number]

    def _walk_all(self, chosen: Sequence[tuple[int, Stops, list[int]]]) -> None:
        """Search at once where all go on to who leave their vehicle."""
        self.gathered.walk_ons([
            (each.lefts[each.left[row]], stops.at[row])
            for _, stops, rows in chosen
            for row in rows
            for each in stops.classes
            if each.left[row] >= 0
        ])  # fmt: skip

    def _rides(self, number: int, stops: Stops, row: int, dims: Dims) -> Riding:
        """Return what units may do that are aboard for a trip."""
        found = self._kept(
            ("rides", number, row), dims, self._concerned(number, stops),
            lambda: self._riding(self.maker.trip(number, stops, row), stops, row, dims),
        )  # fmt: skip
        return cast("Riding", found)

    def _riding(self, trip: Trip, stops: Stops, row: int, dims: Dims) -> Riding:
        offers: list[Offer] = []
        aboard, leaving, is_free = [], [], True
        for each in stops.classes:
            merits = self.gathered.merits(each.seats[0].unit.id)
            rows = merits.rows(
                dims, stops.at[[row]], trip.exposure + each.exposure, each.spent,
                trip.moved | each.elsewhere, carried=True,
            )  # fmt: skip
            aboard.append(rows)
            offers += [self.maker.ride(each, seat, trip) for seat in each.seats]
            leaving.append(rows[:0])
            if each.left[row] >= 0:
                more, leaving[-1], unbarred = self._leaving(each, row, trip, dims)
                offers += more
                is_free &= unbarred
        return Riding(offers, aboard, leaving, is_free)

    def _leaving(
        self, each: Class, row: int, trip: Trip, dims: Dims
    ) -> tuple[list[Offer], Ints, bool]:
        """Return what a class may do that leaves a trip, the numbers of that, and if no cut is about it."""
        import numpy as np

        gathered = self.gathered
        here = gathered.position.board.index[trip.at]
        (places,) = gathered.walk_ons([(each.lefts[each.left[row]], here)])
        threats = places.exposures(gathered.goal.threat) + (trip.exposure + each.exposure)
        moved = (places.at != here).astype(np.int64) | trip.moved | each.elsewhere
        name = each.seats[0].unit.id
        merits, before = gathered.merits(name), gathered.position.unit(name).spent
        leaving = Leaving(places, threats, places.spent - before, moved)
        rows = merits.rows(dims, places.at, threats, leaving.points, moved)
        found: list[Offer] = []
        kept, is_free, vehicle = None, True, trip.load.vehicle.id
        for seat in each.seats:

            def offer(n: int, seat: Any = seat) -> Offer:
                return self.maker.leave(seat, trip, leaving, n)

            mine = kept
            is_cut = self._is_cut(seat.unit.id, vehicle)
            if mine is None or is_cut:
                mine, blocked = self._front(seat.unit.id, rows, offer, vehicle)
                is_free &= not blocked.any()
            if not is_cut:
                kept = mine
            found += map(offer, mine)
        ends = rows if kept is None else rows[kept]
        return found, ends, is_free
