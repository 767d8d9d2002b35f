"""Chooses the columns of the transport model for a task: those that nothing else makes needless.

A column is left out only if another of the same unit or vehicle is as good for everybody it
concerns, by every number that the task compares. Once the referee has charged or refused
something, nothing stands in any more for the columns of the units concerned.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from marchtable_models.asl.cpsat.offers import FIVE, Columns, Offer, Trip, added
from marchtable_models.asl.cpsat.prune import Dims, covered, front
from marchtable_models.asl.cpsat.stops import Stops, stops_of
from marchtable_models.asl.cpsat.ways import most_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.planning.model import Task
    from marchtable_models.asl.cpsat.cuts import Cut, Passage
    from marchtable_models.asl.cpsat.gather import Gathered
    from marchtable_models.asl.cpsat.offers import Seat
    from marchtable_models.asl.cpsat.stops import Class
    from marchtable_models.asl.cpsat.tables import Left
    from marchtable_models.asl.cpsat.ways import Places

    Ints = npt.NDArray[np.int64]

__all__ = ["Sieve"]

DOMINATORS = 12
NEVER = -(10**12)


class Sieve:
    """
    The columns of one problem, each made once.

    Parameters
    ----------
    gathered
        The problem.
    whole
        Whether to leave nothing out, for comparison.

    Attributes
    ----------
    cuts
        What the referee refused or charged: what has a part in it stands for nothing else.
    """

    def __init__(self, gathered: Gathered, *, whole: bool = False) -> None:
        self.gathered, self.whole = gathered, whole
        self.cuts: list[Cut | Passage] = []
        self._offers: dict[tuple[object, ...], Offer] = {}
        self._trips: dict[tuple[int, int], Trip] = {}
        self._feet: dict[str, Ints] = {}
        self._idle: dict[str, tuple[int, int, Stops]] = {}

    def columns(self, task: Task) -> Columns:
        """Return what a task chooses among."""
        dims = Dims.of(task)
        offers = {name: self._on_foot(name, dims) for name in self.gathered.foot}
        offers |= {name: [] for name in self.gathered.aboard}
        trips: dict[str, list[Trip]] = {name: [] for name in self.gathered.vehicles}
        chosen = [
            (number, stops, row)
            for number, stops in enumerate(self._stops)
            for row in self._rows(number, stops, dims)
        ]
        self._walk_all(chosen)
        for number, stops, row in chosen:
            trip = self._trip(number, stops, row)
            trips[trip.load.vehicle.id].append(trip)
            for offer in self._rides(stops, row, trip, dims):
                offers[offer.unit].append(offer)
        return Columns(offers, trips)

    def _is_blocked(self, column: Offer | Trip) -> bool:
        return any(cut.blocks(column) for cut in self.cuts)

    def _front(self, rows: Ints, offer: Callable[[int], Offer]) -> tuple[list[int], Any]:
        """Return the rows to keep, and which are blocked."""
        import numpy as np

        blocked = np.zeros(len(rows), bool)
        if self.whole:
            return list(range(len(rows))), blocked
        while True:
            kept = front(rows, blocked)
            new = [row for row in kept if not blocked[row] and self._is_blocked(offer(row))]
            if not new:
                return kept, blocked
            blocked[new] = True

    # -- on foot -----------------------------------------------------------------------------------

    def _on_foot(self, name: str, dims: Dims) -> list[Offer]:
        gathered = self.gathered
        unit, places = gathered.foot[name], gathered.walks[name]
        home = gathered.position.board.index[str(unit.at)]
        threats = places.exposures(gathered.goal.threat)
        rows = gathered.merits(name).rows(
            dims, places.at, threats, places.spent - unit.spent, (places.at != home).astype(int)
        )

        def offer(row: int) -> Offer:
            return self._walks(name, places, row, int(threats[row]))

        kept, blocked = self._front(rows, offer)
        self._feet[name] = rows[[row for row in kept if not blocked[row]]]
        return [offer(row) for row in kept]

    def _walks(self, name: str, places: Places, row: int, exposure: int) -> Offer:
        if (name, row) not in self._offers:
            unit, place = self.gathered.foot[name], places.place(row)
            moved = place.at != unit.at
            score = self.gathered.merits(name).score(
                place.at, carried=False, exposure=exposure, points=place.spent - unit.spent,
                moved=int(moved),
            )  # fmt: skip
            walk, left = (place, place.left) if moved else (None, None)
            self._offers[name, row] = Offer(name, place.at, False, score, walk=walk, left=left)
        return self._offers[name, row]

    @cached_property
    def _stops(self) -> list[Stops]:
        return [
            stops_of(self.gathered, load, places)
            for load, places in zip(self.gathered.loads, self.gathered.stops, strict=True)
        ]

    # -- which of them are of use ------------------------------------------------------------------

    def _rows(self, number: int, stops: Stops, dims: Dims) -> list[int]:
        """Return the rows that may be of use for a task."""
        import numpy as np

        load, name = stops.load, stops.load.vehicle.id
        own = self._own(stops, dims, stops.at, stops.exposure, stops.spent, stops.moved)
        ends = [self._ends(stops, each, dims) for each in stops.classes]
        if load.key is None:
            home = int(np.flatnonzero((stops.moved == 0) & (stops.spent == load.state.spent))[0])
            self._idle[name] = (number, home, stops)
        if self.whole:
            return list(range(len(own)))
        useful = self._useful(name, stops, dims, own, [high for _, high in ends])
        rows = self._undominated(number, stops, np.flatnonzero(useful), own, ends)
        return sorted({*rows, home}) if load.key is None else rows

    def _useful(
        self, name: str, stops: Stops, dims: Dims, own: Ints, best: Sequence[Ints]
    ) -> npt.NDArray[np.bool_]:
        """Tell in which rows somebody may be better off than with the vehicle left alone."""
        import numpy as np

        number, home, idle = self._idle[name]
        if self._is_hindered(number, idle, home):
            return np.ones(len(own), bool)
        where, spent = idle.at[[home]], np.array([stops.load.vehicle.spent])
        useful: npt.NDArray[np.bool_] = ~covered(own, self._own(stops, dims, where, 0, spent, 0))
        for each, high in zip(stops.classes, best, strict=True):
            for seat in each.seats:
                other = self._feet.get(seat.unit.id)
                if other is None:
                    merits = self.gathered.merits(seat.unit.id)
                    other = merits.rows(dims, where, 0, 0, 0, carried=True)
                useful |= ~covered(high, other)
        return useful

    def _undominated(
        self, number: int, stops: Stops, rows: Ints, own: Ints, ends: Sequence[tuple[Ints, Ints]]
    ) -> list[int]:
        """Return the rows than which none of the likeliest is as good for everybody."""
        import numpy as np

        alive = np.ones(len(rows), bool)
        likely = own[rows, 0].copy()
        for each, (low, _) in zip(stops.classes, ends, strict=True):
            likely += low[:, rows, 0].max(axis=0) * len(each.seats)
        for n in np.argsort(-likely, kind="stable")[:DOMINATORS].tolist():
            row = int(rows[n])
            if not alive[n] or self._is_hindered(number, stops, row):
                continue
            less = (own[row] >= own[rows]).all(axis=1)
            for low, high in ends:
                less &= (low[:, row, None] >= high[rows]).all(axis=2).any(axis=0)
            less[n] = False
            alive &= ~less
        found: list[int] = rows[alive].tolist()
        return found

    def _is_hindered(self, number: int, stops: Stops, row: int) -> bool:
        """Tell whether a trip, or somebody's being aboard for it or leaving there, is in a cut."""
        if not self.cuts:
            return False
        trip = self._trip(number, stops, row)
        ends = [
            Offer(seat.unit.id, trip.at, carried, FIVE, trip, seat.board)
            for each in stops.classes
            for seat in each.seats
            for carried in (True, False)
        ]
        return self._is_blocked(trip) or any(map(self._is_blocked, ends))

    def _own(
        self, stops: Stops, dims: Dims, at: Ints, exposure: Any, spent: Ints, moved: Any
    ) -> Ints:
        """Return what the vehicle itself, and what it tows, come to."""
        vehicle, merits = stops.load.vehicle, self.gathered.merits
        rows = merits(vehicle.id).rows(dims, at, exposure, spent - vehicle.spent, moved)
        if vehicle.towing:
            rows = rows + merits(vehicle.towing).rows(dims, at, exposure, 0, moved, carried=True)
        return rows

    def _ends(self, stops: Stops, each: Class, dims: Dims) -> tuple[Ints, Ints]:
        """Return numbers that a unit surely gets, aboard or leaving, and such as it cannot better."""
        import numpy as np

        name = each.seats[0].unit.id
        merits, before = self.gathered.merits(name), self.gathered.position.unit(name).spent
        exposure, moved = stops.exposure + each.exposure, stops.moved | each.elsewhere
        high = merits.rows(dims, stops.at, exposure, each.spent, moved, carried=True)
        low = np.stack([high, np.full_like(high, NEVER)])
        high = high.copy()
        for number, left in enumerate(each.lefts):
            rows = np.flatnonzero(each.left == number)
            told = (exposure[rows], left.unit.spent - before, moved[rows])
            low[1, rows] = merits.rows(dims, stops.at[rows], *told)
            steps = most_steps(self.gathered.tables.empty, left.unit)
            best = merits.within(dims, stops.at[rows], steps, *told)
            high[rows] = np.maximum(high[rows], best)
        return low, high

    # -- trips and those aboard --------------------------------------------------------------------

    def _trip(self, number: int, stops: Stops, row: int) -> Trip:
        if (number, row) not in self._trips:
            load, place = stops.load, int(stops.row[row])
            vehicle = load.vehicle
            stays = place < 0 or (
                not stops.moved[row] and stops.places.spent[place] == load.state.spent
            )
            way = None if stays else stops.places.place(place)
            there = load.state.spent if way is None else way.spent
            at, exposure = str(vehicle.at) if way is None else way.at, int(stops.exposure[row])
            told = {"exposure": exposure, "moved": int(stops.moved[row])}
            score = self.gathered.merits(vehicle.id).score(
                at, carried=False, points=int(stops.spent[row]) - vehicle.spent, **told
            )
            if vehicle.towing:
                gun = self.gathered.merits(vehicle.towing)
                score = added(score, gun.score(at, carried=True, points=0, **told))
            self._trips[number, row] = Trip(load, at, row >= stops.first, way, there, score, **told)
        return self._trips[number, row]

    def _walk_all(self, chosen: Sequence[tuple[int, Stops, int]]) -> None:
        """Search at once where all go on to who leave their vehicle."""
        self.gathered.walk_ons([
            (each.lefts[each.left[row]], stops.at[row])
            for _, stops, row in chosen
            for each in stops.classes
            if each.left[row] >= 0
        ])  # fmt: skip

    def _rides(self, stops: Stops, row: int, trip: Trip, dims: Dims) -> Iterator[Offer]:
        """Yield what units may do that are aboard for a trip."""
        for each in stops.classes:
            told = {"exposure": trip.exposure + each.exposure, "moved": trip.moved | each.elsewhere}
            for seat in each.seats:
                name = seat.unit.id
                if (name, id(trip)) not in self._offers:
                    score = self.gathered.merits(name).score(
                        trip.at, carried=True, points=each.spent, **told
                    )
                    self._offers[name, id(trip)] = Offer(
                        name, trip.at, True, score, trip, seat.board
                    )
                yield self._offers[name, id(trip)]
            if each.left[row] >= 0:
                yield from self._leaving(each, each.lefts[each.left[row]], trip, dims, told)

    def _leaving(
        self, each: Class, left: Left, trip: Trip, dims: Dims, told: dict[str, int]
    ) -> Iterator[Offer]:
        import numpy as np

        gathered = self.gathered
        here = gathered.position.board.index[trip.at]
        (places,) = gathered.walk_ons([(left, here)])
        threats = places.exposures(gathered.goal.threat) + told["exposure"]
        elsewhere = (places.at != here).astype(np.int64)
        for seat in each.seats:
            name, before = seat.unit.id, gathered.position.unit(seat.unit.id).spent
            merits, points = gathered.merits(name), places.spent - before
            rows = merits.rows(dims, places.at, threats, points, elsewhere | told["moved"])

            def offer(row: int, seat: Seat = seat, points: Ints = points) -> Offer:
                name = seat.unit.id
                if (name, id(trip), row) not in self._offers:
                    place = places.place(row)
                    walk, room = (place, place.left) if elsewhere[row] else (None, None)
                    score = gathered.merits(name).score(
                        place.at, carried=False, exposure=int(threats[row]),
                        points=int(points[row]), moved=int(elsewhere[row]) | told["moved"],
                    )  # fmt: skip
                    self._offers[name, id(trip), row] = Offer(
                        name, place.at, False, score, trip, seat.board, walk, room
                    )
                return self._offers[name, id(trip), row]

            for row in self._front(rows, offer)[0]:
                yield offer(row)
