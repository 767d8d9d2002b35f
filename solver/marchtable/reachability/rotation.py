"""Modes that differ only by their bearing: what is possible in one is possible, rotated, in all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.reachability.transitions import UnmodelledStep, W

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.action import Action

__all__ = ["SIXTHS", "Rotation"]

SIXTHS = 6


class Rotation:
    """
    The modes of a unit under rotation.

    Parameters
    ----------
    rulebook
        Who turns modes and actions (:meth:`Symmetry.turned`).
    modes, number
        The unit's modes, each with its like at every bearing, and the number of each; both may grow.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any, Any],
        modes: Sequence[Hashable],
        number: Mapping[Hashable, int],
    ) -> None:
        self._rulebook, self._modes, self._number = rulebook, modes, number
        self._turned: dict[tuple[int, int], int] = {}

    def moded(self, start: int, by: int) -> int:
        """Return the mode that a mode is, turned."""
        by %= SIXTHS
        if not by:
            return start
        found = self._turned.get((start, by))
        if found is None:
            turned = self._rulebook.symmetry.turned(self._modes[start], by)
            found = self._turned[start, by] = self._number[turned]
        return found

    def turned(self, action: Action, by: int) -> Action:
        """Return an action rotated."""
        found: Action = (
            self._rulebook.symmetry.turned(action, by % SIXTHS) if by % SIXTHS else action
        )
        return found

    def turn(self, ways: tuple[W, ...], by: int) -> tuple[W, ...]:
        """Return ways rotated."""
        by %= SIXTHS
        if not (by and ways):
            return ways
        return tuple([self._way(way, by) for way in ways])

    def _way(self, way: W, by: int) -> W:
        start, stop = self.moded(way.start, by), self.moded(way.stop, by)
        if isinstance(way, UnmodelledStep):
            return msgspec.structs.replace(way, start=start, stop=stop)
        actions = tuple([self.turned(action, by) for action in way.actions])
        return msgspec.structs.replace(way, start=start, stop=stop, actions=actions)
