"""When vehicles arrive while others of the plan stand about: searched once for all that are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.cpsat.reached.ends import end_number, home_of, to_stand

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Trip
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int32]
    Arrival = Callable[[Trip], int | None]

__all__ = ["Arrivals", "Crowd"]

Crowd = tuple[str, int]
"""A Location, and what a vehicle shows that stands there, by number."""
NEVER = -1
replace = msgspec.structs.replace


class Arrivals:
    """
    What vehicles have spent when they arrive, told who stands about.

    Parameters
    ----------
    instance
        The problem.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self._shown: dict[tuple[str, str], int] = {}
        self._numbers: dict[Hashable, int] = {}
        self._ends: dict[str, set[str]] = {}
        self._spent: dict[tuple[int, Hashable], Ints] = {}
        self._ways: dict[int, tuple[Trip, frozenset[str | None]]] = {}
        self._alike: dict[tuple[str, Crowd], tuple[str, ...]] = {}

    def shown(self, name: str, at: str) -> int:
        """Return a number for what a vehicle shows to those who come where it stands."""
        key = (name, at)
        if key not in self._shown:
            vehicle = self.instance.vehicles[name]
            here = self.instance.tables.empty.with_units([replace(vehicle, at=at)])
            told = self.instance.rulebook.presences(here, vehicle.side, None)
            seen = frozenset((where, what) for where, what in told.items() if what is not None)
            self._shown[key] = self._numbers.setdefault(seen, len(self._numbers))
        return self._shown[key]

    def others(self, name: str, crowd: Crowd) -> tuple[str, ...]:
        """Return the vehicles, all showing the same, that may stand in a Location when one acts."""
        key = (name, crowd)
        if key not in self._alike:
            at, shown = crowd
            self._alike[key] = tuple(
                other for other in self.instance.vehicles
                if other != name and at in self.ends(other)
                and self.shown(other, at) == shown
            )  # fmt: skip
        return self._alike[key]

    def crowds(self, name: str, at: str) -> list[Crowd]:
        """Return what other vehicles may show in a Location when one acts."""
        others = (v for v in self.instance.vehicles if v != name and at in self.ends(v))
        return sorted({(at, self.shown(v, at)) for v in others})

    def ends(self, vehicle: str) -> set[str]:
        """Return where a vehicle may stand at the end."""
        if vehicle not in self._ends:
            instance = self.instance
            pairs = zip(instance.loads, instance.stops, strict=True)
            found = [places.at for load, places in pairs if load.vehicle.id == vehicle]
            board = instance.position.board
            self._ends[vehicle] = {
                board.locations[n].name for at in found for n in at.tolist() if n < len(board)
            } | {home_of(instance.vehicles[vehicle])}
        return self._ends[vehicle]

    def standing(self, name: str, counts: Mapping[Crowd, int]) -> list[AslUnit]:
        """Return so many of the others than one, empty, as they stand there."""
        able = {crowd: self.others(name, crowd) for crowd in counts}
        used: dict[str, AslUnit] = {}
        for crowd, names in sorted(able.items(), key=lambda pair: (len(pair[1]), pair[0])):
            free = [other for other in names if other not in used][: counts[crowd]]
            for other in free:
                used[other] = replace(self.instance.vehicles[other], at=crowd[0])
        return [*used.values()]

    def meets(self, trip: Trip, about: Collection[str | None]) -> bool:
        """Return whether a trip leads through some Locations."""
        if trip.way is None:
            return False
        if id(trip) not in self._ways:
            at = frozenset((trip.load.vehicle.at, *trip.way.entered()))
            self._ways[id(trip)] = (trip, at)
        return not self._ways[id(trip)][1].isdisjoint(about)

    def among(self, standing: Sequence[AslUnit], key: Hashable) -> Arrival:
        """
        Return what tells half points spent at the end of a trip, None if it cannot be made.

        Parameters
        ----------
        standing
            Who stands about, and what is aboard them.
        key
            What is equal only where the same is shown everywhere.
        """
        about = {unit.at for unit in standing}
        board = self.instance.position.board

        def spent(trip: Trip) -> int | None:
            if not self.meets(trip, about):
                return trip.spent
            told = (id(trip.load), key)
            if told not in self._spent:
                self._search(trip.load.vehicle, standing, key)
            found = int(self._spent[told][end_number(board, trip.at)])
            return None if found == NEVER else found

        return spent

    def _search(self, vehicle: AslUnit, standing: Iterable[AslUnit], key: Hashable) -> None:
        """Search at once for all loads of a vehicle."""
        import numpy as np

        instance = self.instance
        empty = instance.tables.empty.with_units([*standing])
        by_rider: dict[object, list[int]] = {}
        for number, load in enumerate(instance.loads):
            if load.vehicle is vehicle:
                by_rider.setdefault(load.rider, []).append(number)
        for numbers in by_rider.values():
            loads = [instance.loads[number] for number in numbers]
            here = instance.with_rider(empty, loads[0])
            asked = [instance.setting_out(load) for load in loads]
            places = instance.searched(here, asked, to_stand)
            for load, found in zip(loads, places, strict=True):
                instance.among_others.update(found.unsupported)
                row = np.full(2 * len(instance.position.board) + 1, NEVER, np.int32)
                row[found.at] = found.spent
                self._spent[id(load), key] = row
