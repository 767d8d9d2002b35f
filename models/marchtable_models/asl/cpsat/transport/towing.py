"""Guns that are unhooked where the vehicle that tows them ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.state.records import replace
from marchtable_models.asl.cpsat.ruled import is_granted
from marchtable_models.asl.cpsat.transport.tables import Left
from marchtable_models.asl.verbs.carrying import Unhook

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable_models.asl.cpsat.transport.tables import Tables
    from marchtable_models.asl.model import AslUnit

__all__ = ["Unhooking"]


class Unhooking:
    """
    What unhooking a Gun comes to, asked of the rulebook.

    Parameters
    ----------
    tables
        The rulebook's other answers.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._known: dict[Hashable, Left | None] = {}

    def left(self, crew: AslUnit, vehicle: AslUnit) -> Left | None:
        """Return a crew that has left a stopped vehicle and unhooked its Gun, None where it may not."""
        tables = self.tables
        key = (crew.id, tables.kind(crew), crew.points.spent, vehicle.at, vehicle.points.spent, vehicle.move.mph,
               vehicle.points.used > 0, tables.kind(vehicle))  # fmt: skip
        if key not in self._known:
            gun = tables.empty.unit(str(vehicle.cargo.towing))
            gun = replace(gun, at=vehicle.at, towed_by=vehicle.id)
            position = tables.empty.with_units([replace(crew, at=vehicle.at), vehicle, gun])
            ruling = tables.rulebook.rule(position, Unhook(vehicle.id, crew.id))
            self._known[key] = None
            if is_granted(ruling):
                after = ruling.after
                self._known[key] = Left(after.unit(crew.id), after.unit(vehicle.id).points.spent)
            elif not ruling.violations:
                tables.left_out |= {one.clause for one in ruling.unsupported}
        return self._known[key]
