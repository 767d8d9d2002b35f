"""What a unit may choose, as lists of it are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from marchtable.rules.generator import Choice
    from marchtable.state.action import Action

__all__ = ["Entry"]


class Entry:
    """
    What a unit may choose.

    Parameters
    ----------
    choice
        What the slow generator lists.

    Attributes
    ----------
    action, joins, closes
        As of a :class:`~marchtable.rules.generator.Choice`.
    closings
        All actions that it may be closed as, once that was asked.
    """

    __slots__ = ("action", "closes", "closings", "joins")

    def __init__(self, choice: Choice) -> None:
        self.action, self.joins, self.closes = choice.action, choice.joins, choice.closes
        self.closings: tuple[Action, ...] | None = None if choice.joins else (choice.action,)
