"""What work on a line's plans counts for, in deterministic time: about the seconds it takes."""

from __future__ import annotations

__all__ = ["ASKED", "MASK", "PAIR", "STATED"]

ASKED = 1e-3
"""Asking what may be done in a state."""
MASK = 5e-8
"""A mask of a table gone through in search of layers, forwards and backwards till nothing is new."""
PAIR = 1e-7
"""A mask of a pair, likewise."""
STATED = 2e-4
"""Stating to CP-SAT what is so of a state after a round, and loading that."""
