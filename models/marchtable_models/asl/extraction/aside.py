"""Reads off a position the facts of a vehicle leaving the road within its hex."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.extraction.movers import mover
from marchtable_models.asl.extraction.overlay import site
from marchtable_models.asl.extraction.reading import NOWHERE
from marchtable_models.asl.facts.steps import Entry

if TYPE_CHECKING:
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["aside"]


def aside(position: AslPosition, unit: AslUnit, *, half: bool) -> Entry:
    """
    Return the facts of a unit that leaves the road for what lies beside it in its Location.

    It meets nobody there whom it has not met on the road.
    """
    return Entry(
        ground=site(position, unit.at or "").ground,
        mover=mover(position, unit),
        there=NOWHERE,
        month=position.conditions.month,
        moving=unit.motion.moving,
        off_road=unit.place.off_road,
        on_trail=unit.place.on_trail,
        half=half,
        fresh=unit.points.used == 0,
        road=unit.move.road,
        aside=True,
        corner="" if unit.place.bypass is None else "at",
    )
