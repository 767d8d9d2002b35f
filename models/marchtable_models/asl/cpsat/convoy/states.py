"""What a Convoy's plans are made of: states of its vehicles, steps between them, and whole plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable_models.asl.survey.modes import mode_of

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslUnit

__all__ = ["Course", "State", "Step", "state_of"]

FRESH = -3


class Course(NamedTuple):
    """A plan as numbers: each vehicle's state after each Impulse, and what is spent by then."""

    states: tuple[tuple[int, ...], ...]
    spent: tuple[int, ...]


class State(NamedTuple):
    """
    Where a vehicle is and in which mode (see :mod:`marchtable_models.asl.survey.modes`).

    ``alone`` tells that it is the last, all others having left the map, ``left`` by which Location
    it has left itself. Then its mode only tells with whom it counts, those in Motion or the others.
    """

    at: str | None
    mode: Any
    alone: bool = False
    left: str = ""


class Step(NamedTuple):
    """
    A move as an Impulse tells it, what it costs in half points, and where it leads.

    ``back`` tells that it is barred to who has just come from there, ``halted`` that it is barred
    once the Convoy has stopped, ``halts`` that it stops it.
    """

    move: str
    verb: str
    cost: int
    to: State
    back: bool = False
    halted: bool = False
    halts: bool = False


def state_of(unit: AslUnit) -> State:
    """Return a vehicle's present state."""
    return State(unit.at, _plain(mode_of(unit)))


def _plain(mode: Any) -> Any:
    """Return a mode that has spent something: entries for the whole allotment are left out."""
    return (*mode[:FRESH], False, *mode[FRESH + 1 :])
