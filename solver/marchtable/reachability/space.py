"""The kernel's arrays, its workspace, and its results."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from marchtable.errors import BadInputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int32]

__all__ = [
    "UNREACHED",
    "Reached",
    "SearchSpace",
    "Workspace",
    "ints",
    "nowhere",
    "require",
    "unsigned",
]

UNREACHED = 2**31 - 1
_LISTING = threading.Lock()
ROOM = 2**14  # for the results of a batch, in addition to every state once
SPARE = 1.5  # a workspace grows by half, so that a growing space seldom needs another


def require(holds: bool, field: str, expected: str) -> None:
    """Raise BadInputError with what was expected of a field of a space unless it holds."""
    if not holds:
        raise BadInputError(f"expected {expected}", source="search space", field=field)


def ints(array: Any, field: str) -> Ints:
    """Return a read-only view of an array after checking that it fits the kernel."""
    import numpy as np

    fits = isinstance(array, np.ndarray) and array.dtype == np.int32 and array.ndim == 1
    require(fits and array.flags.c_contiguous, field, "a contiguous int32 array of one dimension")
    view: Ints = array.view()
    view.flags.writeable = False
    return view


def unsigned(array: Ints) -> Any:
    """
    Return the same memory as unsigned integers.

    Compiled code then need not check for negative indices, as Python requires: a third faster.
    """
    import numpy as np

    return array.view(np.uint32)


@dataclass(frozen=True, eq=False)
class SearchSpace:
    """
    A search space of n states and m arcs, for the kernel; its arrays are never written to.

    Parameters
    ----------
    first, middle, last
        Arcs of state s are ``first[s]`` to ``middle[s]``; its end arcs, which lead to states
        without successors, are ``middle[s]`` to ``last[s]`` (n each). All three are -1 if the
        successors are not known yet.
    target
        The target of each arc (m).
    cost
        The cost of each arc, in half points, zero or more (m); an end arc spends all that is left,
        its target's limit, and its entry is 0.
    limit
        The most that may have been spent on arrival in each state, in half points (n);
        a state with a negative limit is never entered.
    source
        The origin of each arc, by its external state number (m).
    packed
        The arcs in the kernel's form, target and cost in one number, and the bits for the cost.
    numbers
        The external number of each state, if that is not its row.
    listed
        The arcs in the uncompiled kernel's form, as far as it has requested them.
    spare
        Workspaces for reuse, for the uncompiled and the compiled kernel.
    """

    first: Ints
    middle: Ints
    last: Ints
    target: Ints
    cost: Ints
    limit: Ints
    source: Ints
    packed: tuple[npt.NDArray[np.uint32], int]
    numbers: Ints | None = None
    listed: list[int] = field(default_factory=list)
    spare: dict[bool, list[Workspace]] = field(default_factory=lambda: {False: [], True: []})

    @classmethod
    def of(
        cls, first: Ints, middle: Ints, last: Ints, target: Ints, cost: Ints, limit: Ints,
        source: Ints | None = None,
    ) -> SearchSpace:  # fmt: skip
        """
        Return a space of arrays, which become read-only, after checking that they fit together.

        Raises
        ------
        BadInputError
            If they do not.
        """
        import numpy as np

        given = {"first": first, "middle": middle, "last": last, "target": target, "cost": cost,
                "limit": limit}  # fmt: skip
        arrays = {name: ints(array, name) for name, array in given.items()}
        size, count = len(limit), len(target)
        require(count == len(cost), "target", f"{len(cost)} entries, as many as costs, not {count}")
        before: Any = -1
        for name in ("first", "middle", "last"):
            array = arrays[name]
            require(len(array) == size, name, f"{size} entries, not {len(array)}")
            require(bool(np.all((array >= before) & (array <= count))), name, "arcs in order")
            before = array
        inside = not count or (target.min() >= 0 and target.max() < size)
        require(bool(inside), "target", f"states 0 to {size - 1}")
        require(not np.any(cost < 0), "cost", "costs of zero or more")
        require(not np.any(limit == UNREACHED), "limit", f"limits below {UNREACHED}")
        bits = int(cost.max(initial=0)).bit_length()
        require(size << bits <= 2**32, "cost", f"costs that fit into 32 bits with {size} states")
        ends = target[np.repeat(middle, last - middle) + _counted(last - middle)]
        require(bool(np.all(last[ends] == first[ends])), "target", "no way on from where all ends")
        if source is None:
            source = np.empty(count, np.int32)
            source[np.repeat(first, last - first) + _counted(last - first)] = np.repeat(
                np.arange(size, dtype=np.int32), last - first
            )
        packed = unsigned(arrays["target"]) << np.uint32(bits) | unsigned(arrays["cost"])
        return cls(**arrays, source=source, packed=(packed, bits))  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return SearchSpace, (
            self.first, self.middle, self.last, self.target, self.cost, self.limit, self.source,
            self.packed, self.numbers,
        )  # fmt: skip

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self.limit)

    @property
    def dearest(self) -> int:
        """The maximum cost of an arc, in half points."""
        return (1 << self.packed[1]) - 1

    def lend(self, *, compiled: bool) -> Workspace:
        """Return an unused workspace."""
        if compiled:
            self.spare[False].clear()  # the uncompiled kernel is not used again
        try:
            return self.spare[compiled].pop()
        except IndexError:
            return Workspace(self.limit, compiled=compiled)

    @cached_property
    def arrays(self) -> list[Any]:
        """The arcs in the compiled kernel's form."""
        return [unsigned(self.first), unsigned(self.middle), unsigned(self.last), *self.packed]

    @property
    def lists(self) -> list[Any]:
        """The arcs in the uncompiled kernel's form."""
        packed, bits = self.packed
        with _LISTING:
            self.listed.extend(packed[len(self.listed) :].tolist())
        arrays = (self.first, self.middle, self.last)
        return [*[array.tolist() for array in arrays], self.listed, bits]


def _counted(counts: Ints) -> Any:
    """Return 0 to n - 1 for each count n, one after another."""
    import numpy as np

    return np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)


class Workspace:
    """
    The workspace of one search at a time; all clear between searches.

    Parameters
    ----------
    limit
        The limits of the searches, in half points.
    compiled
        Whether the compiled kernel uses it (arrays) or the uncompiled one (lists).
    """

    def __init__(self, limit: Ints, *, compiled: bool) -> None:
        self.compiled = compiled
        self.parts: list[Any] = [[], [], [], [], [], []]
        self.out: Any = None
        if compiled:
            import numpy as np

            none = np.empty(0, np.int32)
            self.parts = [none, unsigned(none), unsigned(none)]
        self._nodes(limit)

    def _nodes(self, limit: Ints) -> None:
        """Make room for these states' nodes; existing ones are kept."""
        import numpy as np

        node = self.parts[0]
        new = np.repeat(limit[len(node) // 2 :] + np.int32(1), 2)
        self.parts[0] = np.concatenate([node, new]) if self.compiled else node + new.tolist()

    def fit(self, space: SearchSpace, span: int) -> None:
        """Make room for a space, with buckets for starts up to `span` half points apart."""
        import numpy as np

        node, heads, queue = self.parts[:3]
        if len(node) < 2 * space.size:
            self._nodes(space.limit)
        keys, entries = max(span, space.dearest), 2 * (space.size + len(space.target) + 1)
        if len(heads) <= keys:
            size = 1 << keys.bit_length()
            self.parts[1] = np.zeros(size, np.uint32) if self.compiled else [0] * size
        if len(queue) < entries:
            size = int(entries * SPARE)
            self.parts[2] = np.empty(size, np.uint32) if self.compiled else [0] * size
        if not self.compiled:
            if len(self.parts[3]) < space.size:
                self.parts[3:] = ([0] * int(space.size * SPARE) for _ in range(3))
        elif self.out is None or self.out.shape[1] < space.size:
            self.out = np.empty((3, int(space.size * SPARE) + ROOM), np.int32)
            self.parts[3:] = [unsigned(self.out[0]), *self.out[1:]]

    def results(self, space: SearchSpace, done: int, marks: Any) -> list[Reached]:
        """Copy out the results of the first `done` queries."""
        import numpy as np

        block: npt.NDArray[np.int32]
        if self.compiled:
            marks = marks[: 2 * done].tolist()
            block = self.out[:, : marks[-2]].copy()
        else:
            block = np.array([part[: marks[2 * done - 2]] for part in self.parts[3:]], np.int32)
        every = block[0]
        if space.numbers is not None:
            block[0] = space.numbers[every := every.copy()]
        begin, found = 0, []
        for i in range(0, 2 * done, 2):
            table, rows = block[:, begin : marks[i]], every[begin : marks[i]]
            if marks[i + 1]:
                order = np.argsort(table[1], kind="stable")
                table, rows = table.take(order, axis=1), rows[order]
            found.append(Reached(table, space.source, rows))
            begin = marks[i]
        return found


class Reached:
    """
    The states reached, in the order they were settled: by points spent.

    Parameters
    ----------
    table
        The states, points spent and arcs, below, as the rows of one array.
    source
        The origin of each arc of the space.
    rows
        The states' rows in the space's arrays.
    """

    def __init__(self, table: npt.NDArray[np.int32], source: Ints, rows: Ints) -> None:
        self.table, self.source, self.rows = table, source, rows

    def __len__(self) -> int:
        return int(self.table.shape[1])

    @property
    def state(self) -> Ints:
        """The states, each once."""
        return self._row(0)

    @property
    def spent(self) -> Ints:
        """The least half points spent in each; non-decreasing except at last steps."""
        return self._row(1)

    @property
    def arc(self) -> Ints:
        """The arc each was reached by; -1 at a start."""
        return self._row(2)

    def _row(self, which: int) -> Ints:
        row: Ints = self.table[which]
        return row

    @cached_property
    def parent(self) -> Ints:
        """The state each was reached from; -1 at a start."""
        import numpy as np

        if not len(self.source):
            return self.arc
        return np.where(self.arc < 0, np.int32(-1), self.source[self.arc])

    @cached_property
    def index(self) -> dict[int, int]:
        """The index of each reached state in the arrays."""
        return {state: i for i, state in enumerate(self.state.tolist())}

    def path(self, i: int) -> list[tuple[int, int]]:
        """Return the chain of (state, arc taken to it) from a start to the `i`-th state."""
        chain, states, arcs = [], self.state, self.arc
        while True:
            arc = int(arcs[i])
            chain.append((int(states[i]), arc))
            if arc < 0:
                return chain[::-1]
            # few steps: not worth an index of all states
            i = int((states == self.source[arc]).argmax())


def nowhere() -> Reached:
    """Return the result of a search without starts."""
    import numpy as np

    none = np.zeros(0, np.int32)
    return Reached(np.zeros((3, 0), np.int32), none, none)
