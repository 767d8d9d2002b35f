"""Which stops of vehicles may be of use for a task: weighed for all loads at once.

A row is left out if nobody is better off by it than with the vehicle left alone, or if another row
of the same load, that no cut is about, surely is as good for everybody whatever they do then.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

from marchtable_models.asl.cpsat.reached.ends import end_number, home_of
from marchtable_models.asl.cpsat.tasks import FIVE
from marchtable_models.asl.cpsat.transport.offers import Offer
from marchtable_models.asl.cpsat.transport.rides import Rides
from marchtable_models.asl.cpsat.transport.sheaf import NEVER, Sheaf, bounds_of, own_of
from marchtable_models.asl.cpsat.transport.stops import NOWHERE, Stops, rest_of, stops_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.prune import Dims
    from marchtable_models.asl.cpsat.transport.cuts import Token
    from marchtable_models.asl.cpsat.transport.gather import Gathered
    from marchtable_models.asl.cpsat.transport.sheaf import Bounds

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

__all__ = ["Idle", "Weighed"]

DOMINATORS = 12


class Idle(NamedTuple):
    """
    What all get if a vehicle goes nowhere.

    Parameters
    ----------
    own
        The vehicle.
    others
        For each class of those who may be aboard, what is theirs then: for each of its units that
        has something else of its own, the ends that nothing beats.
    """

    own: Ints
    others: list[list[Ints]]


class Weighed(Rides):
    """
    The stops of one problem.

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
        self._bounded: dict[bytes, Bounds] = {}
        self._hindered: dict[tuple[int, int], tuple[int, bool]] = {}

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

    # -- with vehicles -----------------------------------------------------------------------------

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

    @cached_property
    def _sheaf(self) -> Sheaf:
        return Sheaf(self.gathered, self._stops)

    @cached_property
    def _names(self) -> list[list[Token]]:
        """Whom each load is about."""
        return [self._concerned(number, stops) for number, stops in enumerate(self._stops)]

    def _bounds(self, dims: Dims) -> Bounds:
        """Return what vehicles come to by each row, and bounds of what each class does."""
        if dims.key not in self._bounded:
            self._bounded[dims.key] = bounds_of(self.gathered, self._sheaf, dims)
        return self._bounded[dims.key]

    def _rows(self, dims: Dims) -> list[list[int]]:
        """Return for each load the rows that may be of use for a task."""
        if self.whole:
            return [list(range(len(stops.at))) for stops in self._stops]
        keys = [("rows", number) for number in range(len(self._stops))]
        told = [*zip(keys, self._names, strict=True)]
        new = [n for n, (key, names) in enumerate(told) if not self._is_known(key, dims, names)]
        found = self._of_use(new, dims) if new else {}  # there may be no vehicle at all
        return [
            cast("list[int]", self._kept(key, dims, names, lambda n=n: found[n]))  # type: ignore[misc]
            for n, (key, names) in enumerate(told)
        ]

    def _of_use(self, numbers: Sequence[int], dims: Dims) -> dict[int, list[int]]:
        """Return the rows of some loads that may be of use."""
        import numpy as np

        sheaf = self._sheaf
        loads = np.zeros(len(sheaf.stops), bool)
        loads[numbers] = True
        alive = self._undominated(self._useful(loads, dims), dims)
        found = {}
        for number in numbers:
            rows = np.flatnonzero(alive[sheaf.begin[number] : sheaf.begin[number + 1]]).tolist()
            load = self._stops[number].load
            home = self._idle[load.vehicle.id][1] if load.key is None else NOWHERE
            found[number] = rows if home == NOWHERE else sorted({*rows, home})
        return found

    def _otherwise(self, number: int, dims: Dims) -> Idle | None:
        """Return what vehicle and classes get if it goes nowhere, None if a cut is about that."""
        names, stops = self._names[number], self._stops[number]
        found = self._kept(("idle", number), dims, names, lambda: self._idle_of(stops, dims))
        return cast("Idle | None", found)

    def _idle_of(self, stops: Stops, dims: Dims) -> Idle | None:
        vehicle = stops.load.vehicle
        number, home = self._idle[vehicle.id]
        idle = self._stops[number]
        if home == NOWHERE or self._is_hindered(number, home):
            return None
        where, spent = idle.at[[home]], idle.spent[[home]]
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
        return Idle(own_of(self.gathered, stops, dims, where, spent), classes)

    def _useful(self, loads: Bools, dims: Dims) -> Bools:
        """Tell in which rows of some loads somebody may be better off than with the vehicle left alone."""
        import numpy as np

        sheaf, (own, _, high) = self._sheaf, self._bounds(dims)
        idle = {n: self._otherwise(n, dims) for n in np.flatnonzero(loads).tolist()}
        alone = np.full((len(loads), own.shape[1]), NEVER)
        others: list[list[Ints]] = [[] for _ in sheaf.classes]
        for number, told in idle.items():
            if told is not None:
                alone[number] = told.own
                others[sheaf.by_load[number] : sheaf.by_load[number + 1]] = told.others
        useful: Bools = loads[sheaf.load] & ~(alone[sheaf.load] >= own).all(axis=1)
        entries = np.flatnonzero(loads[sheaf.carrier][sheaf.of])
        for turn in range(max(map(len, others), default=0)):
            mine = [one[turn] if turn < len(one) else None for one in others]
            has = np.array([one is not None for one in mine])
            some = entries[has[sheaf.of[entries]]]
            inside = np.zeros(len(some), bool)
            for rank in range(max(len(one) for one in mine if one is not None)):
                best = np.full((len(mine), own.shape[1]), NEVER)
                for n, one in enumerate(mine):
                    if one is not None and rank < len(one):
                        best[n] = one[rank]
                inside |= (best[sheaf.of[some]] >= high[some]).all(axis=1)
            useful[sheaf.row[some[~inside]]] = True
        return useful

    def _undominated(self, rows: Bools, dims: Dims) -> Bools:
        """Tell which rows there are than which none of their load's likeliest is as good for everybody."""
        import numpy as np

        sheaf, (own, low, high) = self._sheaf, self._bounds(dims)
        alive, told = rows.copy(), np.flatnonzero(rows)
        entries = np.flatnonzero(rows[sheaf.row])
        likely = own[:, 0].copy()
        gained = low[:, entries, 0].max(axis=0) * sheaf.seats[sheaf.of[entries]]
        np.add.at(likely, sheaf.row[entries], gained)
        ranked = told[np.lexsort((-likely[told], sheaf.load[told]))]
        place = np.arange(len(ranked)) - np.searchsorted(sheaf.load[ranked], sheaf.load[ranked])
        for turn in range(DOMINATORS):
            best = ranked[(place == turn) & alive[ranked]].tolist()
            best = [row for row in best if not self._is_row_hindered(row)]
            if not best:
                continue
            by_load = np.full(len(sheaf.stops), -1)
            by_load[sheaf.load[best]] = best
            of = by_load[sheaf.load]
            less = alive & (of >= 0) & (np.arange(len(of)) != of)
            less &= (own[of] >= own).all(axis=1)
            less &= ~sheaf.drop[of] | (sheaf.drop & (sheaf.unhooks == sheaf.unhooks[of]))
            some = entries[less[sheaf.row[entries]]]
            by = sheaf.first[sheaf.of[some]] + (of - sheaf.begin[sheaf.load])[sheaf.row[some]]
            surely = (low[:, by] >= high[some]).all(axis=2).any(axis=0)
            less[sheaf.row[some[~surely]]] = False
            alive &= ~less
        return alive

    def _is_row_hindered(self, row: int) -> bool:
        number = int(self._sheaf.load[row])
        return self._is_hindered(number, row - int(self._sheaf.begin[number]))

    def _is_hindered(self, number: int, row: int) -> bool:
        """Tell whether a trip, or somebody's being aboard for it or leaving there, is in a cut."""
        names = self._names[number]
        if self._tests.keys().isdisjoint(names):
            return False
        version, known = self._version(names), self._hindered.get((number, row))
        if known is None or known[0] != version:
            known = self._hindered[number, row] = (version, self._is_in_cut(number, row))
        return known[1]

    def _is_in_cut(self, number: int, row: int) -> bool:
        stops = self._stops[number]
        trip = self.maker.trip(number, stops, row)
        vehicle = trip.load.vehicle.id
        return self._is_blocked(vehicle, trip) or any(
            self._is_blocked(
                seat.unit.id, Offer(seat.unit.id, trip.at, carried, FIVE, trip, seat.board)
            )
            for each in stops.classes
            for seat in each.seats
            if self._is_cut(seat.unit.id, vehicle)
            for carried in (True, False)
        )
