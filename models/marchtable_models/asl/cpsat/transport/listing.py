"""Lists what each unit and each vehicle of a plan may be given to do: its columns."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from marchtable.state.goal import CRITERIA
from marchtable_models.asl.cpsat.reached.ends import WAITING, end_number, home_of
from marchtable_models.asl.cpsat.transport.options import Offer, Trip

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    import numpy.typing as npt

    from marchtable.planning.tasks import Five
    from marchtable_models.asl.cpsat.reached.paths import Place, Places
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Column, Load, Seat
    from marchtable_models.asl.cpsat.transport.tables import Left

    Ints = npt.NDArray[np.int64]

__all__ = ["columns"]


class Leaving(NamedTuple):
    """
    Where a unit may go on foot that leaves a vehicle, for all rows of a sheet together.

    Parameters
    ----------
    places
        By row, where it gets to; nothing for a row in which it does not leave.
    begins
        By row, where its ends begin among all.
    scores, at
        What each end adds, and its number.
    """

    places: dict[int, Places]
    begins: dict[int, int]
    scores: Ints
    at: Ints


class Sheet:
    """
    What a loaded vehicle may do, row by row: first being somewhere, then being left there.

    Parameters
    ----------
    instance, load, places
        The problem, the vehicle, and where it may stop.

    Attributes
    ----------
    row, at
        The row of `places`, -1 where it stays as it is; and the end's number.
    who
        Who leaves it there: None for nobody, ``""`` for a stack, else the crew that unhooks the Gun.
    spent, exposure, moved
        Half MP spent in all, and the rest of its score.
    own, ride
        What the vehicle, with the Gun that it tows, and each of those aboard add if they stay aboard.
    """

    def __init__(self, instance: Instance, load: Load, places: Places) -> None:
        self.instance, self.load, self.places = instance, load, places
        vehicle, board = load.vehicle, instance.position.board
        self.home = end_number(board, home_of(vehicle))
        may_stay = vehicle.motion.moving or self.home == WAITING
        stays = int(may_stay and instance.may_rest(vehicle.id))
        told: list[tuple[int, str | None, int]] = [(-1, None, load.state.points.spent)] * stays
        told += [(row, None, spent) for row, spent in enumerate(places.spent.tolist())]
        self._left: list[list[Left | None]] = [[None] * len(load.seats)] * len(told)
        crews = [seat.unit.id for seat in load.seats] if vehicle.cargo.towing else []
        told += [one for crew in ("", *crews) for one in self._leavings(crew)]
        self.row = np.array([row for row, _, _ in told], np.int64)
        self.who = [who for _, who, _ in told]
        self.spent = np.array([spent for *_, spent in told], np.int64)
        self.at = np.append(places.at, self.home)[self.row]
        self.exposure = np.append(places.exposures, 0)[self.row]
        self.moved = (self.at != self.home).astype(np.int64)
        self.own, self.ride = self._own(), [*map(self._ride, load.seats)]
        self._trips: dict[int, Trip] = {}

    def _leavings(self, crew: str) -> Iterable[tuple[int, str, int]]:
        """Yield where somebody may leave it, and what it has spent then."""
        instance, load, board = self.instance, self.load, self.instance.position.board
        shown = instance.tables.shown(load.vehicle.side)
        known: dict[Hashable, list[Left | None]] = {}
        for row, (at, spent) in enumerate(
            zip(self.places.at.tolist(), self.places.spent.tolist(), strict=True)
        ):
            if at < len(board):  # else it has left the map
                name = board.locations[at].name
                key = spent, shown.get(name, 0), at == self.home
                if key not in known:
                    stopped, left = instance.stopped(load, spent, name), instance.tables.left
                    known[key] = [left(seat.unit, stopped, crew) for seat in load.seats]
                paid = [one.spent for one in known[key] if one is not None]
                if paid:
                    self._left.append(known[key])
                    yield row, crew, max(paid)

    def _own(self) -> Ints:
        vehicle, merits = self.load.vehicle, self.instance.merits
        at, points = self.at, self.spent - self.load.vehicle.points.spent
        own = merits(vehicle.id).rows(at, self.exposure, points, self.moved)
        if vehicle.cargo.towing:
            gun, unhooked = merits(vehicle.cargo.towing), np.array([*map(bool, self.who)], bool)
            rows = gun.rows(at, self.exposure, 0, self.moved, carried=True)
            rows[unhooked] = gun.rows(at, self.exposure, 0, self.moved)[unhooked]
            own = own + rows
        return own

    def _boarded(self, seat: Seat) -> tuple[int, int, int]:
        """Return what one met and spent on its way aboard, and whether that led out of its Location."""
        unit, board = self.instance.position.unit(seat.unit.id), seat.board
        exposure = board.exposure(self.instance.goal.threat) if board else 0
        spent = seat.unit.points.spent - unit.points.spent
        return exposure, spent, int(board is not None and board.at != unit.at)

    def _ride(self, seat: Seat) -> Ints:
        exposure, spent, elsewhere = self._boarded(seat)
        merits = self.instance.merits(seat.unit.id)
        met, moved = self.exposure + exposure, self.moved | elsewhere
        return merits.rows(self.at, met, spent, moved, carried=True)

    def asked(self) -> list[tuple[Left, int]]:
        """Return who walks on from where."""
        rows = zip(self._left, self.at.tolist(), strict=True)
        return [(left, at) for lefts, at in rows for left in lefts if left is not None]

    @cached_property
    def leaving(self) -> list[Leaving]:
        """Where each of those aboard may walk on to."""
        return [*map(self._leaving, range(len(self.load.seats)))]

    def _leaving(self, number: int) -> Leaving:
        instance, seat = self.instance, self.load.seats[number]
        rows = [row for row, lefts in enumerate(self._left) if lefts[number] is not None]
        asked = [(cast("Left", self._left[row][number]), int(self.at[row])) for row in rows]
        pairs = [
            (row, one) for row, one in zip(rows, instance.walk_ons(asked), strict=True) if len(one)
        ]
        rows, places = [row for row, _ in pairs], [one for _, one in pairs]
        sizes = np.array([len(one) for one in places], np.int64)
        merits, none = instance.merits(seat.unit.id), np.zeros(0, np.int64)
        of = np.repeat(np.array(rows, np.int64), sizes)
        exposure, _, elsewhere = self._boarded(seat)
        at, met, spent = (
            np.concatenate([none, *some]) for some in (
                [one.at for one in places], [one.exposures for one in places],
                [one.spent for one in places],
            )
        )  # fmt: skip
        before = instance.position.unit(seat.unit.id).points.spent
        moved = (at != self.at[of]) | self.moved[of] | elsewhere
        scores = merits.rows(at, met + self.exposure[of] + exposure, spent - before, moved)
        begins = dict(zip(rows, (np.cumsum(sizes) - sizes).tolist(), strict=True))
        return Leaving(dict(zip(rows, places, strict=True)), begins, scores, at)

    # -- columns, each once ------------------------------------------------------------------------

    def trip(self, row: int) -> Trip:
        """Return the trip of a row."""
        if row not in self._trips:
            load, place, who = self.load, int(self.row[row]), self.who[row]
            spent = load.state.points.spent
            stays = place < 0 or (not self.moved[row] and self.places.spent[place] == spent)
            way = None if stays else self.places.place(place)
            at = home_of(load.vehicle) if way is None else way.at
            self._trips[row] = Trip(
                load, at, who is not None, way, spent if way is None else way.spent,
                _five(self.own[row]), unhook=who or "",
            )  # fmt: skip
        return self._trips[row]

    def rides(self, row: int, number: int) -> Offer:
        """Return the offer to stay aboard for a trip to one of those aboard."""
        seat, trip = self.load.seats[number], self.trip(row)
        score = _five(self.ride[number][row])
        return Offer(seat.unit.id, trip.at, True, score, trip, seat.board)

    def walks(self, row: int, number: int, end: int) -> Offer:
        """Return the offer to leave a trip and go on to an end, by its row."""
        seat, leaving, trip = self.load.seats[number], self.leaving[number], self.trip(row)
        score, place = leaving.scores[leaving.begins[row] + end], leaving.places[row].place(end)
        return _walk(seat.unit.id, place, trip.at, score, trip, seat)

    @property
    def every(self) -> Iterator[Trip | Offer]:
        """All trips, and what those aboard may do on each."""
        for row in range(len(self.at)):
            yield self.trip(row)
            for number, leaving in enumerate(self.leaving):
                yield self.rides(row, number)
                for end in range(len(leaving.places.get(row, ()))):
                    yield self.walks(row, number, end)


def columns(instance: Instance) -> list[Column]:
    """Return all columns of a problem: first those of units on foot."""
    pairs = zip(instance.loads, instance.stops, strict=True)
    sheets = [Sheet(instance, load, places) for load, places in pairs]
    instance.walk_ons([asked for sheet in sheets for asked in sheet.asked()])  # all at once
    found: list[Column] = []
    for name, unit in instance.foot.items():
        places, home = instance.walks[name], home_of(unit)
        moved = places.at != end_number(instance.position.board, home)
        points = places.spent - unit.points.spent
        scores = instance.merits(name).rows(places.at, places.exposures, points, moved)
        found += [_walk(name, places.place(row), home, own) for row, own in enumerate(scores)]
    return found + [column for sheet in sheets for column in sheet.every]


def _five(score: Ints) -> Five:
    value, distance, exposure, points, moved = score[: len(CRITERIA)].tolist()
    return value, distance, exposure, points, moved


def _walk(
    name: str,
    place: Place,
    start: str,
    score: Ints,
    trip: Trip | None = None,
    seat: Seat | None = None,
) -> Offer:
    """Return the offer to go to a place on foot, from where it starts or where a trip is left."""
    walk, left = (place, place.left) if place.at != start else (None, None)
    board = None if seat is None else seat.board
    return Offer(name, place.at, False, _five(score), trip, board, walk, left)
