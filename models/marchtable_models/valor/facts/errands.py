"""What clauses see of leaving the map, smoke, weapons handed on, and what anti-tank fire did."""

from __future__ import annotations

import msgspec

__all__ = ["Abandoned", "Forming", "Handing", "Leaving", "Smoking", "Struck"]


class Leaving(msgspec.Struct, frozen=True):
    """A unit about to leave the map: whether its hex lies at the edge, and which way a vehicle would go."""

    edge: bool
    way: str


class Smoking(msgspec.Struct, frozen=True):
    """
    A unit about to put smoke into a hex.

    Parameters
    ----------
    kind, round
        What it is, and whether it fires a round: what it does in any phase but that of movement.
    own_turn, phase, pinned
        When, and whether it is pinned.
    moved, smoked
        Whether it has moved, or laid smoke, in this phase.
    armed
        Whether it has a Gun or mortar.
    distance, taken
        To the hex, and whether there is smoke in it.
    """

    kind: str
    round: bool
    own_turn: bool
    phase: str
    pinned: bool
    moved: bool
    smoked: bool
    armed: bool
    distance: int
    taken: bool


class Handing(msgspec.Struct, frozen=True):
    """
    A support weapon about to be handed on.

    Parameters
    ----------
    phase, own_turn
        When.
    together, foot
        Whether both are of one side and hex, and whether both are infantry.
    held
        Whether each has what it would give.
    """

    phase: str
    own_turn: bool
    together: bool
    foot: bool
    held: bool


class Forming(msgspec.Struct, frozen=True):
    """
    A squad about to split, or two half squads about to become one.

    Parameters
    ----------
    joins
        Whether they become one.
    phase, own_turn, pinned, valorous
        When, and whether anybody concerned is pinned or valorous.
    led
        Whether an unpinned leader of their side is in the hex.
    together
        Whether the two half squads are on the map, of one side, in one hex, both on foot or aboard the same.
    fits
        Whether there is a half squad for the squad, or a squad for both of their type.
    held
        Whether it has the weapons that it gives away.
    """

    joins: bool
    phase: str
    own_turn: bool
    pinned: bool
    valorous: bool
    led: bool
    together: bool
    fits: bool
    held: bool = True


class Struck(msgspec.Struct, frozen=True):
    """What anti-tank fire did: to which kind of unit, on the map or not, immobile before or not, and the result."""

    kind: str
    on_map: bool
    result: str
    immobile: bool = False


class Abandoned(msgspec.Struct, frozen=True):
    """How the crew of an immobilized AFV decided: ``abandoned`` or ``stays``."""

    outcome: str
