"""Whether a unit could do otherwise by coming back to where it started.

Equal units share a space in which each still stands in its own Location, as it does for a newcomer.
For the unit itself that is wrong in one place only: where it comes back to that Location. Here we
look whether it does, or would if it did not meet itself; then it needs a space of its own.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from marchtable.compiled import NO_LIMIT, CompiledSpace

if TYPE_CHECKING:
    from marchtable.space import Reached
    from marchtable.standing import Standing

__all__ = ["Homecoming"]


class Homecoming:
    """
    The ways back of a unit.

    Parameters
    ----------
    shared
        The space that it shares.
    standing
        Who stands where for the unit itself.
    home
        The Location where it stands.
    """

    def __init__(self, shared: CompiledSpace, standing: Standing, home: str) -> None:
        import numpy as np

        self._shared, self._standing = shared, standing
        index = shared.board.index
        self._home = index[home]
        self._near = np.array([index[name] for _, name in shared.board.neighbours(home)], np.int64)
        self._asked: set[int] = set()
        self._ways: list[tuple[int, int, int, bool]] = []
        self._told = np.zeros((4, 0), np.int64)
        self._unmodelled = False

    @cached_property
    def space(self) -> CompiledSpace:
        """The space of the unit itself."""
        return CompiledSpace(self._shared.mover, self._standing)

    def matters(self, found: Reached) -> bool:
        """Tell whether the unit itself might get farther, or otherwise, than was found in the shared space."""
        import numpy as np

        width = self._shared.width
        at = found.state // width
        before = found.parent[at == self._home]
        if bool(np.any((before >= 0) & (before // width != self._home))):
            return True
        near = found.state[np.isin(at, self._near)].tolist()
        if not self._asked.issuperset(near):
            self._ask(near)
        if self._unmodelled:
            return True
        mover, space = self._shared.mover, self._shared
        start, stop, cost, ends = self._told
        spent = space.lend_scratch()
        spent[found.rows] = found.spent
        limit = mover.most.taken()[stop]
        after = np.where(ends, limit, spent[start] + cost)
        gains = (spent[start] <= limit) & (after <= limit) & (after < spent[stop])
        spent[found.rows] = NO_LIMIT
        space.scratch.append(spent)
        return bool(gains.any())

    def _ask(self, states: list[int]) -> None:
        """Find the ways back from more states."""
        import numpy as np

        mover, width = self._shared.mover, self._shared.width
        first = self._home * width
        with mover.lock:
            for state in states:
                if state in self._asked:
                    continue
                self._asked.add(state)
                (start,) = mover.rows_of([state])
                around = self._standing.around.get(state // width, -1)
                span, _ = mover.expand(state, around, self._standing.present)
                mover.flush()
                for arc in range(span[0], span[3]):
                    stop = int(mover.target.taken()[arc])
                    if first <= mover.states[stop] < first + width:
                        if arc >= span[2]:
                            self._unmodelled = True
                        cost = int(mover.cost.taken()[arc])
                        self._ways.append((start, stop, cost, arc >= span[1]))
            self._told = np.array(self._ways, np.int64).reshape(-1, 4).T
