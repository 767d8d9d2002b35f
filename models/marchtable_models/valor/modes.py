"""The modes in which a unit moves about: which way it faces, and how far its move has got."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable_models.valor.model import FACINGS

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from marchtable_models.valor.model import ValorUnit

__all__ = ["described", "in_mode", "mode_of", "modes_of", "stripped"]

replace = msgspec.structs.replace
FIELDS = ("facing", "moved", "moving", "turned", "assault", "advanced")
STAGES = (
    (False, False, False, False, False), (True, True, False, False, False),
    (True, True, False, True, False), (True, True, True, False, False),
    (True, False, True, False, False),
)  # fmt: skip
"""Not begun, moving, moving by Assault Movement, turned on the way, turned in place."""


def mode_of(unit: ValorUnit) -> tuple[Any, ...]:
    """Return the unit's present mode."""
    return tuple(getattr(unit, name) for name in FIELDS)


def modes_of(unit: ValorUnit) -> Sequence[Hashable]:
    """Return the modes in which a unit moves about."""
    facings = (None,) if unit.facing is None else FACINGS
    usual = [(facing, *stage) for facing in facings for stage in STAGES]
    return tuple(dict.fromkeys([mode_of(unit), *usual]))


def in_mode(unit: ValorUnit, at: str, mode: Any) -> ValorUnit:
    """Return the unit as if it stood there in that mode with nothing spent."""
    told: dict[str, Any] = dict(zip(FIELDS, mode, strict=True))
    return replace(unit, at=at, spent=0, **told)


def stripped(unit: ValorUnit) -> ValorUnit:
    """Return the unit without its place, its mode, and what its moving does not depend on."""
    told: dict[str, Any] = dict.fromkeys(FIELDS[1:], False)
    return replace(
        unit, id="", at=None, spent=0, facing=unit.facing and FACINGS[0], fired_at=None,
        tried=False, valorous=False, **told,
    )  # fmt: skip


def described(mode: Any) -> dict[str, Any]:
    """Return what a client is told of a mode."""
    told = dict(zip(FIELDS, mode, strict=True))
    found = {"facing": told["facing"]} if told["facing"] else {}
    return found | ({"assault": True} if told["assault"] else {})
