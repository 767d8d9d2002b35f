"""Upper bounds of a unit's future, number by number, without the plan's other units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.ends import end_number, home_of, off_by, to_stand
from marchtable_models.asl.cpsat.reached.paths import Places
from marchtable_models.asl.cpsat.stops.objective import NEVER
from marchtable_models.asl.cpsat.stops.simulator import Met
from marchtable_models.asl.views import modes

if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy as np
    import numpy.typing as npt

    from marchtable.planning.searches import Found
    from marchtable_models.asl.cpsat.stops.objective import ObjectiveBound
    from marchtable_models.asl.cpsat.stops.simulator import Scene
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import LoadedVehicle
    from marchtable_models.asl.cpsat.transport.tables import AfterUnloading
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]

__all__ = ["Legs", "States", "UpperBounds"]

BEYOND = 10**6


class States(Places):
    """Every Location and mode in which a vehicle can stop, each by its cheapest way."""

    def __init__(self, found: Found) -> None:
        import numpy as np

        self.found, self.board = found, found.board
        self.numbers = np.flatnonzero(found.by_mode(to_stand))
        self.at, self.spent = found.at[self.numbers], found.spent[self.numbers]
        self.remaining = 0 * self.at


class Legs(NamedTuple):
    """
    A vehicle's destinations from its place.

    Parameters
    ----------
    load
        The vehicle, and its load.
    places, states
        Its possible stops and exits, by the cheapest way of all; and by mode.
    """

    load: LoadedVehicle
    places: Places
    states: States


class UpperBounds:
    """
    Upper bounds of units' futures.

    Parameters
    ----------
    instance, objective
        The problem, and the numbers for comparing results.
    legs
        Known searches.
    """

    def __init__(
        self, instance: Instance, objective: ObjectiveBound, legs: dict[Hashable, Legs]
    ) -> None:
        self.instance, self.objective, self._legs = instance, objective, legs
        board = instance.position.board
        threats = [instance.goal.threat.get(one.name, 0) for one in board.locations]
        self._threats = threats + [0] * len(
            board
        )  # a unit leaving the map can do so from its place
        self._walks: dict[Hashable, Ints] = {}
        self._offs: dict[Hashable, Ints | None] = {}
        self._home = {unit.id: unit for unit in instance.position.units}

    # -- on foot ----------------------------------------------------------------------------------

    def exact(self, scene: Scene, name: str) -> Ints:
        """Return the numbers of a unit that does nothing more."""
        unit, met = scene.here.unit(name), scene.met.get(name, Met())
        end = home_of(unit) if met.by is None else off_by(met.by)
        five = (met.exposure, unit.points.spent - self._home[name].points.spent, int(met.moved))
        carried = unit.carrier is not None
        return self.objective.ending(name, end, five, carried=carried)

    def rows(
        self, unit: AslUnit, places: Places, met: Met, *, carried: bool = False,
        spent: int | None = None,
    ) -> Ints:  # fmt: skip
        """Return upper bounds for a unit ending in some places, given its expenditure."""
        import numpy as np

        at, home = places.at, end_number(self.instance.position.board, home_of(unit))
        moves = at != home
        exposure = met.exposure + moves * np.array(self._threats, np.int64)[at]
        points = (places.spent if spent is None else spent) - self._home[unit.id].points.spent
        moved = (moves | met.moved).astype(np.int64)
        return self.objective.rows(unit.id, at, exposure, points, moved, carried=carried)

    def afoot(self, unit: AslUnit, places: Places, met: Met) -> Ints:
        """Return upper bounds for a unit on foot, wherever it goes."""
        key = (unit.id, self.instance.tables.kind(unit), unit.at, unit.points.spent, met)
        if key not in self._walks:
            self._walks[key] = self.rows(unit, places, met).max(axis=0)
        return self._walks[key]

    # -- aboard -----------------------------------------------------------------------------------

    def legs(self, load: LoadedVehicle) -> Legs:
        """Return a vehicle's destinations from its place."""
        vehicle = load.vehicle
        key = (vehicle, load.rider is not None)
        if key not in self._legs:
            instance = self.instance
            position = instance.with_rider(instance.tables.empty, load)
            asked = [(vehicle, modes.mode_of(vehicle), vehicle.points.spent)]
            places = instance.searched(position, asked, to_stand)[0]
            self._legs[key] = Legs(load, places, States(places.found))
        found = self._legs[key]
        return found._replace(load=load)

    def onward(self, legs: Legs, at: int) -> list[int]:
        """
        Return the rows of states in which a vehicle can stop in a Location to go on.

        This leaves out what it can make up for by turning after it starts again.
        """
        states, rows = legs.states, (legs.states.at == at).nonzero()[0].tolist()
        rows.sort(key=lambda row: int(states.spent[row]))
        found: list[int] = []
        known: list[tuple[dict[Any, int], int]] = []
        for row in rows:
            place = states.place(row)
            mode, spent = place.mode(), place.spent
            moves = mode._replace(moving=True)
            if any(spent - before >= then.get(moves, BEYOND) for then, before in known):
                continue
            found.append(row)
            known.append((self._starting(legs, place.at, mode, spent), spent))
        return found

    def _starting(self, legs: Legs, at: str, mode: Any, spent: int) -> dict[Any, int]:
        """Return the extra expenditure of a stopped vehicle, beyond starting, for each mode there."""
        vehicle = self.instance.rulebook.in_mode(legs.load.vehicle, at, mode)
        vehicle = replace(vehicle, spent=spent, entering=())
        found = self.legs(legs.load._replace(vehicle=vehicle, state=vehicle)).places.found
        there = (found.at == found.board.index[at]).nonzero()[0].tolist()
        paid = {found.mode(n): int(found.spent[n]) for n in there}
        start = paid.get(mode._replace(moving=True), BEYOND)
        return {mode: spent - start for mode, spent in paid.items()}

    def aboard(self, legs: Legs, places: Places, unit: AslUnit, met: Met) -> tuple[Ints, Ints]:
        """Return the same for a unit aboard, place by place: if it stays aboard, if it gets off."""
        stays = self.rows(unit, places, met, carried=True, spent=unit.points.spent)
        return stays, self._off(legs.load, places, unit, met)

    def _off(self, load: LoadedVehicle, places: Places, unit: AslUnit, met: Met) -> Ints:
        import numpy as np

        board, vehicle, kind = self.instance.position.board, load.vehicle, self.instance.tables.kind
        found = np.full((len(places), self.objective.width), NEVER, np.int64)
        pairs = zip(places.at.tolist(), places.spent.tolist(), strict=True)
        who = (
            unit.id,
            kind(unit),
            unit.points.spent,
            kind(vehicle),
            vehicle.move.mph,
            bool(vehicle.cargo.towing),
        )
        for row, (at, spent) in enumerate(pairs):
            if at >= len(board):
                continue
            name = board.locations[at].name
            away = name != vehicle.at
            key = (
                *who,
                at,
                spent,
                away or spent != vehicle.points.spent or vehicle.motion.moving,
                met,
            )
            if key not in self._offs:
                there = Met(met.exposure + away * self._threats[at], met.moved or away)
                stopped = self.instance.stopped(load, spent, name)
                after = [self.after(one, at, there) for one in self.off(load, stopped, unit)]
                self._offs[key] = np.maximum.reduce(after) if after else None
            best = self._offs[key]
            if best is not None:
                found[row] = best
        return found

    def off(self, load: LoadedVehicle, stopped: AslUnit, unit: AslUnit) -> list[AfterUnloading]:
        """Return a unit leaving its vehicle where it has stopped, perhaps with its Gun."""
        seat = next(seat for seat in load.seats if seat.unit.id == unit.id)
        crews = ("", unit.id) if load.vehicle.cargo.towing else ("",)
        found = (self.instance.tables.unloaded(seat.unit, stopped, crew) for crew in crews)
        return [one for one in found if one is not None]

    def after(self, unloaded: AfterUnloading, at: int, met: Met) -> Ints:
        """Return the same for a unit that has just left its vehicle in a Location."""
        (places,) = self.instance.walk_ons([(unloaded, at)])
        unit = replace(unloaded.unit, at=self.instance.position.board.locations[at].name)
        return self.afoot(unit, places, met)

    def towed(self, scene: Scene, name: str, places: Places) -> Ints:
        """Return the same for a Gun that can be towed to some places and unhooked there."""
        import numpy as np

        gun, met = scene.here.unit(name), scene.met.get(name, Met())
        rows = self.rows(gun, places, met, carried=True, spent=gun.points.spent)
        return np.maximum(rows, self.rows(gun, places, met, spent=gun.points.spent))
