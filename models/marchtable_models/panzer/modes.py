"""The modes in which a unit moves about: has it entered a hex, and was that the one it always may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable_models.panzer.model import PanzerUnit

__all__ = ["MODES", "in_mode", "mode_of", "stripped"]

MODES: tuple[tuple[bool, bool], ...] = ((False, False), (True, False), (True, True))


def mode_of(unit: PanzerUnit) -> Hashable:
    """Return the unit's present mode."""
    return (unit.entered, unit.final)


def in_mode(unit: PanzerUnit, at: str, mode: Any) -> PanzerUnit:
    """Return the unit as if it stood there in that mode with nothing spent."""
    entered, final = mode
    return msgspec.structs.replace(unit, at=at, spent=0, entered=entered, final=final)


def stripped(unit: PanzerUnit) -> PanzerUnit:
    """Return the unit without its place, its mode, and what its moving does not depend on."""
    return msgspec.structs.replace(
        unit, id="", at=None, value=0, height=0, exposed=False, spent=0, entered=False, final=False,
        came=False, moved=False, carried=False, left=None, thrown=None,
    )  # fmt: skip
