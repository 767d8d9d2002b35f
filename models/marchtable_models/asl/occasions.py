"""Occasions for subjects' facts besides actions, phases and rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec, TypeVar

from marchtable.rules.subjects import Hook

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")
BLOW, CARRYING, ENTRY, IMPULSE = "blow", "carrying", "entry", "impulse"
LOSS, MEMBER, PARTING, TURNING = "loss", "member", "parting", "turning"
EVENT, FIRE_OVER, SHOWING, SPENDING = "event", "fire-over", "showing", "spending"
MPH_START, MPH_OVER = "mph-start", "mph-over"
CHECK, CHECK_LOAD = "check", "check-load"
BUDGET, MOVED, OPENED = "budget", "moved", "opened"
LINEUP, PHASE, SET_UP = "lineup", "phase-of-unit", "set-up"


def at_blow(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, event, edition)`` that returns the facts of a blow, unless another rule has some."""
    return Hook(BLOW, (object,), function)


def at_budget(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(kept, unit, whole, edition)`` that returns what a unit must keep of its whole allotment."""
    return Hook(BUDGET, (object,), function)


def at_carrying(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, vehicle, entry, edition)`` that returns the facts of the load of a vehicle that enters."""
    return Hook(CARRYING, (object,), function)


def at_check(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, unit, field, edition)`` that raises BadInputError for a unit stated wrongly in a scene."""
    return Hook(CHECK, (object,), function)


def at_check_load(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, unit, field, edition)`` that raises BadInputError for an overloaded carrier; it runs last."""
    return Hook(CHECK_LOAD, (object,), function)


def at_entry(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, unit, action, to, units, edition)`` that returns further facts of one of the entering units."""
    return Hook(ENTRY, (object,), function)


def at_moved(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(after, before, bills)`` that returns the position after an action, with what it leaves there."""
    return Hook(MOVED, (object,), function)


def at_mph_over(function: Callable[P, R]) -> Hook[P, R]:
    """
    Mark a function ``(position, here, edition, ended, units)`` that returns the facts of units whose MPh ends.

    ``here`` are those on the map; ``ended``: their player states the end.
    """
    return Hook(MPH_OVER, (object,), function)


def at_mph_start(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, unit, edition)`` that returns the facts of units that must move before a unit whose MPh begins."""
    return Hook(MPH_START, (object,), function)


def at_turning(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, vehicle, edition)`` that returns the facts of units on a vehicle whose VCA turns."""
    return Hook(TURNING, (object,), function)


def at_loss(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, unit)`` that returns the facts of units that depend on an eliminated unit."""
    return Hook(LOSS, (object,), function)


def at_member(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, unit)`` that returns further facts of a member of a line that moves in an Impulse."""
    return Hook(MEMBER, (object,), function)


def at_opening(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, edition)`` that returns the position of a scene as it must be by then."""
    return Hook(OPENED, (object,), function)


def at_parting(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, unit, willing)`` that returns the facts of a line that a unit leaves (``willing``) or is lost to."""
    return Hook(PARTING, (object,), function)


def at_impulse(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, line, pieces, edition, impulse)`` that returns further facts of a line in an Impulse."""
    return Hook(IMPULSE, (object,), function)


def at_lineup(function: Callable[P, R]) -> Hook[P, R]:
    """
    Mark a function ``(position, unit, line, crowded, restarts)`` that returns facts of a line about to make an Impulse.

    The unit names it. In a Convoy, vehicles can share a Location as it ends, or one can start after
    another has stopped.
    """
    return Hook(LINEUP, (object,), function)


def at_phase(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, unit, begins)`` that returns the facts of a unit as a phase begins; see :mod:`rules.phases`."""
    return Hook(PHASE, (object,), function)


def at_set_up(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, line)`` that returns the facts of a line as a scene states it."""
    return Hook(SET_UP, (object,), function)


def at_event(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, event)`` that returns further facts of an event."""
    return Hook(EVENT, (object,), function)


def at_fire_over(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, phase)`` that returns the facts of units that fire at earlier acts could still have hit; ``phase``: a phase is over, too."""
    return Hook(FIRE_OVER, (object,), function)


def at_showing(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, names)`` that returns the facts of units that might see newly revealed units."""
    return Hook(SHOWING, (object,), function)


def at_spending(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, unit, found, edition)`` that returns further facts of an action, given all others."""
    return Hook(SPENDING, (object,), function)
