"""Chooses the columns of the transport model for a task: those that nothing else makes needless.

A column is left out only if another of the same unit or vehicle is as good for everybody it
concerns, by every number that the task compares. Once the referee has charged or refused
something, nothing stands in any more for the columns of the units concerned; all others are kept
from round to round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from marchtable_models.asl.cpsat.prune import Dims
from marchtable_models.asl.cpsat.transport.offers import Columns, Trip
from marchtable_models.asl.cpsat.transport.rides import Gained, best_of
from marchtable_models.asl.cpsat.transport.stops import NOWHERE, Stops
from marchtable_models.asl.cpsat.transport.weighed import Weighed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from marchtable.planning.model import Task
    from marchtable_models.asl.cpsat.transport.floor import Floor

    Ints = npt.NDArray[np.int64]

__all__ = ["Sieve"]


class Sieve(Weighed):
    """
    The columns of one problem, chosen task by task.

    Parameters
    ----------
    gathered
        The problem.
    whole
        Whether to leave nothing out, for comparison.
    """

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
            (number, self._stops[number], self._worthwhile(number, rows, dims, floor))
            for number, rows in enumerate(self._rows(dims))
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

    def _worthwhile(
        self, number: int, rows: list[int], dims: Dims, floor: Floor | None
    ) -> list[int]:
        """Return of the rows of a load those that may be part of a plan above the floor."""
        if floor is None:
            return rows
        sheaf, (own, _, high) = self._sheaf, self._bounds(dims)
        begin, end = sheaf.begin[number : number + 2]
        first = sheaf.first[sheaf.by_load[number] : sheaf.by_load[number + 1]].tolist()
        highs = [high[one : one + end - begin] for one in first]
        return floor.rows(self._stops[number], rows, own[begin:end], highs)

    def _best(self, number: int, stops: Stops, rows: list[int], dims: Dims) -> list[int]:
        """Return of some rows those that nothing makes needless, told what all get by each."""
        if self.whole or not rows:
            return rows
        names = self._names[number]

        def best() -> list[int]:
            own = self._bounds(dims).own[self._sheaf.begin[number] :]
            home = self._idle[stops.load.vehicle.id][1] if stops.load.key is None else NOWHERE
            told = {
                row: Gained(own[row], self._rides(number, stops, row, dims),
                            row >= stops.first, int(stops.unhooks[row]))
                for row in rows
            }  # fmt: skip
            free = {row for row in rows if not self._is_hindered(number, row)}
            idle = self._otherwise(number, dims)
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
