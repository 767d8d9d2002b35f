"""Queries on a compiled search space, in the kernel's form."""

from __future__ import annotations

from itertools import accumulate, chain, pairwise
from operator import index
from typing import TYPE_CHECKING, Any

from marchtable.errors import BadInputError, InternalError
from marchtable.reachability.space import UNREACHED, ints, require

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.reachability.space import SearchSpace

    Ints = npt.NDArray[np.int32]

__all__ = ["Queries", "limits_of"]


class Queries:
    """
    Validated queries on one space, one after another.

    Parameters
    ----------
    space
        The compiled space.
    starts, start_costs
        The starting states of each query, and the half points spent in each.

    Attributes
    ----------
    span
        The largest difference of costs among one query's starts, in half points.
    """

    def __init__(
        self,
        space: SearchSpace,
        starts: Sequence[Sequence[int]],
        start_costs: Sequence[Sequence[int]],
    ) -> None:
        sizes = [*map(len, starts)]
        if 0 in sizes or sizes != [*map(len, start_costs)]:
            raise InternalError("starts: expected one or more, and a cost for each")
        self.space, self.span = space, 0
        self._states = [*map(index, chain.from_iterable(starts))]
        self._costs = [*map(index, chain.from_iterable(start_costs))]
        self._bounds = [0, *accumulate(sizes)]
        if sizes:
            self._check()
        if len(self._states) > len(sizes):
            self._sort()
        self._arrays: list[Any] = []

    def _check(self) -> None:
        if min(self._costs) < 0 or max(self._costs) > UNREACHED:
            raise InternalError(f"start_costs: expected costs of 0 to {UNREACHED}")
        if min(self._states) < 0 or max(self._states) >= self.space.size:
            raise InternalError(f"starts: expected states 0 to {self.space.size - 1}")

    def _sort(self) -> None:
        """Sort the starts of each query by cost."""
        for first, stop in pairwise(self._bounds):
            starts = zip(self._costs[first:stop], self._states[first:stop], strict=True)
            pairs = sorted(starts, key=self._rank)
            self._costs[first:stop], self._states[first:stop] = zip(*pairs, strict=True)
            self.span = max(self.span, pairs[-1][0] - pairs[0][0])

    def _rank(self, pair: tuple[int, int]) -> tuple[int, int]:
        """Return a cost and a state's external number: its row depends on earlier queries."""
        cost, state = pair
        return cost, state if self.space.numbers is None else int(self.space.numbers[state])

    def part(self, first: int, stop: int, *, compiled: bool) -> tuple[tuple[Any, ...], Any]:
        """Return the kernel's arguments for some queries, and room for their marks."""
        import numpy as np

        bounds = self._bounds[first : stop + 1]
        if not compiled:
            return (bounds, self._states, self._costs), [0] * (2 * (stop - first))
        if not self._arrays:
            lists = (self._bounds, self._states, self._costs)
            self._arrays = [np.array(one, np.int32) for one in lists]
        asked = (self._arrays[0][first : stop + 1], *self._arrays[1:])
        return asked, np.empty(2 * (stop - first), np.int32)


def limits_of(space: SearchSpace, limit: Ints) -> Ints:
    """Return a query's limits after checking that they fit the space."""
    if len(limit) != space.size:
        raise BadInputError(f"expected {space.size} entries, not {len(limit)}", field="limit")
    checked = ints(limit, "limit")
    require(int(checked.max()) < UNREACHED, "limit", f"limits below {UNREACHED}")
    return checked
