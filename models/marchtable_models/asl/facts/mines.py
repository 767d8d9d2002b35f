"""Facts of how a minefield's attack came out."""

from __future__ import annotations

import msgspec

__all__ = ["HARMED", "HURT", "REDUCED", "UNHARMED", "MineResult"]

UNHARMED, REDUCED = "unharmed", "reduced"
HURT = "harmed"
"""What it may come to for horses, wagons and cycles with those on them: anything but ``unharmed``."""
HARMED = ("pinned", "broken", "wounded", "immobilized", "eliminated")
"""Its other possible results, by the names of the events that happen to units."""


class MineResult(msgspec.Struct, frozen=True, gc=False):
    """
    How the attack of a minefield came out.

    Parameters
    ----------
    outcome
        ``unharmed``, ``reduced`` (a Casualty Reduction), ``harmed`` (of horses, wagons and cycles), or what
        befell the unit.
    previous
        Where it came from, if that is the minefield that it was about to leave, else None.
    broken
        Whether it was broken already.
    halves
        The half squads of its nationality, if it is a squad.
    """

    outcome: str
    previous: str | None = None
    broken: bool = False
    halves: tuple[str, ...] = ()
