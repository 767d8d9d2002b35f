"""Gathers what a plan's units may be given to do: reach, and the rulebook's answers, put together."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.planning.goals import places_of
from marchtable.planning.score import Measure, Stand
from marchtable_models.asl import lines, modes, survey
from marchtable_models.asl.cpsat.offers import Load, Offer, Seat, Trip, added
from marchtable_models.asl.cpsat.tables import Tables, bare
from marchtable_models.asl.cpsat.ways import searched

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.planning.goal import Goal
    from marchtable.position import Position
    from marchtable_models.asl.cpsat.offers import Five
    from marchtable_models.asl.cpsat.tables import Boarded
    from marchtable_models.asl.cpsat.ways import Place
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.rulebook import Asl

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Gathered"]

replace = msgspec.structs.replace


def any_mode(mode: Any) -> bool:
    """Tell whether a unit on foot may end in a mode."""
    return True


def to_board(mode: Any) -> bool:
    """Tell whether a unit on foot may board in a mode: no Double Time, nothing used up."""
    return not (mode[1] or mode[2] or mode[-1])


def to_stand(mode: Any) -> bool:
    """Tell whether a vehicle has stopped."""
    return not mode[1]


class Gathered:
    """
    Who takes part in a plan, and all that each may do.

    Parameters
    ----------
    rulebook, position, goal
        The problem.

    Attributes
    ----------
    foot, aboard, vehicles
        The units that may walk, those aboard a vehicle of the plan, and the vehicles, by id.
    """

    def __init__(self, rulebook: Asl, position: AslPosition, goal: Goal) -> None:
        self.rulebook, self.position, self.goal = rulebook, position, goal
        self.measure = Measure(position, goal)
        self._sort_out()
        self.names = (*self.foot, *self.aboard, *self.vehicles)
        guns = [str(u.towing) for u in self.vehicles.values() if u.towing]
        self.tables = Tables(rulebook, bare(position, (*self.names, *guns)))

    # -- who takes part ----------------------------------------------------------------------------

    def _sort_out(self) -> None:
        position, movers = self.position, set(self.measure.movers)
        able = {u.id: u for u in position.units if u.id in movers and self._is_free(u)}
        cargo: dict[str, list[AslUnit]] = {}
        for unit in position.units:
            if carrier := unit.aboard or unit.towed_by:
                cargo.setdefault(carrier, []).append(unit)
        self.vehicles = {
            name: unit
            for name, unit in able.items()
            if unit.facing is not None
            and survey.type_of(position, unit).class_ in ("vehicle", "wagon")
            and all(self._may_carry(other, movers) for other in cargo.get(name, ()))
        }
        infantry = [u for u in able.values() if survey.type_of(position, u).is_infantry]
        self.foot = {u.id: u for u in infantry if u.aboard is None}
        self.aboard = {u.id: u for u in infantry if u.aboard in self.vehicles}

    @cached_property
    def order(self) -> dict[str, int]:
        """The order in which vehicles move: those nearest to where units are wanted first."""
        measure, board = self.measure, self.position.board
        wanted = sorted(
            {name for aim in self.goal.aims for name in (*aim.near, *places_of(aim.at, board))}
        )

        def far(vehicle: AslUnit) -> int:
            return min((board.distance(str(vehicle.at), name) for name in wanted), default=0)

        ranked = sorted(self.vehicles.values(), key=lambda v: (far(v), measure.movers.index(v.id)))
        return {vehicle.id: number for number, vehicle in enumerate(ranked)}

    def _is_free(self, unit: AslUnit) -> bool:
        """Tell whether a unit is on the map and has not begun its MPh, in no line."""
        bound = unit.leaders or unit.lends or unit.helper or unit.bypass is not None
        return (
            unit.at is not None
            and unit.mph == "unmoved"
            and not (bound or lines.kind_of(unit) or lines.origin_of(unit))
        )

    def _may_carry(self, unit: AslUnit, movers: set[str]) -> bool:
        return unit.id in movers and not unit.riding and (
            unit.towed_by is not None or self._is_free(unit)
        )

    # -- where they get to -------------------------------------------------------------------------

    @cached_property
    def walks(self) -> dict[str, list[Place]]:
        """Where each unit on foot gets to by itself."""
        return {n: ways.places(any_mode) for n, ways in self._on_foot.items()}

    @cached_property
    def _on_foot(self) -> dict[str, Any]:
        asked = [(u, modes.mode_of(u), u.spent) for u in self.foot.values()]
        found = searched(self.tables.empty, asked, self.goal.avoid)
        return dict(zip(self.foot, found, strict=True))

    @cached_property
    def boarders(self) -> dict[str, dict[str, tuple[Place, Boarded]]]:
        """For each vehicle, who may board it: the way there, and what becomes of both."""
        places = {
            name: {place.at: place for place in ways.places(to_board)}
            for name, ways in self._on_foot.items()
        }
        found: dict[str, dict[str, tuple[Place, Boarded]]] = {}
        for name, vehicle in self.vehicles.items():
            found[name] = {}
            for unit in self.foot.values():
                place = places[unit.id].get(str(vehicle.at))
                if place and (boarded := self.tables.boarded(self._arrived(unit, place), vehicle)):
                    found[name][unit.id] = (place, boarded)
        return found

    def _arrived(self, unit: AslUnit, place: Place) -> AslUnit:
        """Return a unit as it has come on foot to a place."""
        if place.at == unit.at and place.spent == unit.spent:
            return unit
        mode = place.ways.mode(place)
        arrived: AslUnit = self.rulebook.in_mode(unit, place.at, mode)
        return replace(arrived, spent=place.spent, used=place.spent)

    # -- what vehicles do --------------------------------------------------------------------------

    @cached_property
    def loads(self) -> list[Load]:
        """Each vehicle as it is, and as each boarder who may count leaves it."""
        found = []
        for name, vehicle in self.vehicles.items():
            inside = [Seat(unit, None) for unit in self.aboard.values() if unit.aboard == name]
            found.append(Load(vehicle, None, vehicle, inside))
            seats = {n: Seat(b.unit, p) for n, (p, b) in self.boarders[name].items()}
            by_key: dict[tuple[int, int], list[str]] = {}
            for other, (_, boarded) in self.boarders[name].items():
                by_key.setdefault(boarded.key, []).append(other)
            for key, counted in by_key.items():
                under = self._under(vehicle, key, by_key)
                state = self.boarders[name][counted[0]][1].vehicle
                found.append(Load(vehicle, key, state, inside + [seats[n] for n in under], counted))
        return found

    def _under(
        self, vehicle: AslUnit, key: tuple[int, int], by_key: dict[tuple[int, int], list[str]]
    ) -> list[str]:
        """Return the boarders who do not count for more than those of a key do."""
        found = []
        first = self._at_the_side(vehicle, by_key[key][0])
        for other, names in by_key.items():
            second = self._at_the_side(vehicle, names[0])
            if other == key or self.tables.counts(first, second, vehicle) == key:
                found += names
        return found

    def _at_the_side(self, vehicle: AslUnit, name: str) -> AslUnit:
        return self._arrived(self.foot[name], self.boarders[vehicle.id][name][0])

    @cached_property
    def trips(self) -> list[Trip]:
        """All that vehicles may do."""
        asked = [(load.vehicle, modes.mode_of(load.state), load.state.spent) for load in self.loads]
        found = searched(self.tables.empty, asked, self.goal.avoid)
        return [
            trip
            for load, ways in zip(self.loads, found, strict=True)
            for trip in self._trips(load, ways.places(to_stand))
        ]

    def _trips(self, load: Load, places: Sequence[Place]) -> Iterator[Trip]:
        vehicle, state = load.vehicle, load.state
        if vehicle.moving:
            yield self._trip(load, None, state.spent, drop=False)
        for place in places:
            stays = place.at == vehicle.at and place.spent == state.spent
            way = None if stays else place
            yield self._trip(load, way, place.spent, drop=False)
            after = self._after_drop(load, place)
            if after is not None:
                yield self._trip(load, way, after, drop=True)

    def stopped(self, load: Load, spent: int) -> AslUnit:
        """Return a vehicle that has spent so much and stopped."""
        if spent == load.state.spent and not load.vehicle.moving:
            return load.state
        return replace(load.state, moving=False, mph="moving", spent=spent, used=max(1, spent))

    def _after_drop(self, load: Load, place: Place) -> int | None:
        """Return what a vehicle has spent once a stack has left it, None where none may."""
        stopped = self.stopped(load, place.spent)
        found = (self.tables.left(seat.unit, stopped) for seat in load.seats)
        return next((left.spent for left in found if left), None)

    def _trip(self, load: Load, way: Place | None, spent: int, *, drop: bool) -> Trip:
        vehicle = load.vehicle
        at = str(vehicle.at) if way is None else way.at
        moved = int(way is not None and bool(way.entered()))
        exposure = 0 if way is None else way.exposure(self.goal.threat)
        score = self._score(vehicle.id, Stand(at), exposure, spent - vehicle.spent, moved)
        if vehicle.towing:
            score = added(score, self._score(vehicle.towing, Stand(at, True), exposure, 0, moved))
        there = load.state.spent if way is None else way.spent
        return Trip(load, at, drop, way, there, score, exposure, moved)

    # -- what units do -----------------------------------------------------------------------------

    def on_foot(self, name: str) -> Iterator[Offer]:
        """Yield what a unit on foot may do by itself."""
        unit = self.foot[name]
        yield Offer(name, str(unit.at), False, self._score(name, Stand(unit.at), 0, 0, 0))
        for place in self.walks[name]:
            if place.at != unit.at:
                exposure = place.exposure(self.goal.threat)
                score = self._score(name, Stand(place.at), exposure, place.spent - unit.spent, 1)
                yield Offer(name, place.at, False, score, walk=place, left=place.left)

    def rides(self, trip: Trip) -> Iterator[Offer]:
        """Yield what units may do that are aboard for a trip."""
        for seat in trip.load.seats:
            yield self._carried(trip, seat)
        if trip.drop:
            yield from self._dropped(trip)

    def _before(self, trip: Trip, seat: Seat) -> tuple[AslUnit, int, int]:
        """Return a unit before the plan, and exposure and moves of its way aboard and the trip."""
        unit = self.position.unit(seat.unit.id)
        exposure, moved = trip.exposure, trip.moved
        if seat.board is not None:
            exposure += seat.board.exposure(self.goal.threat)
            moved |= seat.board.at != unit.at
        return unit, exposure, moved

    def _carried(self, trip: Trip, seat: Seat) -> Offer:
        unit, exposure, moved = self._before(trip, seat)
        points = seat.unit.spent - unit.spent
        score = self._score(unit.id, Stand(trip.at, True), exposure, points, moved)
        return Offer(unit.id, trip.at, True, score, trip, seat.board)

    def _dropped(self, trip: Trip) -> Iterator[Offer]:
        stopped = self.stopped(trip.load, trip.spent)
        for seat in trip.load.seats:
            left = self.tables.left(seat.unit, stopped)
            if left is None:
                continue
            unit, exposure, moved = self._before(trip, seat)
            off = replace(left.unit, at=trip.at)
            (ways,) = searched(
                self.tables.empty, [(off, modes.mode_of(off), off.spent)], self.goal.avoid
            )
            for place in ways.places(any_mode):
                walk = None if place.at == trip.at else place
                points = (off if walk is None else place).spent - unit.spent
                entered = exposure + (walk.exposure(self.goal.threat) if walk else 0)
                on_foot = int(moved or walk is not None)
                score = self._score(unit.id, Stand(place.at), entered, points, on_foot)
                left_over = place.left if walk else None
                yield Offer(unit.id, place.at, False, score, trip, seat.board, walk, left_over)

    # -- what they take up -------------------------------------------------------------------------

    def room(self, load: Load) -> tuple[int, dict[str, int]]:
        """Return the half PP free in a vehicle before anybody boards, and what boarders take of them."""
        vehicle = load.vehicle
        inside = [seat.unit for seat in load.seats if seat.board is None]
        free = self.tables.room(vehicle, inside) or 0
        empty = self.tables.room(vehicle, ()) or 0
        return free, {
            seat.unit.id: empty - (self.tables.room(vehicle, (seat.unit,)) or 0)
            for seat in load.seats
            if seat.board is not None
        }

    def stands(self, column: Offer | Trip) -> list[tuple[str, Stand]]:
        """Return who ends where by a column."""
        if isinstance(column, Offer):
            return [(column.unit, Stand(column.at, column.carried))]
        vehicle = column.load.vehicle
        gun = [(vehicle.towing, Stand(column.at, True))] if vehicle.towing else []
        return [(vehicle.id, Stand(column.at)), *gun]

    def _score(self, unit: str, stand: Stand, exposure: int, points: int, moved: int) -> Five:
        value, distance = self.measure.gain(unit, stand)
        return (value, distance, exposure, points, moved)
