"""Lists the units that were due to enter in a turn and have not (A2.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.state.action import Phase
from marchtable_models.asl.rules.offboard import in_its_turn
from marchtable_models.asl.views.unitkinds import type_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.ruling import Ruling
    from marchtable_models.asl.model import AslPosition, AslUnit


def assumed_of_overdue(
    position: AslPosition, rulings: Sequence[Ruling], phases: Sequence[str]
) -> list[str]:
    """Return a line for each unit still off the map as its last phase of entry ends."""
    found, before = [], position
    for ruling in rulings:
        if isinstance(ruling.action, Phase):
            found += [
                f"{unit.id} was due in turn {unit.offboard.entry_turn} and has not come on: the program"
                f" assumes that its way onto the map was blocked ({in_its_turn.id})"
                for unit in before.units
                if _was_due(before, unit)
                and _ends(before, ruling.action, _last_phase(before, unit), phases)
            ]
        before = before if ruling.after is None else ruling.after
    return found


def _was_due(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit must enter in this turn: not if part of its line is on the map (E11.7)."""
    if unit.side != position.side or unit.at is not None or unit.offboard.exited:
        return False
    name = unit.line.convoy or unit.line.column
    begun = name != "" and any(
        other.side == unit.side and name in (other.line.convoy, other.line.column)
        for other in position.units
        if other.at is not None or other.offboard.exited
    )
    return unit.offboard.entry_turn == position.turn and not begun


def _last_phase(position: AslPosition, unit: AslUnit) -> str:
    """Return the last phase of a Player Turn in which a unit can enter."""
    return "APh" if type_of(position, unit).is_infantry else "MPh"


def _ends(position: AslPosition, event: Phase, last: str, phases: Sequence[str]) -> bool:
    """Return whether the phase that begins is the first one too late for the unit to enter."""
    if phases.index(position.phase) > phases.index(last):
        return False
    same = (event.side or position.side) == position.side
    later = phases.index(event.phase) > phases.index(position.phase)
    return not (same and later) or phases.index(event.phase) > phases.index(last)
