"""Whether a unit could do otherwise by coming back to where it started.

Equal units share a space in which each still stands in its own Location, as it does for a newcomer.
For the unit itself that is wrong in one place only: where it comes back to that Location. Here we
look whether that makes a difference; then it needs a space of its own.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import ref

from marchtable.compiled import NO_LIMIT, CompiledSpace
from marchtable.growing import ranges
from marchtable.transitions import Transition

if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy as np
    import numpy.typing as npt

    from marchtable.space import Reached
    from marchtable.standing import Standing
    from marchtable.successors import Expander

__all__ = ["Homecoming"]

END, UNMODELLED = 1, 2


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

        self._space_of, self._standing = ref(shared), standing  # which keeps it
        index = shared.board.index
        self._home = index[home]
        self._near = np.zeros(len(shared.board), bool)
        self._near[[index[name] for _, name in shared.board.neighbours(home)]] = True
        self._known: dict[Hashable, bool] = {}
        self._asked: set[int] = set()
        self._gained: list[tuple[int, int, int, bool]] = []
        self._lost: list[int] = []
        self._told = np.zeros((4, 0), np.int64)
        self._doubtful: set[int] = set()

    @property
    def _shared(self) -> CompiledSpace:
        found = self._space_of()
        assert found is not None
        return found

    @cached_property
    def space(self) -> CompiledSpace:
        """The space of the unit itself."""
        return CompiledSpace(self._shared.mover, self._standing)

    def matters(self, asked: Hashable, found: Reached) -> bool:
        """
        Tell whether the unit itself might get farther, or otherwise, than a search found in the shared space.

        What was asked tells searches apart.
        """
        known = self._known.get(asked)
        if known is None:
            known = self._known[asked] = self._matters(found)
        return known

    def _matters(self, found: Reached) -> bool:
        import numpy as np

        at = found.state // self._shared.width
        near = found.state[self._near[at]].tolist()
        if not self._asked.issuperset(near):
            self._ask(near)
        if not self._doubtful.isdisjoint(near) or bool(
            np.isin(found.arc[at == self._home], self._lost).any()
        ):
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
        """Find in what the ways back from more states are not those of the shared space."""
        import numpy as np

        new = np.array(sorted({*states} - self._asked), np.int64)
        mover = self._shared.mover
        with mover.lock:
            own = self._back(new, self.space.expand)
            usual = self._back(new, self._shared.expand)
            starts = mover.rows_of(new).tolist()
        for state, start, mine, theirs in zip(new.tolist(), starts, own, usual, strict=True):
            news = mine.keys() - theirs.keys()
            self._gained += [(start, stop, cost, kind == END) for kind, stop, cost, _ in news]
            self._lost += [theirs[way] for way in theirs.keys() - mine.keys()]
            if any(way[0] == UNMODELLED for way in mine.keys() ^ theirs.keys()):
                self._doubtful.add(state)
            self._asked.add(state)
        self._told = np.array(self._gained, np.int64).reshape(-1, 4).T

    def _back(
        self, states: npt.NDArray[np.int64], expand: Expander
    ) -> list[dict[tuple[int, int, int, Any], int]]:
        """Return the arcs from each state to the Location: of what kind, to which row, the cost, and what they say."""
        mover, width = self._shared.mover, self._shared.width
        first, middle, last, stop = expand(states)
        arcs, owner = ranges(first, stop)
        to = mover.target.taken()[arcs]
        home = mover.numbers.taken()[to] // width == self._home
        arcs, owner, to = arcs[home], owner[home], to[home]
        kinds = (arcs >= middle[owner]) * END + (arcs >= last[owner]) * END
        told = (owner, kinds, to, mover.cost.taken()[arcs], mover.way.taken()[arcs], arcs)
        found: list[dict[tuple[int, int, int, Any], int]] = [{} for _ in states]
        for number, kind, row, cost, done, arc in zip(*(one.tolist() for one in told), strict=True):
            way = mover.ways[done]
            said = way.rolls if isinstance(way, Transition) else (*way.clauses, *way.rolls)
            found[number][kind, row, cost, said] = arc
        return found
