"""A joint action: units that take part anyway, whose moves are chosen one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.state.action import Action

__all__ = ["Joint"]


class Joint:
    """What a rulebook knows of one joint action in a position, the moves chosen so far included."""

    @property
    def members(self) -> Sequence[str]:
        """The units that make the moves, one each, in order."""
        raise NotImplementedError

    @property
    def is_repeated(self) -> bool:
        """Whether it states no more than one with fewer moves, so that it counts once."""
        return False

    def moves(self, unit: str) -> Sequence[str]:
        """Return the moves to propose to the next member."""
        raise NotImplementedError

    def closing(self) -> Sequence[str] | None:
        """
        Return which of :meth:`moves` can be added so that the action closes.

        None leaves it to the machinery, which tries every member's moves. A rulebook that knows
        how its members' moves depend on each other finds them quicker.
        """
        return None

    def closings(self) -> int | None:
        """Return in how many ways it can be closed, None to have them counted."""
        return None

    def simpler(self) -> Iterable[Action]:
        """Return the same action doing less: plans use it where it does as well."""
        return ()
