"""Facts of units that move as one line by Impulses: Convoys, Columns and platoons."""

from __future__ import annotations

import msgspec

from marchtable_models.asl.data import count

__all__ = [
    "Blow",
    "Formation",
    "Idle",
    "Leaving",
    "LineEnd",
    "Lineup",
    "Link",
    "Parted",
    "TaskResult",
    "apart",
]


def apart() -> int:
    """Return how far from each other neighbours in a line are at most: farther is a Gap."""
    return count("E11.1", "apart")


class Lineup(msgspec.Struct, frozen=True, gc=False):
    """
    A line about to make an Impulse.

    Parameters
    ----------
    kind
        ``"convoy"``, ``"column"``, ``"platoon"``, or ``""`` where the unit belongs to none.
    leads
        Whether the unit that names it is its first.
    members, moves, active
        How many units it has, for how many a move is stated, and how many of these do something.
    recalled, disbanding
        Whether one of them is Recalled, and whether it has declared that it disbands.
    chance
        For a unit that belongs to none: ``"convoy"`` or ``"column"``, if it stands beside units
        as if it did.
    leavers
        Whether a vehicle has left it this MPh and not ended its own MPh since.
    crowded
        Whether two vehicles of a Convoy stand in one Location as the Impulse ends.
    restarts
        Whether a vehicle of a Convoy starts after one of it has stopped, in this Impulse.
    """

    kind: str
    leads: bool
    members: int
    moves: int
    active: int
    recalled: bool = False
    disbanding: bool = False
    chance: str = ""
    leavers: bool = False
    crowded: bool = False
    restarts: bool = False


class Formation(msgspec.Struct, frozen=True, gc=False):
    """
    A line as a scene gives it.

    Parameters
    ----------
    kind
        ``"convoy"``, ``"column"`` or ``"platoon"``.
    members, hexes
        How many units it has, and how many hexes it takes up, those it will off the map too.
    misfits
        How many of its units are not of the sort that forms such a line.
    widest
        The greatest distance between neighbours, in hexes.
    most
        The most of its units in one Location.
    fresh
        Whether none of them has moved this MPh.
    assembled, concealed
        How many SW that can be dm are not, and how many of its units are concealed.
    overtaken
        Whether one of its units waits off the map while the next behind it is on it.
    lost
        The AFV of a platoon, by name, that are Recalled or not Mobile.
    blast
        How far a Column's units are from a Blast Area of HE, None if there is none.
    ranks, stuck, moving
        How many places in line are stated, how many of its units are bogged or immobile, and how
        many vehicles are in Motion.
    """

    kind: str
    members: int
    hexes: int
    misfits: int
    widest: int
    most: int
    fresh: bool
    assembled: int = 0
    concealed: int = 0
    ranks: int = 0
    stuck: int = 0
    moving: int = 0
    blast: int | None = None
    overtaken: bool = False
    lost: tuple[str, ...] = ()

    @property
    def gapes(self) -> bool:
        """Whether there is a Gap in it."""
        return self.widest > apart()


class Idle(msgspec.Struct, frozen=True, gc=False):
    """A member of a line that makes no expenditure of its own in an Impulse."""

    kind: str


class Link(msgspec.Struct, frozen=True, gc=False):
    """
    Two neighbours of a line as an Impulse ends.

    Parameters
    ----------
    kind
        As for :class:`Lineup`.
    distance
        In hexes, between their Locations; one off the board is next to the hexes it enters by.
    stopped
        Whether the rear one has stopped in this Impulse.
    early
        Whether it comes on in an Impulse in which the one ahead has still been off the board.
    split
        Whether they have stood in one Location with one place in line, and are so no more.
    overtakes
        Whether the rear one leaves the map while the one ahead stays on it.
    """

    kind: str
    distance: int
    stopped: bool = False
    early: bool = False
    split: bool = False
    overtakes: bool = False

    @property
    def gapes(self) -> bool:
        """Whether there is a Gap between them."""
        return self.distance > apart()


class LineEnd(msgspec.Struct, frozen=True, gc=False):
    """A Convoy about to end its MPh: how many vehicles it has, and how many have not stopped."""

    members: int
    moving: int


class Parted(msgspec.Struct, frozen=True, gc=False):
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
        The part just ahead of the Gap, by name, ``""`` if there is none.
    begun
        Whether the Convoy has completed an Impulse this MPh.
    willing, leads
        Whether the Gap was made at will, and whether the vehicle is the one that made it so.
    tows
        Whether it tows a Gun.
    mate
        Whether it leaves because its platoon does.
    origin
        The Convoy it belonged to as the MPh began.
    """

    lost: bool
    alone: bool
    name: str
    ahead: str
    begun: bool
    willing: bool = False
    leads: bool = False
    tows: bool = False
    mate: bool = False
    origin: str = ""


class Leaving(msgspec.Struct, frozen=True, gc=False):
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
    column
        Whether it is in a Column.
    sees_column
        Whether it has a LOS to a Known enemy unit that is in a Column.
    leavers
        Whether a vehicle has left the Convoy before it and not ended its MPh since.
    alone, morale, drm, checked
        Whether it breaks off from its platoon, its crew's morale, 0 if nobody says, what is added to the
        dice, and whether the result of the task check is stated.
    declared
        Whether its owner declares that it leaves, instead of making a Gap by its move.
    idle
        Whether a Gap is to appear although it neither enters another Location nor stops.
    mates_ahead
        Whether AFV of its platoon are ahead of it in its Convoy.
    unstated
        Whether it would have a reason to leave if it saw all units on the map.
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
    column: bool = False
    sees_column: bool = False
    leavers: bool = False
    declared: bool = False
    alone: bool = False
    morale: int = 0
    drm: int = 0
    checked: bool = False
    idle: bool = False
    mates_ahead: bool = False
    unstated: bool = False


class TaskResult(msgspec.Struct, frozen=True, gc=False):
    """How a Task Check of an AFV that breaks off came out: ``passes`` or ``fails``."""

    outcome: str


class Blow(msgspec.Struct, frozen=True, gc=False):
    """A Convoy vehicle fired at in its own MPh: whether it is who left that spends MP now."""

    leaver: bool
