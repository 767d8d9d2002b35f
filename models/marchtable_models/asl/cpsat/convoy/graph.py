"""What one sort of vehicle may do, in numbers: states, and arcs between them, kept with its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from marchtable.board import Board
    from marchtable_models.asl.cpsat.convoy.states import State, Step
    from marchtable_models.asl.cpsat.convoy.steps import Steps

__all__ = ["HALTED", "HALTS", "OFF", "PLACE", "Graph", "Places", "restarts"]

OFF = 0
"""The place of those who wait off the map."""
PLACE, BACK, HALTED, HALTS = (1 << bit for bit in range(4))
"""What an arc is: to another place; and see :class:`Step`."""
UNKNOWN = -1


class Places:
    """
    The Locations of a map as numbers from 1, and their hexes.

    If vehicles may leave the map each has a second number, `count` higher: as the spot of who has
    left from there, and as the place of who stands there alone, beside nobody.
    """

    def __init__(self, board: Board, *, twice: bool = False) -> None:
        import numpy as np

        self.names = [None, *board.index]
        self.number = {name: n for n, name in enumerate(self.names)}
        known: dict[tuple[int, int], int] = {}
        told = [(board[name].u, board[name].v) for name in board.index]
        self.hexes = np.array([0, *(known.setdefault(at, len(known) + 1) for at in told)])
        self.count = len(self.names)
        if twice:
            self.names *= 2
            own = np.arange(self.count) + len(known) + 1
            self.hexes = np.concatenate([self.hexes, own])

    def __len__(self) -> int:
        return len(self.names)


def places_of(board: Board, *, twice: bool = False) -> Places:
    """Return the places of a map, made once."""
    key = "convoy places and exits" if twice else "convoy places"
    found: Places | None = board.notes.get(key)
    if found is None:
        found = board.notes[key] = Places(board, twice=twice)
    return found


class Table(NamedTuple):
    """
    Arrays over the states of a sort.

    Parameters
    ----------
    first
        By state: where its arcs begin; one more entry ends the last's.
    to, cost, flags
        By arc: the state it leads to, half points, and what it is.
    place, moving, asked
        By state: where it is, whether in Motion, and whether its arcs are known yet.
    spot
        By state: where it is to the goal; see :class:`Places`.
    rank
        By state: how many have names before its own.
    """

    first: Any
    to: Any
    cost: Any
    flags: Any
    place: Any
    moving: Any
    asked: Any
    spot: Any
    rank: Any


class Graph:
    """
    The states of one sort of vehicle, numbered as they are met.

    Parameters
    ----------
    steps, board
        Whom to ask, and the map.
    """

    def __init__(self, steps: Steps, board: Board) -> None:
        self.steps, self.places = steps, places_of(board, twice=steps.parts)
        self.states: list[State] = []
        self.index: dict[State, int] = {}
        self.arcs: list[tuple[tuple[int, int, int], ...] | None] = []
        self.ways: list[tuple[Step, ...]] = []
        self._table: Table | None = None
        self._ends: dict[tuple[int, int], Any] = {}
        self.unmodelled: dict[int, set[str]] = {}
        self._doubts: dict[tuple[int, int], set[str]] = {}
        self._ahead: list[tuple[int, ...]] = []

    def number(self, state: State) -> int:
        """Return a state's number."""
        found = self.index.get(state)
        if found is None:
            found = self.index[state] = len(self.states)
            self.states.append(state)
            self.arcs.append(None)
            self.ways.append(())
            self._ahead.append(())
            self._table = None
        return found

    def ask(self, numbers: Iterable[int]) -> None:
        """Learn what may be done in some states."""
        for n in numbers:
            if self.arcs[n] is not None:
                continue
            state = self.states[n]
            self.ways[n] = self.steps.of(state)
            if found := self.steps.unmodelled.get(state):
                self.unmodelled[n] = found
            self.arcs[n] = tuple(
                (self.number(s.to), s.cost, _flags(state, s)) for s in self.ways[n]
            )
            self._table = None

    def table(self) -> Table:
        """Return all that is known, as arrays."""
        if self._table is None:
            self._table = self._made()
        return self._table

    def _made(self) -> Table:
        import numpy as np

        rows = [arcs or () for arcs in self.arcs]
        flat = np.array([arc for row in rows for arc in row], np.int64).reshape(-1, 3)
        number, second = self.places.number, self.places.count
        at = [number[state.at] for state in self.states]
        place = np.array([p + second * s.alone for p, s in zip(at, self.states, strict=True)])
        spot = [
            second + number[s.left] if s.left else p for p, s in zip(at, self.states, strict=True)
        ]
        return Table(
            np.cumsum([0, *map(len, rows)]).astype(np.int64),
            flat[:, 0].copy(),
            flat[:, 1].copy(),
            flat[:, 2].copy(),
            place,
            np.array([state.mode[1] for state in self.states], np.int64),
            np.array([arcs is not None for arcs in self.arcs], np.int64),
            np.array(spot),
            np.argsort(np.argsort([str(state) for state in self.states])),
        )

    # -- how it may end ------------------------------------------------------------------------

    def ahead(self, n: int) -> tuple[int, ...]:
        """Return the places before a vehicle."""
        state = self.states[n]
        if not self._ahead[n] and state.at is not None:
            told = self.steps.ahead(self.states[n])
            self._ahead[n] = tuple(self.places.number[at] for at in told)
        return self._ahead[n]

    def ends(self, total: int, numbers: Sequence[int], width: int) -> Any:
        """
        Return by state and code from what on it may end its MPh, in half points spent.

        Of those told. Bit k of a code tells whether the kth of `width` places :meth:`ahead` is
        taken; `total` is what it has spent and the poorest has left. What is more than `total`
        means never.
        """
        import numpy as np

        known = self._ends.get((total, width))
        if known is None or len(known) < len(self.states):
            grown = np.full((len(self.states), 1 << width), UNKNOWN, np.int64)
            if known is not None:
                grown[: len(known)] = known
            known = self._ends[total, width] = grown
        for n in numbers:
            if known[n, 0] == UNKNOWN:
                known[n] = self._thresholds(n, total, width)
        return known

    def _thresholds(self, n: int, total: int, width: int) -> list[int]:
        state = self.states[n]
        if not state.mode[1] or state.at is None:
            return [0] * (1 << width)
        told = self.steps.ahead(state)
        found = []
        for code in range(1 << width):
            beside = tuple(at for k, at in enumerate(told) if code >> k & 1)
            found.append(self.steps.ends_from(state, total, beside))
            if doubts := self.steps.doubts(state, total, beside):
                self._doubts.setdefault((n, total), set()).update(doubts)
        return found

    def doubts(self, total: int, numbers: Sequence[int]) -> set[str]:
        """Return the clauses that are not modelled and bore on what :meth:`ends` tells."""
        if not self._doubts:
            return set()
        return {clause for n in numbers for clause in self._doubts.get((n, total), ())}


def _flags(state: State, step: Step) -> int:
    found = PLACE * (step.to.at != state.at) | BACK * step.back
    return found | HALTED * step.halted | HALTS * step.halts


def restarts(
    tables: Mapping[int, Table], begun: Sequence[tuple[int, int]], halted: bool | None
) -> Any:
    """
    Tell of each arc whether it is barred since its vehicle cannot but have stopped the Convoy.

    Parameters
    ----------
    tables, begun
        Of each sort; and of each vehicle its sort and the state in which it begins.
    halted
        Whether the Convoy has stopped already; None if it may start again whenever it has.
    """
    import numpy as np

    return np.concatenate([
        _restarts(table, [n for other, n in begun if other == key], halted)
        for key, table in tables.items()
    ])  # fmt: skip


def _restarts(table: Table, begun: Sequence[int], halted: bool | None) -> Any:
    import numpy as np

    bars = table.flags & HALTED > 0
    if halted:
        return bars
    source = np.repeat(table.moving, np.diff(table.first)) > 0
    goes_on = np.diff(table.first) > 0
    slips = source & ((table.moving == 0) & goes_on)[table.to] & (table.flags & HALTS == 0)
    if halted is None or slips.any() or not table.moving[begun].all():
        return np.zeros(len(bars), bool)
    return bars & ~source  # who is in Motion at first, and no longer, has stopped
