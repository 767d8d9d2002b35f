"""Modes that differ by their bearing alone: what may be done in one may be done, turned, in all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.family import Transition

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from marchtable.action import Action
    from marchtable.family import Unmodelled
    from marchtable.rulebook import Rulebook

__all__ = ["Rose"]

SIXTHS = 6


class Rose:
    """
    The modes of a unit by bearing.

    Parameters
    ----------
    rulebook
        Who tells bearings (:meth:`Travel.bearing`) and turns modes and actions (:meth:`Travel.turned`).
    modes
        The unit's modes.
    """

    def __init__(self, rulebook: Rulebook[Any, Any], modes: Sequence[Hashable]) -> None:
        self._rulebook = rulebook
        self._bearings = [rulebook.bearing(mode) for mode in modes]
        self._turned = self._tables(modes) if any(self._bearings) else []

    def _tables(self, modes: Sequence[Hashable]) -> list[list[int]]:
        """Return each mode's number turned by 0 to 5 sixths; none if some of them is not listed."""
        number = {mode: index for index, mode in enumerate(modes)}
        tables = []
        for by in range(SIXTHS):
            table = [number.get(self._rulebook.turned(mode, by)) for mode in modes]
            if None in table:
                return []
            tables.append([index for index in table if index is not None])
        return tables

    def like(self, start: int) -> tuple[int, int]:
        """Return the mode of bearing 0 that a mode is like, and by how much it is turned from it."""
        by = self._bearings[start] if self._turned else 0
        return (self._turned[-by % SIXTHS][start], by) if by else (start, 0)

    def bearing(self, mode: Hashable, action: Action) -> int:
        """Return by how much an action in a mode is turned from its like at bearing 0."""
        return self._rulebook.bearing(mode, action) if self._turned else 0

    def moded(self, start: int, by: int) -> int:
        """Return the mode that a mode is, turned."""
        return self._turned[by % SIXTHS][start] if by % SIXTHS else start

    def turned(self, action: Action, by: int) -> Action:
        """Return an action turned."""
        found: Action = self._rulebook.turned(action, by % SIXTHS) if by % SIXTHS else action
        return found

    def turn(
        self, ways: Sequence[Transition | Unmodelled], by: int
    ) -> tuple[Transition | Unmodelled, ...]:
        """Return what may be done, turned."""
        by %= SIXTHS
        if not (by and ways):
            return tuple(ways)
        table, turned = self._turned[by], self.turned
        found: list[Transition | Unmodelled] = []
        for way in ways:
            start, stop = table[way.start], table[way.stop]
            if isinstance(way, Transition):
                actions = tuple([turned(action, by) for action in way.actions])
                found.append(way._replace(start=start, stop=stop, actions=actions))
            else:
                found.append(way._replace(start=start, stop=stop))
        return tuple(found)
