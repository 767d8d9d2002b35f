"""Chooses the columns of the transport model for a task: those that nothing else makes needless.

A column is left out only if another of the same unit or vehicle is as good for everybody it
concerns, by every number that the task compares. Once the referee has charged or refused
something, nothing stands in any more for the columns of the units concerned; all others are kept
from round to round.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from marchtable_models.asl.cpsat.prune import Dims, covered
from marchtable_models.asl.cpsat.reached.ends import end_number, home_of
from marchtable_models.asl.cpsat.tasks import FIVE
from marchtable_models.asl.cpsat.transport.offers import Columns, Offer, Trip
from marchtable_models.asl.cpsat.transport.rides import Gained, Rides, best_of, concerned
from marchtable_models.asl.cpsat.transport.stops import NOWHERE, Stops, as_free, rest_of, stops_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.planning.model import Task
    from marchtable_models.asl.cpsat.transport.floor import Floor
    from marchtable_models.asl.cpsat.transport.gather import Gathered
    from marchtable_models.asl.cpsat.transport.stops import Class

    Ints = npt.NDArray[np.int64]
    Ends = list[tuple[Ints, Ints]]

__all__ = ["Sieve"]

DOMINATORS = 12
NEVER = -(10**12)


class Sieve(Rides):
    """
    The columns of one problem, chosen task by task.

    Parameters
    ----------
    gathered
        The problem.
    whole
        Whether to leave nothing out, for comparison.
    """

    def __init__(self, gathered: Gathered, *, whole: bool = False) -> None:
        super().__init__(gathered, whole=whole)
        self._idle: dict[str, tuple[int, int]] = {}

    def columns(self, task: Task, floor: Floor | None = None) -> Columns:
        """Return what a task chooses among, for plans that reach a floor if there is one."""
        dims = Dims.of(task)
        offers = {name: self._on_foot(name, dims)[0] for name in self.gathered.foot}
        offers |= {name: [] for name in self.gathered.aboard}
        offers = {name: floor.walks(name, found) if floor and name in self.gathered.foot
                  else [*found] for name, found in offers.items()}  # fmt: skip
        offers |= {name: [offer] for name, offer in self.gathered.still.items()}
        trips: dict[str, list[Trip]] = {name: [] for name in self.gathered.vehicles}
        chosen = [
            (number, stops, self._worthwhile(number, stops, dims, floor))
            for number, stops in enumerate(self._stops)
        ]
        self._walk_all(chosen)
        for number, stops, rows in chosen:
            for row in self._best(number, stops, rows, dims):
                trip = self.maker.trip(number, stops, row)
                riding = self._rides(number, stops, row, dims).offers
                able = riding if floor is None else floor.rides(trip, riding)
                if able is not None:
                    trips[trip.load.vehicle.id].append(trip)
                    for offer in able:
                        offers[offer.unit].append(offer)
        return Columns(offers, trips)

    def _worthwhile(self, number: int, stops: Stops, dims: Dims, floor: Floor | None) -> list[int]:
        """Return the rows that may be of use, of those that may be part of a plan above the floor."""
        rows = self._rows(number, stops, dims)
        if floor is None:
            return rows
        own, ends = self._bounds(number, stops, dims)
        return floor.rows(stops, rows, own, [high for _, high in ends])

    # -- on foot -----------------------------------------------------------------------------------

    def _on_foot(self, name: str, dims: Dims) -> tuple[list[Offer], Ints]:
        """Return what a unit may do on foot, and the numbers of what nothing stands against."""
        found = self._kept(("foot", name), dims, (name,), lambda: self._afoot(name, dims))
        return cast("tuple[list[Offer], Ints]", found)

    def _afoot(self, name: str, dims: Dims) -> tuple[list[Offer], Ints]:
        gathered = self.gathered
        unit, places = gathered.foot[name], gathered.walks[name]
        home = end_number(gathered.position.board, home_of(unit))
        threats = places.exposures(gathered.goal.threat)
        rows = gathered.merits(name).rows(
            dims, places.at, threats, places.spent - unit.spent, (places.at != home).astype(int)
        )

        def offer(row: int) -> Offer:
            return self.maker.walk(name, row, int(threats[row]))

        kept, blocked = self._front(name, rows, offer)
        free = rows[[row for row in kept if not blocked[row]]]
        return [offer(row) for row in kept], free

    @cached_property
    def _stops(self) -> list[Stops]:
        found = [
            stops_of(self.gathered, load, places)
            for load, places in zip(self.gathered.loads, self.gathered.stops, strict=True)
        ]
        for number, stops in enumerate(found):
            if stops.load.key is None:
                self._idle[stops.load.vehicle.id] = (number, rest_of(stops))
        return found

    # -- which of them are of use ------------------------------------------------------------------

    def _rows(self, number: int, stops: Stops, dims: Dims) -> list[int]:
        """Return the rows that may be of use for a task."""
        if self.whole:
            return list(range(len(stops.at)))
        names = concerned(stops)
        found = self._kept(("rows", number), dims, names, lambda: self._of_use(number, stops, dims))
        return cast("list[int]", found)

    def _best(self, number: int, stops: Stops, rows: list[int], dims: Dims) -> list[int]:
        """Return of some rows those that nothing makes needless, told what all get by each."""
        if self.whole:
            return rows
        names = concerned(stops)

        def best() -> list[int]:
            own, _ = self._bounds(number, stops, dims)
            home = self._idle[stops.load.vehicle.id][1] if stops.load.key is None else NOWHERE
            told = {
                row: Gained(own[row], self._rides(number, stops, row, dims),
                            row >= stops.first, int(stops.unhooks[row]))
                for row in rows
            }  # fmt: skip
            free = {row for row in rows if not self._is_hindered(number, stops, row)}
            idle = self._otherwise(stops, dims)
            left = [
                row for row in rows if row == home or idle is None or not told[row].is_vain(*idle)
            ]
            return sorted(
                {
                    *best_of({row: told[row] for row in left}, free),
                    *(row for row in rows if row == home),
                }
            )

        return cast("list[int]", self._kept(("best", number, tuple(rows)), dims, names, best))

    def _otherwise(self, stops: Stops, dims: Dims) -> tuple[Ints, list[list[Ints]]] | None:
        """Return what vehicle and classes get if it goes nowhere, None if a cut is about that."""
        vehicle = stops.load.vehicle
        number, home = self._idle[vehicle.id]
        idle = self._stops[number]
        if home == NOWHERE or self._is_hindered(number, idle, home):
            return None
        where, spent = idle.at[[home]], idle.spent[[home]]
        own = self._own(stops, dims, where, 0, spent, 0)
        classes = []
        for each in stops.classes:
            found: dict[bytes, Ints] = {}
            for seat in each.seats:
                if seat.unit.id in self.gathered.foot:
                    other = self._on_foot(seat.unit.id, dims)[1]
                else:
                    merits = self.gathered.merits(seat.unit.id)
                    other = merits.rows(dims, where, 0, 0, 0, carried=True)
                found[other.tobytes()] = other
            classes.append([*found.values()])
        return own, classes

    def _bounds(self, number: int, stops: Stops, dims: Dims) -> tuple[Ints, Ends]:
        """Return what the vehicle comes to by each row, and bounds of what each class does."""
        found = self._kept(
            ("ends", number), dims, (),
            lambda: (self._own(stops, dims, stops.at, stops.exposure, stops.spent, stops.moved,
                               stops.unhooks > 0),
                     [self._ends(stops, each, dims) for each in stops.classes]),
        )  # fmt: skip
        return cast("tuple[Ints, Ends]", found)

    def _of_use(self, number: int, stops: Stops, dims: Dims) -> list[int]:
        import numpy as np

        name = stops.load.vehicle.id
        own, ends = self._bounds(number, stops, dims)
        useful = self._useful(stops, dims, own, [high for _, high in ends])
        rows = self._undominated(number, stops, np.flatnonzero(useful), own, ends)
        home = self._idle[name][1]
        return sorted({*rows, home}) if stops.load.key is None and home != NOWHERE else rows

    def _useful(
        self, stops: Stops, dims: Dims, own: Ints, best: Sequence[Ints]
    ) -> npt.NDArray[np.bool_]:
        """Tell in which rows somebody may be better off than with the vehicle left alone."""
        import numpy as np

        idle = self._otherwise(stops, dims)
        if idle is None:
            return np.ones(len(own), bool)
        useful: npt.NDArray[np.bool_] = ~covered(own, idle[0])
        for high, others in zip(best, idle[1], strict=True):
            for other in others:
                useful |= ~covered(high, other)
        return useful

    def _undominated(
        self, number: int, stops: Stops, rows: Ints, own: Ints, ends: Ends
    ) -> list[int]:
        """Return the rows than which none of the likeliest is as good for everybody."""
        import numpy as np

        alive = np.ones(len(rows), bool)
        mine, likely = own[rows], own[rows, 0].copy()
        highs = [high[rows] for _, high in ends]
        for each, (low, _) in zip(stops.classes, ends, strict=True):
            likely += low[:, rows, 0].max(axis=0) * len(each.seats)
        for n in np.argsort(-likely, kind="stable")[:DOMINATORS].tolist():
            row = int(rows[n])
            if not alive[n] or self._is_hindered(number, stops, row):
                continue
            less = alive & (own[row] >= mine).all(axis=1) & as_free(stops, row, rows)
            less[n] = False
            for (low, _), high in zip(ends, highs, strict=True):
                if not less.any():
                    break
                less &= (low[:, row, None] >= high).all(axis=2).any(axis=0)
            alive &= ~less
        found: list[int] = rows[alive].tolist()
        return found

    def _is_hindered(self, number: int, stops: Stops, row: int) -> bool:
        """Tell whether a trip, or somebody's being aboard for it or leaving there, is in a cut."""
        if not any(name in self._tests for name in concerned(stops)):
            return False
        trip = self.maker.trip(number, stops, row)
        return self._is_blocked(trip.load.vehicle.id, trip) or any(
            self._is_blocked(
                seat.unit.id, Offer(seat.unit.id, trip.at, carried, FIVE, trip, seat.board)
            )
            for each in stops.classes
            for seat in each.seats
            if self._is_cut(seat.unit.id, trip.load.vehicle.id)
            for carried in (True, False)
        )

    def _own(
        self, stops: Stops, dims: Dims, at: Ints, exposure: Any, spent: Ints, moved: Any,
        unhooked: npt.NDArray[np.bool_] | None = None,
    ) -> Ints:  # fmt: skip
        """Return what the vehicle itself, and what it tows, come to."""
        vehicle, merits = stops.load.vehicle, self.gathered.merits
        rows = merits(vehicle.id).rows(dims, at, exposure, spent - vehicle.spent, moved)
        if vehicle.towing:
            gun = merits(vehicle.towing)
            towed = gun.rows(dims, at, exposure, 0, moved, carried=True)
            if unhooked is not None and unhooked.any():
                alone = gun.rows(dims, at, exposure, 0, moved)
                towed[unhooked] = alone[unhooked]
            rows = rows + towed
        return rows

    def _ends(self, stops: Stops, each: Class, dims: Dims) -> tuple[Ints, Ints]:
        """Return numbers that a unit surely gets, aboard or leaving, and such as it cannot better."""
        import numpy as np

        name = each.seats[0].unit.id
        merits, before = self.gathered.merits(name), self.gathered.position.unit(name).spent
        exposure, moved = stops.exposure + each.exposure, stops.moved | each.elsewhere
        aboard = merits.rows(dims, stops.at, exposure, each.spent, moved, carried=True)
        low = np.stack([aboard, np.full_like(aboard, NEVER)])
        high = aboard
        rows = np.flatnonzero(each.left >= 0)
        if len(rows):
            number = each.left[rows]
            points = np.array([left.unit.spent - before for left in each.lefts])[number]
            steps = np.array([self.gathered.most_steps(left.unit) for left in each.lefts])[number]
            at, told = stops.at[rows], (exposure[rows], points, moved[rows])
            low[1, rows] = merits.rows(dims, at, *told)
            best = merits.within(dims, at, steps, *told)
            high = aboard.copy()
            high[rows] = np.maximum(high[rows], best)
        return low, high
