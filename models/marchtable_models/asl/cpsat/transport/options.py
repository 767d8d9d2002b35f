"""The transport model's options for each unit and vehicle of a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from marchtable.planning.choice.options import Pair
    from marchtable.planning.tasks import Five
    from marchtable_models.asl.cpsat.reached.paths import ReachedEnd
    from marchtable_models.asl.model import AslUnit

__all__ = [
    "LoadedVehicle",
    "Offer",
    "Option",
    "OptionGroup",
    "Plan",
    "Seat",
    "TransportOptions",
    "Trip",
    "aboard_of",
]


class Seat(NamedTuple):
    """A unit aboard, and its way to the vehicle; None if it was aboard already."""

    unit: AslUnit
    board: ReachedEnd | None


class LoadedVehicle(NamedTuple):
    """
    A vehicle, loaded or not, before it goes.

    Parameters
    ----------
    vehicle, state
        The vehicle before the plan, and after boarding.
    key
        What it records of the boarder that counts (half MF spent and remaining), None without one.
    seats
        The possible load: units that do not count for more.
    counted
        Units that count for as much, of which one must be aboard.
    rider
        One of its Riders, None if there are none.
    """

    vehicle: AslUnit
    key: tuple[int, int] | None
    state: AslUnit
    seats: list[Seat]
    counted: Sequence[str] = ()
    rider: AslUnit | None = None

    @property
    def rides(self) -> bool:
        """Whether its boarders are Riders."""
        return any(seat.unit.cargo.riding for seat in self.seats if seat.board is not None)


@dataclass(frozen=True, eq=False, slots=True)
class Trip:
    """
    A vehicle's course: from its place to a Location, a stop, and perhaps units leaving there.

    Parameters
    ----------
    load
        The vehicle and its possible load.
    at
        Its end.
    drop
        Whether a stack leaves it there.
    way
        Its way, None if it stays.
    spent
        Half MP spent on arrival, before any unit leaves.
    score
        The additions of the vehicle and its tow.
    unhook
        The crew that leaves there and unhooks the Gun, ``""`` for none.
    """

    load: LoadedVehicle
    at: str
    drop: bool
    way: ReachedEnd | None
    spent: int
    score: Five
    unhook: str = ""

    @property
    def unit(self) -> str:
        """The vehicle."""
        return self.load.vehicle.id

    @property
    def units(self) -> tuple[str, ...]:
        """All units it decides for."""
        return (self.unit,)

    @property
    def acts(self) -> int:
        """Whether it has actions."""
        return int(self.drop or self.way is not None)

    @property
    def points(self) -> int:
        """Its cost in half points, with nobody in the way."""
        return self.score[3]

    @property
    def exposure(self) -> int:
        """The exposure."""
        return self.score[2]


@dataclass(frozen=True, eq=False, slots=True)
class Offer:
    """
    The act of a unit on foot or aboard.

    Parameters
    ----------
    unit
        The unit.
    at, carried
        Its end, and whether it is aboard.
    score
        Its additions.
    trip
        The trip it is aboard for, None if it only walks.
    board
        Its way to the vehicle it boards; None if it does not, or was already aboard.
    walk
        Its way on foot to its end, None if it does not walk last.
    remaining
        Half MF that can remain after its walk, None if it does not walk last.
    """

    unit: str
    at: str
    carried: bool
    score: Five
    trip: Trip | None = None
    board: ReachedEnd | None = None
    walk: ReachedEnd | None = None
    remaining: int | None = None

    @property
    def units(self) -> tuple[str, ...]:
        """All units it decides for."""
        return (self.unit,)

    @property
    def acts(self) -> int:
        """Whether it has actions."""
        return int(self.trip is not None or self.walk is not None)

    @property
    def points(self) -> int:
        """Its cost in half points, with nobody in the way."""
        return self.score[3]

    @property
    def exposure(self) -> int:
        """The exposure."""
        return self.score[2]


Option = Offer | Trip


def aboard_of(option: Option) -> str:
    """Return the vehicle an option's unit is first aboard, "" for none."""
    trip = getattr(option, "trip", None)
    return "" if trip is None else str(trip.unit)


class TransportOptions(NamedTuple):
    """The offers to units and trips of vehicles that make up a model."""

    offers: dict[str, list[Offer]]
    trips: dict[str, list[Trip]]


class Plan(NamedTuple):
    """One offer per unit, one trip per vehicle, and the acting order if it matters."""

    offers: dict[str, Offer]
    trips: dict[str, Trip]
    before: Collection[Pair] = ()

    def options(self) -> list[Offer | Trip]:
        """Return all choices."""
        return [*self.offers.values(), *self.trips.values()]


class OptionGroup(NamedTuple):
    """
    Options acted on together: a boarder, a vehicle's MPh, a walker.

    Parameters
    ----------
    trip
        The vehicle's trip, if this is its MPh.
    offers
        For the units that leave it, or the one that boards or walks.
    boards
        Whether this is a boarding.
    """

    trip: Trip | None
    offers: tuple[Offer, ...]
    boards: bool = False
