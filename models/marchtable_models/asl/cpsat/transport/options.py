"""What each unit of a plan may be given to do, and each vehicle: the options of the transport model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from marchtable.planning.choice.options import Pair
    from marchtable.planning.tasks import Five
    from marchtable_models.asl.cpsat.reached.paths import Place
    from marchtable_models.asl.model import AslUnit

__all__ = [
    "Group",
    "LoadedVehicle",
    "Offer",
    "Option",
    "Options",
    "Plan",
    "Seat",
    "Trip",
    "aboard_of",
]


class Seat(NamedTuple):
    """A unit as it is aboard, and its way to the vehicle; None if it was aboard already."""

    unit: AslUnit
    board: Place | None


class LoadedVehicle(NamedTuple):
    """
    A vehicle, loaded or not, before it goes.

    Parameters
    ----------
    vehicle, state
        The vehicle before the plan, and as its boarders leave it.
    key
        What it notes of the boarder who counts (half MF spent and remaining), None if nobody boards.
    seats
        Who may be aboard then: those who do not count for more.
    counted
        Those who count for as much, of whom one must be aboard.
    rider
        One of those who ride on it then, None if nobody does.
    """

    vehicle: AslUnit
    key: tuple[int, int] | None
    state: AslUnit
    seats: list[Seat]
    counted: Sequence[str] = ()
    rider: AslUnit | None = None

    @property
    def rides(self) -> bool:
        """Whether those who board ride on it."""
        return any(seat.unit.cargo.riding for seat in self.seats if seat.board is not None)


@dataclass(frozen=True, eq=False, slots=True)
class Trip:
    """
    What a vehicle does: goes from where it is to a Location, stops, and perhaps somebody leaves it there.

    Parameters
    ----------
    load
        The vehicle and who may be aboard.
    at
        Where it ends.
    drop
        Whether a stack leaves it there.
    way
        How it gets there, None if it stays.
    spent
        Half MP spent when it is there, before anybody leaves.
    score
        What the vehicle itself, and what it tows, add.
    unhook
        The crew that leaves it there and unhooks the Gun, ``""`` for none.
    """

    load: LoadedVehicle
    at: str
    drop: bool
    way: Place | None
    spent: int
    score: Five
    unhook: str = ""

    @property
    def unit(self) -> str:
        """The vehicle."""
        return self.load.vehicle.id

    @property
    def units(self) -> tuple[str, ...]:
        """All units that it decides for."""
        return (self.unit,)

    @property
    def acts(self) -> int:
        """Whether anything is done."""
        return int(self.drop or self.way is not None)

    @property
    def points(self) -> int:
        """What it costs, in half points, with nobody in the way."""
        return self.score[3]

    @property
    def exposure(self) -> int:
        """The threat met."""
        return self.score[2]


@dataclass(frozen=True, eq=False, slots=True)
class Offer:
    """
    What a unit on foot, or aboard, does.

    Parameters
    ----------
    unit
        Who.
    at, carried
        Where it ends, and whether aboard.
    score
        What it adds.
    trip
        The trip that it is aboard for, None if it goes on foot alone.
    board
        Its way to the vehicle that it boards; None if it does not, or was aboard already.
    walk
        Its way on foot to where it ends, None if it does not walk last.
    remaining
        Half MF that may remain as it ends its walk, None if it does not walk last.
    """

    unit: str
    at: str
    carried: bool
    score: Five
    trip: Trip | None = None
    board: Place | None = None
    walk: Place | None = None
    remaining: int | None = None

    @property
    def units(self) -> tuple[str, ...]:
        """All units that it decides for."""
        return (self.unit,)

    @property
    def acts(self) -> int:
        """Whether anything is done."""
        return int(self.trip is not None or self.walk is not None)

    @property
    def points(self) -> int:
        """What it costs, in half points, with nobody in the way."""
        return self.score[3]

    @property
    def exposure(self) -> int:
        """The threat met."""
        return self.score[2]


Option = Offer | Trip


def aboard_of(option: Option) -> str:
    """Return the vehicle that an option's unit is aboard of first, "" for none."""
    trip = getattr(option, "trip", None)
    return "" if trip is None else str(trip.unit)


class Options(NamedTuple):
    """The offers to each unit and the trips of each vehicle that a model is made of."""

    offers: dict[str, list[Offer]]
    trips: dict[str, list[Trip]]


class Plan(NamedTuple):
    """One offer for each unit, one trip for each vehicle, and which acts before which if that matters."""

    offers: dict[str, Offer]
    trips: dict[str, Trip]
    before: Collection[Pair] = ()

    def options(self) -> list[Offer | Trip]:
        """Return all that is chosen."""
        return [*self.offers.values(), *self.trips.values()]


class Group(NamedTuple):
    """
    Options that are acted on together, in one go: a boarder, a vehicle's MPh, a walker.

    Parameters
    ----------
    trip
        The vehicle's trip, if this is its MPh.
    offers
        Of the units that leave it, or of the one that boards or walks.
    boards
        Whether this is a unit's boarding.
    """

    trip: Trip | None
    offers: tuple[Offer, ...]
    boards: bool = False
