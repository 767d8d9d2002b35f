"""Occasions at which subjects are asked, beside actions, phases and rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec, TypeVar

from marchtable.rules.subjects import Hook

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BLOW", "MPH_END", "at_blow", "at_mph_end"]

P = ParamSpec("P")
R = TypeVar("R")
BLOW, MPH_END = "blow", "mph-end"


def at_blow(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, event, edition)`` that returns the facts of a blow, where no other rule has any."""
    return Hook(BLOW, (object,), function)


def at_mph_end(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, unit)`` that returns the facts of a unit on the map that stops as its MPh ends."""
    return Hook(MPH_END, (object,), function)
