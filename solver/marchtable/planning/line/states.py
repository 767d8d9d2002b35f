"""What a line's plans are made of: states of its members, steps between them, and whole plans."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

__all__ = ["Course", "State", "Step"]


class Course(NamedTuple):
    """A plan as numbers: each member's state after each round, and what is spent by then."""

    states: tuple[tuple[int, ...], ...]
    spent: tuple[int, ...]


class State(Protocol):
    """
    Where a member is, and in which mode.

    ``is_moving`` counts where all must end moving or none. ``alone`` tells that it is the last of
    its line, all others having left the map, ``left`` by which Location it has left itself.
    """

    @property
    def at(self) -> str | None:
        """Its Location, None off the map."""

    @property
    def is_moving(self) -> bool:
        """Whether it is moving."""

    @property
    def alone(self) -> bool:
        """Whether it is alone."""

    @property
    def left(self) -> str:
        """The Location by which it has left the map, "" if it has not."""

    @property
    def idle(self) -> Any:
        """The state after a round in which it stays."""


class Step(NamedTuple):
    """
    A move as a round tells it, what it costs in half points, and where it leads.

    ``back`` tells that it is barred to who has just come from there, ``halted`` that it is barred
    once the line has stopped, ``halts`` that it stops it, ``last`` that no round follows, ``stays``
    that it is none: its member waits, and another has to spend something.
    """

    move: str
    verb: str
    cost: int
    to: Any
    back: bool = False
    halted: bool = False
    halts: bool = False
    last: bool = False
    stays: bool = False
