"""What a unit may do wherever certain facts of the map occur: the compiler's findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from marchtable.action import Action

__all__ = ["Family", "Transition", "Unmodelled"]


class Transition(NamedTuple):
    """One way on from a mode; ``end`` says that it takes the whole allotment."""

    start: int
    stop: int
    cost: int
    end: bool
    actions: tuple[Action, ...]
    rolls: tuple[str, ...]


class Unmodelled(NamedTuple):
    """A step that nobody can judge, with the mode, cost and rolls that it would have at least."""

    start: int
    stop: int
    cost: int
    clauses: tuple[str, ...]
    rolls: tuple[str, ...] = ()


class Family(NamedTuple):
    """What may be done wherever certain facts occur, and which steps there are not modelled."""

    transitions: tuple[Transition, ...]
    unsupported: tuple[Unmodelled, ...]
