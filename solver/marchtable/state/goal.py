"""Goals of plans, as files (``marchtable/goal/1``) and as Python objects."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from marchtable.state.position import LocationName, UnitId

__all__ = ["CRITERIA", "GOAL_FORMAT", "Aim", "Criterion", "Goal"]

GOAL_FORMAT = "marchtable/goal/1"

Criterion = Literal["value", "distance", "exposure", "points", "moved"]
"""Measures of plans; ``value`` is maximised, the others are minimised."""

CRITERIA: tuple[Criterion, ...] = ("value", "distance", "exposure", "points", "moved")

Worth = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Count = Annotated[int, msgspec.Meta(ge=1)]


class Aim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    Places that units should reach by the end of the plan.

    Parameters
    ----------
    units, side
        The units: by name, or all of a side.
    at
        Locations to be in: by name, or whole columns of hexes, ``"K..Q"``.
    near
        Locations to be near; the nearest counts.
    by_road
        Whether hexes to ``near`` count along the roads that lead there, not as the crow flies.
    exit
        Locations by which to leave the map, named as in ``at``.
    must
        How many of the units must: ``"all"``, or a number. By default it is only a wish.
    worth
        The worth of each unit: for ``value`` if it is where it is wanted, for ``distance`` per hex
        of its distance from ``near``.
    each
        Units with another worth.
    carried
        Whether units aboard a vehicle count.
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
    The goal of a plan in the current phase.

    Parameters
    ----------
    aims
        Where units are wanted; several aims can name the same unit.
    avoid
        Locations that none of the plan's units enters.
    threat
        The ``exposure`` of a unit that enters a Location, by Location.
    movers
        The units that the plan can use; by default all of the side to move.
    order
        Criteria, the most important first: each breaks the ties of those before it.
    weights
        Instead of `order`: a sum to maximise, by criterion (``value`` counts for it, the others
        against it; ``points`` in whole points).
    """

    aims: tuple[Aim, ...]
    avoid: tuple[LocationName, ...] = ()
    threat: dict[LocationName, Worth] = {}
    movers: tuple[UnitId, ...] = ()
    order: tuple[Criterion, ...] = ("value", "distance", "exposure", "points", "moved")
    weights: dict[Criterion, Worth] = {}
