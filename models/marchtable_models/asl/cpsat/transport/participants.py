"""The participants of a plan of transport, and what it is worth where each ends."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from marchtable.planning.goals import places_of, units_of
from marchtable_models.asl.cpsat.reached.ends import stand_of
from marchtable_models.asl.cpsat.reached.taking_part import TakingPart, waits_by
from marchtable_models.asl.cpsat.transport.options import Offer
from marchtable_models.asl.extraction import reading

if TYPE_CHECKING:
    from collections.abc import Collection

    from marchtable.planning.score import Stand
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.transport.options import Trip
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.travel import AslTravel

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Participants"]


class Participants(TakingPart):
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
        super().__init__(rulebook, position, goal)
        self.foot: dict[str, AslUnit] = {}
        self.aboard: dict[str, AslUnit] = {}
        self.vehicles: dict[str, AslUnit] = {}
        self._sort_out()
        self._name()

    def _name(self) -> None:
        """Take note of all their names."""
        self.names = (*self.foot, *self.aboard, *self.vehicles)

    def _sort_out(self) -> None:
        position, movers = self.position, set(self.measure.movers)
        able = {u.id: u for u in position.units if u.id in movers and self.is_free(u)}
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
        infantry = [unit for unit in able.values() if self.is_infantry(unit)]
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

    def _may_carry(self, unit: AslUnit, movers: set[str]) -> bool:
        return unit.id in movers and (unit.cargo.towed_by is not None or self.is_free(unit))

    def _untold(self) -> bool:
        """Return whether some aim is about a mover off the map of which nobody says where it comes on."""
        position = self.position
        units = [position.unit(name) for name in self.wanted & {*self.measure.movers}]
        first = [
            position.unit(u.cargo.aboard or u.cargo.towed_by or u.id)
            for u in units
            if not u.offboard.exited
        ]
        return any(unit.at is None and not unit.offboard.entering for unit in first)

    def _wanted_off(self) -> frozenset[str]:
        """Return the units that some aim wants to leave the map."""
        aims = (aim for aim in self.goal.aims if aim.exit)
        return frozenset(name for aim in aims for name in units_of(aim, self.position))

    @property
    def parts(self) -> Collection[str]:
        """All who take part, and what they tow."""
        return {*self.names, *(str(unit.cargo.towing) for unit in self.vehicles.values())}

    def stands(self, column: Offer | Trip) -> list[tuple[str, Stand]]:
        """Return who ends where by a column."""
        if isinstance(column, Offer):
            return [(column.unit, stand_of(column.at, carried=column.carried))]
        vehicle = column.load.vehicle
        if not vehicle.cargo.towing:
            return [(vehicle.id, stand_of(column.at))]
        gun = stand_of(column.at, carried=not column.unhook)
        return [(vehicle.id, stand_of(column.at)), (vehicle.cargo.towing, gun)]
