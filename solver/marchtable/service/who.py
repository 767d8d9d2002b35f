"""Requesters, and rejected requests."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["NOBODY", "REFEREE", "Rejected", "Who"]


class Who(NamedTuple):
    """
    A requester.

    Parameters
    ----------
    side
        The side whose view they have; None sees everything.
    name
        The name under which their requests are counted.
    is_lent
        Whether the view is lent to the referee, who can look at branches and later steps.
    """

    side: str | None = None
    name: str = ""
    is_lent: bool = False

    @property
    def is_referee(self) -> bool:
        """Whether they may see everything, even with a side's view at the moment."""
        return self.side is None or self.is_lent


REFEREE = Who()
NOBODY = Who("")
"""A requester of no existing side, who sees nothing that any side may hide."""


class Rejected(Exception):  # noqa: N818 - an answer of HTTP
    """A rejected request: the HTTP status, and the reason."""

    def __init__(self, status: int, message: str, field: str = "") -> None:
        super().__init__(message)
        self.status, self.field = status, field
