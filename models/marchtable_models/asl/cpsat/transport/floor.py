"""Which columns a plan that is worth so much can do without: told by the prices of units.

Each unit on foot gets a price, not less than what it is worth if it walks, and each vehicle keeps
what is left of the worth of its best trip once it has paid for those aboard. No plan is worth more
than all of that together, whatever the prices, and one with some trip in it is worth less by as
much as that trip falls short of the vehicle's best. What cuts charge only adds to that. So where
the sum falls below a floor the column is of no use to any plan that reaches the floor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.goal import CRITERIA
from marchtable_models.asl.cpsat.relaxed import Relaxed
from marchtable_models.asl.cpsat.transport.packing import Pack, repriced
from marchtable_models.asl.cpsat.transport.program import Program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.planning.model import Task
    from marchtable_models.asl.cpsat.tasks import Five
    from marchtable_models.asl.cpsat.transport.gather import Gathered
    from marchtable_models.asl.cpsat.transport.offers import Columns, Load, Offer, Trip
    from marchtable_models.asl.cpsat.transport.stops import Stops

    Ints = npt.NDArray[np.int64]

__all__ = ["Floor"]

SCALE = 1000  # prices are whole numbers, of thousandths
MOST = 2**45
NEVER = -(2**50)


class Floor:
    """
    What plans are worth at most that have some column in them.

    Parameters
    ----------
    gathered, task
        The problem, and what counts.
    columns
        All that the task chooses among where no cut is known.

    Attributes
    ----------
    is_of_use
        Whether anything can be told.
    top
        What no plan is worth more than.
    raised
        What cuts may add to that.
    least
        What plans are to be worth that are looked for.
    """

    def __init__(self, gathered: Gathered, task: Task, columns: Columns) -> None:
        self.gathered, self.top, self.raised, self.least = gathered, 0, 0, 0
        self._room: dict[int, tuple[int, dict[str, int]]] = {}
        self._trips: dict[str, int] = {}
        self._prices: dict[str, int] = {}
        relaxed = Program(gathered, columns, task, (), Relaxed)
        found = relaxed.rows.prices() if isinstance(relaxed.rows, Relaxed) else None
        self.is_of_use = found is not None and self._weigh(task, found)
        if found is not None and self.is_of_use:
            self._price(columns, found)

    def _weigh(self, task: Task, found: Sequence[float]) -> bool:
        """Take note of what each criterion, and each must that is met, is worth."""
        required = {n: self.gathered.measure.required(n)
                    for n, _ in enumerate(self.gathered.goal.aims)}  # fmt: skip
        self._musts = [n for n, least in required.items() if least]
        bounds = [(n, sign, side[name]) for n, name in enumerate(CRITERIA)
                  for side, sign in ((task.least, 1), (task.most, -1)) if name in side]  # fmt: skip
        told = found[len(found) - len(bounds) - len(self._musts) :]
        met, kept = told[: len(self._musts)], told[len(self._musts) :]
        self._met = [round(SCALE * abs(price)) for price in met]
        self._kept = [round(SCALE * abs(price)) for price in kept]
        self._factors = [SCALE * task.weights.get(name, 0) for name in CRITERIA]
        for (n, sign, least), price in zip(bounds, self._kept, strict=True):
            self._factors[n] += sign * price
            self.top -= sign * price * least
        for n, price in zip(self._musts, self._met, strict=True):
            self.top -= price * required[n]
        return self._factors[CRITERIA.index("points")] <= 0

    def _price(self, columns: Columns, found: Sequence[float]) -> None:
        on_foot, by_trip = self.gathered.foot, self._aboard(columns)
        alone = {name: max((self.worth(o) for o in offers if o.trip is None), default=NEVER)
                 for name, offers in columns.offers.items()}  # fmt: skip
        told = dict(zip(columns.offers, found, strict=False))
        walking = {name: alone[name] for name in on_foot}
        first = {name: max(round(SCALE * told[name]), worth) for name, worth in walking.items()}
        every = [trip for trips in columns.trips.values() for trip in trips]
        packs = [self._pack(trip, by_trip.get(id(trip), {})) for trip in every]
        self._prices = repriced(packs, walking, first)
        for pack in packs:
            worth, _ = pack.filled(self._prices)
            self._trips[pack.vehicle] = max(self._trips.get(pack.vehicle, worth), worth)
        still = (worth for name, worth in alone.items() if name not in on_foot and worth > NEVER)
        self.top += sum(self._prices.values()) + sum(self._trips.values()) + sum(still)
        self.is_of_use = abs(self.top) + max(map(abs, self._prices.values()), default=0) < MOST

    def _pack(self, trip: Trip, best: Mapping[str, int]) -> Pack:
        room, sizes = self._room_of(trip.load)
        on_foot = self.gathered.foot
        return Pack(
            trip.load.vehicle.id,
            self.worth(trip) + sum(worth for name, worth in best.items() if name not in on_foot),
            {name: worth for name, worth in best.items() if name in on_foot},
            sizes, room, None if trip.load.key is None else trip.load.counted,
        )  # fmt: skip

    def _room_of(self, load: Load) -> tuple[int, dict[str, int]]:
        if id(load) not in self._room:
            self._room[id(load)] = self.gathered.room(load)
        return self._room[id(load)]

    # -- what is worth while -----------------------------------------------------------------------

    @property
    def spare(self) -> int:
        """What a plan may fall short of the best that might be."""
        return self.top + self.raised - SCALE * self.least

    def charged(self, extra: Five) -> int:
        """Return what it is worth that a plan comes to more than is told."""
        return sum(factor * n for factor, n in zip(self._factors, extra, strict=True))

    def walks(self, name: str, offers: Sequence[Offer]) -> list[Offer]:
        """Return what a unit on foot may do that is worth while."""
        enough = self._prices[name] - self.spare
        return [offer for offer in offers if self.worth(offer) >= enough]

    def rows(
        self, stops: Stops, rows: Sequence[int], own: Ints, highs: Sequence[Ints]
    ) -> list[int]:
        """Return the rows that are worth while, told such numbers of all as cannot be bettered."""
        import numpy as np

        factors, load, here = self._of_dims(), stops.load, np.array(rows, np.int64)
        names = [seat.unit.id for each in stops.classes for seat in each.seats]
        best = [high[here] @ factors for each, high in zip(stops.classes, highs, strict=True)
                for _ in each.seats]  # fmt: skip
        worth = own[here] @ factors + self._filled(
            load, names, np.array(best, np.int64).reshape(len(names), len(here))
        )
        return here[worth >= self._trips[load.vehicle.id] - self.spare].tolist()  # type: ignore[no-any-return]

    def rides(self, trip: Trip, offers: Sequence[Offer]) -> list[Offer] | None:
        """Return what those aboard for a trip may do that is worth while; None if it is not itself."""
        able: dict[str, list[tuple[Offer, int]]] = {}
        for offer in offers:
            able.setdefault(offer.unit, []).append((offer, self.worth(offer)))
        best = {name: max(worth for _, worth in found) for name, found in able.items()}
        short = self._trips[trip.load.vehicle.id] - self._reached(trip, best)
        if short > self.spare:
            return None
        owed = self._owed(trip.load, best)
        return [
            offer
            for name, found in able.items()
            for offer, worth in found
            if short + owed.get(name, 0) + max(self._prices.get(name, NEVER), best[name]) - worth
            <= self.spare
        ]

    def _owed(self, load: Load, best: Mapping[str, int]) -> dict[str, int]:
        """Return by who counts what is lost in any case where one of them must board: lost once only."""
        if load.key is None:
            return {}
        counted = [name for name in load.counted if name in best]
        gains = [best[name] - self._prices.get(name, 0) for name in counted]
        return dict.fromkeys(counted, min(0, max(gains, default=0)))

    def _of_dims(self) -> Ints:
        import numpy as np

        return np.array([SCALE, *self._kept, *self._met], np.int64)

    def worth(self, column: Offer | Trip) -> int:
        """Return what a column itself is worth."""
        worth = sum(f * n for f, n in zip(self._factors, column.score, strict=True) if f)
        holds = self.gathered.measure.holds
        for number, price in zip(self._musts, self._met, strict=True):
            if price:
                stands = self.gathered.stands(column)
                worth += price * sum(holds(number, unit, stand) for unit, stand in stands)
        return worth

    def _aboard(self, columns: Columns) -> dict[int, dict[str, int]]:
        """Return by trip the most that each unit gets that may be aboard for it."""
        found: dict[int, dict[str, int]] = {}
        for name, offers in columns.offers.items():
            for offer in offers:
                if offer.trip is not None:
                    best = found.setdefault(id(offer.trip), {})
                    best[name] = max(best.get(name, NEVER), self.worth(offer))
        return found

    def _reached(self, trip: Trip, best: Mapping[str, int]) -> int:
        """Return what a trip is worth at most once those aboard are paid for."""
        import numpy as np

        told = np.array([*best.values()], np.int64)[:, None]
        return self.worth(trip) + int(self._filled(trip.load, [*best], told)[0])

    def _filled(self, load: Load, names: Sequence[str], best: Ints) -> Ints:
        """Return for each column of what units get aboard how much they get together at most."""
        import numpy as np

        room, sizes = self._room_of(load)
        inside = np.array([name not in self._prices for name in names], bool)
        prices = np.array([self._prices.get(name, 0) for name in names], np.int64)
        gains = best - prices[:, None]
        found: Ints = gains[inside].sum(axis=0)
        if load.key is not None:
            counts = np.array([name in load.counted for name in names], bool)
            found += np.minimum(0, gains[counts].max(axis=0, initial=NEVER))
        size = np.array([sizes.get(name, 0) for name in names], np.int64)[~inside]
        return found + _fitting(np.maximum(0, gains[~inside]), size, room)


def _fitting(gains: Ints, size: Ints, room: int) -> Ints:
    """Return how much can be gained in so much room, column by column."""
    import numpy as np

    if size.sum() <= room:
        return gains.sum(axis=0)  # type: ignore[no-any-return]
    step = int(np.gcd.reduce(size)) or 1
    room, size = room // step, size // step
    best = np.zeros((room + 1, gains.shape[1]), np.int64)
    for gain, taken in zip(gains, size.tolist(), strict=True):
        if taken == 0:
            best += gain
        elif taken <= room:
            best[taken:] = np.maximum(best[taken:], best[:-taken] + gain)
    return best[-1]  # type: ignore[no-any-return]
