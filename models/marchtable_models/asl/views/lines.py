"""Units that move as one line: Convoys, Columns, platoons and Human Waves; read off a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.state.records import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable_models.asl.model import AslPosition, AslUnit, UnitType

STAY = "stay"
"""The move of a member without an expenditure."""


def kind_of(unit: AslUnit) -> str:
    """Return the unit's kind of line: ``convoy``, ``column``, ``platoon``, ``wave`` or ``""``."""
    if unit.line.convoy:
        return "convoy"
    if unit.line.column:
        return "column"
    if unit.line.wave:
        return "wave"
    return "platoon" if unit.line.platoon else ""


def origin_of(unit: AslUnit) -> str:
    """Return the Convoy that a unit belonged to as the MPh began, ``""`` for none."""
    return unit.line.origin or unit.line.convoy


def nerve_of(kind: UnitType, unit: AslUnit) -> str:
    """Return ``due``, ``failed`` or ``moving`` for a radioless AFV's task check, else ``""``."""
    if kind.radio or not kind.afv:
        return ""
    if unit.motion.check == "failed":
        return "moving" if unit.motion.moving else "failed"
    due = (
        unit.move.mph == "unmoved"
        and unit.at is not None
        and not unit.motion.check
        and not kind_of(unit)
    )
    return "due" if due else ""


def members(position: AslPosition, unit: AslUnit) -> tuple[AslUnit, ...]:
    """
    Return the units of a unit's line, from the front; none if it is in no line.

    Units that have left the map do not count; if all have left, each is alone.
    """
    kind = kind_of(unit)
    if not kind:
        return ()
    found = position.notes.get("lines")
    if found is None:
        found = position.notes["lines"] = _lines(position)
    line = found.get((unit.side, kind, getattr(unit.line, kind)), ())
    return line or ((unit,) if unit.offboard.exited else ())


def _lines(position: AslPosition) -> dict[tuple[str, str, str], tuple[AslUnit, ...]]:
    """Return every line of a position, from the front, by its side, kind and name."""
    found: dict[tuple[str, str, str], list[AslUnit]] = {}
    for unit in position.units:
        if not unit.offboard.exited and (kind := kind_of(unit)):
            key = (unit.side, kind, getattr(unit.line, kind))
            found.setdefault(key, []).append(coming_on(unit))
    stacked = {key: _stacked(line) if key[1] == "column" else line for key, line in found.items()}
    return {key: tuple(sorted(line, key=lambda u: u.line.rank)) for key, line in stacked.items()}


def _stacked(line: Sequence[AslUnit]) -> list[AslUnit]:
    """
    Give Column units that share a Location as their MPh begins one rank, the lowest.

    They move as a stack (E11.5). Units that share one later, as a Column turns back through its own
    hexes, keep their ranks.
    """
    least: dict[str | None, int] = {}
    for unit in line:
        least[unit.at] = min(least.get(unit.at, unit.line.rank), unit.line.rank)
    return [
        replace(unit, rank=least[unit.at])
        if unit.at is not None and unit.move.mph == "unmoved" and unit.line.rank != least[unit.at]
        else unit
        for unit in line
    ]


def waits(unit: AslUnit) -> bool:
    """Return whether a Convoy or platoon vehicle waits off the map, its MPh not begun."""
    return (
        unit.at is None
        and unit.move.mph == "unmoved"
        and not (unit.offboard.exited or unit.line.column)
    )


def coming_on(unit: AslUnit) -> AslUnit:
    """Return a line's unit; if it is about to enter, it is in Motion and need not start (D2.12)."""
    return replace(unit, moving=True) if waits(unit) and not unit.motion.moving else unit


def stands_in_line(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit is next to a friendly one of its kind (vehicle or not)."""
    if unit.at is None:
        return False
    near = {name for _, name in position.board.neighbours(unit.at)}
    return any(
        u.side == unit.side and u.at in near and (u.facing is None) == (unit.facing is None)
        for u in position.units
    )
