"""Dominance filter: the columns of the transport model for a task that nothing else makes needless.

A column is left out only if another of the same unit or vehicle is as good for everybody it
concerns, by every number that the task compares, or if nobody is better off by it than with the
vehicle left alone. Once the referee has charged or refused something, nothing stands in any more
for the columns of the units concerned; all others are kept from round to round.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

from marchtable.planning.dominance import Dims, front
from marchtable_models.asl.cpsat.reached.ends import end_number, home_of
from marchtable_models.asl.cpsat.transport.columns import Leaving, Maker
from marchtable_models.asl.cpsat.transport.gains import Gains, Idle, gains_of, own_of
from marchtable_models.asl.cpsat.transport.memory import Memory
from marchtable_models.asl.cpsat.transport.options import Columns
from marchtable_models.asl.cpsat.transport.stops import NOWHERE, Stops, rest_of, stops_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from marchtable.rules.plan_model import Task
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.memory import Bools, Token
    from marchtable_models.asl.cpsat.transport.options import Load, Offer, Seat, Trip
    from marchtable_models.asl.cpsat.transport.stops import Class

    Ints = npt.NDArray[np.int64]
    Riding = list[tuple[Trip, list[Offer]]]

__all__ = ["DominanceFilter"]


def _tokens(seat: Seat, load: Load) -> tuple[Token, Token]:
    """Return a unit, and it as it is aboard of a vehicle."""
    return seat.unit.id, (seat.unit.id, load.vehicle.id)


def _concerned(stops: Stops) -> list[Token]:
    """Return a vehicle, those who may be aboard, and those as they are aboard of it."""
    load = stops.load
    return [load.vehicle.id, *(token for seat in load.seats for token in _tokens(seat, load))]


class DominanceFilter(Memory):
    """
    The columns of one problem, chosen task by task.

    Parameters
    ----------
    instance
        The problem.
    """

    def __init__(self, instance: Instance) -> None:
        super().__init__()
        self.instance, self.maker = instance, Maker(instance)
        self._idle: dict[str, tuple[int, int]] = {}

    def columns(self, task: Task) -> Columns:
        """Return what a task chooses among."""
        dims = Dims.of(task)
        offers = {name: [*self._on_foot(name, dims)[0]] for name in self.instance.foot}
        offers |= {name: [] for name in self.instance.aboard}
        trips: dict[str, list[Trip]] = {name: [] for name in self.instance.vehicles}
        for number in range(len(self._stops)):
            for trip, riding in self._trips(number, dims):
                trips[trip.load.vehicle.id].append(trip)
                for offer in riding:
                    offers[offer.unit].append(offer)
        return Columns(offers, trips)

    # -- on foot -----------------------------------------------------------------------------------

    def _on_foot(self, name: str, dims: Dims) -> tuple[list[Offer], Ints]:
        """Return what a unit may do on foot, and the numbers of what nothing stands against."""
        found = self._kept(("foot", name), dims, (name,), lambda: self._afoot(name, dims))
        return cast("tuple[list[Offer], Ints]", found)

    def _afoot(self, name: str, dims: Dims) -> tuple[list[Offer], Ints]:
        unit, places = self.instance.foot[name], self.instance.walks[name]
        home = end_number(self.instance.position.board, home_of(unit))
        met, points = places.exposures(self.instance.goal.threat), places.spent - unit.points.spent
        walking = Leaving(places, met, points, (places.at != home).astype(int))
        rows, blocked = self._rows_of(name, walking, dims), self._blocked(places.at, (name,))
        kept = front(rows, blocked)
        offers = [self.maker.walk(name, walking, row) for row in kept]
        return offers, rows[[row for row in kept if not blocked[row]]]

    def _rows_of(self, name: str, each: Leaving, dims: Dims) -> Ints:
        """Return the numbers by which a task compares where a unit may go on foot."""
        merits = self.instance.merits(name)
        return merits.rows(dims, each.places.at, each.exposure, each.points, each.moved)

    # -- with vehicles -----------------------------------------------------------------------------

    @cached_property
    def _stops(self) -> list[Stops]:
        found = [
            stops_of(self.instance, load, places)
            for load, places in zip(self.instance.loads, self.instance.stops, strict=True)
        ]
        for number, stops in enumerate(found):
            if stops.load.key is None:
                self._idle[stops.load.vehicle.id] = (number, rest_of(stops))
        self.instance.walk_ons([
            (each.lefts[left], at)
            for stops in found
            for each in stops.classes
            for left, at in zip(each.left.tolist(), stops.at.tolist(), strict=True)
            if left >= 0
        ])  # fmt: skip
        return found

    @cached_property
    def _names(self) -> list[list[Token]]:
        """Whom each load is about."""
        return [_concerned(stops) for stops in self._stops]

    def _gains(self, number: int, dims: Dims) -> Gains:
        stops = self._stops[number]
        found = self._kept(
            ("gains", number), dims, (), lambda: gains_of(self.instance, stops, dims)
        )
        return cast("Gains", found)

    def _trips(self, number: int, dims: Dims) -> Riding:
        """Return the trips of a load that may be of use, and what those aboard may do."""

        def made() -> Riding:
            stops, found = self._stops[number], []
            for row in self._rows(number, dims):
                trip = self.maker.trip(number, stops, row)
                found.append((trip, self._riding(stops, row, trip, dims)))
            return found

        return cast("Riding", self._kept(("trips", number), dims, self._names[number], made))

    def _rows(self, number: int, dims: Dims) -> list[int]:
        """Return the rows of a load that nothing makes needless."""
        import numpy as np

        stops = self._stops[number]
        alive = np.ones(len(stops.at), bool)
        if not len(alive):
            return []
        gains, load = self._gains(number, dims), stops.load
        home = self._idle[load.vehicle.id][1] if load.key is None else NOWHERE
        idle = self._idle_of(stops, dims)
        if idle is not None:
            alive = ~gains.vain(idle)
        if home != NOWHERE:
            alive[home] = True
        likely = gains.likely([len(each.seats) for each in stops.classes])
        free = self._free(number, gains)
        for row in np.argsort(-likely, kind="stable").tolist():
            if alive[row] and free[row]:
                alive &= ~gains.beaten(row)
                alive[row] = True
        if home != NOWHERE:
            alive[home] = True
        return np.flatnonzero(alive).tolist()

    def _idle_of(self, stops: Stops, dims: Dims) -> Idle | None:
        """Return what vehicle and classes get if it goes nowhere, None if a cut is about that."""
        vehicle = stops.load.vehicle
        number, home = self._idle[vehicle.id]
        idle = self._stops[number]
        if home == NOWHERE or self._hindered(number)[home]:
            return None
        where, spent = idle.at[[home]], idle.spent[[home]]
        classes = []
        for each in stops.classes:
            found: dict[bytes, Ints] = {}
            for seat in each.seats:
                if seat.unit.id in self.instance.foot:
                    other = self._on_foot(seat.unit.id, dims)[1]
                else:
                    merits = self.instance.merits(seat.unit.id)
                    other = merits.rows(dims, where, 0, 0, 0, carried=True)
                found[other.tobytes()] = other
            classes.append([*found.values()])
        return Idle(own_of(self.instance, stops, dims, where, spent), classes)

    def _hindered(self, number: int) -> Bools:
        """Return of which trips a cut is about the vehicle, or somebody's being aboard or leaving there."""
        return self._blocked(self._stops[number].at, self._names[number])

    def _free(self, number: int, gains: Gains) -> Bools:
        """Return about which trips there is no cut, nor about the ends that count most of those aboard."""
        stops, found = self._stops[number], ~self._hindered(number)
        if not self._is_cut(*self._names[number]):
            return found
        for column, each in enumerate(stops.classes):
            tokens = [token for seat in each.seats for token in _tokens(seat, stops.load)]
            found &= ~self._blocked(gains.end[:, column], tokens)
        return found

    # -- aboard ------------------------------------------------------------------------------------

    def _riding(self, stops: Stops, row: int, trip: Trip, dims: Dims) -> list[Offer]:
        """Return what units may do that are aboard for a trip."""
        offers: list[Offer] = []
        for each in stops.classes:
            offers += [self.maker.ride(each, seat, trip) for seat in each.seats]
            if each.left[row] >= 0:
                offers += self._off(each, trip, self._leaving(each, row, trip), dims)
        return offers

    def _leaving(self, each: Class, row: int, trip: Trip) -> Leaving:
        """Return where those of a class may go on to that leave a trip."""
        import numpy as np

        instance = self.instance
        here = instance.position.board.index[trip.at]
        (places,) = instance.walk_ons([(each.lefts[each.left[row]], here)])
        threats = places.exposures(instance.goal.threat) + (trip.exposure + each.exposure)
        moved = (places.at != here).astype(np.int64) | trip.moved | each.elsewhere
        before = instance.position.unit(each.seats[0].unit.id).points.spent
        return Leaving(places, threats, places.spent - before, moved)

    def _off(self, each: Class, trip: Trip, leaving: Leaving, dims: Dims) -> list[Offer]:
        """Return what a class may do that leaves a trip."""
        at, rows = leaving.places.at, self._rows_of(each.seats[0].unit.id, leaving, dims)
        here = end_number(self.instance.position.board, trip.at)
        found: list[Offer] = []
        kept: list[int] | None = None
        for seat in each.seats:
            tokens = _tokens(seat, trip.load)
            if self._is_cut(*tokens):
                blocked = self._blocked(at, tokens) | self._blocked(here, tokens)
                mine = front(rows, blocked)
            else:
                mine = kept = front(rows) if kept is None else kept
            found += [self.maker.walk(seat.unit.id, leaving, row, trip, seat.board) for row in mine]
        return found
