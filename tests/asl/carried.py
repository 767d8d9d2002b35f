"""Readers of the entitlements of vehicles and of units aboard them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.state.records import replace
from marchtable_models.asl.data import unit_types
from tests.asl.boards import ASL, crossing, foot, place, vehicle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable_models.asl.model import AslUnit, UnitType

__all__ = ["MOVED", "STILL", "aboard", "like", "vehicle_entitlements"]

STILL: dict[str, Any] = {"moving": False}
MOVED: dict[str, Any] = {
    "moving": False, "spent": 10, "used": 8, "mph": "moving", "previous": "A1",
}  # fmt: skip


def like(kind: str, **fields: Any) -> UnitType:
    """Return a copy of a unit type with another name and these fields."""
    return replace(unit_types()[kind], name="like", **fields)


def aboard(
    carrier: str,
    by: Mapping[str, Any] | None = None,
    *others: AslUnit,
    phase: str = "MPh",
    types: tuple[UnitType, ...] = (),
    kind: str = "squad",
    **fields: Any,
) -> dict[str, Any]:
    """Return each factor for unit u aboard such a vehicle, None where denied."""
    unit = foot("u", kind, aboard="v", **fields)
    by_what = vehicle("v", carrier, **{**STILL, **(by or {})})
    position = place(crossing(), by_what, unit, *others, phase=phase, types=types)
    return {e["what"]: e["factor"] for e in ASL.entitlements(position, unit)}


def vehicle_entitlements(
    kind: str,
    by: Mapping[str, Any] | None = None,
    *others: AslUnit,
    phase: str = "MPh",
    types: tuple[UnitType, ...] = (),
) -> dict[str, Any]:
    """Return each factor for such a vehicle, None where denied."""
    unit = vehicle("v", kind, **{**STILL, **(by or {})})
    position = place(crossing(), unit, *others, phase=phase, types=types)
    return {e["what"]: e["factor"] for e in ASL.entitlements(position, unit)}
