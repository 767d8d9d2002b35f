"""
Saved games of VASSAL, read without knowing the game: the pieces by place on the boards.

:func:`read_save` opens the file and returns its commands, :func:`read_table` the boards, and the
stacks with their pieces, each at its hex. The rulebook interprets the pieces.
"""

from __future__ import annotations

from marchtable.vasl.saves.pieces import Layer, Piece
from marchtable.vasl.saves.savefile import Save, read_log, read_save
from marchtable.vasl.saves.table import MAIN_MAPS, Layout, Stack, Table, laid_boards, read_table

__all__ = [
    "MAIN_MAPS",
    "Layer",
    "Layout",
    "Piece",
    "Save",
    "Stack",
    "Table",
    "laid_boards",
    "read_log",
    "read_save",
    "read_table",
]
