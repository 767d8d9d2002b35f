"""Marks of Valor & Victory counters in pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.rules.marks import Mark, marks_of
from marchtable_models.valor.data import marks
from marchtable_models.valor.model import FACINGS, ValorPosition
from marchtable_models.valor.views.units import type_of

if TYPE_CHECKING:
    from marchtable_models.valor.model import UnitType, ValorUnit

__all__ = ["MEN", "marker", "sign"]

MEN = {"squad": 3, "half-squad": 2, "leader": 1}
"""The number of men on a class's counter."""
SIGNS = {"leader": "leader", "gun": "gun", "vehicle": "truck", "afv": "vehicle"}


def sign(kind: UnitType) -> str:
    """Return the name of a type's sign; an AFV that carries infantry is a halftrack."""
    if kind.class_ == "afv" and kind.carries:
        return "halftrack"
    return SIGNS.get(kind.class_, "foot")


def marker(position: ValorPosition, unit: ValorUnit) -> dict[str, Any]:
    """Return a unit's look in a picture."""
    kind = type_of(position, unit)
    facing = None if unit.facing is None else 60.0 * FACINGS.index(unit.facing)
    return {
        "label": unit.id, "style": sign(kind), "facing": facing, "men": MEN.get(kind.class_, 0),
        "carried": unit.aboard or "",
        "marks": (*marks_of(unit, marks()["unit"]), *(Mark(name, tone="gear") for name in unit.sw)),
    }  # fmt: skip
