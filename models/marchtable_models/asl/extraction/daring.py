"""Reads off a position the facts of task checks before entering enemies' Locations (A4.15, A11.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from marchtable_models.asl.extraction.reading import there, type_of
from marchtable_models.asl.facts.daring import Daring
from marchtable_models.asl.levels import level_entered, level_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.verbs.foot import Dare

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["daring"]


def daring(position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], action: Dare) -> Daring:
    """Return the facts of one of the units for which such a check is taken."""
    kinds = [type_of(position, one) for one in units]
    kind, state, to = type_of(position, unit), unit.status, position.board.resolve(action.to)
    found = there(position, unit.side, to, level=level_entered(level_of(position, unit)))
    advancing = position.phase == "APh"
    whom: Literal["", "smc", "afv"] = ""
    if advancing:
        whom = "afv" if found.manned_afv else ""
    elif found.lone_smc:
        whom = "smc"
    goes_along = not advancing and any(one.class_ != "smc" for one in kinds)
    leader = next((one for one, of in zip(units, kinds, strict=True) if of.leads), None)
    return Daring(
        fit=kind.is_infantry
        and (kind.class_ != "smc" or goes_along)
        and unit.cargo.aboard is None
        and not state.disrupted,
        alone=len(units) == 1 or (leader is not None and not advancing),
        takes=unit is (leader or units[0]),
        whom=whom,
        dared=unit.move.dared == to,
        morale=kind.morale,
        inexperienced=state.inexperienced or kind.quality in ("green", "conscript"),
        told=action.drm,
    )
