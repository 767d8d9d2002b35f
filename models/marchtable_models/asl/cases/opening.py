"""Brings a scene up to the time at which it starts, where its file does not do so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.state.records import replace
from marchtable_models.asl.extraction.foot import phase_start

if TYPE_CHECKING:
    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["is_cx_from_before", "opened"]

CX = ("cx", "was_cx")


def opened(position: AslPosition, edition: Edition) -> AslPosition:
    """Return the position without CX from the turn before on units whose MPh has not begun."""
    changed = []
    for unit in position.units:
        if not is_cx_from_before(position, unit):
            continue
        facts = phase_start(position, unit, "MPh", unit.side, new_turn=False)
        forced = {x.field: x.value for x in edition.judge(facts).forced if x.field in CX}
        changed.append(replace(unit, **forced))
    return position.with_units(changed) if changed else position


def is_cx_from_before(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit in its own MPh is CX from the turn before: nothing in this MPh made it CX."""
    if not unit.status.cx or position.phase != "MPh" or unit.side != position.side:
        return False
    both = [unit] if unit.cargo.aboard is None else [unit, position.unit(unit.cargo.aboard)]
    return all(
        one.move.mph == "unmoved" and not (one.points.spent or one.points.double) for one in both
    )
