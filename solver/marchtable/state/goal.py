"""Goals: what a plan is to bring about, as files (``marchtable/goal/1``) and as Python objects."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from marchtable.state.position import LocationName, UnitId

__all__ = ["CRITERIA", "GOAL_FORMAT", "Aim", "Criterion", "Goal"]

GOAL_FORMAT = "marchtable/goal/1"

Criterion = Literal["value", "distance", "exposure", "points", "moved"]
"""What plans are measured by; ``value`` is sought, of the others as little as possible."""

CRITERIA: tuple[Criterion, ...] = ("value", "distance", "exposure", "points", "moved")

Worth = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Count = Annotated[int, msgspec.Meta(ge=1)]


class Aim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    Somewhere that units are wanted to be when the plan ends.

    Parameters
    ----------
    units, side
        Who: by name, or all units of a side.
    at
        Locations to stand in: by name, or whole columns of hexes, ``"K..Q"``.
    near
        Locations to stand near to, of which the nearest counts.
    by_road
        Whether hexes to ``near`` count along the roads that lead there, not as the crow flies.
    exit
        Locations by which to leave the map, named as in ``at``.
    must
        How many of them have to: ``"all"``, or a number. By default it is only a wish.
    worth
        What each unit is worth: to ``value`` where it is where it is wanted, to ``distance`` for
        each hex it is away from ``near``.
    each
        Units that are worth something else.
    carried
        Whether it will do to be there aboard a vehicle.
    """

    units: tuple[UnitId, ...] = ()
    side: str | None = None
    at: tuple[str, ...] = ()
    near: tuple[LocationName, ...] = ()
    by_road: bool = False
    exit: tuple[str, ...] = ()
    must: Literal["all"] | Count | None = None
    worth: Worth = 1
    each: dict[UnitId, Worth] = {}
    carried: bool = False


class Goal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True,
           tag_field="format", tag=GOAL_FORMAT):  # fmt: skip
    """
    What a plan is to bring about in the phase that runs.

    Parameters
    ----------
    aims
        Where units are wanted; a unit may be named by several.
    avoid
        Locations that none of the plan's units enters.
    threat
        What it adds to ``exposure`` that a unit enters a Location, by Location.
    movers
        The units that the plan may use; by default all of the side to move.
    order
        What matters, the most important first: each breaks the ties of those before it.
    weights
        Instead: one sum to be as large as possible, by criterion (``value`` counts for it, the
        others against it; ``points`` in whole points).
    """

    aims: tuple[Aim, ...]
    avoid: tuple[LocationName, ...] = ()
    threat: dict[LocationName, Worth] = {}
    movers: tuple[UnitId, ...] = ()
    order: tuple[Criterion, ...] = ("value", "distance", "exposure", "points", "moved")
    weights: dict[Criterion, Worth] = {}
