"""Whether a unit could do otherwise by coming back to where it started.

Equal units share a space in which each still stands in its own Location, as it does for a newcomer.
For the unit itself that is wrong in one place only: where it comes back to that Location. Here we
look whether that makes a difference; then it needs a space of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.reachability.compiled import NO_LIMIT, CompiledSpace
from marchtable.reachability.growing import ranges

if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy as np
    import numpy.typing as npt

    from marchtable.reachability.space import Reached
    from marchtable.reachability.standing import Standing

__all__ = ["ReturnCorrection"]

END, UNMODELLED = 1, 2


class ReturnCorrection:
    """
    The ways back of a unit.

    Parameters
    ----------
    shared
        The space that it shares, which keeps this; it is not kept here.
    standing
        Who stands where for the unit itself.
    home
        The Location where it stands.

    Attributes
    ----------
    space
        The space of the unit itself.
    """

    def __init__(self, shared: CompiledSpace, standing: Standing, home: str) -> None:
        import numpy as np

        self.space = CompiledSpace(shared.mover, standing)
        index = shared.board.index
        self._home = index[home]
        self._near = np.zeros(len(shared.board), bool)
        self._near[[index[name] for _, name in shared.board.neighbours(home)]] = True
        self._known: dict[Hashable, bool] = {}
        self._asked: set[int] = set()
        self._gained: list[tuple[int, int, int, bool]] = []
        self._lost: list[int] = []
        self._gained_arrays = np.zeros((4, 0), np.int64)
        self._doubtful: set[int] = set()

    def matters(self, shared: CompiledSpace, asked: Hashable, found: Reached) -> bool:
        """
        Return whether the unit itself might get farther, or otherwise, than a search found in the shared space.

        What was asked distinguishes searches.
        """
        with shared.mover.lock:
            known = self._known.get(asked)
            if known is None:
                known = self._known[asked] = self._matters(shared, found)
        return known

    def _matters(self, shared: CompiledSpace, found: Reached) -> bool:
        import numpy as np

        at = found.state // shared.width
        near = found.state[self._near[at]].tolist()
        if not self._asked.issuperset(near):
            self._ask(shared, near)
        if not self._doubtful.isdisjoint(near) or bool(
            np.isin(found.arc[at == self._home], self._lost).any()
        ):
            return True
        mover, space = shared.mover, shared
        start, stop, cost, ends = self._gained_arrays
        spent = space.lend_scratch()
        spent[found.rows] = found.spent
        limit = mover.most.taken()[stop]
        after = np.where(ends, limit, spent[start] + cost)
        gains = (spent[start] <= limit) & (after <= limit) & (after < spent[stop])
        spent[found.rows] = NO_LIMIT
        space.scratch.append(spent)
        return bool(gains.any())

    def _ask(self, shared: CompiledSpace, states: list[int]) -> None:
        """Find in what the ways back from more states are not those of the shared space."""
        import numpy as np

        new = np.array(sorted({*states} - self._asked), np.int64)
        own, usual = (self._back(new, space) for space in (self.space, shared))
        starts = shared.mover.rows_of(new).tolist()
        for state, start, mine, theirs in zip(new.tolist(), starts, own, usual, strict=True):
            news = mine.keys() - theirs.keys()
            self._gained += [(start, stop, cost, kind == END) for kind, stop, cost, _ in news]
            self._lost += [theirs[way] for way in theirs.keys() - mine.keys()]
            if any(way[0] == UNMODELLED for way in mine.keys() ^ theirs.keys()):
                self._doubtful.add(state)
        self._gained_arrays = np.array(self._gained, np.int64).reshape(-1, 4).T
        self._asked.update(new.tolist())  # last: what is broken off is asked again

    def _back(
        self, states: npt.NDArray[np.int64], space: CompiledSpace
    ) -> list[dict[tuple[int, int, int, Any], int]]:
        """Return the arcs from each state to the Location: of what kind, to which row, the cost, and what they say."""
        mover, width = space.mover, space.width
        first, middle, last, stop = space.expand(states)
        arcs, owner = ranges(first, stop)
        to = mover.target.taken()[arcs]
        home = mover.numbers.taken()[to] // width == self._home
        arcs, owner, to = arcs[home], owner[home], to[home]
        kinds = (arcs >= middle[owner]) * END + (arcs >= last[owner]) * END
        columns = (owner, kinds, to, mover.cost.taken()[arcs], mover.way.taken()[arcs], arcs)
        found: list[dict[tuple[int, int, int, Any], int]] = [{} for _ in states]
        for number, kind, row, cost, done, arc in zip(
            *(one.tolist() for one in columns), strict=True
        ):
            (way,) = mover.views.rotation.turn((mover.ways[done],), mover.turned[done])
            said = msgspec.structs.astuple(way)
            found[number][kind, row, cost, said] = arc
        return found
