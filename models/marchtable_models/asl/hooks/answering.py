"""Whose units can have a choice in the other side's Player Turn; nothing here decides legality."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.rules.clearance import items_at

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslPosition, AslUnit


def may_answer(position: AslPosition, unit: AslUnit) -> bool:
    """
    Return whether a DEFENDER's unit can have a choice in this phase.

    In the MPh a vehicle can get into Motion (D2.401). In the RtPh broken units rout and surrender.
    In others, units drop SW (A4.43), and declare Clearance (B24.7) in the DFPh.
    """
    if unit.at is None or position.phase == "APh":
        return False
    if position.phase == "MPh":
        return unit.facing is not None
    if position.phase == "RtPh" and unit.status.broken:
        return True
    return bool(unit.sw) or (position.phase == "DFPh" and bool(items_at(position, unit.at)))
