"""
Saved games of VASSAL, read without knowing the game: what lies where on which boards.

:func:`read_save` opens the file and gives its commands, :func:`read_table` the boards, the stacks
and the pieces in them, each at the hex it lies on. What a piece means is a rulebook's affair.
"""

from __future__ import annotations

from marchtable.vasl.saves.pieces import Layer, Piece
from marchtable.vasl.saves.savefile import Save, read_log, read_save
from marchtable.vasl.saves.table import MAIN_MAPS, Layout, Stack, Table, read_table

__all__ = [
    "MAIN_MAPS",
    "Layer",
    "Layout",
    "Piece",
    "Save",
    "Stack",
    "Table",
    "read_log",
    "read_save",
    "read_table",
]
