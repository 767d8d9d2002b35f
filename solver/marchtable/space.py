"""A compiled search space, what a search on it scribbles on, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from marchtable.errors import BadInputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int32]

__all__ = ["UNREACHED", "Reached", "Space", "Workspace", "ints", "nowhere", "require", "unsigned"]

UNREACHED = 2**31 - 1
ROOM = 2**16  # for the results of a batch, beyond every state once


def require(holds: bool, field: str, expected: str) -> None:
    """Raise BadInputError saying what was expected of a field of a space unless it holds."""
    if not holds:
        raise BadInputError(f"expected {expected}", source="search space", field=field)


def ints(array: Any, field: str) -> Ints:
    """Return a read-only view of an array once it is known to be what the kernel takes."""
    import numpy as np

    fits = isinstance(array, np.ndarray) and array.dtype == np.int32 and array.ndim == 1
    require(fits and array.flags.c_contiguous, field, "a contiguous int32 array of one dimension")
    view: Ints = array.view()
    view.flags.writeable = False
    return view


def unsigned(array: Ints) -> Any:
    """
    Return the same memory as unsigned integers.

    Compiled code then has no negative index to look out for, as Python demands: a third faster.
    """
    import numpy as np

    return array.view(np.uint32)


@dataclass(frozen=True, eq=False)
class Space:
    """
    A compiled search space of n states, m arcs and e end arcs; its arrays become read-only.

    Parameters
    ----------
    indptr
        Arcs of state s are ``indptr[s]`` to ``indptr[s + 1]`` (n + 1 entries).
    target
        Where each arc leads (m).
    cost
        What each arc costs, in half points, zero or more (m).
    limit
        The most that may have been spent on arrival in each state, in half points (n);
        a state with a negative limit is never entered.
    end_indptr
        End arcs of each state, as `indptr` (n + 1).
    end_target
        Where each end arc leads: a state that nothing leads on from (e).
    end_before
        The most that may have been spent before the end arc, in half points (e). It spends all
        that is left: its target's limit.

    Raises
    ------
    BadInputError
        If the arrays do not fit together.
    """

    indptr: Ints
    target: Ints
    cost: Ints
    limit: Ints
    end_indptr: Ints
    end_target: Ints
    end_before: Ints

    def __post_init__(self) -> None:
        """Check the arrays against each other and make them read-only."""
        import numpy as np

        for field in fields(self):
            array = ints(getattr(self, field.name), field.name)
            object.__setattr__(self, field.name, array)
        size = len(self.limit)
        for name, indptr, arrays in (
            ("indptr", self.indptr, {"target": self.target, "cost": self.cost}),
            ("end_indptr", self.end_indptr,
             {"end_target": self.end_target, "end_before": self.end_before}),
        ):  # fmt: skip
            require(len(indptr) == size + 1, name, f"{size + 1} entries, not {len(indptr)}")
            require(indptr[0] == 0 and bool(np.all(np.diff(indptr) >= 0)), name, "rise from 0")
            for other, array in arrays.items():
                wanted = f"{indptr[-1]} entries, not {len(array)}"
                require(len(array) == indptr[-1], other, wanted)
        for name, states in (("target", self.target), ("end_target", self.end_target)):
            inside = not len(states) or (states.min() >= 0 and states.max() < size)
            require(bool(inside), name, f"states 0 to {size - 1}")
        require(not np.any(self.cost < 0), "cost", "costs of zero or more")
        fits = size << self.dearest.bit_length() <= 2**32
        require(fits, "cost", f"costs that fit into 32 bits with {size} states")
        require(not np.any(self.limit == UNREACHED), "limit", f"limits below {UNREACHED}")
        ways_on = np.diff(self.indptr) + np.diff(self.end_indptr)
        require(not np.any(ways_on[self.end_target]), "end_target", "states without a way on")

    def __reduce__(self) -> tuple[type[Space], tuple[Ints, ...]]:
        return Space, tuple(getattr(self, field.name) for field in fields(self))

    @cached_property
    def size(self) -> int:
        """The number of states."""
        return len(self.limit)

    def lend(self, *, compiled: bool) -> Workspace:
        """Return a workspace nobody else is using."""
        try:
            return self.spare[compiled].pop()
        except IndexError:
            return Workspace(self, self.limit, compiled=compiled)

    @cached_property
    def spare(self) -> dict[bool, list[Workspace]]:
        """Workspaces to use again, for the uncompiled and the compiled kernel."""
        return {False: [], True: []}

    @cached_property
    def dearest(self) -> int:
        """The cost of the dearest arc, in half points."""
        return int(self.cost.max()) if len(self.cost) else 0

    @cached_property
    def arrays(self) -> list[Any]:
        """The arcs as the compiled kernel takes them; target and cost in one number."""
        bits = self.dearest.bit_length()
        arcs = unsigned(self.target) << bits | unsigned(self.cost)
        arcs.flags.writeable = False
        ends = [unsigned(self.end_indptr), unsigned(self.end_target), self.end_before]
        return [unsigned(self.indptr), arcs, bits, *ends]

    @cached_property
    def lists(self) -> list[Any]:
        """The arcs as the uncompiled kernel takes them."""
        return [a if isinstance(a, int) else a.tolist() for a in self.arrays]


class Workspace:
    """
    What one search at a time on a space scribbles on; all clear between searches.

    Parameters
    ----------
    space
        The space it is sized to.
    limit
        The limits of the searches, in half points.
    compiled
        Whether the compiled kernel uses it (arrays) or the uncompiled one (lists).
    """

    def __init__(self, space: Space, limit: Ints, *, compiled: bool) -> None:
        import numpy as np

        entries = 2 * (space.size + len(space.target) + 1)
        self.space, self.compiled = space, compiled
        node = np.repeat(limit + np.int32(1), 2)
        self.out: Any = None
        self.parts: list[Any]
        if compiled:
            self.out = np.empty((3, space.size + ROOM), np.int32)
            self.parts = [node, None, np.empty(entries, np.uint32)]
            self.parts += [unsigned(self.out[0]), *self.out[1:]]
        else:
            self.parts = [node.tolist(), None, [0] * entries]
            self.parts += [[0] * space.size for _ in range(3)]
        self.reserve(space.dearest)

    def reserve(self, span: int) -> None:
        """Have buckets for keys that differ by up to `span` half points."""
        import numpy as np

        heads = self.parts[1]
        if heads is None or len(heads) <= span:
            size = 1 << span.bit_length()
            self.parts[1] = np.zeros(size, np.uint32) if self.compiled else [0] * size

    def results(self, done: int, bounds: list[int], marks: Any, watched: Any) -> list[Reached]:
        """Copy out what the first `done` queries found; the rest as the kernel knows it."""
        import numpy as np

        block: npt.NDArray[np.int32]
        if self.compiled:
            marks = marks[: 2 * done].tolist()
            block = self.out[:, : marks[-2]].copy()
        else:
            block = np.array([part[: marks[2 * done - 2]] for part in self.parts[3:]], np.int32)
            watched = np.array(watched, np.int32)
        indptr, end_indptr = self.space.indptr, self.space.end_indptr
        first, found = 0, []
        for i in range(0, 2 * done, 2):
            table = block[:, first : marks[i]]
            if marks[i + 1]:
                table = table.take(np.argsort(table[1], kind="stable"), axis=1)
            seen = watched[bounds[i + 1] : bounds[i + 3]]
            found.append(Reached(table, indptr, end_indptr, seen))
            first = marks[i]
        return found


class Reached:
    """
    The states reached, in the order they were settled: by what is spent.

    Parameters
    ----------
    table
        The states, what is spent and the arcs, below, as the rows of one array.
    indptr, end_indptr
        The space's own.
    watched
        What is spent in each of the states asked for; more than its limit if it is not reached.
    """

    def __init__(
        self, table: npt.NDArray[np.int32], indptr: Ints, end_indptr: Ints, watched: Ints
    ) -> None:
        self.table, self.watched = table, watched
        self._indptr, self._end_indptr = indptr, end_indptr

    def __len__(self) -> int:
        return int(self.table.shape[1])

    @property
    def state(self) -> Ints:
        """The states, each once."""
        return self._row(0)

    @property
    def spent(self) -> Ints:
        """The least that must be spent to be in each, in half points; never falls."""
        return self._row(1)

    @property
    def arc(self) -> Ints:
        """The arc each was reached by; -1 at a start, m + i for end arc i of m ordinary arcs."""
        return self._row(2)

    def _row(self, which: int) -> Ints:
        row: Ints = self.table[which]
        return row

    @cached_property
    def parent(self) -> Ints:
        """The state each was reached from; -1 at a start."""
        import numpy as np

        ends = self.arc - self._indptr[-1]
        parent = np.searchsorted(self._indptr, self.arc, "right") - 1  # before all at a start
        of_end = np.searchsorted(self._end_indptr, ends, "right") - 1
        return np.where(ends < 0, parent, of_end).astype(np.int32)

    @cached_property
    def index(self) -> dict[int, int]:
        """Where each reached state stands in the arrays."""
        return {state: i for i, state in enumerate(self.state.tolist())}

    def path(self, i: int) -> list[tuple[int, int]]:
        """Return the chain of (state, arc taken to it) from a start to the `i`-th state."""
        chain, states, arcs = [], self.state, self.arc
        while True:
            arc = int(arcs[i])
            chain.append((int(states[i]), arc))
            if arc < 0:
                return chain[::-1]
            i = int((states == self._source(arc)).argmax())  # few steps: no index of all states

    def _source(self, arc: int) -> int:
        """Return the state that an arc leads from."""
        past = arc - int(self._indptr[-1])
        if past < 0:
            return int(self._indptr.searchsorted(arc, "right")) - 1
        return int(self._end_indptr.searchsorted(past, "right")) - 1


def nowhere() -> Reached:
    """Return what is found where there is nowhere to start from."""
    import numpy as np

    none = np.zeros(1, np.int32)
    return Reached(np.zeros((3, 0), np.int32), none, none, none[:0])
