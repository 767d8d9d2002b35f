"""What clauses see of artillery and fighter-bombers."""

from __future__ import annotations

import msgspec

__all__ = ["Mission"]


class Mission(msgspec.Struct, frozen=True):
    """
    A support mission and where it came down.

    Parameters
    ----------
    kind
        ``light``, ``heavy``, ``smoke`` or ``air``.
    phase
        When.
    spotters
        Unpinned units of its side with a line of sight to its target.
    off, straight
        How many hexes from its target it came down, and whether straight on from it.
    smoked
        Whether there is smoke in that hex.
    """

    kind: str
    phase: str
    spotters: int
    off: int
    straight: bool
    smoked: bool
