"""A control for models that are asked without a planner about them."""

from __future__ import annotations

from marchtable.cpsat.harness import Stop

__all__ = ["Quiet"]


class Quiet:
    """A control that grants whatever is asked for."""

    seed = 0

    def __init__(self) -> None:
        self.stop = Stop()

    def left(self) -> float:
        """Return plenty."""
        return 60.0

    def spend(self, time: float) -> None:
        """Take no note."""

    def found(self, log: object) -> None:
        """Take no note."""

    def bounded(self, bound: int) -> None:
        """Take no note."""
