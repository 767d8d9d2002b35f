"""
Saved games of other programs as scenes.

The machinery reads what lies where, a rulebook says what it is, and whatever no unit or counter
stands for is listed with its place.

Comes in: nothing. Goes out: the records in which a rulebook tells what it made of a save, which
:mod:`marchtable.files.saved` writes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

__all__ = ["LeftOut", "SavedScene", "Wishes"]


class LeftOut(NamedTuple):
    """A piece that the scene does not have: what it is called, where it lies, and why."""

    what: str
    where: str
    why: str


class Wishes(msgspec.Struct, frozen=True):
    """
    What is asked of an import beside the saved game.

    Parameters
    ----------
    viewer
        The side that is to see the scene: what it cannot see is left out. ``""`` for all of it.
    mover, phase
        Whose turn it is, and the phase, in place of what the save tells.
    """

    viewer: str = ""
    mover: str = ""
    phase: str = ""


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
        What is assumed, and what the save does not tell.
    """

    data: dict[str, Any]
    left_out: list[LeftOut]
    notes: list[str]
