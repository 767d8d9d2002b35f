"""Modes of movement: a unit's facing, and the progress of its move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable_models.valor.model import FACINGS
from marchtable_models.valor.rules.facing import Turn
from marchtable_models.valor.rules.movement import Enter

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.state.action import Action
    from marchtable_models.valor.model import Facing, ValorUnit
    from marchtable_models.valor.views.ground import Lie

__all__ = ["FIELDS", "bearing", "described", "seen", "stripped", "turned"]

replace = msgspec.structs.replace
FIELDS = ("facing", "moved", "moving", "turned", "assault", "advanced")


def stripped(unit: ValorUnit) -> ValorUnit:
    """
    Return the unit without place, mode, and anything its movement does not depend on.

    Whether it is moving is kept: it would stop as an equal unit beside it begins, perhaps in too
    full a hex.
    """
    fields: dict[str, Any] = dict.fromkeys(FIELDS[1:], False) | {"moving": unit.moving}
    return replace(
        unit, id="", at=None, spent=0,  # a search keeps place and expenditure itself
        facing=unit.facing and FACINGS[0], **fields,  # the mode
        fired_at=None, valorous=False, tried=False,  # read by attacks, losses and rally
    )  # fmt: skip


def described(mode: Any) -> dict[str, Any]:
    """Return a mode in the form shown to clients."""
    fields = dict(zip(FIELDS, mode, strict=True))
    found = {"facing": fields["facing"]} if fields["facing"] else {}
    return found | ({"assault": True} if fields["assault"] else {})


# -- relevant map data of a mode -----------------------------------------------------------------


def bearing(mode: Any) -> int:
    """Return a mode's rotation in hexsides from facing N."""
    return 0 if mode[0] is None else FACINGS.index(mode[0])


def turned(it: Any, by: int) -> Any:
    """Return a mode or an action rotated by hexsides."""
    if isinstance(it, tuple):
        return it if it[0] is None else (_facing(it[0], by), *it[1:])
    return replace(it, facing=_facing(it.facing, by)) if isinstance(it, Turn) else it


def _facing(facing: Facing, by: int) -> Facing:
    return FACINGS[(FACINGS.index(facing) + by) % len(FACINGS)]


def seen(lie: Lie, mode: Any, action: Action | None) -> Hashable:
    """Return the relevant data of a crossing in a mode, None if the action is always barred."""
    facing = mode[0]
    if isinstance(action, Turn):
        return () if facing is not None and action.facing != facing else None
    if isinstance(action, Enter) and action.assault and facing is not None:
        return None
    if lie.direction < 0:
        return ()
    off = 0 if facing is None else (lie.direction - bearing(mode)) % len(FACINGS)
    return replace(lie, direction=off)
