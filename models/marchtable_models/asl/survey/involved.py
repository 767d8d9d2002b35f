"""Who else has a part in a unit's moving: those it names, and those for whom it waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.survey.lines import kind_of, members
from marchtable_models.asl.survey.modes import stripped
from marchtable_models.asl.survey.precedence import (
    waits_for_convoy,
    waits_for_front,
    waits_for_leaver,
)  # fmt: skip
from marchtable_models.asl.survey.unitkinds import type_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["involved"]


def involved(position: AslPosition, unit: AslUnit) -> Hashable:
    """Return what of other units, wherever they are, a unit's moving depends on."""
    waits = (
        unit.behind != "" and waits_for_front(position, unit),
        waits_for_convoy(position, unit),
        waits_for_leaver(position, unit),
    )
    first = unit
    if kind_of(unit) and unit.id in position.index:
        first = members(position, unit)[0]
    ahead = () if first is unit else (first.astray, type_of(position, first))
    index, night = position.index, position.conditions.night
    named = [
        *(position.unit(name) for name in (*unit.sees, unit.helper, unit.lends, unit.armored)
          if name in index),
        *(stripped(position.unit(name), night=night) for name in (unit.aboard, unit.towed_by)
          if name in index),
    ]  # fmt: skip
    tows = type_of(position, position.unit(unit.towing)) if unit.towing in index else None
    return (waits, ahead, tuple(named), tows)
