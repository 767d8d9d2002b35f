"""What may still come of a unit, number by number, with nobody else of the plan about: never too little."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable_models.asl.cpsat.reached.ends import off_by, to_stand
from marchtable_models.asl.cpsat.reached.ways import Places
from marchtable_models.asl.cpsat.stops.stage import Met
from marchtable_models.asl.cpsat.transport.tables import Left
from marchtable_models.asl.survey import modes

if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.stops.scale import Scale
    from marchtable_models.asl.cpsat.stops.stage import Scene
    from marchtable_models.asl.cpsat.transport.gather import Gathered
    from marchtable_models.asl.cpsat.transport.offers import Load
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]

__all__ = ["Legs", "Promise", "States"]

NEVER = -(10**15)
replace = msgspec.structs.replace


class States(Places):
    """Every Location and mode in which a search left a vehicle standing, each by its cheapest way."""

    def __init__(self, places: Places) -> None:
        import numpy as np

        self.space, self.found = places.space, places.found
        width = len(self.space.modes)
        stands = np.array([to_stand(mode) for mode in self.space.modes], bool)
        self.numbers = np.flatnonzero(stands[self.found.state % width])
        states = self.found.state[self.numbers].astype(np.int64)
        self.at = states // width
        self.spent = self.found.spent[self.numbers].astype(np.int64)
        self.left = np.zeros(len(states), np.int64)


class Legs(NamedTuple):
    """
    Where a vehicle may go from where it is.

    Parameters
    ----------
    load
        The vehicle, and who is aboard.
    places, states
        Where it may stop or leave the map, by the cheapest way of all; and in which mode.
    """

    load: Load
    places: Places
    states: States


class Promise:
    """
    What may still come of units.

    Parameters
    ----------
    gathered, scale
        The problem, and by which numbers outcomes are compared.
    legs
        Searches that are known already.
    """

    def __init__(self, gathered: Gathered, scale: Scale, legs: dict[Hashable, Legs]) -> None:
        self.gathered, self.scale, self._legs = gathered, scale, legs
        board = gathered.position.board
        threats = [gathered.goal.threat.get(one.name, 0) for one in board.locations]
        self._threats = threats + [0] * len(board)  # who leaves the map may do so where it stands
        self._walks: dict[Hashable, Ints] = {}
        self._home = {unit.id: unit for unit in gathered.position.units}

    # -- on foot -----------------------------------------------------------------------------------

    def exact(self, scene: Scene, name: str) -> Ints:
        """Return the numbers of a unit that does nothing more."""
        unit, met = scene.here.unit(name), scene.met.get(name, Met())
        end = str(unit.at) if met.by is None else off_by(met.by)
        five = (met.exposure, unit.spent - self._home[name].spent, int(met.moved))
        carried = self.gathered.rulebook.carrier(scene.here, unit) is not None
        return self.scale.ending(name, end, five, carried=carried)

    def rows(
        self, unit: AslUnit, places: Places, met: Met, *, carried: bool = False,
        spent: int | None = None,
    ) -> Ints:  # fmt: skip
        """Return numbers that a unit does not better that ends in some places, told what it has spent."""
        import numpy as np

        at, home = places.at, self.gathered.position.board.index[str(unit.at)]
        moves = at != home
        exposure = met.exposure + moves * np.array(self._threats, np.int64)[at]
        points = (places.spent if spent is None else spent) - self._home[unit.id].spent
        moved = (moves | met.moved).astype(np.int64)
        return self.scale.rows(unit.id, at, exposure, points, moved, carried=carried)

    def afoot(self, unit: AslUnit, places: Places, met: Met) -> Ints:
        """Return numbers that a unit on foot does not better, wherever it goes."""
        key = (unit.id, self.gathered.tables.kind(unit), unit.at, unit.spent, met)
        if key not in self._walks:
            self._walks[key] = self.rows(unit, places, met).max(axis=0)
        return self._walks[key]

    # -- aboard ------------------------------------------------------------------------------------

    def legs(self, load: Load) -> Legs:
        """Return where a vehicle may go from where it is."""
        vehicle = load.vehicle
        key = (vehicle, load.rider is not None)
        if key not in self._legs:
            gathered = self.gathered
            position = gathered.with_rider(gathered.tables.empty, load)
            asked = [(vehicle, modes.mode_of(vehicle), vehicle.spent)]
            places = gathered.searched(position, asked, to_stand)[0]
            self._legs[key] = Legs(load, places, States(places))
        found = self._legs[key]
        return found._replace(load=load)

    def aboard(self, legs: Legs, places: Places, unit: AslUnit, met: Met) -> tuple[Ints, Ints]:
        """Return the same of one aboard, place by place: if it stays aboard there, if it gets off there."""
        stays = self.rows(unit, places, met, carried=True, spent=unit.spent)
        return stays, self._off(legs.load, places, unit, met)

    def _off(self, load: Load, places: Places, unit: AslUnit, met: Met) -> Ints:
        import numpy as np

        gathered, board = self.gathered, self.gathered.position.board
        found = np.full((len(places), self.scale.width), NEVER, np.int64)
        left: dict[int, list[Left]] = {}
        for row, (at, spent) in enumerate(
            zip(places.at.tolist(), places.spent.tolist(), strict=True)
        ):
            if at < len(board):
                stopped = gathered.stopped(load, spent, board.locations[at].name)
                left[row] = self.off(load, stopped, unit)
        gathered.walk_ons(
            [(one, int(places.at[row])) for row, some in left.items() for one in some]
        )
        for row, some in left.items():
            at = int(places.at[row])
            away = board.locations[at].name != load.vehicle.at
            there = Met(met.exposure + away * self._threats[at], met.moved or away)
            for one in some:
                found[row] = np.maximum(found[row], self.after(one, at, there))
        return found

    def off(self, load: Load, stopped: AslUnit, unit: AslUnit) -> list[Left]:
        """Return a unit as it may leave its vehicle where that has stopped, with its Gun perhaps."""
        seat = next(seat for seat in load.seats if seat.unit.id == unit.id)
        crews = ("", unit.id) if load.vehicle.towing else ("",)
        found = (self.gathered.left(seat, stopped, crew) for crew in crews)
        return [one for one in found if one is not None]

    def after(self, left: Left, at: int, met: Met) -> Ints:
        """Return the same of a unit that has just left its vehicle in a Location."""
        (places,) = self.gathered.walk_ons([(left, at)])
        unit = replace(left.unit, at=self.gathered.position.board.locations[at].name)
        return self.afoot(unit, places, met)

    def driven(self, scene: Scene, legs: Legs, places: Places) -> Ints:
        """Return the same of a vehicle and the Gun it tows, place by place."""
        vehicle, met = legs.load.vehicle, scene.met
        rows = self.rows(vehicle, places, met.get(vehicle.id, Met()))
        if vehicle.towing:
            gun = scene.here.unit(vehicle.towing)
            rows = rows + self._towed(gun, legs, places, met.get(gun.id, Met()))
        return rows

    def _towed(self, gun: AslUnit, legs: Legs, places: Places, met: Met) -> Ints:
        import numpy as np

        rows = self.rows(gun, places, met, carried=True, spent=gun.spent)
        if not legs.load.seats:
            return rows
        return np.maximum(rows, self.rows(gun, places, met, spent=gun.spent))
