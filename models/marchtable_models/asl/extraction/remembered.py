"""
What units alike have in common, remembered with the board.

A step depends on the unit that makes it, on where it stands and points, and on who and what lies
there. Of the unit, all is looked at but what every step changes: so nothing can be forgotten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.state.records import replace

if TYPE_CHECKING:
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

MOST = 50_000
SORTS = 8
"""Conditions of one board that are remembered at a time."""


class Known(NamedTuple):
    """What is known on a board under some conditions: units by number, facts of steps, allotments."""

    numbers: dict[AslUnit, int]
    steps: dict[Any, Any]
    allotments: dict[Any, int]


def known_on(position: AslPosition) -> Known:
    """Return what is known on a position's board under its conditions: the same as long as it lives."""
    found: Known | None = position.notes.get("known")
    if found is None:
        found = position.notes["known"] = _shared(position)
    return found


def _shared(position: AslPosition) -> Known:
    """Return what positions of this board and these conditions share, anew if it is too much."""
    shared: dict[AslConditions, Known] = position.board.notes.setdefault("known", {})
    found = shared.get(position.conditions)
    if found is None or len(found.steps) > MOST:
        if len(shared) >= SORTS:
            shared.clear()
        found = shared[position.conditions] = Known({}, {}, {})
    return found


def likeness(position: AslPosition, unit: AslUnit) -> int:
    """Return a number that is equal for units alike, wherever they stand, point, or are in line."""
    numbered: dict[str, tuple[AslUnit, int]] = position.notes.setdefault("likeness", {})
    found = numbered.get(unit.id)
    if found is not None and found[0] is unit:
        return found[1]
    numbers, on_map = known_on(position).numbers, unit.at is not None
    alike = replace(
        unit, id="", at="" if on_map else None, rank=0, previous=None, facing=None, spent=0, used=0,
        entering=() if on_map else unit.offboard.entering[:1],
    )  # fmt: skip
    number = numbers.setdefault(alike, len(numbers))
    numbered[unit.id] = (unit, number)
    return number
