"""
Saved games of other programs as scenes.

The machinery reads which pieces are where, a rulebook identifies them, and pieces without a unit or
counter are listed with their places.

Input: nothing. Output: a rulebook's records of a save, which :mod:`marchtable.files.saved` writes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

__all__ = ["NOBODY", "LeftOut", "SavedScene", "Wishes"]

NOBODY = "-"
"""The viewer that sees only public information: nothing hidden or concealed of either side."""


class LeftOut(NamedTuple):
    """A piece that the scene does not have: its name, its place, and the reason."""

    what: str
    where: str
    why: str


class Wishes(msgspec.Struct, frozen=True):
    """
    The user's own settings for a saved game.

    Parameters
    ----------
    viewer
        The side that sees the scene: what it cannot see is left out. ``""`` for everything,
        `NOBODY` for public information.
    mover, phase
        The side to move and the phase, replacing those in the save.
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
    A rulebook's reading of a saved game.

    Parameters
    ----------
    data
        The scene's plain data without its board and format.
    left_out
        What it does not have, in the order of the save.
    notes
        Assumptions, and what the save does not state.
    beside
        The place of each unit off the map, by its id, such as ``left of the boards``.
    """

    data: dict[str, Any]
    left_out: list[LeftOut]
    notes: list[str]
    beside: dict[str, str] = msgspec.field(default_factory=dict)
