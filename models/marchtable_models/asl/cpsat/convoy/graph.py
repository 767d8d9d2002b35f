"""How one sort of vehicle of a Convoy may end its MPh, kept with what it may do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.line.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.board.board import Board
    from marchtable_models.asl.cpsat.convoy.steps import Steps

__all__ = ["EndGraph"]

UNKNOWN = -1


class EndGraph(Graph):
    """
    The states of one sort of vehicle, and for what it may end its MPh in them.

    Parameters
    ----------
    steps, board
        Whom to ask, and the map.
    """

    def __init__(self, steps: Steps, board: Board) -> None:
        super().__init__(steps, board)
        self.asked_of = steps
        self._ends: dict[tuple[int, int], Any] = {}
        self._doubts: dict[tuple[int, int], set[str]] = {}
        self._ahead: dict[int, tuple[int, ...]] = {}

    def ahead(self, n: int) -> tuple[int, ...]:
        """Return the places before a vehicle."""
        state = self.states[n]
        if n not in self._ahead:
            told = () if state.at is None else self.asked_of.ahead(state)
            self._ahead[n] = tuple(self.places.number[at] for at in told)
        return self._ahead[n]

    def ends(self, total: int, numbers: Sequence[int], width: int) -> Any:
        """
        Return by state and code from what on it may end its MPh, in half points spent.

        Of those told. Bit k of a code tells whether the kth of `width` places :meth:`ahead` is
        taken; `total` is what it has spent and the poorest has left. What is more than `total`
        means never.
        """
        import numpy as np

        known = self._ends.get((total, width))
        if known is None or len(known) < len(self.states):
            grown = np.full((len(self.states), 1 << width), UNKNOWN, np.int64)
            if known is not None:
                grown[: len(known)] = known
            known = self._ends[total, width] = grown
        for n in numbers:
            if known[n, 0] == UNKNOWN:
                known[n] = self._thresholds(n, total, width)
        return known

    def _thresholds(self, n: int, total: int, width: int) -> list[int]:
        state = self.states[n]
        if not state.is_moving or state.at is None:
            return [0] * (1 << width)
        told = self.asked_of.ahead(state)
        found = []
        for code in range(1 << width):
            beside = tuple(at for k, at in enumerate(told) if code >> k & 1)
            found.append(self.asked_of.ends_from(state, total, beside))
            if doubts := self.asked_of.doubts(state, total, beside):
                self._doubts.setdefault((n, total), set()).update(doubts)
        return found

    def doubts(self, total: int, numbers: Sequence[int]) -> set[str]:
        """Return the clauses that are not modelled and bore on what :meth:`ends` tells."""
        if not self._doubts:
            return set()
        return {clause for n in numbers for clause in self._doubts.get((n, total), ())}
