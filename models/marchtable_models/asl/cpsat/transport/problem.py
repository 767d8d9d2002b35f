"""The transport problem as a choice: one column for each unit, and a small function for each row's clause."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from marchtable.planning.choice.aims import demands, still
from marchtable.planning.choice.options import Problem, Ride, Rules, Terrain
from marchtable.planning.choice.presence import Stations
from marchtable.state.goal import CRITERIA
from marchtable_models.asl.clauses.infantry.offboard import leaves
from marchtable_models.asl.clauses.transport.loading import carried
from marchtable_models.asl.clauses.transport.loading import kept as mp_kept
from marchtable_models.asl.clauses.transport.riders import through
from marchtable_models.asl.clauses.transport.unloading import quarter
from marchtable_models.asl.cpsat.reached.ends import left_by
from marchtable_models.asl.cpsat.transport.options import Plan, Trip

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from marchtable.planning.choice.options import Pair
    from marchtable_models.asl.cpsat.transport.clock import Clock
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Column, Columns

    Aboard = Mapping[Trip, Mapping[str, Sequence[int]]]

__all__ = ["plan_of", "stated"]


def plan_of(chosen: Sequence[Column], before: Collection[Pair]) -> Plan:
    """Return what was chosen as a plan."""
    trips = {one.unit: one for one in chosen if isinstance(one, Trip)}
    offers = {one.unit: one for one in chosen if not isinstance(one, Trip)}
    return Plan(offers, trips, before)


def stated(instance: Instance, clock: Clock, columns: Columns) -> Problem[Column]:
    """Return what there is to choose from."""
    every: list[Column] = [
        *(offer for offers in columns.offers.values() for offer in offers),
        *(trip for trips in columns.trips.values() for trip in trips),
    ]  # fmt: skip
    idle = [*instance.idle.items()]
    aboard, leaving = _riding(every)
    rules = Rules(
        rides=[*_rides(instance, every, aboard, leaving)],
        terrain=[*_terrain(every, aboard)],
        demands=[*demands(instance.measure, [*map(instance.stands, every)], idle)],
    )
    scores = [dict(zip(CRITERIA, column.score, strict=True)) for column in every]
    return Problem(
        every, scores, still(instance.measure, idle), rules, Stations(every, clock.stays)
    )


def _rides(
    instance: Instance,
    every: Sequence[Column],
    aboard: Aboard,
    leaving: Mapping[Trip, Sequence[int]],
) -> Iterator[Ride]:
    """
    Yield who may be aboard for each trip.

    Who is aboard goes along (D6.3b), off the map as well (A2.6a); where it stops to be left somebody
    leaves it (D6.5a); of those whose MF count for what it keeps one is aboard (D6.4c); and all of
    them fit (D6.1c).
    """
    rooms: dict[int, tuple[int, dict[str, int]]] = {}
    for goes, trip in enumerate(every):
        if not isinstance(trip, Trip):
            continue
        load, own = trip.load, aboard[trip]
        if id(load) not in rooms:
            rooms[id(load)] = instance.room(load)
        room, sizes = rooms[id(load)]
        is_full = sum(sizes.get(name, 0) for name in own) > room
        counted = [n for name in load.counted for n in own.get(name, ())]
        yield Ride(
            goes, carried.id, own,
            left=(leaving[trip], quarter.id) if trip.drop else None,
            counted=None if load.key is None else (counted, mp_kept.id),
            room=(room, instance.room_clause(load)) if is_full else None, sizes=sizes,
            off=leaves.id if left_by(trip.at) else "",
        )  # fmt: skip


def _terrain(every: Sequence[Column], aboard: Aboard) -> Iterator[Terrain]:
    """Yield that who rides is aboard of trips alone whose ways were found with Riders aboard (D6.21a)."""
    riding: dict[tuple[str, str], list[int]] = defaultdict(list)
    goes: dict[str, list[int]] = defaultdict(list)
    for number, trip in enumerate(every):
        if isinstance(trip, Trip) and trip.load.rider is not None:
            goes[trip.unit].append(number)
            for seat in trip.load.seats:
                if seat.unit.cargo.riding:
                    riding[trip.unit, seat.unit.id] += aboard[trip].get(seat.unit.id, ())
    for (vehicle, _), numbers in riding.items():
        if numbers:
            yield Terrain(through.id, numbers, goes[vehicle])


def _riding(every: Sequence[Column]) -> tuple[Aboard, dict[Trip, list[int]]]:
    """Return by trip who may be aboard, by unit, and who leaves it: columns by number."""
    aboard: dict[Trip, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    leaving: dict[Trip, list[int]] = defaultdict(list)
    for number, column in enumerate(every):
        if not isinstance(column, Trip) and column.trip is not None:
            aboard[column.trip][column.unit].append(number)
            if not column.carried:
                leaving[column.trip].append(number)
    return aboard, leaving
