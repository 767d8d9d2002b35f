"""Where units of a plan get to, and by where they leave the map: reach, looked up Location by Location."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from marchtable.budget import work
from marchtable.planning.paths import paths
from marchtable.reachability.arrivals import Arrivals, arrivals
from marchtable.reachability.compiled import Limits
from marchtable.reachability.graph import Paths
from marchtable.reachability.sharing import shared_space
from marchtable.reachability.space import Reached, nowhere
from marchtable.rules.clause import switched_off
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import retold
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.ends import end_name, end_number, home_of, left_by
from marchtable_models.asl.cpsat.ruled import is_granted, unmodelled
from marchtable_models.asl.extraction import purse
from marchtable_models.asl.extraction.edge import outer_sides
from marchtable_models.asl.extraction.modes import declared, mode_of
from marchtable_models.asl.extraction.standings import standing
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Hashable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    import numpy.typing as npt

    from marchtable.planning.paths import Label
    from marchtable.reachability.compiled import CompiledSpace
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.travel import AslTravel

    AslPosition = Position[AslUnit, AslConditions]
    Ints = npt.NDArray[np.int64]
    Asked = tuple[AslUnit, Any, int]

__all__ = [
    "AMPLE", "Exits", "Place", "Places", "bare", "declarations", "exposure_of", "is_unlimited", "of_modes",
    "searched", "ways_on",
]  # fmt: skip

SEARCH = 0.001  # deterministic time that a search of one unit's ways counts for
ENTRY = 0.002  # deterministic time that each Location to come on by counts for
AMPLE = 10_000  # half points: more than any way on a map costs
NOWHERE = -1
ON_MAP = Arrivals({}, ())


def bare(position: AslPosition, movers: Sequence[str]) -> AslPosition:
    """Return the position with these units off the map."""
    return position.with_units(
        [replace(position.unit(name), at=None, aboard=None, riding=False) for name in movers]
    )


def of_modes(space: CompiledSpace, tells: Callable[[Any], Any]) -> Any:
    """Return as an array what is so of each mode of a space; kept with the space."""
    key = (tells, len(space.modes))
    if key not in space.notes:
        space.notes[key] = np.array([tells(mode) for mode in space.modes])
    return space.notes[key]


def declarations(space: CompiledSpace, states: Any) -> Any:
    """Return numbers by which states rank: the more is declared in them, the larger."""
    return of_modes(space, _declared)[states % space.width] if len(states) else states


def _declared(mode: Any) -> int:
    is_minimum, gained = declared(mode)
    return AMPLE * is_minimum + gained


class Places:
    """
    The cheapest place of each Location that a search reached in a mode that will do.

    Parameters
    ----------
    space, found
        The space, and what was reached in it.
    at, spent, left, numbers
        The ends' numbers, Locations before those off the map, the cheapest first; the least spent
        there and the most that may be left, in half points; which state each is.
    on
        The ways on to the map by one of which each way begins, if the unit waits off it.
    """

    def __init__(
        self, space: CompiledSpace, found: Reached, at: Ints, spent: Ints, left: Ints, numbers: Ints,
        *, on: Arrivals = ON_MAP,
    ) -> None:  # fmt: skip
        self.space, self.found, self.on = space, found, on
        self.at, self.spent, self.left, self.numbers = at, spent, left, numbers

    @classmethod
    def of(
        cls, space: CompiledSpace, found: Reached, fits: Callable[[Any], bool],
        on: Arrivals = ON_MAP,
    ) -> Places:  # fmt: skip
        """Return the places of a search; `fits` states which modes will do."""
        fitting = of_modes(space, fits)[found.state % space.width] if len(found) else found.state
        numbers = np.flatnonzero(fitting)
        at, spent = (found.state // space.width).astype(np.int64), found.spent.astype(np.int64)
        keys = (declarations(space, found.state), exposure_of(found), spent, at)
        numbers = numbers[np.lexsort(tuple(key[numbers] for key in keys))]
        first = np.flatnonzero(np.diff(at[numbers], prepend=-1))
        spare = np.maximum(0, space.limits_in(found.state[numbers]) - spent[numbers])
        most = np.maximum.reduceat(spare, first) if len(first) else spare
        order = np.argsort(spent[numbers[first]], kind="stable")
        best = numbers[first[order]]
        return cls(space, found, at[best], spent[best], most[order], best, on=on)

    def __len__(self) -> int:
        return len(self.at)

    def started(self, at: str, spent: int) -> None:
        """Add where it started, should it have had nothing left even there, or waited."""
        here = end_number(self.space.board, at)
        if not (self.at == here).any():
            self.at, self.spent = np.append(here, self.at), np.append(spent, self.spent)
            self.left, self.numbers = np.append(0, self.left), np.append(NOWHERE, self.numbers)

    def leaving(self, ways_off: Iterable[tuple[int, int, int]]) -> None:
        """Add the ways off the map: their Location, half points spent, which state."""
        told = np.array([*ways_off], np.int64).reshape(-1, 3)
        self.at = np.append(self.at, told[:, 0] + len(self.space.board))
        self.spent = np.append(self.spent, told[:, 1])
        self.left = np.append(self.left, 0 * told[:, 0])
        self.numbers = np.append(self.numbers, told[:, 2])

    def refit(self, fits: Callable[[Any], bool]) -> Places:
        """Return the same search's places in other modes."""
        return Places.of(self.space, self.found, fits, self.on)

    @property
    def exposures(self) -> Ints:
        """The threat met on the way to each place."""
        found: Ints = np.append(exposure_of(self.found), 0)[self.numbers]  # the last is NOWHERE's
        return found

    def place(self, row: int) -> Place:
        """Return the place of a row."""
        name = end_name(self.space.board, int(self.at[row]))
        return Place(name, int(self.spent[row]), int(self.left[row]), int(self.numbers[row]), self)

    def by(self, at: str) -> Place | None:
        """Return the place of that name, None where it is not reached."""
        rows = (self.at == end_number(self.space.board, at)).nonzero()[0]
        return self.place(int(rows[0])) if len(rows) else None

    @cached_property
    def _paths(self) -> dict[int, list[tuple[int, int]]]:
        """Ways found before, by the number of the state where they end."""
        return {NOWHERE: []}

    def path(self, number: int) -> list[tuple[int, int]]:
        """Return the states of the way to a state, given by its number, and the arcs into them."""
        if number not in self._paths:
            self._paths[number] = self.found.path(number)
        return self._paths[number]

    def entered(self, number: int) -> list[str]:
        """Return the Locations entered on the way to a state, in order."""
        width, names = self.space.width, self.space.board.locations
        steps = [state // width for state, _ in self.path(number)]
        first = steps[:1] if self.on.ways else []
        return [names[n].name for n in (*first, *(b for a, b in pairwise(steps) if a != b))]

    def actions(self, number: int, unit: str) -> list[Action]:
        """Return the actions of the way to a state, for the unit of that id."""
        return [one for step in self.path(number) for one in self.actions_on(*step, unit)]

    def actions_on(self, state: int, arc: int, unit: str) -> Sequence[Action]:
        """Return the actions that lead into a state by an arc; by none what it takes to come on to the map."""
        space = self.space
        if arc >= 0:
            return space.actions_on(arc, state, unit)
        at, mode = divmod(state, space.width)
        way = self.on.ways.get((space.board.locations[at].name, space.modes[mode]))
        told = () if way is None else way.actions
        return [retold(one, unit=unit, to=getattr(one, "to", "")) for one in told]

    def location(self, number: int) -> str:
        """Return the Location of a state."""
        return self.space.board.locations[int(self.found.state[number]) // self.space.width].name

    def mode(self, number: int) -> Any:
        """Return the mode of a state."""
        return self.space.modes[int(self.found.state[number]) % self.space.width]

    @property
    def unsupported(self) -> tuple[str, ...]:
        """The clauses, not modelled, that bear on a step that could be paid for."""
        found = self.space.unsupported_from(self.found) if len(self.found) else ()
        return (*self.on.unsupported, *found)


class Place(NamedTuple):
    """An end reached: the least spent there, the most that may be left, and the way."""

    at: str
    spent: int
    left: int
    number: int
    places: Places

    def mode(self) -> Any:
        """Return the mode in which it is reached."""
        return self.places.mode(self.number)

    def entered(self) -> list[str]:
        """Return the Locations entered on the way, in order."""
        return self.places.entered(self.number)

    def actions(self, unit: str) -> tuple[Action, ...]:
        """Return the actions of the way, for the unit of that id."""
        found = self.places.actions(self.number, unit)
        return (*found, Exit((unit,))) if left_by(self.at) else tuple(found)

    def exposure(self, threat: Mapping[str, int]) -> int:
        """Return the threat that is met on the way."""
        return sum(threat.get(at, 0) for at in self.entered()) if threat else 0


class Exits:
    """
    What leaving the map comes to.

    Parameters
    ----------
    rulebook, position
        Whom to ask, and about what problem.
    names
        The Locations by which units may leave.

    Attributes
    ----------
    left_out
        Clauses, not modelled, for which leaving was not granted.
    """

    def __init__(self, rulebook: AslTravel, position: AslPosition, names: Collection[str]) -> None:
        board = position.board
        self.rulebook, self.position = rulebook, position
        self.left_out: set[str] = set()
        at_edge = {name for name in names if outer_sides(board, name)}
        self.names = sorted(at_edge, key=board.index.__getitem__)

    def not_modelled(self, names: Collection[str]) -> set[str]:
        """Return the clauses for which nobody knows whether some units leave the map as they stand."""
        position, rule = self.position, self.rulebook.rule
        return {
            one.clause
            for name in names
            if position.unit(name).at is not None
            for one in rule(position, Exit((name,))).unsupported
        }

    def _spent(
        self, position: AslPosition, unit: AslUnit, at: str, mode: Any, spent: int
    ) -> int | None:
        """Return what a unit has spent once it has left the map; None where it may not, or only by a roll."""
        starts = (at, mode, spent) == (unit.at, mode_of(unit), unit.points.spent)
        there = unit if starts else self.rulebook.in_mode(unit, at, mode)
        there = replace(there, spent=spent)
        ruling = self.rulebook.rule(position.with_units([there]), Exit((unit.id,)))
        if is_granted(ruling):
            return int(ruling.after.unit(unit.id).points.spent)
        self.left_out |= unmodelled(ruling)
        return None

    def ways_off(
        self, position: AslPosition, unit: AslUnit, places: Places, *, every: bool = False
    ) -> Iterator[tuple[int, int, int]]:
        """
        Yield for each Location by which a unit may leave what it has spent then, and the way there.

        Parameters
        ----------
        position, unit
            Who else stands where, and who leaves.
        places
            Where it gets to.
        every
            Yield every state from which it may leave, not only the best by each Location.

        Yields
        ------
        tuple of int
            The Location's number, half points spent, and which of the states found it leaves from.
        """
        found, width, index = places.found, places.space.width, position.board.index
        exposed = exposure_of(found)
        for name in self.names:
            rows = np.flatnonzero(found.state // width == index[name])
            best: tuple[int, int, int] | None = None
            told = declarations(places.space, found.state[rows])
            for row in rows[np.lexsort((told, exposed[rows], found.spent[rows]))].tolist():
                before = int(found.spent[row])
                if best is not None and before >= best[0] and not every:
                    break
                spent = self._spent(position, unit, name, places.mode(row), before)
                now = None if spent is None else (spent, int(exposed[row]), row)
                if every and now is not None:
                    yield index[name], now[0], row
                if now is not None and (best is None or now[:2] < best[:2]):
                    best = now
            if best is not None and not every:
                yield index[name], best[0], best[2]


def searched(
    position: AslPosition, asked: Sequence[Asked], fits: Callable[[Any], bool],
    closed: Sequence[str] = (), *, exits: Exits | None = None, threat: Mapping[str, int] | None = None,
) -> list[Places]:  # fmt: skip
    """
    Return where units get to from a mode with so much spent, no step calling for a roll.

    Parameters
    ----------
    position
        Who else stands where; the units themselves need not stand in it.
    asked
        Each unit, its mode and what it has spent. One that waits off the map comes on by any of its
        Locations.
    fits
        States in which modes they may be there.
    closed
        Locations that must not be entered, nor come on by; who stands in one may leave it for good.
    exits
        What leaving the map comes to, if that is among the ends.
    threat
        What coming into Locations adds to exposure: of equally cheap ways the least exposed is taken.
    """
    groups: dict[tuple[CompiledSpace, str | None], list[int]] = {}
    starts = [_start(position, *one, closed) for one in asked]
    for number, (unit, _, _) in enumerate(asked):
        space = shared_space(position, replace(unit, entering=()), avoid=True)
        left = unit.at if unit.at in closed else None
        groups.setdefault((space, left), []).append(number)
    work(SEARCH * len(asked))
    found: dict[int, Places] = {}
    for (space, left), numbers in groups.items():
        enough = AMPLE * is_unlimited(position, asked[numbers[0]][0])
        shut = frozenset(space.board.index[name] for name in closed if name != left)
        limits = Limits(enough, shut) if enough or shut else None
        some = [starts[n] for n in numbers]
        for n, reached in zip(numbers, _reached(space, some, limits, threat, left), strict=True):
            unit, mode, spent = asked[n]
            places = found[n] = Places.of(space, reached, fits, starts[n].on)
            if fits(mode) and (unit.at is not None or unit.facing is None):
                places.started(home_of(unit), spent)
            if exits is not None:
                places.leaving(exits.ways_off(position, unit, places))
    return [found[number] for number in range(len(asked))]


class _Start(NamedTuple):
    """Where a search begins: in which states, by Location, mode and half points spent; the ways there."""

    states: Sequence[tuple[str, Any, int]]
    on: Arrivals = ON_MAP


def _start(
    position: AslPosition, unit: AslUnit, mode: Any, spent: int, closed: Collection[str]
) -> _Start:
    if unit.at is not None:
        return _Start([(unit.at, mode, spent)])
    on = ways_on(position, unit)
    states = [(at, how, way.spent) for (at, how), way in on.ways.items() if at not in closed]
    return _Start(states, on)


def ways_on(position: AslPosition, unit: AslUnit) -> Arrivals:
    """Return the ways on of a unit that waits off the map, none of them by a roll."""
    work(ENTRY * (1 + len({*unit.offboard.entering})))
    return arrivals(position.with_units([unit]), unit.id, avoid=True)


def _reached(
    space: CompiledSpace, starts: Sequence[_Start], limits: Limits | None,
    threat: Mapping[str, int] | None, left: str | None,
) -> list[Reached]:  # fmt: skip
    """
    Return what is reached from each start, nothing where nobody comes on.

    By the kernel where nothing threatens, nor is a Location only to be left; else by label setting.
    """
    able = [start for start in starts if start.states]
    states = [tuple(space.state(at, mode) for at, mode, _ in one.states) for one in able]
    costs = [tuple(spent for *_, spent in one.states) for one in able]
    every = [limits] * len(able)
    if left is None and not threat:
        found = iter(space.search(states, costs, every))
    else:
        space.complete(states, space.payable(states, costs), every)
        found = iter([_exposed(space, one, limits, threat, left) for one in able])
    return [next(found) if start.states else nowhere() for start in starts]


class _Exposed(Reached):
    """What label setting reaches: in each state by the cheapest way, of these by the least exposed."""

    def __init__(self, space: CompiledSpace, labels: Iterable[Label]) -> None:
        first: dict[Hashable, Label] = {}
        for label in labels:
            first.setdefault(label.node, label)
        self._labels, self._space = [*first.values()], space
        told = [(*self._step(one), one.spent, one.exposure) for one in self._labels]
        state, arc, spent, self.exposed = np.array(told, np.int32).reshape(-1, 4).T
        super().__init__(np.stack([state, spent, arc]), space.space.source, state)

    def _step(self, label: Label) -> tuple[int, int]:
        """Return the state where a way ends, and the arc into it; -1 where it starts."""
        return self._space.state(*label.node), -1 if label.before is None else label.step.arc

    @cached_property
    def parent(self) -> npt.NDArray[np.int32]:
        """The state each was reached from; -1 at a start."""
        befores = (one.before for one in self._labels)
        return np.array([-1 if one is None else self._step(one)[0] for one in befores], np.int32)

    def path(self, i: int) -> list[tuple[int, int]]:
        """Return the chain of (state, arc taken to it) from a start to the `i`-th state."""
        return [*map(self._step, self._labels[i].path())]


def _exposed(
    space: CompiledSpace, start: _Start, limits: Limits | None, threat: Mapping[str, int] | None,
    left: str | None,
) -> Reached:  # fmt: skip
    begins = [((at, mode), spent) for at, mode, spent in start.states]
    graph = Paths(space, "", begins, limits, comes_on=bool(start.on.ways))
    return _Exposed(space, paths(graph, threat, () if left is None else (left,)))


def exposure_of(found: Reached) -> Any:
    """Return what was met on the way to each state found, 0 where nothing threatens."""
    return found.exposed if isinstance(found, _Exposed) else np.zeros(len(found), np.int64)


def is_unlimited(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether no clause that is on keeps a unit from overspending."""
    if not switched_off():
        return False
    edition = find_rulebook(position.rulebook).edition(position)
    finding = edition.judge(standing(position, unit, "start"))
    due = msgspec.structs.replace(purse.due(position, unit, None, finding, edition), cost=AMPLE)
    return not edition.judge(due).bars
