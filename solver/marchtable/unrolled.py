"""Families of ways on as arrays: every way of every family, turned as the family has it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.compiled import CompiledSpace
    from marchtable.family import Block, Family

    Ints = npt.NDArray[np.int32]

__all__ = ["Shelf", "Unrolled"]


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


class Shelf:
    """
    Families, unrolled once for all spaces that are made of them.

    Parameters
    ----------
    ways
        Tells the ways of a block.

    Attributes
    ----------
    last
        Returns the space made last of what stands here, None if nobody keeps it.
    """

    def __init__(self, ways: Callable[[Block], Sequence[Any]]) -> None:
        self._ways = ways
        self._lock = threading.Lock()
        self._blocks: dict[Block, tuple[int, int]] = {}
        self._placed: dict[int, tuple[Family, int]] = {}  # by identity: to hash one takes long
        self._all: Unrolled | None = None
        self._steps: Ints | None = None  # of each way: from, to and at what cost
        self.last: Callable[[], CompiledSpace | None] = lambda: None

    def of(self, families: Sequence[Family]) -> tuple[Unrolled, Ints]:
        """Return families unrolled, perhaps with others, and the number of each of them there."""
        import numpy as np

        with self._lock:
            known = [*map(self._placed.get, map(id, families))]
            if self._all is None or None in known:
                pairs = zip(families, known, strict=True)
                new = {id(one): one for one, place in pairs if place is None}
                self._all = self._joined([*new.values()])
                count = len(self._placed)
                self._placed |= {n: (one, count + k) for k, (n, one) in enumerate(new.items())}
                known = [*map(self._placed.get, map(id, families))]
            return self._all, np.array([place[1] for place in known if place], np.int32)

    def _joined(self, families: Sequence[Family]) -> Unrolled:
        """Return what is unrolled so far with more families behind it."""
        import numpy as np

        of: list[Any] = [] if self._all is None else self._all.of  # it grows for all at once
        more = self._unrolled(families, of)
        if self._all is None:
            return more
        before = self._all

        def both(name: str) -> Ints:
            return np.concatenate([getattr(before, name), getattr(more, name)])

        first = np.concatenate([before.first, more.first[1:] + before.first[-1]])
        rose = before.rose or more.rose
        return Unrolled(
            of, both("number"), both("by"), both("start"), both("stop"), both("cost"), first, rose
        )

    def _unrolled(self, families: Sequence[Family], of: list[Any]) -> Unrolled:
        """Return some families unrolled, ways that are new put behind those known."""
        import numpy as np

        parts: list[tuple[int, int, int]] = []
        counts = []
        for family in families:
            for block, by in family.parts:
                if block not in self._blocks:
                    ways = self._ways(block)
                    self._blocks[block] = (len(of), len(ways))
                    of += ways
                parts.append((*self._blocks[block], by))
            counts.append(len(parts))
        begin, length, turn = np.array(parts, np.int32).reshape(-1, 3).T
        row, number = _runs(begin, length)
        known = np.empty((0, 3), np.int32) if self._steps is None else self._steps
        new = [(way.start, way.stop, way.cost) for way in of[len(known) :]]
        self._steps = np.concatenate([known, np.array(new, np.int32).reshape(-1, 3)])
        start, stop, cost = self._steps.T
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
