"""
A unit's possible steps in a mode, as the compiler finds them.

Many of these objects are cached, and none is ever in a reference cycle.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from marchtable.state.action import Action

__all__ = ["Transition", "UnmodelledStep", "W", "Way"]


class Transition(msgspec.Struct, frozen=True, gc=False):
    """
    One way on from a mode; ``end`` means that it takes the whole allotment.

    An end needs ``least`` half points left: 1 if it is barred when nothing is left, as by D2.7.
    """

    start: int
    stop: int
    cost: int
    end: bool
    actions: tuple[Action, ...]
    rolls: tuple[str, ...]
    least: int = 0


class UnmodelledStep(msgspec.Struct, frozen=True, gc=False):
    """A step that cannot be judged, with its minimum mode, cost and rolls."""

    start: int
    stop: int
    cost: int
    clauses: tuple[str, ...]
    rolls: tuple[str, ...] = ()


Way = Transition | UnmodelledStep


class ActionOutcome(msgspec.Struct, frozen=True, gc=False):
    """An action's outcome in a mode, and the clauses that affect it; None if not recorded."""

    ways: tuple[Way, ...]
    consulted: frozenset[str] | None


W = TypeVar("W", Transition, UnmodelledStep, Way)
