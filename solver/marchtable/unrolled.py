"""Families of ways on as arrays: every way of every family, turned as the family has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.family import Block, Family

    Ints = npt.NDArray[np.int32]

__all__ = ["Unrolled", "unrolled"]


class Unrolled(NamedTuple):
    """
    The ways of families, family after family.

    Parameters
    ----------
    of
        The ways as their blocks tell them, each once.
    number, by
        Which of these each way is, and by how many sixths it is turned.
    start, stop, cost
        The modes from which and to which it leads, turned, and its cost in half points.
    first
        Where the ways of each family begin, and after the last one where they end.
    rose
        Who turns them; None where there is no family.
    """

    of: list[Any]
    number: Ints
    by: Ints
    start: Ints
    stop: Ints
    cost: Ints
    first: Ints
    rose: Any

    def told(self, way: int) -> Any:
        """Return a way as it is, turned."""
        return self.rose.turn((self.of[self.number[way]],), int(self.by[way]))[0]

    def spread(self, kinds: Ints) -> tuple[Ints, Ints]:
        """Return, for each way at each crossing of these families, the crossing's row and the way."""
        return _runs(self.first[kinds], self.first[kinds + 1] - self.first[kinds])


def unrolled(families: Sequence[Family], ways: Callable[[Block], Sequence[Any]]) -> Unrolled:
    """Return the ways of families, taken from each of their blocks."""
    import numpy as np

    blocks: dict[Block, int] = {}
    of: list[Any] = []
    bounds, parts, turns, counts = [0], [], [], []
    for family in families:
        for block, by in family.parts:
            if block not in blocks:
                blocks[block] = len(blocks)
                of += ways(block)
                bounds.append(len(of))
            parts.append(blocks[block])
            turns.append(by)
        counts.append(len(parts))
    begin, part, turn = (
        np.array(bounds, np.int32),
        np.array(parts, np.int32),
        np.array(turns, np.int32),
    )
    row, number = _runs(begin[part], np.diff(begin)[part])
    start, stop, cost = np.array([(w.start, w.stop, w.cost) for w in of], np.int32).reshape(-1, 3).T
    turned = turn[row]
    rose = families[0].rose if families else None
    table = rose.table if rose else np.zeros((1, 1), np.int32)
    first = np.searchsorted(row, np.array([0, *counts])).astype(np.int32)
    begins, ends = table[turned, start[number]], table[turned, stop[number]]
    return Unrolled(of, number, turned, begins, ends, cost[number], first, rose)


def _runs(first: Ints, count: Ints) -> tuple[Ints, Ints]:
    """Return the numbers of runs that begin there and are so long, and which run each is of."""
    import numpy as np

    row = np.repeat(np.arange(len(first), dtype=np.int32), count)
    before = np.cumsum(count) - count
    number = np.arange(len(row)) - before[row] + first[row]
    return row, number.astype(np.int32)
