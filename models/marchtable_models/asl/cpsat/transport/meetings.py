"""Whom a plan's groups meet on their ways; where they meet nobody the tables tell what becomes of them."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.ends import left_by, stand_of
from marchtable_models.asl.verbs.carrying import Load, Unhook, Unload

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from marchtable.planning.choice.options import Pair
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Group, Offer, Trip
    from marchtable_models.asl.cpsat.transport.replay import Run
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Meetings", "boarding", "foreseen", "leaving", "own"]


class Meetings:
    """
    Who stands where groups go.

    Parameters
    ----------
    instance
        The problem.
    """

    def __init__(self, instance: Instance) -> None:
        guns = (str(u.cargo.towing) for u in instance.vehicles.values() if u.cargo.towing)
        self._movers = {*instance.names, *guns}
        self._ways: dict[Hashable, tuple[Group, frozenset[str | None]]] = {}
        self._acts: dict[Hashable, tuple[Group, list[Action]]] = {}

    def acts(self, group: Group) -> list[Action]:
        """Return what a group does where it meets nobody."""
        key = _key(group)
        if key not in self._acts:
            self._acts[key] = (group, acts(group))
        return self._acts[key][1]

    def about(self, here: AslPosition, group: Group) -> tuple[Hashable, bool]:
        """Return who acts how and who else stands on the way, and whether nobody of the plan does."""
        way = self.way(group)
        looked = way | {str(here.unit(o.unit).at) for o in group.offers}
        if group.trip is not None:
            looked |= {str(group.trip.load.vehicle.at)}
        near = [u for u in here.units if u.at in looked]
        mine = own(here, group)
        if group.boards and way - {here.unit(group.offers[0].unit).at}:
            mine = {group.offers[0].unit}  # it has to get to where the vehicle stands
        is_alone = all(u.id in mine or u.id not in self._movers for u in near)
        return (*_key(group), *[(u.id, u.at, u.cargo.aboard) for u in near]), is_alone

    def way(self, group: Group) -> frozenset[str | None]:
        """Return the Locations on the way of all in a group."""
        key = _key(group)
        if key not in self._ways:
            ways = [None if group.trip is None else group.trip.way]
            ways += [o.board if group.boards else o.walk for o in group.offers]
            names = [at for way in ways if way is not None for at in (way.at, *way.entered())]
            self._ways[key] = (group, frozenset(names))
        return self._ways[key][1]

    def turns(self, run: Run, groups: Sequence[Group]) -> tuple[Pair, ...]:
        """Return who acted before whom, of the vehicles whose ways meet, or that others hindered."""
        acted = [
            (group.trip.unit, self.way(group) | {group.trip.load.vehicle.at, group.trip.at})
            for group in groups
            if group.trip is not None
        ]
        return tuple(
            (first, then)
            for (first, one), (then, two) in combinations(acted, 2)
            if {first, then} & run.hindered or one & two
        )


def _key(group: Group) -> tuple[object, ...]:
    return (id(group.trip), *map(id, group.offers), group.boards)


# -- who meets nobody ---------------------------------------------------------------------------------


def own(here: AslPosition, group: Group) -> set[str]:
    """Return the units that act in a group, what they carry, and what they board."""
    names = {offer.unit for offer in group.offers}
    if group.boards:
        return names | {trip.unit for trip in (group.offers[0].trip,) if trip is not None}
    if group.trip is not None:
        vehicle = group.trip.load.vehicle.id
        names |= {
            vehicle,
            *(u.id for u in here.units if vehicle in (u.cargo.aboard, u.cargo.towed_by)),
        }
    return names


def boarding(offer: Offer) -> Load:
    """Return how a unit boards, once it stands where its vehicle does."""
    assert offer.trip is not None
    load = offer.trip.load
    seat = next(seat for seat in load.seats if seat.unit.id == offer.unit)
    return Load((offer.unit,), load.vehicle.id, seat.unit.cargo.riding)


def leaving(trip: Trip, offers: Sequence[Offer]) -> Unload | Unhook:
    """Return how a stack leaves its vehicle."""
    if trip.unhook:
        return Unhook(trip.unit, trip.unhook)
    return Unload(tuple(sorted(offer.unit for offer in offers)))


def acts(group: Group) -> list[Action]:
    """Return what a group does if nobody makes it go another way."""
    trip = group.trip
    found: list[Action] = []
    if group.boards:
        (offer,) = group.offers
        assert offer.board is not None
        return [*offer.board.actions(offer.unit), boarding(offer)]
    if trip is not None and trip.way is not None:
        found += trip.way.actions(trip.unit)
    if trip is not None and group.offers:
        found.append(leaving(trip, group.offers))
    for offer in group.offers:
        if offer.walk is not None:
            found += offer.walk.actions(offer.unit)
    return found


def foreseen(instance: Instance, here: AslPosition, group: Group) -> list[AslUnit]:
    """Return the units that a group changes as they are then: where they stand, and as what."""
    if group.boards:
        return _boarded(here, group.offers[0])
    if group.trip is None:
        return [_gone(here.unit(offer.unit), offer) for offer in group.offers]
    trip = group.trip
    load, found = trip.load, {}
    vehicle = here.unit(load.vehicle.id)
    if trip.way is not None:
        vehicle = instance.stopped(load, trip.spent, trip.at)
        if left_by(trip.at) is not None:
            vehicle = replace(vehicle, at=None)
        for unit in here.units:
            if vehicle.id in (unit.cargo.aboard, unit.cargo.towed_by):
                found[unit.id] = replace(unit, at=vehicle.at)
    found[vehicle.id] = vehicle
    if trip.unhook:
        gun = str(vehicle.cargo.towing)
        found[gun] = replace(found.get(gun, here.unit(gun)), towed_by=None)
    seats = {seat.unit.id: seat for seat in load.seats}
    for offer in group.offers:
        left = instance.left(seats[offer.unit], vehicle, trip.unhook)
        if left is not None:
            found[offer.unit] = _gone(replace(left.unit, at=trip.at), offer)
            found[vehicle.id] = replace(vehicle, spent=left.spent)
    return [*found.values()]


def _boarded(here: AslPosition, offer: Offer) -> list[AslUnit]:
    assert offer.trip is not None
    load = offer.trip.load
    seat = next(seat for seat in load.seats if seat.unit.id == offer.unit)
    now = here.unit(load.vehicle.id)
    state = load.state if now == load.vehicle else now  # who counts boards first
    return [replace(seat.unit, at=now.at), state]


def _gone(unit: AslUnit, offer: Offer) -> AslUnit:
    if offer.walk is None:
        return unit
    return replace(unit, at=stand_of(offer.at).at, spent=offer.walk.spent, mph="done")
