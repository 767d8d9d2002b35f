"""
Saved games of other programs as scenes.

The machinery reads what lies where, a rulebook says what it is, and whatever no unit or counter
stands for is listed with its place.

Comes in: nothing. Goes out: the records that a rulebook makes of a save, which
:mod:`marchtable.files.saved` writes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

__all__ = ["NOBODY", "LeftOut", "SavedScene", "Wishes"]

NOBODY = "-"
"""In place of a side that sees a scene: what is hidden or concealed is left out on both sides."""


class LeftOut(NamedTuple):
    """A piece that the scene does not have: what it is called, where it lies, and why."""

    what: str
    where: str
    why: str


class Wishes(msgspec.Struct, frozen=True):
    """
    What the user states beside the saved game.

    Parameters
    ----------
    viewer
        The side that sees the scene: what it cannot see is left out. ``""`` for everything,
        `NOBODY` for what everybody sees.
    mover, phase
        Whose turn it is, and the phase, in place of those in the save.
    counters
        The unit type of a counter without one, by the counter's name.
    place
        The Location of a unit, by its id: units of the tray are placed, others moved. What a
        vehicle carries or tows goes with it.
    values
        Values of the scene, by ``"UNIT.FIELD"`` or ``"conditions.FIELD"``.
    """

    viewer: str = ""
    mover: str = ""
    phase: str = ""
    counters: dict[str, str] = msgspec.field(default_factory=dict)
    place: dict[str, str] = msgspec.field(default_factory=dict)
    values: dict[str, Any] = msgspec.field(default_factory=dict)


class SavedScene(msgspec.Struct):
    """
    A saved game as a rulebook reads it.

    Parameters
    ----------
    data
        The scene's plain data but for its board and format.
    left_out
        What it does not have, in the order of the save.
    notes
        What is assumed, and what the save does not state.
    beside
        Where each unit off the map lies, by its id, such as ``left of the boards``.
    """

    data: dict[str, Any]
    left_out: list[LeftOut]
    notes: list[str]
    beside: dict[str, str] = msgspec.field(default_factory=dict)
