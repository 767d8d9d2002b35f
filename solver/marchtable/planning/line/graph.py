"""One sort of member's moves: a networkx graph with terrain costs, and arrays of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import networkx as nx

    from marchtable.board.board import Board

__all__ = [
    "HALTED",
    "HALTS",
    "LAST",
    "OFF",
    "PLACE",
    "STAYS",
    "Course",
    "LaneGraph",
    "LaneStep",
    "Places",
    "State",
    "Steps",
    "restarts",
]  # fmt: skip

OFF = 0
"""The place of members that wait off the map."""
PLACE, BACK, HALTED, HALTS, LAST, STAYS = (1 << bit for bit in range(6))
"""Flags of an arc: to another place; for the others see :class:`LaneStep`."""


class Course(NamedTuple):
    """A plan as numbers: each member's state after each round, and the sum spent by then."""

    states: tuple[tuple[int, ...], ...]
    spent: tuple[int, ...]


class State(Protocol):
    """
    A member's place and mode.

    ``is_moving`` matters where all must end moving or none. ``alone`` means that it is the last of
    its line, all others having left the map; ``left`` is the Location by which it left the map
    itself.
    """

    @property
    def at(self) -> str | None:
        """Its Location, None off the map."""

    @property
    def is_moving(self) -> bool:
        """Whether it is moving."""

    @property
    def alone(self) -> bool:
        """Whether it is alone."""

    @property
    def left(self) -> str:
        """The Location by which it has left the map, "" if it has not."""

    @property
    def idle(self) -> Any:
        """The state after a round in which it stays."""


class LaneStep(NamedTuple):
    """
    A move as a round describes it, its cost in half points, and the state it leads to.

    ``back``: forbidden to a member that has just come from there; ``halted``: forbidden once the
    line has stopped; ``halts``: it stops the line; ``last``: no round follows; ``stays``: no move,
    the member waits while another has to spend something.
    """

    move: str
    verb: str
    cost: int
    to: Any
    back: bool = False
    halted: bool = False
    halts: bool = False
    last: bool = False
    stays: bool = False


class Steps(Protocol):
    """
    The possible steps of one sort of member, from the rulebook.

    Attributes
    ----------
    graph
        Its states, numbered.
    exits, parts
        Locations by which it can leave the map; whether it can find itself alone.
    unmodelled
        Unmodelled clauses that apply to steps of the states examined.
    """

    graph: Any
    exits: frozenset[str]
    parts: bool
    unmodelled: dict[Any, set[str]]

    def of(self, state: Any) -> tuple[LaneStep, ...]:
        """Return the steps in a state, with no member of the line in the way."""


class Places:
    """
    The Locations of a map as numbers from 1.

    If members can leave the map, each has a second number, `count` higher: as the spot of a member
    that left from there, and as the place of one that is there alone, beside none.
    """

    def __init__(self, board: Board, *, twice: bool = False) -> None:
        self.names = [None, *board.index]
        self.number = {name: n for n, name in enumerate(self.names)}
        self.count = len(self.names)
        if twice:
            self.names *= 2

    def __len__(self) -> int:
        return len(self.names)


def places_of(board: Board, *, twice: bool = False) -> Places:
    """Return the places of a map; cached."""
    key = "line places and exits" if twice else "line places"
    found: Places | None = board.notes.get(key)
    if found is None:
        found = board.notes[key] = Places(board, twice=twice)
    return found


class LaneTable(NamedTuple):
    """
    Arrays over the states of a sort.

    Parameters
    ----------
    first
        By state: where its arcs begin; one more entry ends the last's.
    to, cost, flags
        By arc: the state it leads to, half points, and flags.
    place, moving, asked
        By state: its place, whether it is moving, and whether its arcs are known yet.
    idle
        By state: the one after a round in which it stays.
    spot
        By state: its place for the goal; see :class:`Places`.
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
    idle: Any
    spot: Any
    rank: Any


class LaneGraph:
    """
    The lane graph of one sort of member, built lazily.

    Members of a sort share it; each has its own start.

    Parameters
    ----------
    steps, board
        The source of steps, and the map.

    Attributes
    ----------
    net
        The networkx graph. Nodes are states; an edge has ``points`` (the step's cost in half
        points), ``flags`` and ``step``.
    states, rows
        By number: the states in the order met; for examined ones, the edges out of them: target,
        half points, flags, step. Arrays and time-expanded graphs are made of these.
    idle
        By number: the state after a round in which its member stays.
    """

    def __init__(self, steps: Steps, board: Board) -> None:
        import networkx as nx

        self.steps: Any = steps
        self.places = places_of(board, twice=steps.parts)
        self.net: nx.MultiDiGraph[Any] = nx.MultiDiGraph()
        self.states: list[Any] = []
        self.index: dict[State, int] = {}
        self.rows: list[tuple[tuple[int, int, int, LaneStep], ...] | None] = []
        self.idle: list[int] = []
        self._table: LaneTable | None = None
        self.unmodelled: dict[int, set[str]] = {}

    def number(self, state: State) -> int:
        """Return a state's number."""
        found = self.index.get(state)
        if found is None:
            found = self.index[state] = len(self.states)
            self.states.append(state)
            self.rows.append(None)
            self.idle.append(found)
            self._table = None
        return found

    def ask(self, numbers: Iterable[int]) -> None:
        """Look up the possible steps of some states."""
        for n in numbers:
            if self.rows[n] is not None:
                continue
            state = self.states[n]
            steps = [s for s in self.steps.of(state) if s.cost or s.to != state]
            self.idle[n] = self.number(state.idle)
            if doubts := self.steps.unmodelled.get(state):
                self.unmodelled[n] = doubts
            self.net.add_node(state)
            self.net.add_edges_from(
                (state, s.to, {"points": s.cost, "flags": _flags(state, s), "step": s})
                for s in steps
            )
            self.rows[n] = tuple(
                (self.number(to), edge["points"], edge["flags"], edge["step"])
                for _, to, edge in self.net.out_edges(state, data=True)
            )
            self._table = None

    def table(self) -> LaneTable:
        """Return all that is known, as arrays."""
        if self._table is None:
            self._table = self._made()
        return self._table

    def _made(self) -> LaneTable:
        import numpy as np

        rows = [row or () for row in self.rows]
        flat = np.array([arc[:3] for row in rows for arc in row], np.int64).reshape(-1, 3)
        number, second = self.places.number, self.places.count
        at = [number[state.at] for state in self.states]
        place = np.array([p + second * s.alone for p, s in zip(at, self.states, strict=True)])
        spot = [
            second + number[s.left] if s.left else p for p, s in zip(at, self.states, strict=True)
        ]
        return LaneTable(
            np.cumsum([0, *map(len, rows)]).astype(np.int64),
            flat[:, 0].copy(),
            flat[:, 1].copy(),
            flat[:, 2].copy(),
            place,
            np.array([state.is_moving for state in self.states], np.int64),
            np.array([row is not None for row in self.rows], np.int64),
            np.array(self.idle, np.int64),
            np.array(spot),
            np.argsort(np.argsort([str(state) for state in self.states])),
        )


def _flags(state: State, step: LaneStep) -> int:
    found = PLACE * int(step.to.at != state.at) | BACK * step.back
    found |= HALTED * step.halted | HALTS * step.halts
    return found | LAST * step.last | STAYS * step.stays


def restarts(
    tables: Mapping[int, LaneTable], begun: Sequence[tuple[int, int]], halted: bool | None
) -> Any:
    """
    Return for each arc whether it is forbidden because its member must have stopped the line.

    Parameters
    ----------
    tables, begun
        The table of each sort; and each member's sort and starting state.
    halted
        Whether the line has stopped already; None if it can always start again.
    """
    import numpy as np

    return np.concatenate([
        _restarts(table, [n for other, n in begun if other == key], halted)
        for key, table in tables.items()
    ])  # fmt: skip


def _restarts(table: LaneTable, begun: Sequence[int], halted: bool | None) -> Any:
    import numpy as np

    bars = table.flags & HALTED > 0
    if halted:
        return bars
    source = np.repeat(table.moving, np.diff(table.first)) > 0
    goes_on = np.diff(table.first) > 0
    slips = source & ((table.moving == 0) & goes_on)[table.to] & (table.flags & HALTS == 0)
    if halted is None or slips.any() or not table.moving[begun].all():
        return np.zeros(len(bars), bool)
    return bars & ~source  # members moving at first, and no longer, have stopped
