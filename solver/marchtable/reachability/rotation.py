"""Modes that differ only by their bearing: what is possible in one is possible, rotated, in all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.reachability.transitions import Unmodelled, W

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

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
        Rotates modes and actions (:meth:`Travel.turned`).
    modes
        The unit's modes.
    """

    def __init__(self, rulebook: Rulebook[Any, Any], modes: Sequence[Hashable]) -> None:
        self._rulebook = rulebook
        self._turned = self._tables(modes)

    def _tables(self, modes: Sequence[Hashable]) -> list[list[int]]:
        """Return each mode's number rotated by 0 to 5 sixths; empty if any is not listed."""
        number = {mode: index for index, mode in enumerate(modes)}
        tables = []
        for by in range(SIXTHS):
            table = [number.get(self._rulebook.turned(mode, by)) for mode in modes]
            if None in table:
                return []
            tables.append([index for index in table if index is not None])
        return tables

    @property
    def turns(self) -> bool:
        """Whether every mode has an equivalent at every bearing."""
        return bool(self._turned)

    def moded(self, start: int, by: int) -> int:
        """Return a mode rotated."""
        return self._turned[by % SIXTHS][start] if by % SIXTHS else start

    def turned(self, action: Action, by: int) -> Action:
        """Return an action rotated."""
        found: Action = self._rulebook.turned(action, by % SIXTHS) if by % SIXTHS else action
        return found

    def turn(self, ways: tuple[W, ...], by: int) -> tuple[W, ...]:
        """Return ways rotated."""
        by %= SIXTHS
        if not (by and ways):
            return ways
        table = self._turned[by]
        return tuple([self._way(way, table, by) for way in ways])

    def _way(self, way: W, table: Sequence[int], by: int) -> W:
        start, stop = table[way.start], table[way.stop]
        if isinstance(way, Unmodelled):
            return msgspec.structs.replace(way, start=start, stop=stop)
        actions = tuple([self.turned(action, by) for action in way.actions])
        return msgspec.structs.replace(way, start=start, stop=stop, actions=actions)
