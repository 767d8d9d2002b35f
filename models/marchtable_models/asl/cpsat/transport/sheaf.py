"""The stops of many loads as one set of rows, and what vehicles and those aboard come to by each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.prune import Dims
    from marchtable_models.asl.cpsat.reached.merits import Merits
    from marchtable_models.asl.cpsat.transport.gather import Gathered
    from marchtable_models.asl.cpsat.transport.stops import Stops

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

__all__ = ["Bounds", "Sheaf", "bounds_of", "own_of"]

NEVER = -(10**12)


class Sheaf:
    """
    The stops of many loads.

    Parameters
    ----------
    gathered
        The problem.
    stops
        Those of each load.

    Attributes
    ----------
    begin
        The first row of each load, and after the last one their number.
    load
        Of each row, whose it is.
    classes
        Those of all loads.
    carrier, seats
        Of each class, whose it is, and how many are in it.
    first
        The first entry of each class: there is one for each row of its load.
    of, row
        Of each entry, its class and row.
    left, points, steps
        Of each entry, whether it may leave there, half points spent then and the most Locations on.
    """

    def __init__(self, gathered: Gathered, stops: Sequence[Stops]) -> None:
        import numpy as np

        sizes = np.array([len(one.at) for one in stops], np.int64)
        self.stops, self.begin = stops, np.append(0, np.cumsum(sizes))
        self.load = np.repeat(np.arange(len(stops)), sizes)
        self.at, self.exposure, self.moved, self.spent, self.unhooks = (
            np.concatenate([getattr(one, name) for one in stops])
            for name in ("at", "exposure", "moved", "spent", "unhooks")
        )
        inside = np.arange(len(self.load)) - self.begin[self.load]
        self.drop = inside >= np.array([one.first for one in stops])[self.load]
        self.classes = [each for one in stops for each in one.classes]
        counts = [len(one.classes) for one in stops]
        self.by_load = np.append(0, np.cumsum(counts))
        self.carrier = np.repeat(np.arange(len(stops)), counts)
        self.seats = np.array([len(each.seats) for each in self.classes], np.int64)
        long = sizes[self.carrier]
        self.first = np.append(0, np.cumsum(long))
        self.of = np.repeat(np.arange(len(self.classes)), long)
        self.row = np.arange(len(self.of)) + (self.begin[self.carrier] - self.first[:-1])[self.of]
        self._leave(gathered)

    def _leave(self, gathered: Gathered) -> None:
        import numpy as np

        told: list[tuple[int, int]] = [(0, 0)]
        left = []
        for each in self.classes:
            before = gathered.position.unit(each.seats[0].unit.id).spent
            left.append(np.where(each.left >= 0, each.left + len(told), 0))
            told += [(one.unit.spent - before, gathered.most_steps(one.unit)) for one in each.lefts]
        number = np.concatenate(left) if left else np.zeros(0, np.int64)
        self.left = number > 0
        self.points, self.steps = np.array(told, np.int64)[number].T

    def of_class(self, values: Sequence[int]) -> Ints:
        """Return for each entry what is told for its class."""
        import numpy as np

        found: Ints = np.array(values, np.int64)[self.of]
        return found


class Bounds(NamedTuple):
    """
    What vehicles come to by each row, and bounds of what those aboard do.

    Parameters
    ----------
    own
        Of each row, what the vehicle comes to.
    low
        Of each entry, what a unit surely gets aboard, and leaving.
    high
        Of each entry, what it cannot better.
    """

    own: Ints
    low: Ints
    high: Ints


def bounds_of(gathered: Gathered, sheaf: Sheaf, dims: Dims) -> Bounds:
    """Return the bounds for a task."""
    import numpy as np

    width = gathered.merits(sheaf.stops[0].load.vehicle.id).width(dims)
    own = np.empty((len(sheaf.load), width), np.int64)
    for merits, some in _alike(gathered, [one.load.vehicle.id for one in sheaf.stops], sheaf.load):
        before = np.array([one.load.vehicle.spent for one in sheaf.stops])[sheaf.load[some]]
        own[some] = merits.rows(
            dims,
            sheaf.at[some],
            sheaf.exposure[some],
            sheaf.spent[some] - before,
            sheaf.moved[some],
        )
    for number, one in enumerate(sheaf.stops):
        if one.load.vehicle.towing:
            rows = slice(sheaf.begin[number], sheaf.begin[number + 1])
            told = one.at, one.exposure, one.moved, one.unhooks > 0
            own[rows] += _towed(gathered, one, dims, *told)
    aboard = np.empty((len(sheaf.of), width), np.int64)
    met = sheaf.exposure[sheaf.row] + sheaf.of_class([each.exposure for each in sheaf.classes])
    moved = sheaf.moved[sheaf.row] | sheaf.of_class([each.elsewhere for each in sheaf.classes])
    paid = sheaf.of_class([each.spent for each in sheaf.classes])
    off, best = np.full_like(aboard, NEVER), np.full_like(aboard, NEVER)
    at = sheaf.at[sheaf.row]
    names = [each.seats[0].unit.id for each in sheaf.classes]
    for merits, some in _alike(gathered, names, sheaf.of):
        aboard[some] = merits.rows(dims, at[some], met[some], paid[some], moved[some], carried=True)
        out = some[sheaf.left[some]]
        counted = met[out], sheaf.points[out], moved[out]
        off[out] = merits.rows(dims, at[out], *counted)
        best[out] = merits.within(dims, at[out], sheaf.steps[out], *counted)
    return Bounds(own, np.stack([aboard, off]), np.maximum(aboard, best))


def own_of(gathered: Gathered, stops: Stops, dims: Dims, at: Ints, spent: Ints) -> Ints:
    """Return what a vehicle comes to that goes nowhere, and what it tows."""
    import numpy as np

    vehicle = stops.load.vehicle
    rows = gathered.merits(vehicle.id).rows(dims, at, 0, spent - vehicle.spent, 0)
    if vehicle.towing:
        rows = rows + _towed(gathered, stops, dims, at, 0, 0, np.zeros(len(at), bool))
    return rows


def _towed(
    gathered: Gathered, stops: Stops, dims: Dims, at: Ints, exposure: Any, moved: Any,
    unhooked: Bools,
) -> Ints:  # fmt: skip
    """Return what the Gun comes to that a vehicle tows."""
    gun = gathered.merits(str(stops.load.vehicle.towing))
    rows = gun.rows(dims, at, exposure, 0, moved, carried=True)
    if unhooked.any():
        rows[unhooked] = gun.rows(dims, at, exposure, 0, moved)[unhooked]
    return rows


def _alike(gathered: Gathered, names: Sequence[str], of: Ints) -> Iterator[tuple[Merits, Ints]]:
    """Yield each of the merits of some units with the rows that are of such, told whose each is."""
    import numpy as np

    merits = {id(one): one for one in map(gathered.merits, names)}
    told = np.array([id(gathered.merits(name)) for name in names], np.int64)
    for key, one in merits.items():
        yield one, np.flatnonzero((told == key)[of])
