"""Makes the columns of one problem, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.cpsat.reached.ends import home_of
from marchtable_models.asl.cpsat.transport.options import Offer, Trip, added

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.reached.places import Place, Places
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Seat
    from marchtable_models.asl.cpsat.transport.stops import Class, Stops

    Ints = npt.NDArray[np.int64]

__all__ = ["Leaving", "Maker"]


class Leaving(NamedTuple):
    """
    Where a unit may go on foot, row by row.

    Parameters
    ----------
    places
        The Locations.
    exposure, points, moved
        What each adds, the way aboard included.
    """

    places: Places
    exposure: Ints
    points: Ints
    moved: Ints


class Maker:
    """
    The columns of one problem.

    Parameters
    ----------
    instance
        The problem.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self._offers: dict[tuple[object, ...], Offer] = {}
        self._trips: dict[tuple[int, int], Trip] = {}

    def trip(self, number: int, stops: Stops, row: int) -> Trip:
        """Return the trip of a row of the stops of that number."""
        if (number, row) not in self._trips:
            load, place = stops.load, int(stops.row[row])
            vehicle = load.vehicle
            stays = place < 0 or (
                not stops.moved[row] and stops.places.spent[place] == load.state.points.spent
            )
            way = None if stays else stops.places.place(place)
            there = load.state.points.spent if way is None else way.spent
            at, exposure = home_of(vehicle) if way is None else way.at, int(stops.exposure[row])
            told = {"exposure": exposure, "moved": int(stops.moved[row])}
            score = self.instance.merits(vehicle.id).score(
                at, carried=False, points=int(stops.spent[row]) - vehicle.points.spent, **told
            )
            unhook = stops.crews[stops.unhooks[row]]
            if vehicle.cargo.towing:
                gun = self.instance.merits(vehicle.cargo.towing)
                score = added(score, gun.score(at, carried=not unhook, points=0, **told))
            self._trips[number, row] = Trip(
                load, at, row >= stops.first, way, there, score, **told, unhook=unhook
            )
        return self._trips[number, row]

    def ride(self, each: Class, seat: Seat, trip: Trip) -> Offer:
        """Return the offer to stay aboard for a trip."""
        name = seat.unit.id
        if (name, id(trip)) not in self._offers:
            score = self.instance.merits(name).score(
                trip.at, carried=True, points=each.spent,
                exposure=trip.exposure + each.exposure, moved=trip.moved | each.elsewhere,
            )  # fmt: skip
            self._offers[name, id(trip)] = Offer(name, trip.at, True, score, trip, seat.board)
        return self._offers[name, id(trip)]

    def walk(
        self, name: str, leaving: Leaving, row: int, trip: Trip | None = None,
        board: Place | None = None,
    ) -> Offer:  # fmt: skip
        """Return the offer to go to a row of places on foot, from its place or once a trip is left."""
        if (name, trip and id(trip), row) not in self._offers:
            place = leaving.places.place(row)
            start = home_of(self.instance.foot[name]) if trip is None else trip.at
            walk, room = (place, place.left) if place.at != start else (None, None)
            score = self.instance.merits(name).score(
                place.at, carried=False, exposure=int(leaving.exposure[row]),
                points=int(leaving.points[row]), moved=int(leaving.moved[row]),
            )  # fmt: skip
            self._offers[name, trip and id(trip), row] = Offer(
                name, place.at, False, score, trip, board, walk, room
            )
        return self._offers[name, trip and id(trip), row]
