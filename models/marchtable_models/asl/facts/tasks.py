"""Facts of tasks that make Infantry TI: Mopping Up (A12.153) and Clearance (B24.7)."""

from __future__ import annotations

import msgspec

__all__ = ["Cleared", "Clearing", "MoppingUp"]


class MoppingUp(msgspec.Struct, frozen=True, gc=False):
    """
    A unit, perhaps with others elsewhere in its building, about to secure that in its PFPh.

    Parameters
    ----------
    phase, own_turn
        When, and whether it is its own Player Turn.
    fit
        Whether it is an armed Infantry MMC in Good Order, not pinned, not TI, that has not fired.
    building, large
        Whether it is in a building, and whether that has several hexes or levels.
    told
        Whether the board tells how far the building goes.
    enemies
        Whether an unconcealed, unbroken enemy is in it.
    again
        Whether another unit of its side in the building is TI already.
    far
        Whether a ground level Location of it is more than two hexes from all who mop up.
    """

    phase: str
    own_turn: bool
    fit: bool
    building: bool
    large: bool
    told: bool
    enemies: bool
    again: bool
    far: bool


class Clearing(msgspec.Struct, frozen=True, gc=False):
    """
    A unit, perhaps of a stack, that declares a Clearance attempt, or makes its DR (``verb``).

    Parameters
    ----------
    what
        What is cleared: ``rubble``, ``flame``, ``wire``, ``mines``, ``dc`` or ``roadblock``.
    phase, own_turn
        When, and whether it is its own Player Turn.
    fit
        Whether it is Infantry on foot in Good Order, and not pinned.
    there
        Whether that is in its Location.
    built
        Whether there is a building.
    beneath, wired
        Whether the unit is beneath something, and whether Wire lies there.
    fresh, moved
        Whether it neither fired nor is TI, and whether it has moved or done anything in its MPh.
    engaged
        Whether it is engaged in clearing that.
    first
        Whether it is the first of those who clear it together.
    half_squads
        Half squads, with crews, of them all.
    drm
        What else is added to the DR: leaders, Labor, heroes, sappers, EC.
    deep_snow
        Whether Deep Snow lies.
    sides
        The hexsides told for a Trail Break.
    inexperienced
        Whether some unit of them is Inexperienced.
    """

    verb: str
    what: str
    phase: str
    own_turn: bool
    fit: bool
    there: bool
    built: bool
    beneath: bool
    wired: bool
    fresh: bool
    moved: bool
    engaged: bool
    first: bool
    half_squads: int
    drm: int
    deep_snow: bool
    sides: tuple[str, ...]
    inexperienced: bool


class Cleared(msgspec.Struct, frozen=True, gc=False):
    """How a Clearance DR came out, for a unit that took part: ``cleared``, ``failed`` or ``reduced``."""

    outcome: str
