"""
What units alike have in common, remembered with the board.

A step depends on the unit that makes it, on where it stands and points, and on who and what lies
there. Of the unit, all is looked at but what every step changes: so nothing can be forgotten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

if TYPE_CHECKING:
    from marchtable.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Known", "known_on", "likeness"]

MOST = 50_000


class Known(NamedTuple):
    """What is known on a board under some conditions: units by number, facts of steps, allotments."""

    conditions: AslConditions
    numbers: dict[AslUnit, int]
    steps: dict[Any, Any]
    allotments: dict[Any, int]


def known_on(position: AslPosition) -> Known:
    """Return what is known on a position's board under its conditions."""
    notes = position.board.notes
    found: Known | None = notes.get("known")
    if found is None or found.conditions is not position.conditions or len(found.steps) > MOST:
        found = notes["known"] = Known(position.conditions, {}, {}, {})
    return found


def likeness(position: AslPosition, unit: AslUnit) -> int:
    """Return a number that is equal for units alike, wherever they stand, point, or are in line."""
    numbers = known_on(position).numbers
    told: dict[str, tuple[AslUnit, dict[AslUnit, int], int]]
    told = position.notes.setdefault("likeness", {})
    found = told.get(unit.id)
    if found is not None and found[0] is unit and found[1] is numbers:
        return found[2]
    on_map = unit.at is not None
    alike = replace(
        unit, id="", at="" if on_map else None, rank=0, previous=None, facing=None, spent=0, used=0,
        entering=() if on_map else unit.entering[:1],
    )  # fmt: skip
    number = numbers.setdefault(alike, len(numbers))
    told[unit.id] = (unit, numbers, number)
    return number
