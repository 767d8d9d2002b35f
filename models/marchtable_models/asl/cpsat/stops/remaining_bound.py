"""The bound of a vehicle's remaining course from its place, with its load."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from marchtable.state.records import replace
from marchtable_models.asl.cpsat.stops.simulator import Met, load_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.stops.simulator import Scene
    from marchtable_models.asl.cpsat.stops.upper_bound import Legs, UpperBounds
    from marchtable_models.asl.cpsat.transport.options import LoadedVehicle

    Ints = npt.NDArray[np.int64]

__all__ = ["How", "Onward", "RemainingBound", "ended", "remaining_bound", "widest"]

How = Literal["set", "last", "on", "go"]
"""A vehicle's freedom: any course, no further, must let a unit off and go on, must go on."""


class SinglePlace:
    """A vehicle's place, as its only destination."""

    def __init__(self, at: int, spent: int) -> None:
        import numpy as np

        self.at, self.spent = np.array([at]), np.array([spent])

    def __len__(self) -> int:
        return 1


class Onward(NamedTuple):
    """
    A vehicle's next destinations, place by place.

    Parameters
    ----------
    legs
        The places.
    driven
        Upper bounds for the vehicle, with its Gun in tow, if it ends there.
    stays, leaves
        The same for each unit aboard, if it stays aboard there, and if it gets off there.
    """

    legs: Legs
    driven: Ints
    stays: dict[str, Ints]
    leaves: dict[str, Ints]


class RemainingBound(NamedTuple):
    """
    The possible results of a vehicle's course.

    Parameters
    ----------
    off
        Upper bounds for each unit aboard that gets off here.
    best
        Upper bounds by any course, for the vehicle and each unit of its load.
    onward
        The vehicle's next destinations; None if it goes no farther.
    """

    off: dict[str, Ints]
    best: dict[str, Ints]
    onward: Onward | None = None


def remaining_bound(upper: UpperBounds, scene: Scene, name: str, how: How) -> RemainingBound:
    """Return the bounds of a vehicle's course."""
    import numpy as np

    load = load_of(scene.here, name)
    vehicle = load.vehicle
    if vehicle.offboard.exited:
        return RemainingBound({}, ended(upper, scene, name))
    legs = upper.legs(load)
    if vehicle.at is None:
        off: dict[str, Ints] = {}
        best = ended(upper, scene, name)
    else:
        off, best = _here(upper, scene, legs)
    if how == "last":
        return RemainingBound(off, best)
    for freed in widest(load):
        wide = upper.legs(freed)
        if len(wide.places):
            ahead = _onward(upper, scene, wide, wide.places)
            for unit, rows in _best(upper, scene, ahead, wide.places).items():
                best[unit] = np.maximum(best[unit], rows)
    return RemainingBound(off, best, _onward(upper, scene, legs, legs.places))


def _here(
    upper: UpperBounds, scene: Scene, legs: Legs
) -> tuple[dict[str, Ints], dict[str, Ints]]:  # fmt: skip
    """Return the numbers of getting off in place, and of doing nothing more."""
    vehicle = legs.load.vehicle
    spot: Any = SinglePlace(
        upper.instance.position.board.index[str(vehicle.at)], vehicle.points.spent
    )
    here = _onward(upper, scene, legs, spot)
    best = _best(upper, scene, here, spot)
    if vehicle.motion.moving:
        return {}, best | {unit: rows[0] for unit, rows in here.stays.items()}
    return {unit: rows[0] for unit, rows in here.leaves.items()}, best


def widest(load: LoadedVehicle) -> list[LoadedVehicle]:
    """Return a vehicle as it is without Riders, and with its Gun unhooked."""
    found = [load._replace(rider=None)]
    if load.vehicle.cargo.towing:
        alone = replace(load.vehicle, towing=None)
        found.append(load._replace(vehicle=alone, state=alone, rider=None))
    return found


def ended(upper: UpperBounds, scene: Scene, name: str) -> dict[str, Ints]:
    """Return the numbers of a vehicle and its load if they do nothing more."""
    load = load_of(scene.here, name)
    names = [name, *(seat.unit.id for seat in load.seats)]
    names += [load.vehicle.cargo.towing] if load.vehicle.cargo.towing else []
    return {one: upper.exact(scene, one) for one in names}


def _onward(upper: UpperBounds, scene: Scene, legs: Legs, places: Any) -> Onward:
    load, met = legs.load, scene.met
    ends = {
        seat.unit.id: upper.aboard(legs, places, seat.unit, met.get(seat.unit.id, Met()))
        for seat in load.seats
    }
    driven = upper.rows(load.vehicle, places, met.get(load.vehicle.id, Met()))
    if load.vehicle.cargo.towing:
        driven = driven + upper.towed(scene, load.vehicle.cargo.towing, places)
    stays, leaves = ({unit: pair[n] for unit, pair in ends.items()} for n in (0, 1))
    return Onward(legs, driven, stays, leaves)


def _best(upper: UpperBounds, scene: Scene, ahead: Onward, places: Any) -> dict[str, Ints]:
    """Return upper bounds by unit over some places."""
    import numpy as np

    vehicle = ahead.legs.load.vehicle
    best = {
        unit: np.maximum(stays, ahead.leaves[unit]).max(axis=0)
        for unit, stays in ahead.stays.items()
    }
    best[vehicle.id] = upper.rows(vehicle, places, scene.met.get(vehicle.id, Met())).max(axis=0)
    if vehicle.cargo.towing:
        best[vehicle.cargo.towing] = upper.towed(scene, vehicle.cargo.towing, places).max(axis=0)
    return best
