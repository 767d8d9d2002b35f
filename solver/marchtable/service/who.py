"""Who asks, and what he is refused."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["NOBODY", "REFEREE", "Refused", "Who"]


class Who(NamedTuple):
    """
    Who asks.

    Parameters
    ----------
    side
        The side whose eyes he sees with; None sees all.
    name
        By what name his requests are counted.
    is_lent
        Whether those eyes are lent to the referee, who may look at branches and steps to come.
    """

    side: str | None = None
    name: str = ""
    is_lent: bool = False

    @property
    def is_referee(self) -> bool:
        """Whether he may look at everything, though he see with a side's eyes just now."""
        return self.side is None or self.is_lent


REFEREE = Who()
NOBODY = Who("")
"""Plays a side that there is not, and so sees nothing that any side may hide."""


class Refused(Exception):  # noqa: N818 - an answer of HTTP
    """Something that is not to be had: the HTTP status, and why."""

    def __init__(self, status: int, message: str, field: str = "") -> None:
        super().__init__(message)
        self.status, self.field = status, field
