"""The states of a Convoy's vehicles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable_models.asl.extraction.modes import MOVING, STAGE, mode_of

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslUnit

__all__ = ["State", "state_of"]


class State(NamedTuple):
    """
    Where a vehicle is and in which mode (see :mod:`marchtable_models.asl.extraction.modes`).

    ``alone`` tells that it is the last, all others having left the map, ``left`` by which Location
    it has left itself. Then its mode only tells with whom it counts, those in Motion or the others.
    """

    at: str | None
    mode: Any
    alone: bool = False
    left: str = ""

    @property
    def is_moving(self) -> bool:
        """Whether it is in Motion."""
        return bool(self.mode[MOVING])

    @property
    def idle(self) -> State:
        """The state after an Impulse in which it stays."""
        return self


def state_of(unit: AslUnit) -> State:
    """Return a vehicle's present state."""
    return State(unit.at, _plain(mode_of(unit)))


def _plain(mode: Any) -> Any:
    """Return a mode that has spent something: entries for the whole allotment are left out."""
    return (*mode[:STAGE], False, *mode[STAGE + 1 :])
