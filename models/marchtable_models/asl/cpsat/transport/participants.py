"""The participants of a plan of transport, and what it is worth where each ends."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from marchtable.planning.goals import places_of, units_of
from marchtable.planning.score import Measure, Stand
from marchtable_models.asl.cpsat.reached.ends import NOWHERE, stand_of
from marchtable_models.asl.cpsat.reached.merits import Merits
from marchtable_models.asl.cpsat.reached.waiting import may_come, waits_by
from marchtable_models.asl.cpsat.transport.options import Offer
from marchtable_models.asl.extraction import lines, reading

if TYPE_CHECKING:
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.transport.options import Trip
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.travel import AslTravel

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Participants"]


class Participants:
    """
    Who takes part in a plan.

    Parameters
    ----------
    rulebook, position, goal
        The problem.

    Attributes
    ----------
    foot, aboard, vehicles
        The units that may walk, those aboard a vehicle of the plan, and the vehicles, by id.
    names
        The ids of all of them.
    """

    def __init__(self, rulebook: AslTravel, position: AslPosition, goal: Goal) -> None:
        self.rulebook, self.position, self.goal = rulebook, position, goal
        self.measure = Measure(position, goal)
        self.foot: dict[str, AslUnit] = {}
        self.aboard: dict[str, AslUnit] = {}
        self.vehicles: dict[str, AslUnit] = {}
        self._worths: dict[tuple[int | None, ...], Merits] = {}
        self._merits: dict[str, Merits] = {}
        self._sort_out()
        self._name()

    def _name(self) -> None:
        """Take note of all their names."""
        self.names = (*self.foot, *self.aboard, *self.vehicles)

    def _sort_out(self) -> None:
        position, movers = self.position, set(self.measure.movers)
        able = {u.id: u for u in position.units if u.id in movers and self._is_free(u)}
        cargo: dict[str, list[AslUnit]] = {}
        for unit in position.units:
            if carrier := unit.cargo.aboard or unit.cargo.towed_by:
                cargo.setdefault(carrier, []).append(unit)
        self.vehicles = {
            name: unit
            for name, unit in able.items()
            if unit.facing is not None
            and reading.type_of(position, unit).class_ in ("vehicle", "wagon")
            and all(self._may_carry(other, movers) for other in cargo.get(name, ()))
        }
        infantry = [u for u in able.values() if reading.type_of(position, u).is_infantry]
        self.foot = {u.id: u for u in infantry if u.cargo.aboard is None}
        self.aboard = {u.id: u for u in infantry if u.cargo.aboard in self.vehicles}

    @cached_property
    def order(self) -> dict[str, int]:
        """
        The order in which vehicles act where it does not matter which goes first.

        Those nearest to where units are wanted act first, then by name.
        """
        board = self.position.board
        wanted = sorted(
            {
                name
                for aim in self.goal.aims
                for name in (*aim.near, *places_of((*aim.at, *aim.exit), board))
            }
        )

        def far(vehicle: AslUnit) -> int:
            """Return how far it is, off the map one hex farther than where it comes on."""
            homes = [vehicle.at] if vehicle.at else waits_by(board, vehicle)
            found = (board.distance(home, name) for home in homes for name in wanted)
            return min(found, default=0) + (vehicle.at is None)

        ranked = sorted(self.vehicles.values(), key=lambda v: (far(v), v.id))
        return {vehicle.id: number for number, vehicle in enumerate(ranked)}

    def _is_free(self, unit: AslUnit) -> bool:
        """Return whether a unit is on the map, or may come on, and has not begun its MPh, in no line."""
        bound = (
            unit.move.leaders
            or unit.move.lends
            or unit.move.helper
            or unit.place.bypass is not None
        )
        return (
            (unit.at is not None or may_come(unit))
            and unit.move.mph == "unmoved"
            and not (bound or lines.kind_of(unit) or lines.origin_of(unit))
        )

    def _may_carry(self, unit: AslUnit, movers: set[str]) -> bool:
        return unit.id in movers and (unit.cargo.towed_by is not None or self._is_free(unit))

    def _untold(self) -> bool:
        """Return whether some aim is about a mover off the map of which nobody says where it comes on."""
        position, wanted = self.position, frozenset().union(*self._wanted)
        units = [position.unit(name) for name in wanted & {*self.measure.movers}]
        first = [
            position.unit(u.cargo.aboard or u.cargo.towed_by or u.id)
            for u in units
            if not u.offboard.exited
        ]
        return any(unit.at is None and not unit.offboard.entering for unit in first)

    def _wanted_off(self) -> frozenset[str]:
        """Return the units that some aim wants to leave the map."""
        aims = zip(self.goal.aims, self._wanted, strict=True)
        return frozenset().union(*(units for aim, units in aims if aim.exit))

    # -- what it is worth --------------------------------------------------------------------------

    def merits(self, unit: str) -> Merits:
        """Return what it is worth where a unit ends; one for all units that are worth the same."""
        if unit not in self._merits:
            wanted = tuple(self.measure.worth(n, unit) for n, _ in enumerate(self.goal.aims))
            if wanted not in self._worths:
                self._worths[wanted] = Merits(self.position.board, self.measure, unit)
            self._merits[unit] = self._worths[wanted]
        return self._merits[unit]

    @cached_property
    def _wanted(self) -> list[frozenset[str]]:
        """The units that each aim is about."""
        return [frozenset(units_of(aim, self.position)) for aim in self.goal.aims]

    @cached_property
    def still(self) -> dict[str, Offer]:
        """What those do that an aim is about and that have no part in the plan: they stay."""
        towed = {vehicle.cargo.towing for vehicle in self.vehicles.values()}
        wanted = frozenset().union(*self._wanted) - {*self.names, *towed}
        found = {}
        for unit in self.position.units:
            if unit.id in wanted:
                carried = self.rulebook.carrier(self.position, unit) is not None
                value, distance = self.measure.gain(unit.id, Stand(unit.at, carried))
                score = (value, distance, 0, 0, 0)
                found[unit.id] = Offer(unit.id, unit.at or NOWHERE, carried, score)
        return found

    @property
    def outsiders(self) -> bool:
        """Whether aims are about units that might move and have no part in the plan."""
        position = self.position
        others = {*self.still} & {*self.measure.movers}
        return any(
            position.unit(name).move.mph != "done"
            and reading.type_of(position, position.unit(name)).class_ != "wreck"
            for name in others
        )

    def stands(self, column: Offer | Trip) -> list[tuple[str, Stand]]:
        """Return who ends where by a column."""
        if isinstance(column, Offer):
            return [(column.unit, stand_of(column.at, carried=column.carried))]
        vehicle = column.load.vehicle
        if not vehicle.cargo.towing:
            return [(vehicle.id, stand_of(column.at))]
        gun = stand_of(column.at, carried=not column.unhook)
        return [(vehicle.id, stand_of(column.at)), (vehicle.cargo.towing, gun)]
