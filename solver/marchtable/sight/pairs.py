"""Lines of sight for all pairs of places as arrays, updated as obstructions come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.errors import BadInputError
from marchtable.sight.table import BESIDE, VERDICTS, field_of, trace_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from marchtable.board.board import Board
    from marchtable.sight.facts import Obstruction, SightFacts, Verdict, Viewpoint

__all__ = ["SightTable"]


class SightTable:
    """
    All lines of sight between some places of a board.

    Parameters
    ----------
    board, facts
        The board, and the effects of terrain.
    places
        The places. An unmodelled property of a place makes all its lines unknown.
    obstructions
        Temporary obstructions on the board.

    Attributes
    ----------
    places
        The places, in order.
    verdicts, hindrances
        By the numbers of two places, viewer first: the verdict's index in
        :data:`~marchtable.sight.table.VERDICTS` (0 is clear), and the Hindrance. Both are
        symmetric, except for views out of and into drifting SMOKE.

    Raises
    ------
    BadInputError
        If a place is not on the board.
    """

    def __init__(
        self, board: Board, facts: SightFacts, places: Sequence[Viewpoint],
        obstructions: Sequence[Obstruction] = (),
    ) -> None:  # fmt: skip
        self.places, self._facts, self._field = tuple(places), facts, field_of(board, facts)
        numbers = self._field.numbers
        for place in self.places:
            if place.at not in numbers:
                raise BadInputError(f"{place.at} is no hex of this board", field="places")
        count = len(self.places)
        ends = [(numbers[place.at], place.height) for place in self.places]
        self._ends = np.array(ends, np.int64).reshape(-1, 2)
        spots = [(board[place.at].u, board[place.at].v) for place in self.places]
        self._spots = np.array(spots, np.int32).reshape(-1, 2)
        self._apart = self._ranges(self._spots)
        self._board, self._lying = board, frozenset(obstructions)
        self.verdicts: npt.NDArray[np.int8] = np.zeros((count, count), np.int8)
        self.hindrances: npt.NDArray[np.int8] = np.zeros((count, count), np.int8)
        self._trace(np.ones((count, count), np.bool_))

    def __copy__(self) -> SightTable:
        """Return an independent copy, which shares the board and nothing that `update` changes."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.verdicts, made.hindrances = self.verdicts.copy(), self.hindrances.copy()
        return made

    def update(self, obstructions: Iterable[Obstruction]) -> int:
        """Retrace what changed obstructions may affect; return the number of lines."""
        lying = frozenset(obstructions)
        changed = {one.at for one in lying ^ self._lying}
        self._lying = lying
        mask = np.zeros(self._apart.shape, np.bool_)
        for at in changed:
            here = self._board[at]
            far = self._ranges(np.array([(here.u, here.v)], np.int32))[0]
            mask |= far[:, None] + far[None, :] <= self._apart + BESIDE
        return self._trace(mask)

    def verdict(self, a: int, b: int) -> Verdict:
        """Return the verdict on two places by their numbers."""
        return VERDICTS[int(self.verdicts[a, b])]

    def _ranges(self, spots: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Return the distances in hexes from some spots to all places."""
        across, down = (
            np.abs(spots[:, None, axis] - self._spots[None, :, axis]) for axis in (0, 1)
        )
        found: npt.NDArray[np.int32] = np.maximum(across, (across + down) // 2)
        return found

    def _trace(self, mask: npt.NDArray[np.bool_]) -> int:
        """Trace the pairs of a symmetric mask, both ways if that matters; return their number."""
        drifts = [self._field.numbers[one.at] for one in self._lying if one.top is not None]
        murky = np.isin(self._ends[:, 0], drifts)
        a, b = np.nonzero(np.triu(mask))
        both = murky[a] | murky[b]
        a, b = np.concatenate([a, b[both]]), np.concatenate([b, a[both]])
        rows = np.concatenate([self._ends[a], self._ends[b]], axis=1)
        found: Any = trace_pairs(self._field, self._facts, rows, tuple(self._lying))
        one_way = len(a) - int(both.sum())
        for table, column in ((self.verdicts, 0), (self.hindrances, 3)):
            table[b[:one_way], a[:one_way]] = found[:one_way, column]
            table[a, b] = found[:, column]
        unknown = [n for n, place in enumerate(self.places) if place.unknown]
        self.verdicts[unknown, :] = self.verdicts[:, unknown] = VERDICTS.index("unknown")
        return len(rows)
