"""What work on a Convoy's plans counts for, in deterministic time: about the seconds it takes."""

from __future__ import annotations

__all__ = ["ASKED", "LITERAL", "LOOK", "MASK", "MOVE", "PAIR", "STATED"]

ASKED = 1e-3
"""Asking what may be done in a state."""
MASK = 5e-8
"""A mask of a table gone through in search of layers, forwards and backwards till nothing is new."""
PAIR = 1e-7
"""A mask of a pair, likewise."""
MOVE = 2e-7
"""A move that a dive tries."""
LITERAL, LOOK = 5e-8, 5e-8
"""Writing a literal of a clause, and looking at a clause in search of a plan."""
STATED = 2e-4
"""Stating to CP-SAT what is so of a state after an Impulse, and loading that."""
