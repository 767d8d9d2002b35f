"""A unit's choices in the form that caches keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from marchtable.rules.generator import JudgedChoice
    from marchtable.state.action import Action

__all__ = ["CachedChoice"]


class CachedChoice:
    """
    A choice of a unit.

    Parameters
    ----------
    choice
        The slow generator's choice.

    Attributes
    ----------
    action, joins, closes
        As in a :class:`~marchtable.rules.generator.JudgedChoice`.
    closings
        All actions that close it, once computed.
    """

    __slots__ = ("action", "closes", "closings", "joins")

    def __init__(self, choice: JudgedChoice) -> None:
        self.action, self.joins, self.closes = choice.action, choice.joins, choice.closes
        self.closings: tuple[Action, ...] | None = None if choice.joins else (choice.action,)
