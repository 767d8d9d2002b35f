"""Modes of movement: whether a unit has entered a hex, the one it always can, a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from marchtable_models.panzer.model import PanzerUnit

__all__ = ["FIELDS", "stripped"]

FIELDS = ("entered", "onward", "final")


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
