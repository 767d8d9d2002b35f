"""Which Column a goal is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.state.records import field_of
from marchtable_models.asl.cpsat.column.line import ranks_in
from marchtable_models.asl.cpsat.column.model import ColumnModel
from marchtable_models.asl.cpsat.lined import lines_for
from marchtable_models.asl.extraction.cargo import carried_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.plan_model import Rolls
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["column_models"]

TIED = ("aboard", "helper", "lends", "armored", "guide", "towing")
"""What ties a unit to another."""


def column_models(
    rulebook: Rulebook[Any, Any], position: AslPosition, goal: Goal, rolls: Rolls
) -> list[ColumnModel]:
    """Return the model of the Column whose units a goal is about, if there is one."""
    return [
        ColumnModel(rulebook, position, goal, line, rolls=rolls)
        for line in lines_for(position, goal, lambda unit: unit.line.column)
        if _is_plain(position, line)
    ]


def _is_plain(position: AslPosition, line: Sequence[AslUnit]) -> bool:
    """Return whether a Column's units have no VCA and go by themselves, those of each place together."""
    together = all(
        len({(unit.at, unit.offboard.entering) for unit in rank}) == 1 for rank in ranks_in(line)
    )
    return together and not any(
        unit.facing is not None
        or unit.place.bypass is not None
        or any(field_of(unit, name) is not None for name in TIED)
        or carried_by(position, unit)
        for unit in line
    )
