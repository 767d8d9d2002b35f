"""
Where units can go by themselves, from any state: reach as planning spaces use it.

Without threats, and with no unit starting in a Location to avoid, the kernel searches; otherwise
label setting in the movement graph (:mod:`~marchtable.planning.paths`). The results are the same.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable.budget import work
from marchtable.planning.paths import paths
from marchtable.reachability.arrivals import Arrivals, arrivals
from marchtable.reachability.compiled import SearchLimits
from marchtable.reachability.crossings import crossings_of
from marchtable.reachability.graph import Paths
from marchtable.reachability.sharing import shared_space
from marchtable.reachability.space import Reached, nowhere
from marchtable.state.action import renamed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

    from marchtable.planning.paths import Label
    from marchtable.reachability.compiled import CompiledSpace
    from marchtable.state.action import Action
    from marchtable.state.position import Position, Unit

    Ints = Any  # an array of integers
    Query = tuple[Unit, Hashable, int, Unit]

__all__ = ["Found", "SearchStep", "search", "ways_on"]

ENTRY = 0.002  # deterministic time charged for each way onto the map
ON_MAP = Arrivals({}, ())


class SearchStep(NamedTuple):
    """A step: numbers of its Locations and modes, and of its arc; -1 for entering the map."""

    start: int
    mode: Any
    end: int
    to: Any
    arc: int

    @property
    def is_arrival(self) -> bool:
        """Whether the unit enters the map by it."""
        return self.arc < 0


class Found:
    """
    The result of a search, node by node, cheapest first: the least exposed of the cheapest ways.

    Attributes
    ----------
    board
        The map.
    at, spent, exposure
        For each node, the number of its Location, the half points spent and the threat met.
    remaining
        The half points that may remain there.
    how
        The number of each node's mode.
    on
        The ways onto the map, one of which begins each way, if the unit waits off it.
    """

    def __init__(
        self, space: CompiledSpace, reached: Reached, on: Arrivals, exposure: Ints = 0,
        chain: Callable[[int], list[tuple[int, int]]] | None = None,
    ) -> None:  # fmt: skip
        self._space, self._reached, self.on, self.board = space, reached, on, space.board
        self._chain = chain or reached.path
        state = reached.state
        self.at, self.how = (state // space.width).astype(np.int64), state % space.width
        self.spent: Ints = reached.spent.astype(np.int64)
        self.exposure: Ints = np.zeros(len(state), np.int64) + exposure
        self.remaining: Ints = np.maximum(0, space.limits_in(state) - self.spent)

    def __len__(self) -> int:
        return len(self.at)

    @property
    def modes(self) -> Sequence[Any]:
        """All modes, by number."""
        return self._space.modes

    def mode(self, number: int) -> Any:
        """Return the mode of a node."""
        return self.modes[int(self.how[number])]

    def by_mode(self, says: Callable[[Any], Any]) -> Any:
        """Return an array of a function of each node's mode; called once per mode."""
        space, notes = self._space, self._space.notes
        key = (says, len(space.modes))
        if key not in notes:
            notes[key] = np.array([says(mode) for mode in space.modes])
        return notes[key][self.how] if len(self) else np.zeros(0, bool)

    @cached_property
    def before(self) -> list[int]:
        """The predecessor of each node; -1 where the way begins."""
        index = self._reached.index
        return [index.get(state, -1) for state in self._reached.parent.tolist()]

    @cached_property
    def takes_all(self) -> list[bool]:
        """Whether the step to each node takes everything that remains."""
        taken: list[bool] = self._space.is_end(self._reached.arc).tolist()
        return taken

    def cost(self, number: int) -> int:
        """Return the cost of the step to a node, in half points."""
        return self._space.cost(int(self._reached.arc[number]))

    def costs(self, position: Position[Any, Any], unit: Unit) -> list[int | None]:
        """Return another unit's cost, alone, of each node's step; None where it has none."""
        own, space = shared_space(position, unit, avoid=True), self._space
        known = [
            own.state(self.board.locations[at].name, space.modes[mode])
            for at, mode in zip(self.at.tolist(), self.how.tolist(), strict=True)
        ]
        onward = own.onward(known)
        found: list[int | None] = []
        for state, before in zip(known, self.before, strict=True):
            start = None if before < 0 else known[before]
            paid = [] if start is None else [cost for to, cost in onward[start] if to == state]
            found.append(min(paid, default=None))
        return found

    @cached_property
    def _paths(self) -> dict[int, list[SearchStep]]:
        return {-1: []}

    def path(self, number: int) -> list[SearchStep]:
        """Return the steps of the way to a node, from its entry onto the map; none for -1."""
        if number not in self._paths:
            found = self._paths[number] = []
            width, modes = self._space.width, self._space.modes
            start, mode = -1, None
            for state, arc in self._chain(number):
                end, to = state // width, modes[state % width]
                if arc >= 0 or self.on.ways:
                    found.append(SearchStep(start, mode, end, to, arc))
                start, mode = end, to
        return self._paths[number]

    def actions(self, step: SearchStep, unit: str) -> Sequence[Action]:
        """Return the actions of a step, for the unit of that id."""
        if step.arc >= 0:
            return self._space.actions_on(step.arc, self._state(step), unit)
        way = self.on.ways[self.board.locations[step.end].name, step.to]
        return [renamed(one, unit=unit, to=getattr(one, "to", "")) for one in way.actions]

    def kind(self, step: SearchStep) -> Hashable:
        """Return a key that is equal for steps of these units that do the same on equal ground."""
        if step.arc < 0:
            return self._space, self._state(step)
        names, mover = self.board.locations, self._space.mover
        ground = crossings_of(mover.rulebook, self.board)
        edge = ground.kind(names[step.start].name, names[step.end].name)
        return self._space, self._space.way(step.arc), edge

    def _state(self, step: SearchStep) -> int:
        return self._space.state(self.board.locations[step.end].name, step.to)

    def entered(self, number: int) -> list[str]:
        """Return the Locations entered on the way to a node, in order."""
        names = self.board.locations
        return [names[one.end].name for one in self.path(number) if one.start != one.end]

    def way(self, number: int, unit: str) -> tuple[Action, ...]:
        """Return the actions of the way to a node, for the unit of that id."""
        return tuple(one for step in self.path(number) for one in self.actions(step, unit))

    @property
    def unsupported(self) -> tuple[str, ...]:
        """The unmodelled clauses that apply to affordable steps."""
        found = self._space.unsupported_from(self._reached) if len(self) else ()
        return (*self.on.unsupported, *found)


def _least_exposed(space: CompiledSpace, on: Arrivals, labels: Iterable[Label]) -> Found:
    """Return the result of label setting: the first of the cheapest ways to each node."""
    first: dict[Hashable, Label] = {}
    for label in labels:
        first.setdefault(label.node, label)
    ends = [*first.values()]

    def step(label: Label) -> tuple[int, int]:
        return space.state(*label.node), -1 if label.before is None else label.step.arc

    rows = [(*step(one), one.spent, one.exposure) for one in ends]
    state, arc, spent, exposure = np.array(rows, np.int32).reshape(-1, 4).T
    reached = Reached(np.stack([state, spent, arc]), space.space.source, state)
    befores = (one.before for one in ends)
    reached.parent = np.array([-1 if one is None else step(one)[0] for one in befores], np.int32)
    return Found(space, reached, on, exposure, lambda number: [*map(step, ends[number].path())])


def search(
    position: Position[Any, Any], queries: Sequence[Query], ample: Callable[[Unit], int],
    closed: Collection[str] = (), threat: Mapping[str, int] | None = None,
) -> list[Found]:  # fmt: skip
    """
    Search from each of several starts, without steps that require a roll.

    Parameters
    ----------
    position
        The other units; the searching units need not be in it.
    queries
        For each: the unit, its mode, the half points spent, and the unit as it is on the map.
        Equivalent units share what is known of their steps. A unit that waits off the map enters by
        all its ways.
    ample
        Returns the least half points that a unit, and those equivalent, can spend.
    closed
        Locations that must not be entered, even from off the map; a unit that begins in one can
        leave it for good.
    threat
        The exposure of entering each Location: of equally cheap ways the least exposed is taken.
    """
    groups: dict[tuple[CompiledSpace, str | None], list[int]] = {}
    begins: list[list[tuple[str, Any, int]]] = []
    on: list[Arrivals] = []
    for number, (unit, mode, spent, like) in enumerate(queries):
        ways = ON_MAP if unit.at is not None else ways_on(position, unit)
        begin = [(at, how, way.spent) for (at, how), way in ways.ways.items() if at not in closed]
        begins.append([(unit.at, mode, spent)] if unit.at is not None else begin)
        on.append(ways)
        home = unit.at if unit.at in closed else None
        groups.setdefault((shared_space(position, like, avoid=True), home), []).append(number)
    found: dict[int, Found] = {}
    for (space, home), numbers in groups.items():
        enough = ample(queries[numbers[0]][0])
        shut = frozenset(space.board.index[name] for name in closed if name != home)
        limits = SearchLimits(enough, shut) if enough or shut else None
        able = [number for number in numbers if begins[number]]
        states = [tuple(space.state(at, how) for at, how, _ in begins[n]) for n in able]
        costs = [tuple(spent for *_, spent in begins[n]) for n in able]
        every = [limits] * len(able)
        if home is None and not threat:
            some = dict(zip(able, space.search(states, costs, every), strict=True))
            found |= {n: Found(space, some.get(n, nowhere()), on[n]) for n in numbers}
            continue
        space.complete(states, space.payable(states, costs), every)
        for n in numbers:
            starts = [((at, how), spent) for at, how, spent in begins[n]]
            graph = Paths(space, "", starts, limits, comes_on=bool(on[n].ways))
            found[n] = _least_exposed(space, on[n], paths(graph, threat, [home] if home else ()))
    return [found[number] for number in range(len(queries))]


def ways_on(position: Position[Any, Any], unit: Unit) -> Arrivals:
    """Return the ways onto the map of a unit off it, without rolls."""
    found = arrivals(position.with_units([unit]), unit.id, avoid=True)
    work(ENTRY * (1 + len(found.ways)))
    return found
