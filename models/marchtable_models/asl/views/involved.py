"""Who else has a part in a unit's moving: those it names, and those for whom it waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.views.lookout import (
    is_computed,
    is_watched,
    sees_enemy,
    stated_of,
)
from marchtable_models.asl.views.precedence import (
    waits_for_convoy,
    waits_for_front,
    waits_for_leaver,
)  # fmt: skip
from marchtable_models.asl.views.unitkinds import type_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]


def involved(position: AslPosition, unit: AslUnit) -> Hashable:
    """
    Return what of other units, wherever they are, a unit's moving depends on.

    Left out is what matters of those only who have spaces of their own (a line's members, who are
    carried or have moved with an AFV): see :meth:`AslTravel.shares_space`.
    """
    waits = (
        waits_for_front(position, unit) != "",
        waits_for_convoy(position, unit),
        waits_for_leaver(position, unit),
    )
    index, night = position.index, position.conditions.night
    helped = unit.move.helper in index and position.unit(str(unit.move.helper)).status.cx
    # By day nobody asks; where sight is computed it depends on the Location.
    seen = night and not is_computed(position) and sees_enemy(position, unit)
    watched = stated_of(position, unit) if is_watched(position, unit.side) else ()
    tows = (
        type_of(position, position.unit(unit.cargo.towing)) if unit.cargo.towing in index else None
    )
    return (waits, helped, seen, watched, tows)
