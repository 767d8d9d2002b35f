"""What a picture shows on ASL's counters: the sign of each type, and where a unit faces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.board.board import DIRECTIONS
from marchtable.rules.marks import marks_of
from marchtable_models.asl.data import marks
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.model import SPINES
from marchtable_models.asl.weapons import is_weapon, weapon_of

if TYPE_CHECKING:
    from marchtable_models.asl.extraction.reading import AslPosition
    from marchtable_models.asl.model import AslUnit
    from marchtable_models.asl.unittype import UnitType

__all__ = ["counter_label", "headline", "marker"]

MEN = {"squad": 3, "half-squad": 2, "smc": 1}
BY_CLASS = {
    "cavalry": "rider",
    **{name: name for name in ("motorcycle", "wagon", "crew", "wreck", "gun")},
}
BY_COLUMN = {"tr": "truck", "ht": "halftrack", "ac": "armored-car"}


def marker(position: AslPosition, unit: AslUnit) -> dict[str, Any]:
    """Return how a picture shows a unit, in a Convoy or Column with its place in line, and its SW."""
    kind, line = type_of(position, unit), unit.line.convoy or unit.line.column
    found = {
        "label": unit.id,
        "note": f"{line} {unit.line.rank}" if line else _where(unit),
        "marks": _marks(unit),
        "style": _sign(kind),
        "carried": unit.cargo.aboard or unit.cargo.towed_by or "",
        "aside": _aside(kind, unit),
        "facing": None if unit.facing is None else 30.0 + 60.0 * SPINES.index(unit.facing),
    }
    return {**found, "men": MEN[kind.class_]} if kind.class_ in MEN else found


def _aside(kind: UnitType, unit: AslUnit) -> float | None:
    """Return which way off the hex's centre a unit in Bypass is, in hexsides clockwise from N."""
    if unit.place.bypass is None:
        return None
    return float(unit.place.bypass) + (0.5 if kind.is_personnel else 0.0)


def counter_label(kind: str) -> str:
    """Return what a picture calls a counter: a SW by its name."""
    if not is_weapon(kind):
        return str(marks()["counter"].get(kind, kind))
    weapon = weapon_of(kind)
    return f"{'dm ' if weapon.dm else ''}{weapon.name}"


def _marks(unit: AslUnit) -> str:
    """Return whether a unit is on a bridge, its SW, and what its counter is marked with, in few words."""
    where = (unit.at or "").partition(":")[2]
    weapons = [weapon.name for weapon in unit.sw]
    return " ".join(filter(None, [where, *weapons, *marks_of(unit, marks()["unit"])]))


def headline(position: AslPosition) -> str:
    """Return what a picture tells of the whole map."""
    return ", ".join(marks_of(position.conditions, marks()["map"]))


def _where(unit: AslUnit) -> str:
    """Return where in its Location a unit is, in a word."""
    if unit.place.inside == "upstairs" and unit.place.floor:
        return f"level {unit.place.floor}"
    if unit.place.inside == "crest":
        side = unit.place.crest
        return "Crest" if side is None else f"Crest {DIRECTIONS[side]}"
    if unit.place.inside == "cliff":
        return f"cliff +{unit.place.floor}"
    return unit.place.inside


def _sign(kind: UnitType) -> str:
    """Return the name of the sign of a type."""
    if kind.class_ in MEN:
        return "leader" if kind.leads else "foot"
    if kind.class_ != "vehicle":
        return BY_CLASS[kind.class_]
    if kind.turret or kind.column in BY_COLUMN or kind.role in ("tank", "tankette"):
        return BY_COLUMN.get(kind.column, "vehicle")
    return "carrier" if kind.pp or not kind.role else "assault-gun"
