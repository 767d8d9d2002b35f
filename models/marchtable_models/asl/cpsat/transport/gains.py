"""What a vehicle and those aboard get by each of its stops, as arrays, and which of that makes which needless."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from marchtable.planning.dominance import covered

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.planning.dominance import Dims
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.stops import Class, Stops

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

__all__ = ["Gains", "Idle", "gains_of", "own_of"]

NEVER = -(10**12)


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


class Gains(NamedTuple):
    """
    What is got by each row of stops, in the numbers by which a task compares (`d`).

    Parameters
    ----------
    own
        The vehicle, and what it tows (rows x d).
    ride
        Who stays aboard, by class (rows x classes x d).
    off, top
        Who leaves there: by the end that counts most, and what no end betters; NEVER for nobody.
    end
        Which that end is, by its number and class (rows x classes), -1 for none.
    drop, unhook
        Whether a stack leaves the vehicle there, and which crew must.
    """

    own: Ints
    ride: Ints
    off: Ints
    top: Ints
    end: Ints
    drop: Bools
    unhook: Ints

    def likely(self, seats: Sequence[int]) -> Ints:
        """Return about how much each row is worth, told how many are in each class."""
        import numpy as np

        best = np.maximum(self.ride[:, :, 0], self.off[:, :, 0])
        found: Ints = self.own[:, 0] + best @ np.array(seats, np.int64)
        return found

    def beaten(self, row: int) -> Bools:
        """Return by which rows nobody gets more than by one, nor need leave by that who need not by them."""
        less: Any = (self.own[row] >= self.own).all(axis=1)
        leaves = self.off if self.drop[row] else self.ride
        less &= (leaves[row] >= self.top).all(axis=2).all(axis=1)
        stays, off = ((one[row] >= self.ride).all(axis=2) for one in (self.ride, self.off))
        less &= (stays | off).all(axis=1)
        if self.drop[row]:
            less &= self.drop & (self.unhook == self.unhook[row])
        return cast("Bools", less)

    def vain(self, idle: Idle) -> Bools:
        """Return by which rows nobody gets more than if the vehicle goes nowhere."""
        found: Any = (idle.own >= self.own).all(axis=1)
        for number, every in enumerate(idle.others):
            for ends in every:
                found &= covered(self.ride[:, number], ends) & covered(self.top[:, number], ends)
        return cast("Bools", found)


def gains_of(instance: Instance, stops: Stops, dims: Dims) -> Gains:
    """Return what is got by each row of a load's stops."""
    import numpy as np

    vehicle = stops.load.vehicle
    own = instance.merits(vehicle.id).rows(
        dims, stops.at, stops.exposure, stops.spent - vehicle.points.spent, stops.moved
    )
    if vehicle.cargo.towing:
        own = own + _towed(
            instance, stops, dims, stops.at, stops.exposure, stops.moved, stops.unhooks > 0
        )
    shape = (len(stops.at), len(stops.classes), own.shape[1])
    ride, off, top = (np.full(shape, NEVER) for _ in range(3))
    end = np.full(shape[:2], -1)
    for number, each in enumerate(stops.classes):
        ride[:, number] = instance.merits(each.seats[0].unit.id).rows(
            dims, stops.at, stops.exposure + each.exposure, each.spent,
            stops.moved | each.elsewhere, carried=True,
        )  # fmt: skip
        _leave(instance, stops, each, dims, (off[:, number], top[:, number], end[:, number]))
    drop = np.arange(len(stops.at)) >= stops.first
    return Gains(own, ride, off, top, end, drop, stops.unhooks)


def own_of(instance: Instance, stops: Stops, dims: Dims, at: Ints, spent: Ints) -> Ints:
    """Return what a vehicle comes to that goes nowhere, and what it tows."""
    import numpy as np

    vehicle = stops.load.vehicle
    rows = instance.merits(vehicle.id).rows(dims, at, 0, spent - vehicle.points.spent, 0)
    if vehicle.cargo.towing:
        rows = rows + _towed(instance, stops, dims, at, 0, 0, np.zeros(len(at), bool))
    return rows


def _towed(
    instance: Instance, stops: Stops, dims: Dims, at: Ints, exposure: Any, moved: Any,
    unhooked: Bools,
) -> Ints:  # fmt: skip
    """Return what the Gun comes to that a vehicle tows."""
    gun = instance.merits(str(stops.load.vehicle.cargo.towing))
    rows = gun.rows(dims, at, exposure, 0, moved, carried=True)
    if unhooked.any():
        rows[unhooked] = gun.rows(dims, at, exposure, 0, moved)[unhooked]
    return rows


def _leave(
    instance: Instance, stops: Stops, each: Class, dims: Dims, told: tuple[Ints, Ints, Ints]
) -> None:
    """Note what those of a class get who leave: by the end that counts most, by any, and which that is."""
    import numpy as np

    rows = np.flatnonzero(each.left >= 0)
    if not len(rows):
        return
    asked = [(each.lefts[n], at) for n, at in zip(each.left[rows], stops.at[rows], strict=True)]
    places = instance.walk_ons(asked)
    sizes = np.array([len(one) for one in places])
    rows, places = rows[sizes > 0], [one for one in places if len(one)]
    if not places:
        return
    sizes = sizes[sizes > 0]
    of, begins = np.repeat(rows, sizes), np.append(0, np.cumsum(sizes)[:-1])
    at = np.concatenate([one.at for one in places])
    met = np.concatenate([one.exposures(instance.goal.threat) for one in places])
    name = each.seats[0].unit.id
    ends = instance.merits(name).rows(
        dims, at, met + stops.exposure[of] + each.exposure,
        np.concatenate([one.spent for one in places]) - instance.position.unit(name).points.spent,
        (at != stops.at[of]) | stops.moved[of] | each.elsewhere,
    )  # fmt: skip
    off, top, end = told
    top[rows] = np.maximum.reduceat(ends, begins)
    best = np.flatnonzero(ends[:, 0] == top[of, 0])
    first = best[np.searchsorted(best, begins)]
    off[rows], end[rows] = ends[first], at[first]
