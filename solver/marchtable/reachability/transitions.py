"""What a unit may do in a mode, as the compiler finds it: much of it is kept, and none of it is ever in a cycle."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import msgspec

from marchtable.state.action import Action

__all__ = ["Transition", "Unmodelled", "W", "Way"]


class Transition(msgspec.Struct, frozen=True, gc=False):
    """One way on from a mode; ``end`` says that it takes the whole allotment."""

    start: int
    stop: int
    cost: int
    end: bool
    actions: tuple[Action, ...]
    rolls: tuple[str, ...]


class Unmodelled(msgspec.Struct, frozen=True, gc=False):
    """A step that nobody can judge, with the mode, cost and rolls that it would have at least."""

    start: int
    stop: int
    cost: int
    clauses: tuple[str, ...]
    rolls: tuple[str, ...] = ()


Way = Transition | Unmodelled


class Lesson(NamedTuple):
    """What comes of an action in a mode, and the clauses that have a say in it; None if that was not kept."""

    ways: tuple[Way, ...]
    consulted: frozenset[str] | None


W = TypeVar("W", Transition, Unmodelled, Way)
