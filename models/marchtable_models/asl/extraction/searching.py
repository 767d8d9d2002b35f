"""Reads off a position the facts of Searching (A12.152)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.data import count
from marchtable_models.asl.extraction.movers import crowd_of
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.facts.searching import Searching

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["searching"]


def searching(
    position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], told: int
) -> Searching:
    """Return the facts of one of the units that Search together."""
    kinds = [type_of(position, one) for one in units]
    crowd, kind, state = crowd_of(kinds), type_of(position, unit), unit.status
    return Searching(
        fit=(kind.is_infantry or kind.class_ == "cavalry")
        and unit.cargo.aboard is None
        and not (state.broken or state.disrupted or unit.concealment.dummy),
        assault=unit.move.assault,
        mmc=any(one.is_personnel and one.class_ != "smc" for one in kinds),
        first=unit is units[0],
        half_squads=count("A5.5", "squad") * crowd.squads + crowd.half_squads + crowd.crews,
        stealthy=sum(one.stealth == "stealthy" for one in kinds),
        lax=sum(one.stealth == "lax" for one in kinds),
        cx=sum(one.status.cx for one in units),
        told=told,
    )
