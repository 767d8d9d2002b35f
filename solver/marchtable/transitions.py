"""What a unit may do in a mode, as the compiler finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from marchtable.action import Action

__all__ = ["NOTHING", "Block", "Transition", "Unmodelled", "W", "Way"]


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


Way = Transition | Unmodelled
W = TypeVar("W", Transition, Unmodelled, Way)


class Block(NamedTuple):
    """What may be done in one mode at a crossing, and which steps there are not modelled."""

    transitions: tuple[Transition, ...]
    unsupported: tuple[Unmodelled, ...]


NOTHING = Block((), ())
