"""Facts of units that move as one line by Impulses: Convoys, Columns and platoons."""

from __future__ import annotations

import msgspec

__all__ = ["Idle", "Lineup", "Link"]


class Lineup(msgspec.Struct, frozen=True):
    """
    A line about to make an Impulse.

    Parameters
    ----------
    kind
        ``"convoy"``, ``"column"``, ``"platoon"``, or ``""`` where the unit belongs to none.
    leads
        Whether the unit that names it is its first.
    members, moves, active
        How many units it has, for how many a move is told, and how many of these do something.
    """

    kind: str
    leads: bool
    members: int
    moves: int
    active: int


class Idle(msgspec.Struct, frozen=True):
    """A member of a line that makes no expenditure of its own in an Impulse."""

    kind: str


class Link(msgspec.Struct, frozen=True):
    """
    Two neighbours of a line as an Impulse ends.

    Parameters
    ----------
    kind
        As for :class:`Lineup`.
    distance
        In hexes, between their Locations; 1 too where the rear one is still off the board.
    """

    kind: str
    distance: int
