"""Which facts bear on rout and surrender."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "routs_aside",
]


def routs_aside(position: AslPosition, units: Sequence[AslUnit]) -> bool:
    """Return whether what units do in their hex is a rout: they are broken, and it is the RtPh."""
    first = units[0]
    return position.phase == "RtPh" and first.status.broken and first.at is not None
