"""The records that clauses on fire and its results see."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Drawn", "Pair", "Recovering", "Shared", "Target"]

Drawn = Literal["", "enter", "load", "unload"]


class Pair(msgspec.Struct, frozen=True):
    """
    A transport and a unit that it carries, or unloaded here this phase.

    Parameters
    ----------
    aboard
        Whether the passenger is aboard now.
    came
        Whether the transport entered this hex with it, in this movement phase of its own.
    rides
        Whether the transport is neither C nor C(I).
    drawn
        What drew the fire, if it is opportunity fire.
    """

    aboard: bool
    came: bool
    rides: bool
    drawn: Drawn


class Target(msgspec.Struct, frozen=True):
    """
    A unit that is fired at.

    Parameters
    ----------
    role
        Whether it is one of a pair, and which.
    pair
        The pair.
    drawn
        What drew the fire, if it is opportunity fire.
    fire
        How it is fired at.
    fits
        Whether it has done this phase what is said to have drawn the fire.
    concealed, exposed, beside_enemy
        Whether its hex conceals it, whether it can be spotted in it all the same, and whether an
        enemy that may spot is next to it.
    spent, mf
        What the mover has spent, and its movement factor, in half points.
    on_map
        Whether it is on the map.
    result, dispersed
        What it suffers, and whether it is dispersed already.
    moving
        Whether its side is moving.
    crushed, stormed, mined
        Whether its hex has been overrun, or close-assaulted, this turn, and whether it has come into
        mines in it.
    shelled
        Whether the enemy uses the fire registered on its hex at it.
    """

    role: Literal["", "transport", "passenger"]
    pair: Pair | None
    drawn: Drawn
    fire: Literal["direct", "indirect", "registered", "overrun", "assault", "mines"]
    fits: bool
    concealed: bool
    exposed: bool
    beside_enemy: bool
    spent: int
    mf: int
    on_map: bool
    result: Literal["D", "DD", "X"] = "D"
    dispersed: bool = False
    moving: bool = False
    crushed: bool = False
    stormed: bool = False
    mined: bool = False
    shelled: bool = False


class Shared(msgspec.Struct, frozen=True):
    """
    What a result does to a passenger (or, where ``struck`` is the passenger, to its transport).

    ``self`` as what was struck: the passenger itself, as far as it is forced off by its own result.
    ``worse`` tells that it bears a DD marker already, ``dispersed`` that it bears any, and
    ``fatal`` that what was struck does.
    """

    pair: Pair
    transport: str
    struck: Literal["transport", "passenger", "self"]
    result: Literal["D", "DD", "X"]
    worse: bool = False
    dispersed: bool = False
    fatal: bool = False


class Recovering(msgspec.Struct, frozen=True):
    """A unit that recovers: whether it is on the map, and dispersed."""

    on_map: bool
    dispersed: bool
