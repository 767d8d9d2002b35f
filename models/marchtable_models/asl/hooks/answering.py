"""Whose units can have a choice in the other side's Player Turn; nothing here decides legality."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.rules.clearance import items_at

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslPosition, AslUnit


def may_answer(position: AslPosition, unit: AslUnit) -> bool:
    """
    Return whether a DEFENDER's unit can have a choice in this phase.

    In the MPh a vehicle tries to get into Motion once an ATTACKER moves, and turns if it succeeds
    (D2.401). In the RtPh broken units rout and surrender. In the DFPh units declare Clearance (B24.7).
    """
    if unit.at is None:
        return False
    if position.phase == "MPh":
        return unit.facing is not None and any(
            one.side == position.side and one.move.mph != "unmoved" for one in position.units
        )
    if position.phase == "RtPh":
        return unit.status.broken
    return position.phase == "DFPh" and bool(items_at(position, unit.at))
