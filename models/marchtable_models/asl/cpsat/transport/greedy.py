"""A transport plan without a solver: the best trip first, filled with who gains most by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.tasks import worth_of
from marchtable_models.asl.cpsat.transport.problem import Plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable.rules.plan_model import Task
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Columns, Offer, Trip

__all__ = ["greedy"]


def greedy(instance: Instance, columns: Columns, task: Task) -> Plan | None:
    """
    Return a plan that fills one vehicle after another, the most rewarding trip first.

    None where not every vehicle may be left where it is.
    """
    offers = {name: _best(task, [o for o in found if o.trip is None])
              for name, found in columns.offers.items() if name not in instance.aboard}  # fmt: skip
    rests = {name: _rest(found) for name, found in columns.trips.items()}
    trips = {name: trip for name, trip in rests.items() if trip is not None}
    if len(trips) < len(rests):
        return None
    for name in instance.aboard:
        idle = [o for o in columns.offers[name] if o.trip in trips.values() and o.carried]
        offers[name] = idle[0]
    by_trip: dict[int, dict[str, list[Offer]]] = {}
    for name, found in columns.offers.items():
        for offer in found:
            if offer.trip is not None:
                by_trip.setdefault(id(offer.trip), {}).setdefault(name, []).append(offer)
    waiting = [trip for found in columns.trips.values() for trip in found]
    free = set(offers)
    while waiting:
        filled = [(trip, _filled(instance, trip, by_trip, offers, free, task)) for trip in waiting]
        trip, (gain, aboard) = max(filled, key=lambda pair: pair[1][0])
        if gain <= 0:
            break
        name = trip.load.vehicle.id
        trips[name] = trip
        offers |= aboard
        free -= set(aboard)
        waiting = [other for other in waiting if other.load.vehicle.id != name]
    return Plan(offers, trips)


def _best(task: Task, found: list[Offer]) -> Offer:
    return max(found, key=lambda offer: worth_of(task, offer.score))


def _rest(found: list[Trip]) -> Trip | None:
    rests = [t for t in found if t.load.key is None and not (t.drop or t.moved)]
    return min(rests, key=lambda trip: trip.spent, default=None)


def _filled(
    instance: Instance, trip: Trip, by_trip: Mapping[int, Mapping[str, list[Offer]]],
    offers: Mapping[str, Offer], free: set[str], task: Task,
) -> tuple[int, dict[str, Offer]]:  # fmt: skip
    """Return what a trip gains with those aboard who gain most, and what these do."""
    room, sizes = instance.room(trip.load)
    able = by_trip.get(id(trip), {})
    chosen = {name: _best(task, found) for name, found in able.items() if name in free}
    gains = {name: worth_of(task, o.score) - worth_of(task, offers[name].score)
             for name, o in chosen.items()}  # fmt: skip
    inside = [name for name in instance.aboard if name in able]
    aboard = {name: chosen[name] for name in inside if name in chosen}
    counted = sorted((n for n in trip.load.counted if n in chosen), key=lambda n: -gains[n])[:1]
    if trip.load.key is not None and not counted:
        return 0, {}
    others = sorted((n for n in chosen if n not in (*counted, *inside) and gains[n] > 0),
                    key=lambda n: (-gains[n] / (sizes.get(n, 0) + 1), n))  # fmt: skip
    for name in (*counted, *others):
        if sizes.get(name, 0) <= room:
            room -= sizes.get(name, 0)
            aboard[name] = chosen[name]
    if trip.load.key is not None and counted[0] not in aboard:
        return 0, {}
    if trip.drop and all(offer.carried for offer in aboard.values()):
        return 0, {}
    return worth_of(task, trip.score) + sum(gains[name] for name in aboard), aboard
