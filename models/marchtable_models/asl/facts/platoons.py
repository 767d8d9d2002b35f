"""Facts of AFV platoons: how their members stand to each other, losses, and who moves alone."""

from __future__ import annotations

import msgspec

from marchtable_models.asl.facts.los import Los

__all__ = ["Bereft", "ComingOn", "Forming", "Mates", "NerveResult", "Shaken", "Steadying"]


class Mates(msgspec.Struct, frozen=True, gc=False):
    """
    An AFV of a platoon as an Impulse ends.

    Parameters
    ----------
    near
        Whether a platoon-mate is in its Location or an adjacent one, or one of them is off the map.
    los
        Whether it has a LOS to such a mate, SMOKE and the night apart.
    alike, all_alike
        Whether all AFVs of the platoon are stopped, or all move one way: first of those that can move
        this MPh, then of all, including those that have fired or are TI.
    waits
        Whether a loss has left its two AFVs apart, and neither has entered a new hex since.
    """

    near: bool
    los: Los
    alike: bool
    waits: bool = False
    all_alike: bool = True


class Shaken(msgspec.Struct, frozen=True, gc=False):
    """A platoon whose Impulse takes so many of its AFVs into a Bog Check at once."""

    checks: int


class Bereft(msgspec.Struct, frozen=True, gc=False):
    """
    An AFV of a platoon that loses one.

    It is the ``lost`` one, or left ``alone``; or one of two who are ``apart``, too late to meet.
    """

    lost: bool = False
    alone: bool = False
    apart: bool = False


class Forming(msgspec.Struct, frozen=True, gc=False):
    """
    An AFV about to form, or to join, a platoon with another.

    Parameters
    ----------
    fit
        Whether both are mobile AFVs of one side that belong to no Convoy, the first to no platoon.
    fresh
        Whether the MPh has begun for none of those who would be in it.
    members
        How many would be in it.
    """

    fit: bool
    fresh: bool
    members: int


class ComingOn(msgspec.Struct, frozen=True, gc=False):
    """
    An AFV without a radio, in no line, about to come on from off the map.

    Parameters
    ----------
    mate
        Whether another one waits there, due and free to move, with which it can form a platoon.
    """

    mate: bool


class Steadying(msgspec.Struct, frozen=True, gc=False):
    """
    A unit about to take the task check of a radioless AFV that moves alone.

    Parameters
    ----------
    radioless
        Whether it is an AFV without a radio.
    fresh
        Whether it is on the map, its MPh has not begun, and it has taken none yet.
    morale, drm
        The morale of its crew, 0 where nobody says, and what is added to the dice.
    """

    radioless: bool
    fresh: bool
    morale: int
    drm: int = 0


class NerveResult(msgspec.Struct, frozen=True, gc=False):
    """How the task check of a radioless AFV came out: ``passed`` or ``failed``."""

    outcome: str
