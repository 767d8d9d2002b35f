"""Where one unit can go alone, as arrays for your own searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.arguments import public
from marchtable.reachability.growing import ranges
from marchtable.reachability.reach import query_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy as np
    import numpy.typing as npt

    from marchtable.state.action import Action
    from marchtable.state.position import Position

    Ints = npt.NDArray[np.integer[Any]]

__all__ = ["Onward", "States"]


class Onward(NamedTuple):
    """
    The steps out of some states, in four arrays of the same length.

    Parameters
    ----------
    owner
        The index, among the states asked about, of the state that the step leads from.
    state
        The state it leads to.
    spent
        Half points spent then.
    arc
        The step, for :meth:`States.actions`.
    """

    owner: Ints
    state: Ints
    spent: Ints
    arc: Ints


class States:
    """
    The states of a unit within its allotment, and the steps between them.

    A state is a number from 0 to ``size - 1``: a Location and a mode (a vehicle's facing, whether
    it has started, and so on). The steps are those that :func:`marchtable.reach` searches, each
    legal wherever it is affordable; rolls are assumed passed.

    Parameters
    ----------
    position, unit
        The position, and the unit's id; nothing may be pending.
    rolls
        ``"avoid"`` leaves out steps that require a roll.

    Attributes
    ----------
    starts, spent
        The starting states (one, unless the unit waits off the map), and half points spent there.
    location, mode
        For each state, the Location's index on the board, and the mode's in ``modes``.
    limit
        The most that may have been spent on arrival in each state, in half points.
    modes
        The modes, in the rulebook's form.

    Raises
    ------
    UnknownNameError
        If there is no such unit.
    """

    @public
    def __init__(self, position: Position[Any, Any], unit: str, *, rolls: str = "pass") -> None:
        import numpy as np

        query = query_of(position, unit, rolls=rolls)
        self._compiled, self._unit = query.space, unit
        space, numbers, rows = query.space.complete(
            [query.starts], [query.space.payable([query.starts], [query.costs])[0]], [query.limits]
        )
        self._space, self._numbers = space, numbers
        self.starts = np.array(rows[0], np.int64)
        self.spent = np.array(query.costs, np.int64)
        self.location, self.mode = np.divmod(numbers, query.space.width)
        self.modes: list[Hashable] = [*query.space.modes]
        self.limit = space.limit
        if query.limits is not None:
            self.limit = query.limits.array(numbers, query.space.width, space.limit)
        self._first, self._middle = (np.maximum(a, 0) for a in (space.first, space.middle))
        self._last = np.maximum(space.last, 0)

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self._numbers)

    def onward(self, states: Ints, spent: Ints) -> Onward:
        """
        Return every affordable step out of some states with the points spent there.

        Parameters
        ----------
        states, spent
            States, and half points spent, of the same length.
        """
        import numpy as np

        arc, owner = ranges(self._first[states], self._last[states])
        to = self._space.target[arc]
        ends = arc >= self._middle[states][owner]
        limit = self.limit[to]
        # a step that ends the move takes everything; its cost here is what must be left
        total = spent[owner] + self._space.cost[arc]
        can = np.flatnonzero(total <= limit)
        total = np.where(ends, limit, total)
        return Onward(owner[can], to[can], total[can], arc[can])

    def actions(self, arc: int) -> tuple[Action, ...]:
        """Return the actions of a step."""
        to = int(self._numbers[self._space.target[arc]])
        return self._compiled.actions_on(arc, to, self._unit)
