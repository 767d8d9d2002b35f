"""Search for the best plan: vehicles' acts, stop by stop, and boarding before them."""

from __future__ import annotations

from functools import partial
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import msgspec

from marchtable.budget import OverLimit
from marchtable_models.asl.cpsat.reached.ends import end_number, home_of
from marchtable_models.asl.cpsat.stops.branch_and_bound import FIRST, BranchAndBound, Next
from marchtable_models.asl.cpsat.stops.remaining_bound import ended, remaining_bound, widest
from marchtable_models.asl.cpsat.stops.simulator import Met, Scene, load_of
from marchtable_models.asl.cpsat.transport.options import LoadedVehicle, Seat
from marchtable_models.asl.cpsat.transport.tables import AfterUnloading

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.reached.paths import ReachedEnd
    from marchtable_models.asl.cpsat.stops.remaining_bound import How, Onward, RemainingBound
    from marchtable_models.asl.cpsat.stops.upper_bound import Legs
    from marchtable_models.asl.cpsat.transport.tables import AfterBoarding

    Ints = npt.NDArray[np.int64]
    Numbers = Mapping[str, Ints]

__all__ = ["Courses"]

AFTER: dict[How, How] = {"set": "set", "last": "last", "on": "go", "go": "go"}
"""Its options after a unit has left it."""
replace = msgspec.structs.replace


class Courses(BranchAndBound):
    """The whole search; with the fields of :class:`BranchAndBound`."""

    def run(self) -> None:
        """
        Search until the best plan is found, or none remains.

        Vehicles act in one order first. If nobody was in another's way, no other order is better;
        otherwise all other orders are tried.
        """
        first, *others = permutations(self.order)
        root = self._root()
        self.simulator.is_hindered = False
        try:
            self._in_order(first)
        except OverLimit:
            if (
                others
                and self.simulator.is_hindered
                and self.objective.is_enough(root.numbers, self.worth)
            ):
                self.open = int(root.numbers[0])  # nothing is worth more
            raise
        if self.simulator.is_hindered:
            self.explore([Next(root.numbers, partial(self._in_order, one)) for one in others])

    def _in_order(self, order: Sequence[str]) -> None:
        """Search for the best plan with vehicles acting in an order."""
        self.order = order
        self.explore([self._root()])

    def _root(self) -> Next:
        """Return the whole search."""
        instance, scene = self.instance, Scene(self.instance.position, (), {})
        numbers = {name: self.objective.still(name) for name in instance.idle}
        for name in instance.vehicles:
            numbers |= remaining_bound(self.upper, scene, name, "set").best
        for name in instance.foot:
            numbers[name] = self._at_first(scene, name)
        return Next(self.total(numbers), partial(self._board, scene, numbers, 0))

    # -- boarding ---------------------------------------------------------------------------------

    def _boardings(self, name: str) -> Iterator[tuple[str, bool, ReachedEnd, AfterBoarding]]:
        """Yield the vehicles a unit can board, inside and outside."""
        boarding = self.instance.boarding
        for riding, able in ((False, boarding.boarders), (True, boarding.riders)):
            for vehicle, known in able.items():
                if name in known:
                    yield vehicle, riding, *known[name]

    def _at_first(self, scene: Scene, name: str) -> Ints:
        """Return upper bounds for a unit on foot, whatever it boards."""
        import numpy as np

        best = self._afoot(scene, name)
        for vehicle, _, place, boarded in self._boardings(name):
            best = np.maximum(best, self._if_boarded(vehicle, place, boarded))
        return best

    def _afoot(self, scene: Scene, name: str) -> Ints:
        return self.upper.afoot(scene.here.unit(name), self.instance.walks[name], Met())

    def _if_boarded(self, vehicle: str, place: ReachedEnd, boarded: AfterBoarding) -> Ints:
        """Return upper bounds for a unit that boards a vehicle alone."""
        import numpy as np

        at = self.instance.vehicles[vehicle].at
        unit = replace(boarded.unit, at=at)
        load = LoadedVehicle(boarded.vehicle, None, boarded.vehicle, [Seat(unit, None)])
        met = Met(0, bool(place.entered()))
        found: list[Ints] = []
        for freed in widest(load):
            legs = self.upper.legs(freed)
            found += self.upper.aboard(legs, legs.places, unit, met)
        best: Ints = np.concatenate(found).max(axis=0)
        return best

    def _board(self, scene: Scene, numbers: Numbers, number: int) -> None:
        """Let each unit on foot board a vehicle, or not."""
        names = [*self.instance.foot]
        if number == len(names):
            self._course(scene, numbers, 0, "set")
            return
        name = names[number]
        known = {**numbers, name: self._afoot(scene, name)}
        options = [Next(self.total(known), partial(self._board, scene, known, number + 1))]
        for vehicle, riding, place, boarded in self._boardings(name):
            numbers_then = {**numbers, name: self._if_boarded(vehicle, place, boarded)}
            act = partial(self._boarded, scene, numbers_then, number, vehicle, riding=riding)
            options.append(Next(self.total(numbers_then), act))
        self.explore(options)

    def _boarded(
        self, scene: Scene, numbers: Numbers, number: int, vehicle: str, *, riding: bool
    ) -> None:
        name = [*self.instance.foot][number]
        after = self.simulator.board(scene, name, vehicle, riding=riding)
        if after is not None:
            known = {**numbers, **remaining_bound(self.upper, after, vehicle, "set").best}
            self._board(after, known, number + 1)

    # -- driving ----------------------------------------------------------------------------------

    def _course(self, scene: Scene, numbers: Numbers, number: int, how: How) -> None:
        """Let a vehicle act, and then the next."""
        if number == len(self.order):
            self.on_foot(scene, numbers)
            return
        name = self.order[number]
        remaining = remaining_bound(self.upper, scene, name, how)
        numbers = {**numbers, **remaining.best}
        options = []
        if how in ("set", "last"):
            known = {**numbers, **ended(self.upper, scene, name)}
            options.append(
                Next(self.total(known), partial(self._course, scene, known, number + 1, "set"))
            )
        options += self._leavings(scene, numbers, number, how, remaining)
        if remaining.onward is not None and how in ("set", "go"):
            options += self._drives(scene, numbers, number, remaining.onward)
        self.explore(options)

    # -- leaving ----------------------------------------------------------------------------------

    def _leavings(
        self, scene: Scene, numbers: Numbers, number: int, how: How, remaining: RemainingBound
    ) -> Iterator[Next]:
        """Yield a stack's leaving, or a crew's unhooking of the Gun."""
        if not remaining.off:
            return
        name = self.order[number]
        load = load_of(scene.here, name)
        unloaded = self.instance.tables.unloaded
        able = [seat.unit.id for seat in load.seats if unloaded(seat.unit, load.vehicle)]
        crews = [seat.unit.id for seat in load.seats
                 if load.vehicle.cargo.towing and unloaded(seat.unit, load.vehicle, seat.unit.id)]  # fmt: skip
        stacks = [some for n in range(len(able)) for some in combinations(able, n + 1)]
        for some, crew in [*((some, "") for some in stacks), *(((one,), one) for one in crews)]:
            numbers_then = {**numbers, **{unit: remaining.off[unit] for unit in some}}
            act = partial(self._leave, scene, numbers, number, how, name, some, crew)
            yield Next(self.total(numbers_then), act)

    def _leave(
        self, scene: Scene, numbers: Numbers, number: int, how: How, name: str,
        some: Sequence[str], crew: str,
    ) -> None:  # fmt: skip
        simulator, gun = self.simulator, scene.here.unit(name).cargo.towing
        after = simulator.unhook(scene, name, crew) if crew else simulator.leave(scene, some)
        if after is None:
            return
        if crew:
            numbers = {**numbers, str(gun): self.upper.exact(after, str(gun))}
        able = {}
        for unit in some:
            there = after.here.unit(unit)
            at = self.instance.position.board.index[str(there.at)]
            (able[unit],) = self.instance.walk_ons([(AfterUnloading(there, 0), at)])
            met = after.met.get(unit, Met())
            numbers = {**numbers, unit: self.upper.afoot(there, able[unit], met)}
        known = {**numbers, **remaining_bound(self.upper, after, name, AFTER[how]).best}

        def then(scene: Scene, numbers: Numbers) -> None:
            self._course(scene, numbers, number, AFTER[how])

        self.walk(after, known, able, FIRST, then)

    # -- destinations -----------------------------------------------------------------------------

    def _drives(
        self, scene: Scene, numbers: Numbers, number: int, onward: Onward
    ) -> Iterator[Next]:
        """Yield a vehicle's drives, for good or to go on from there."""
        import numpy as np

        legs, driven, stays, leaves = onward
        if not len(driven):
            return
        vehicle, places = legs.load.vehicle, legs.places
        home = end_number(self.instance.position.board, home_of(vehicle))
        mine = {vehicle.id, vehicle.cargo.towing, *stays}
        rest = self.total({unit: one for unit, one in numbers.items() if unit not in mine})
        totals = rest + driven
        for unit, rows in stays.items():
            totals = totals + np.maximum(rows, leaves[unit])
        elsewhere = (places.at != home) | vehicle.motion.moving
        fit = self.objective.are_enough(totals, self.worth) & elsewhere
        for row in fit.nonzero()[0].tolist():
            act = partial(self._drive, scene, numbers, number, places.place(row), None)
            yield Next(totals[row], act)
        if not stays:
            return
        more = [leaves[unit] - numbers[unit] for unit in stays]
        on = self.total(numbers) + np.max(more, axis=0)
        fit = self.objective.are_enough(on, self.worth) & elsewhere
        for row in fit.nonzero()[0].tolist():
            if places.at[row] < len(self.instance.position.board):
                yield Next(on[row], partial(self._on, scene, numbers, number, legs, row, on[row]))

    def _on(
        self, scene: Scene, numbers: Numbers, number: int, legs: Legs, row: int, totals: Ints
    ) -> None:
        """Drive a vehicle to a Location to go on from there, in one mode after another."""
        states = legs.states
        self.explore([
            Next(totals, partial(self._drive, scene, numbers, number, states.place(state), state))
            for state in self.upper.onward(legs, int(legs.places.at[row]))
        ])  # fmt: skip

    def _drive(
        self, scene: Scene, numbers: Numbers, number: int, place: ReachedEnd, state: int | None
    ) -> None:
        name = self.order[number]
        mode = None if state is None else place.mode()
        after = self.simulator.drive(scene, name, place, mode)
        if after is not None:
            self._course(after, numbers, number, "last" if state is None else "on")
