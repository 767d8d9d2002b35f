"""A control for models used without a planner."""

from __future__ import annotations

from marchtable.cpsat.harness import Stop

__all__ = ["Quiet"]


class Quiet:
    """A control that grants everything."""

    seed = 0

    def __init__(self) -> None:
        self.stop = Stop()

    def left(self) -> float:
        """Return plenty."""
        return 60.0

    def spend(self, time: float) -> None:
        """Ignore it."""

    def found(self, log: object) -> None:
        """Ignore it."""

    def bounded(self, bound: int) -> None:
        """Ignore it."""
