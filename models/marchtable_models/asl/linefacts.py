"""Facts of units that move as one line by Impulses: Convoys, Columns and platoons."""

from __future__ import annotations

import msgspec

__all__ = ["Formation", "Idle", "Leaving", "LineEnd", "Lineup", "Link", "Parted"]


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
    recalled, disbanding
        Whether one of them is Recalled, and whether it has declared that it disbands.
    """

    kind: str
    leads: bool
    members: int
    moves: int
    active: int
    recalled: bool = False
    disbanding: bool = False


class Formation(msgspec.Struct, frozen=True):
    """
    A line as a scene gives it.

    Parameters
    ----------
    kind
        ``"convoy"``, ``"column"`` or ``"platoon"``.
    members, hexes
        How many units it has, and in how many hexes those on the map stand.
    misfits
        How many of its units are not of the sort that forms such a line.
    widest
        The greatest distance between neighbours, in hexes.
    most
        The most of its units in one Location.
    fresh
        Whether none of them has moved this MPh.
    """

    kind: str
    members: int
    hexes: int
    misfits: int
    widest: int
    most: int
    fresh: bool


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


class LineEnd(msgspec.Struct, frozen=True):
    """A Convoy about to end its MPh: how many vehicles it has, and how many have not stopped."""

    members: int
    moving: int


class Parted(msgspec.Struct, frozen=True):
    """
    A vehicle of a Convoy in which a Gap appears.

    Parameters
    ----------
    lost
        Whether the Gap is where it was, for it has left or is lost to the Convoy.
    alone
        Whether its part of the line is itself alone.
    name
        What its part is called from now on.
    ahead
        The Convoy just ahead of the Gap, ``""`` if it is none, or if its own part is that one.
    begun
        Whether the Convoy has completed an Impulse this MPh.
    """

    lost: bool
    alone: bool
    name: str
    ahead: str
    begun: bool


class Leaving(msgspec.Struct, frozen=True):
    """
    A vehicle about to leave its Convoy of its own will.

    Parameters
    ----------
    convoy
        Whether it is in one.
    sees_enemy, sees_attacked, sees_lost
        Whether it has a LOS to a Known enemy ground unit; to a vehicle of its Convoy that was
        attacked as the last Impulse ended; to one eliminated or immobilized this MPh.
    radio_sees
        Whether it is an AFV with a radio, and so is another, neither shocked nor stunned, with
        such a LOS.
    recalled
        Whether it is Recalled.
    radioless, platoon, begun
        Whether it is an AFV without a radio, in a platoon, and has begun its MPh.
    """

    convoy: bool
    sees_enemy: bool
    sees_attacked: bool
    sees_lost: bool
    radio_sees: bool
    recalled: bool
    radioless: bool
    platoon: bool
    begun: bool
