"""Blocked options: ways to bring units where they must be, each with the clauses that it would break.

The referee is asked to judge a way all the same; the map is background: what it does not offer is
no way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.files.notation import points
from marchtable.planning.score import Stand
from marchtable.rules.referee import check
from marchtable_models.asl.clauses.transport.loading import kept as mp_kept
from marchtable_models.asl.cpsat.reached.ends import left_by, off_by, stand_of, to_end, to_stand
from marchtable_models.asl.cpsat.reached.ways import AMPLE
from marchtable_models.asl.cpsat.ruled import still_has
from marchtable_models.asl.extraction import modes
from marchtable_models.asl.verbs.carrying import Unhook, Unload

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from marchtable.state.action import Action
    from marchtable_models.asl.cpsat.reached.ways import Place
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Load, Seat
    from marchtable_models.asl.model import AslUnit

__all__ = ["Fault", "Journey", "Way", "Ways"]

Fault = tuple[str, str]
"""A clause, and the unit for which it is broken."""

replace = msgspec.structs.replace


class Way(NamedTuple):
    """
    A way for a unit to be where an aim wants it.

    Parameters
    ----------
    unit, aims
        Who, and the numbers of the aims that it meets.
    trip
        The number of the trip that it is aboard for, None on foot.
    faults
        What it breaks.
    """

    unit: str
    aims: tuple[int, ...]
    trip: int | None
    faults: frozenset[Fault]


class Journey(NamedTuple):
    """A vehicle's trip to a Location, with what it breaks."""

    load: Load
    at: str
    faults: frozenset[Fault]


class Ways:
    """
    The musts of a problem, and the ways to meet them.

    Parameters
    ----------
    instance
        The problem.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        measure = instance.measure
        self.musts = [n for n, _ in enumerate(instance.goal.aims) if measure.required(n)]
        self.numbers: dict[Fault, tuple[tuple[str, int | float | str], ...]] = {}
        self.trips: list[Journey] = []
        self.ways: list[Way] = [*self._standing(), *self._on_foot()]
        for load in self._loads():
            self._carried(load)

    # -- ways to meet the musts --------------------------------------------------------------------

    def _met(self, unit: str, stand: Stand) -> tuple[int, ...]:
        return tuple(n for n in self.musts if self.instance.measure.holds(n, unit, stand))

    def _wanted(self, unit: str) -> Iterator[tuple[str, tuple[int, ...]]]:
        board, exits = self.instance.position.board, self.instance.exits
        names = [location.name for location in board.locations]
        names += [off_by(name) for name in (exits.names if exits else ())]
        for name in names:
            if aims := self._met(unit, stand_of(name)):
                yield name, aims

    def _standing(self) -> Iterator[Way]:
        for name, unit in (*self.instance.foot.items(), *self.instance.vehicles.items()):
            if aims := self._met(name, Stand(unit.at)):
                yield Way(name, aims, None, frozenset())
        for name, offer in self.instance.still.items():
            if aims := self._met(name, stand_of(offer.at, carried=offer.carried)):
                yield Way(name, aims, None, frozenset())

    def _on_foot(self) -> Iterator[Way]:
        """Yield one way on foot for each set of aims and faults."""
        for name, unit in self.instance.foot.items():
            (far,) = self._far([(unit, modes.mode_of(unit), unit.points.spent)], to_end)
            for at, aims in self._wanted(name):
                near, beyond = self.instance.walks[name].by(at), far.by(at)
                if near is not None:
                    yield Way(name, aims, None, frozenset())
                elif beyond is not None:
                    yield Way(name, aims, None, self._faults((unit,), beyond.actions(name)))

    def _far(
        self, asked: Sequence[tuple[AslUnit, Any, int]], fits: Any, position: Any = None
    ) -> list[Any]:
        empty = self.instance.tables.empty
        return self.instance.searched(position or empty, asked, fits, ample=AMPLE)

    def _faults(self, units: Sequence[AslUnit], log: Sequence[Action]) -> frozenset[Fault]:
        """Return what a log breaks, and take note of the numbers."""
        verdict = check(self.instance.tables.empty.with_units(units), log)
        return self._noted(v for ruling in verdict.rulings for v in
                           (*ruling.violations, *ruling.unsupported))  # fmt: skip

    def _noted(self, violations: Any) -> frozenset[Fault]:
        found = set()
        for one in violations:
            fault = (one.clause, one.units[0])
            found.add(fault)
            told = [("need", one.need), ("have", one.have)]
            self.numbers.setdefault(fault, tuple(
                (name, points(n) if one.halves and isinstance(n, int) else n)
                for name, n in told if n is not None
            ))  # fmt: skip
        return frozenset(found)

    # -- aboard ------------------------------------------------------------------------------------

    def _loads(self) -> Iterator[tuple[Load, frozenset[Fault]]]:
        """Yield the loads as they are, and each vehicle with all that may board and no MP lost."""
        empty: dict[str, Load] = {}
        boarded: dict[tuple[str, bool], list[Load]] = {}
        for load in self.instance.loads:
            if load.key is None:
                empty[load.vehicle.id] = load
            else:
                boarded.setdefault((load.vehicle.id, load.rides), []).append(load)
            yield load, frozenset()
        for (name, _), loads in boarded.items():
            seats = {seat.unit.id: seat for load in loads for seat in load.seats}
            fault = (mp_kept.id, name)
            self.numbers[fault] = (("have", points(max(map(self._kept, loads)))),)
            whole = empty[name]._replace(seats=[*seats.values()], rider=loads[0].rider)
            yield whole, frozenset({fault})

    def _kept(self, load: Load) -> int:
        """Return the half MP that a vehicle keeps once it is boarded."""
        position = self.instance.tables.empty.with_units([load.state])
        return still_has(self.instance.rulebook, position, load.state)

    def _carried(self, told: tuple[Load, frozenset[Fault]]) -> None:
        load, lost = told
        vehicle, state = load.vehicle, load.state
        position, asked = (
            self.instance.with_rider(self.instance.tables.empty, load),
            [self.instance.setting_out(load)],
        )
        (near,) = self.instance.searched(position, asked, to_stand)
        (far,) = self._far(asked, to_stand, position)
        names = [*(seat.unit.id for seat in load.seats), vehicle.id, *_towed(vehicle)]
        wanted = {name: dict(self._wanted(name)) for name in names}
        for row in range(len(far)):
            place = far.place(row)
            within = near.by(place.at)
            if within is None and not any(place.at in some for some in wanted.values()):
                continue
            faults = lost
            if within is None:
                faults = lost | self._faults((state,), place.actions(vehicle.id))
            self._journey(load, within or place, faults, wanted)

    def _journey(
        self, load: Load, place: Place, faults: frozenset[Fault],
        wanted: Mapping[str, Mapping[str, tuple[int, ...]]],
    ) -> None:  # fmt: skip
        """Take note of a trip, if it brings anybody where he must be."""
        number, found = len(self.trips), []
        for seat in load.seats:
            name = seat.unit.id
            if aims := self._met(name, stand_of(place.at, carried=True)):
                found.append(Way(name, aims, number, frozenset()))
            if wanted[name] and left_by(place.at) is None:
                found += self._leaving(load, seat, place, number, wanted[name])
        if place.at in wanted[load.vehicle.id]:
            its = wanted[load.vehicle.id][place.at]
            found.append(Way(load.vehicle.id, its, number, frozenset()))
        found += self._in_tow(load, place, number)
        if found:
            self.trips.append(Journey(load, place.at, faults))
            self.ways += found

    def _in_tow(self, load: Load, place: Place, number: int) -> Iterator[Way]:
        """Yield the ways of a Gun in tow: it stays so, or somebody unhooks it."""
        for gun in _towed(load.vehicle):
            if aims := self._met(gun, stand_of(place.at, carried=True)):
                yield Way(gun, aims, number, frozenset())
                return
            aims = self._met(gun, stand_of(place.at))
            if not aims or left_by(place.at) is not None:
                continue
            stopped = self.instance.stopped(load, place.spent, place.at)
            crews = [seat.unit for seat in load.seats]
            if any(self.instance.unhooking.left(crew, stopped) for crew in crews):
                yield Way(gun, aims, number, frozenset())
            elif crews:
                piece = replace(self.instance.position.unit(gun), at=place.at)
                actions = (Unhook(load.vehicle.id, crews[0].id),)
                faults = self._faults((replace(crews[0], at=place.at), stopped, piece), actions)
                yield Way(gun, aims, number, faults)

    def _leaving(
        self, load: Load, seat: Seat, place: Place, number: int,
        wanted: Mapping[str, tuple[int, ...]],
    ) -> Iterator[Way]:  # fmt: skip
        instance, name = self.instance, seat.unit.id
        stopped = instance.stopped(load, place.spent, place.at)
        left = instance.tables.left(seat.unit, stopped)
        board = instance.position.board
        if place.at in wanted:
            faults: frozenset[Fault] = frozenset()
            if left is None:
                faults = self._faults((seat.unit, stopped), (Unload((name,)),))
            yield Way(name, wanted[place.at], number, faults)
        if left is None:
            return
        others = [at for at in wanted if at != place.at]
        if others:
            (places,) = instance.walk_ons([(left, board.index[place.at])])
            for at in others:
                if places.by(at) is not None:
                    yield Way(name, wanted[at], number, frozenset())


def _towed(vehicle: AslUnit) -> tuple[str, ...]:
    return (vehicle.cargo.towing,) if vehicle.cargo.towing else ()
