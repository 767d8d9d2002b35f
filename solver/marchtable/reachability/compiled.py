"""The search space of a unit in a position, compiled as far as searches have come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.budget import current_budget, look, work
from marchtable.checking import Checks
from marchtable.reachability.growing import ranges
from marchtable.reachability.kernel import search_batch
from marchtable.reachability.space import Reached, SearchSpace
from marchtable.reachability.successors import UNMET, Expander
from marchtable.reachability.transitions import Transition, UnmodelledStep
from marchtable.rules.clause import switched_off
from marchtable.state.action import renamed

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.reachability.standing import OtherUnits
    from marchtable.reachability.successors import Mover
    from marchtable.state.action import Action

    Ints = npt.NDArray[np.int32]

__all__ = ["NO_LIMIT", "CompiledSpace", "SearchLimits"]

NO_LIMIT = 2**31 - 2
STATE = 0.00002  # deterministic time charged per state reached


class SearchLimits(NamedTuple):
    """
    Limits of a search that differ from the space's own.

    Parameters
    ----------
    ample
        Minimum half points that may be spent in every state.
    closed
        Locations, by index, that must not be entered.
    raised
        A state with its own minimum of half points that may be spent; None: no such state.
    """

    ample: int = 0
    closed: frozenset[int] = frozenset()
    raised: tuple[int, int] | None = None

    def of(self, state: int, width: int, limit: int) -> int:
        """Return the limit in a state, given the space's own, and its states a Location."""
        if state // width in self.closed:
            return -1
        if self.raised is not None and state == self.raised[0]:
            limit = max(limit, self.raised[1])
        return max(limit, self.ample)

    def array(self, states: Ints, width: int, limit: Ints) -> Ints:
        """Return the limits state by state, given the space's own, and its states a Location."""
        import numpy as np

        found = np.maximum(limit, np.int32(self.ample))
        if self.raised is not None:
            there = states == self.raised[0]
            found[there] = np.maximum(found[there], np.int32(self.raised[1]))
        if self.closed:
            found[np.isin(states // width, [*self.closed])] = -1
        return found


class CompiledSpace:
    """
    The reach of a unit while the others stay where they are.

    It grows as it is searched. Known facts are in the game's words; a state that no search has met
    has no arcs, and must not be queried.

    Parameters
    ----------
    mover
        The possible actions of units equal to it.
    standing
        The other units by place.

    Attributes
    ----------
    recheck
        While answers are checked: judges states of the space again, in the last position queried.
    """

    recheck: Callable[[CompiledSpace, Iterable[int]], None] | None = None

    def __init__(self, mover: Mover, standing: OtherUnits) -> None:
        self.mover, self.standing, self.board = mover, standing, mover.board
        self.width = mover.width
        self.expand = Expander(mover, standing)
        self._space: SearchSpace | None = None
        self.notes: dict[Any, Any] = {}

    @property
    def modes(self) -> Sequence[Hashable]:
        """The modes that were met; a state is a Location's index times ``width``, plus the mode's."""
        return self.mover.modes

    def onward(self, states: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
        """Return each state's successors, with the cost in half points; no ends."""
        import numpy as np

        mover = self.mover
        asked = np.array([*{*states}], np.int64)
        with mover.lock:
            first, middle = self.expand(asked)[:2]
            arcs, owner = ranges(first, middle)
            to = mover.numbers.taken()[mover.target.taken()[arcs]].tolist()
            steps = zip(owner.tolist(), to, mover.cost.taken()[arcs].tolist(), strict=True)
        listed = asked.tolist()
        found: dict[int, list[tuple[int, int]]] = {state: [] for state in listed}
        for number, stop, cost in steps:
            found[listed[number]].append((stop, cost))
        return found

    def cost(self, arc: int) -> int:
        """Return the cost of an arc, in half points."""
        return int(self.mover.cost.taken()[arc])

    def state(self, at: str, mode: Hashable) -> int:
        """Return the state of a unit at a Location in a mode."""
        with self.mover.lock:
            return self.board.index[at] * self.width + self.mover.numbered(mode)

    def limit(self, state: int) -> int:
        """Return the most that may have been spent in a state, in half points."""
        return self.mover.limits[state % self.width]

    @property
    def most(self) -> int:
        """The most that may have been spent in any state, in half points."""
        return max(self.mover.limits)

    # -- searching -----------------------------------------------------------------------------

    @property
    def space(self) -> SearchSpace:
        """The arrays to search, as far as they are known."""
        with self.mover.lock:  # take consistent arrays together
            if self._space is None:
                self._space = self._taken()
            return self._space

    def _taken(self) -> SearchSpace:
        mover = self.mover
        first, middle, last, _ = self.expand.known()
        return SearchSpace(
            first, middle, last, mover.target.taken(), mover.cost.taken(),
            mover.most.taken()[: len(first)], mover.source.taken(),
            (mover.packed.taken(), mover.bits), mover.numbers.taken(), mover.listed, mover.spare,
        )  # fmt: skip

    def _rows_of(self, states: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return the rows of states in the arrays."""
        with self.mover.lock:
            rows = [self.mover.rows_of(some).tolist() for some in states]
            if self.space.size <= max(map(max, rows), default=-1):
                self._space = None
        return rows

    def search(
        self,
        starts: Sequence[Sequence[int]],
        costs: Sequence[Sequence[int]],
        limits: Sequence[SearchLimits | None] | None = None,
    ) -> list[Reached]:
        """
        Return the results of several searches, within the space's own limits or others.

        Parameters
        ----------
        starts, costs
            For each search its starting states, and the half points spent there.
        limits
            For each its limits; None: the space's own.
        """
        found = self._complete(starts, self.payable(starts, costs), limits)[1]
        return [self.overdrawn(*one) for one in zip(found, starts, costs, strict=True)]

    def payable(
        self, starts: Sequence[Sequence[int]], costs: Sequence[Sequence[int]]
    ) -> list[tuple[int, ...]]:
        """Return the starting costs, capped at the limits where a last step took more."""
        final, modes = self.mover.rulebook.is_final, self.mover.modes
        return [
            tuple(
                min(cost, self.limit(state)) if final(modes[state % self.width]) else cost
                for state, cost in zip(some, paid, strict=True)
            )
            for some, paid in zip(starts, costs, strict=True)
        ]

    def overdrawn(self, found: Reached, starts: Sequence[int], costs: Sequence[int]) -> Reached:
        """Restore what last steps spent beyond the limits, to which a search keeps."""
        import numpy as np

        moved = found.arc >= 0
        taken = self.mover.overdrafts(found.arc[moved])
        found.spent[moved] = np.maximum(found.spent[moved], taken)
        for state, cost in zip(starts, costs, strict=True):
            if cost > self.limit(state):
                begins = (found.state == state) & (found.arc < 0)
                found.spent[begins] = cost
        return found

    def complete(
        self,
        starts: Sequence[Sequence[int]],
        costs: Sequence[Sequence[int]],
        limits: Sequence[SearchLimits | None] | None = None,
    ) -> tuple[SearchSpace, Ints, list[list[int]]]:
        """
        Return the arrays once they hold all arcs that a search might use.

        A search of fewer arcs, or within lower limits, then needs no others.

        Returns
        -------
        tuple
            The arrays, the state of each of their rows, and the starts as rows.
        """
        space, _ = self._complete(starts, costs, limits)
        assert space.numbers is not None
        return space, space.numbers, self._rows_of(starts)

    def _complete(
        self,
        starts: Sequence[Sequence[int]],
        costs: Sequence[Sequence[int]],
        limits: Sequence[SearchLimits | None] | None,
    ) -> tuple[SearchSpace, list[Reached]]:
        limits = [None] * len(starts) if limits is None else limits
        rows = self._rows_of(starts)
        while True:
            space = self.space
            limit_of = {one: self._limit(one, space) for one in set(limits)}
            found = search_batch(space, rows, costs, [limit_of[one] for one in limits])
            unmet = [bool((space.first[one.rows] == UNMET).any()) for one in found]
            if not any(unmet):
                self._count(zip(starts, costs, limits, found, strict=True))
                if Checks.on and self.recheck is not None:
                    for one in found:
                        self.recheck(self, one.state.tolist())
                return space, found
            for one, limit, is_unmet in zip(found, limits, unmet, strict=True):
                if is_unmet:
                    self._grow(space, one, limit)

    def _count(self, searched: Iterable[tuple[Any, Any, Any, Reached]]) -> None:
        """Charge the states that searches reached, once per question, whether cached or not."""
        budget = current_budget()
        if budget is not None:
            key = (self.mover.name, self.standing.name)
            new = [
                len(found) for starts, costs, limits, found in searched
                if budget.is_news((key, tuple(starts), tuple(costs), limits))
            ]  # fmt: skip
            if new:
                work(STATE * sum(new))

    def _limit(self, limits: SearchLimits | None, space: SearchSpace) -> Ints | None:
        if limits is None:
            return None
        assert space.numbers is not None
        return limits.array(space.numbers, self.width, space.limit)

    def _grow(self, space: SearchSpace, found: Reached, limits: SearchLimits | None) -> None:
        """Find the successors of the states that a search reached, and theirs in turn."""
        import numpy as np

        mover, spent = self.mover, np.full(space.size, NO_LIMIT, np.int64)
        spent[found.rows] = found.spent
        reached = found.rows[space.first[found.rows] == UNMET]
        with mover.lock:
            try:
                while len(reached):
                    look()
                    first, middle = self.expand(mover.numbers.taken()[reached])[:2]
                    arcs, owner = ranges(first, middle)
                    to = mover.target.taken()[arcs]
                    total = spent[reached][owner] + mover.cost.taken()[arcs]
                    more = np.full(len(mover.numbers) - len(spent), NO_LIMIT, np.int64)
                    spent = np.concatenate([spent, more])
                    most = mover.most.taken()[to]
                    if limits is not None:
                        most = limits.array(mover.numbers.taken()[to], self.width, most)
                    better = (total <= most) & (total < spent[to])
                    np.minimum.at(spent, to[better], total[better])
                    reached = np.unique(to[better])
            finally:
                self._space = None

    # -- in the game's words -------------------------------------------------------------------

    def left(self, found: Reached) -> Ints:
        """Return the half points that may be left in each state reached."""
        import numpy as np

        kept = np.array(self.mover.kept, np.int32)[found.state % self.width]
        left: Ints = np.maximum(0, self.limits_in(found.state) + kept - found.spent)
        return left

    def limits_in(self, states: Ints) -> Ints:
        """Return the most that may have been spent in each of some states, in half points."""
        import numpy as np

        found: Ints = np.array(self.mover.limits, np.int32)[states % self.width]
        return found

    def is_end(self, arcs: Ints) -> npt.NDArray[np.bool_]:
        """Return whether each arc spends everything that is left; -1 means no arc."""
        import numpy as np

        found = np.zeros(len(arcs), bool)
        moved = arcs >= 0
        found[moved] = self.mover.ends(arcs[moved])
        return found

    def way(self, arc: int) -> int:
        """Return a number for an arc's actions, equal for equal ones."""
        return int(self.mover.way.taken()[arc])

    def actions_on(self, arc: int, state: int, unit: str) -> tuple[Action, ...]:
        """Return the actions of an arc into a state."""
        to = self.board.locations[state // self.width].name
        number = self.way(arc)
        way, by = self.mover.ways[number], self.mover.turned[number]
        assert isinstance(way, Transition)
        (turned,) = self.mover.views.rotation.turn((way,), by)
        return tuple(renamed(action, unit=unit, to=to) for action in turned.actions)

    def rolls_on(self, arcs: Ints) -> tuple[str, ...]:
        """Return the clauses whose rolls these arcs require."""
        import numpy as np

        used = np.unique(self.mover.way.taken()[arcs[arcs >= 0]]).tolist()
        ways = self.mover.ways
        return tuple(sorted({name for rolls in {ways[n].rolls for n in used} for name in rolls}))

    def unsupported_from(self, found: Reached) -> tuple[str, ...]:
        """Return the unmodelled clauses that apply to affordable steps."""
        return self.unsupported_in(found.state, found.spent)

    def unsupported_in(self, states: Ints, costs: Ints) -> tuple[str, ...]:
        """
        Return the unmodelled clauses that apply to affordable steps from some states.

        While clauses are off, all steps count, because a unit may spend more than it has.
        """
        import numpy as np

        mover = self.mover
        with mover.lock:
            begin, end = self.expand(states)[2:]
        some = np.flatnonzero(begin < end)
        off, names = bool(switched_off()), set[str]()
        for row in some.tolist():
            for arc in range(int(begin[row]), int(end[row])):
                to = int(mover.target.taken()[arc])
                most = int(mover.most.taken()[to]) - int(mover.cost.taken()[arc])
                if off or costs[row] <= most:
                    step = mover.ways[self.way(arc)]
                    assert isinstance(step, UnmodelledStep)
                    names.update(step.clauses)
        return tuple(sorted(names))
