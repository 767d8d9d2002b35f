"""Which facts bear on rout and surrender."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.judging import Case
from marchtable_models.asl.extraction.cargo import captives
from marchtable_models.asl.extraction.prisoners import unguarded
from marchtable_models.asl.extraction.steps import hexes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["routs_aside", "unguarded_by"]


def routs_aside(position: AslPosition, units: Sequence[AslUnit]) -> bool:
    """Return whether what units do in their hex is a rout: they are broken, and it is the RtPh."""
    first = units[0]
    return position.phase == "RtPh" and first.status.broken and first.at is not None


def unguarded_by(position: AslPosition, guard: AslUnit) -> list[Case]:
    """Return the facts of prisoners whose Guard is eliminated, or captured himself."""
    return [
        Case((each.id,), unguarded(position, each, guard), hexes(each.at))
        for each in captives(position).get(guard.id, ())
    ]
