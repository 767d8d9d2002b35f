"""The transport problem as a choice: one column for each unit, and a small function for each row's clause."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from marchtable.planning.choice.aims import demands, still
from marchtable.planning.choice.options import Problem, Row
from marchtable.planning.choice.presence import Stations
from marchtable.state.goal import CRITERIA
from marchtable_models.asl.clauses.transport.loading import kept as mp_kept
from marchtable_models.asl.cpsat.transport.options import Plan, Trip

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from marchtable.planning.choice.options import Pair
    from marchtable_models.asl.cpsat.transport.clock import Clock
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Column, Columns

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
    rows = [
        *_aboard(instance, every),
        *demands(instance.measure, [*map(instance.stands, every)], idle),
    ]
    scores = [dict(zip(CRITERIA, column.score, strict=True)) for column in every]
    return Problem(every, scores, still(instance.measure, idle), rows, Stations(every, clock.stays))


def _aboard(instance: Instance, every: Sequence[Column]) -> Iterator[Row]:
    """
    Yield what ties those aboard for a trip to it.

    Who is aboard for a trip goes on that trip (D6.3b), and all of them fit (D6.1c); of those whose
    MF count for what the vehicle keeps, one is aboard (D6.4c).
    """
    aboard, leaving = _riding(every)
    rooms: dict[int, tuple[int, dict[str, int]]] = {}
    for goes, trip in enumerate(every):
        if not isinstance(trip, Trip):
            continue
        load, own = trip.load, aboard[trip]
        for numbers in own.values():
            yield Row("", [*((n, 1) for n in numbers), (goes, -1)], most=0)
        if trip.drop:
            yield Row("", [*leaving[trip], (goes, -1)], least=0)
        if load.key is not None:
            counted = [(n, 1) for name in load.counted for n in own.get(name, ())]
            yield Row(mp_kept.id, [*counted, (goes, -1)], least=0)
        if id(load) not in rooms:
            rooms[id(load)] = instance.room(load)
        room, sizes = rooms[id(load)]
        if sum(sizes.get(name, 0) for name in own) > room:
            terms = [(n, sizes.get(name, 0)) for name, found in own.items() for n in found]
            yield Row(instance.room_clause(load), [*terms, (goes, -room)], most=0)


def _riding(
    every: Sequence[Column],
) -> tuple[dict[Trip, dict[str, list[int]]], dict[Trip, list[tuple[int, int]]]]:
    """Return by trip who may be aboard, by unit, and who leaves it: columns by number."""
    aboard: dict[Trip, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    leaving: dict[Trip, list[tuple[int, int]]] = defaultdict(list)
    for number, column in enumerate(every):
        if not isinstance(column, Trip) and column.trip is not None:
            aboard[column.trip][column.unit].append(number)
            if not column.carried:
                leaving[column.trip].append((number, 1))
    return aboard, leaving
