"""Modes of movement: whether a unit has entered a hex, the one it always can, a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from marchtable_models.panzer.model import PanzerUnit

__all__ = ["in_mode", "mode_of", "stripped"]


def mode_of(unit: PanzerUnit) -> tuple[bool, bool, bool]:
    """Return the unit's present mode."""
    return (unit.entered, unit.onward, unit.final)


def in_mode(unit: PanzerUnit, at: str, mode: Any) -> PanzerUnit:
    """Return the unit as if it were there in that mode with nothing spent."""
    entered, onward, final = mode
    return msgspec.structs.replace(
        unit, at=at, spent=0, entered=entered, onward=onward, final=final
    )


def stripped(unit: PanzerUnit) -> PanzerUnit:
    """Return the unit without place, mode, and anything its movement does not depend on."""
    return msgspec.structs.replace(
        unit, id="", at=None, spent=0,  # a search keeps place and expenditure itself
        entered=False, onward=False, final=False,  # the mode
        came=False, moved=False, carried=False, by_road=False, height=0,  # each step sets them
        exposed=False, crushed=False, stormed=False, shelled=False,  # read by spotting and attacks
        left=None, thrown=None,  # its transport: read by loading, attacks and removal
        value=0,  # read by advice on losses
        entering=(),  # read of the unit itself, for its first step
    )  # fmt: skip
