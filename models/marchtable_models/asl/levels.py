"""A unit's Location within its hex: on the ground, upstairs, in a pillbox or on a cliff."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslPosition, AslUnit

DUG_IN = ("foxhole", "trench", "at-ditch", "wire")


def upstairs(floor: int) -> str:
    """Return the name of a building level: 0 is the ground."""
    return f"upstairs {floor}" if floor else ""


def on_cliff(side: int | None, height: int) -> str:
    """Return the name of a height on a cliff."""
    return f"cliff {side} {height}"


def level_of(position: AslPosition, unit: AslUnit) -> str:
    """Return a unit's Location off the ground; entrenchments, Wire and Crest are on it (B20.98, B26.32, B27.13)."""
    if unit.place.inside == "upstairs":
        return upstairs(unit.place.floor) or "upstairs"
    if unit.place.inside == "cliff":
        return on_cliff(unit.place.crest, unit.place.floor)
    in_pillbox = unit.place.inside == "beneath" and "pillbox" in _markers(position, unit)
    return "pillbox" if in_pillbox else ""


def level_entered(level: str) -> str:
    """Return the level at which an adjacent Location is entered: the ground from a pillbox or cliff."""
    return "" if level == "pillbox" or level.startswith("cliff") else level


def is_unsure(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit is beneath an unknown one of several counters, such as a pillbox."""
    if level_of(position, unit) != "pillbox":
        return False
    return any(kind.startswith(DUG_IN) for kind in _markers(position, unit))


def hand_to_hand(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether two units can transfer a SW where they are (A4.431); B26.4b covers Wire."""
    if other.at != unit.at or level_of(position, unit) != level_of(position, other):
        return False
    return (unit.place.inside == "crest") == (other.place.inside == "crest")


def _markers(position: AslPosition, unit: AslUnit) -> tuple[str, ...]:
    return tuple(position.markers.get(unit.at or "", ()))
