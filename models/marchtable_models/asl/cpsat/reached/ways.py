"""Where units of a plan can get to, told Location by Location: reach, looked up in its arrays."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.budget import work
from marchtable.clause import switched_off
from marchtable.rulebook import find_rulebook
from marchtable.sharing import shared_space
from marchtable_models.asl.cpsat.reached.ends import end_name, end_number, left_by
from marchtable_models.asl.cpsat.reached.exposed import exposure_of, reached_by
from marchtable_models.asl.survey import purse
from marchtable_models.asl.survey.modes import declared, mode_of
from marchtable_models.asl.survey.reading import standing
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.action import Action
    from marchtable.compiled import CompiledSpace
    from marchtable.position import Position
    from marchtable.space import Reached
    from marchtable_models.asl.cpsat.reached.exits import Exits
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]
    Ints = npt.NDArray[np.int64]

__all__ = ["AMPLE", "Place", "Places", "bare", "declarations", "pace", "searched"]

SEARCH = 0.001  # deterministic time that a search of one unit's ways counts for
AMPLE = 10_000  # half points: more than any way on a map costs

NOWHERE = -1


class Places:
    """
    The cheapest place of each Location that a search reached in a mode that will do.

    Parameters
    ----------
    space, found
        The space and the kernel's arrays.
    at, spent, left, numbers
        The ends' numbers, Locations before those off the map, the cheapest first; the least spent
        there and the most that may be left, in half points; which state each is.
    """

    def __init__(
        self, space: CompiledSpace, found: Reached, at: Ints, spent: Ints, left: Ints, numbers: Ints
    ) -> None:
        self.space, self.found = space, found
        self.at, self.spent, self.left, self.numbers = at, spent, left, numbers

    @classmethod
    def of(
        cls, space: CompiledSpace, found: Sequence[Reached], fits: Callable[[Any], bool]
    ) -> list[Places]:
        """Return the places of several searches, `fits` telling which modes will do."""
        import numpy as np

        width, size = len(space.modes), len(space.board)
        sizes = [len(one) for one in found]
        bounds = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        states = np.concatenate([one.state for one in found]).astype(np.int64)
        kept = np.flatnonzero(_fitting(space, fits)[states % width])
        states = states[kept]
        spent = np.concatenate([one.spent for one in found])[kept].astype(np.int64)
        exposed = np.concatenate([exposure_of(one) for one in found])[kept]
        search = np.repeat(np.arange(len(found)), sizes)[kept]
        at = search * size + states // width
        ranked = _ranked(at, spent, exposed, declarations(space)[states % width])
        at, spent, search = at[ranked], spent[ranked], search[ranked]  # who declares least last
        kept = kept[ranked] - bounds[search]
        first = np.flatnonzero(np.diff(at, prepend=-1))
        spare = np.maximum(0, space.limit[states[ranked]] - spent)
        most = np.maximum.reduceat(spare, first) if len(first) else spare
        order = _ranked(search[first], spent[first])
        best = first[order]
        ends = np.searchsorted(search[best], np.arange(len(found) + 1)).tolist()
        told = (at[best] - search[best] * size, spent[best], most[order], kept[best])
        return [
            cls(space, one, *[array[ends[n] : ends[n + 1]] for array in told])
            for n, one in enumerate(found)
        ]

    def __len__(self) -> int:
        return len(self.at)

    def started(self, at: str, spent: int) -> Places:
        """Return this with where it started, should it have had nothing left even there."""
        import numpy as np

        here = self.space.board.index[at]
        if not (self.at == here).any():
            self.at, self.spent = np.append(here, self.at), np.append(spent, self.spent)
            self.left, self.numbers = np.append(0, self.left), np.append(NOWHERE, self.numbers)
        return self

    def leaving(self, ways_off: Iterable[tuple[int, int, int]]) -> Places:
        """Return this with the ways off the map: their Location, half points spent, which state."""
        import numpy as np

        told = np.array([*ways_off], np.int64).reshape(-1, 3)
        self.at = np.append(self.at, told[:, 0] + len(self.space.board))
        self.spent, self.left = (
            np.append(self.spent, told[:, 1]),
            np.append(self.left, told[:, 0] * 0),
        )
        self.numbers = np.append(self.numbers, told[:, 2])
        return self

    def refit(self, fits: Callable[[Any], bool]) -> Places:
        """Return the same search's places in other modes."""
        return Places.of(self.space, [self.found], fits)[0]

    def exposures(self, threat: Mapping[str, int]) -> Ints:
        """Return the threat met on the way to each place."""
        import numpy as np

        if not threat:
            return np.zeros(len(self), np.int64)
        found: Ints = np.append(self.met(threat), 0)[self.numbers]  # the last is NOWHERE's
        return found

    def met(self, threat: Mapping[str, int]) -> Ints:
        """Return the threat met on the way to each state that was found."""
        import numpy as np

        found, width = self.found, len(self.space.modes)
        met = np.zeros(len(found), np.int64)
        if threat:
            into = np.zeros(len(self.space.board), np.int64)
            for name, number in threat.items():
                into[self.space.board.index[name]] = number
            states, parents, index = found.state.tolist(), found.parent.tolist(), found.index
            for number, (state, parent) in enumerate(zip(states, parents, strict=True)):
                if parent >= 0:
                    at = state // width
                    more = into[at] if at != parent // width else 0
                    met[number] = met[index[parent]] + more
        return met

    def place(self, row: int) -> Place:
        """Return the place of a row."""
        name = end_name(self.space.board, int(self.at[row]))
        return Place(name, int(self.spent[row]), int(self.left[row]), row, self)

    def by(self, at: str) -> Place | None:
        """Return the place of that name, None where it is not reached."""
        rows = (self.at == end_number(self.space.board, at)).nonzero()[0]
        return self.place(int(rows[0])) if len(rows) else None

    def path(self, row: int) -> list[tuple[int, int]]:
        """Return the states of a way and the arcs into them."""
        number = int(self.numbers[row])
        return [] if number == NOWHERE else self.found.path(number)


class Place(NamedTuple):
    """An end reached: the least spent there, the most that may be left, and the way."""

    at: str
    spent: int
    left: int
    row: int
    places: Places

    def mode(self) -> Any:
        """Return the mode in which it is reached."""
        space, found = self.places.space, self.places.found
        return space.modes[int(found.state[self.places.numbers[self.row]]) % len(space.modes)]

    def entered(self) -> list[str]:
        """Return the Locations entered on the way, in order."""
        space = self.places.space
        width, names = len(space.modes), space.board.locations
        steps = [state // width for state, _ in self.places.path(self.row)]
        return [names[b].name for a, b in pairwise(steps) if a != b]

    def actions(self, unit: str) -> tuple[Action, ...]:
        """Return the actions of the way, for the unit of that id."""
        found = [
            action
            for state, arc in self.places.path(self.row)
            if arc >= 0
            for action in self.places.space.actions_on(arc, state, unit)
        ]
        return (*found, Exit((unit,))) if left_by(self.at) else tuple(found)

    def exposure(self, threat: Mapping[str, int]) -> int:
        """Return the threat that is met on the way."""
        return sum(threat.get(at, 0) for at in self.entered()) if threat else 0


def _ranked(*keys: Any) -> Ints:
    """Return the order of rows by some numbers, none negative, the first counting most."""
    import numpy as np

    together = np.zeros(len(keys[0]), np.int64)
    for key in keys:
        together = together * (int(key.max(initial=0)) + 1) + key
    found: Ints = np.argsort(together, kind="stable")
    return found


def _fitting(space: CompiledSpace, fits: Callable[[Any], bool]) -> Any:
    import numpy as np

    known = space.__dict__.setdefault("fitting", {})
    if fits not in known:
        known[fits] = np.array([fits(mode) for mode in space.modes], bool)
    return known[fits]


def declarations(space: CompiledSpace) -> Any:
    """Return numbers that rank modes by what has been declared in them."""
    import numpy as np

    known = space.__dict__.get("declared")
    if known is None:
        told = [declared(mode) for mode in space.modes]
        ranks = {one: rank for rank, one in enumerate(sorted(set(told)))}
        known = np.array([ranks[one] for one in told], np.int64)
        space.__dict__["declared"] = known
    return known


def bare(position: AslPosition, movers: Sequence[str]) -> AslPosition:
    """Return the position with these units off the map."""
    return position.with_units(
        [
            msgspec.structs.replace(position.unit(name), at=None, aboard=None, riding=False)
            for name in movers
        ]
    )


def searched(
    position: AslPosition,
    asked: Sequence[tuple[AslUnit, Any, int]],
    fits: Callable[[Any], bool],
    closed: Sequence[str] = (),
    *,
    exits: Exits | None = None,
    threat: Mapping[str, int] | None = None,
    ample: int = 0,
) -> list[Places]:
    """
    Return where units get to from a mode with so much spent, no step calling for a roll.

    Parameters
    ----------
    position
        Who else stands where; the units themselves need not stand in it.
    asked
        Each unit, its mode and what it has spent.
    fits
        Tells in which modes they may be there.
    closed
        Locations that must not be entered.
    exits
        What leaving the map comes to, if that is among the ends.
    threat
        What coming into Locations adds to exposure: of equally cheap ways the least exposed is told.
    ample
        The half points that all have, if not what the rules give them.
    """
    groups: dict[CompiledSpace, list[int]] = {}
    for number, (unit, mode, _) in enumerate(asked):
        space = shared_space(position, unit, avoid=True, modes=(mode,))
        groups.setdefault(space, []).append(number)
    work(SEARCH * len(asked))
    found: dict[int, Places] = {}
    for space, numbers in groups.items():
        enough = ample or _unlimited(position, asked[numbers[0]][0])
        limit = _limits(space, closed, enough)
        starts = [(space.state(str(asked[n][0].at), asked[n][1]),) for n in numbers]
        costs = [(asked[n][2],) for n in numbers]
        limits = None if limit is None else [
            _leaving(space, limit, str(asked[n][0].at), closed, enough) for n in numbers
        ]  # fmt: skip
        reached = reached_by(space, starts, costs, limits, threat)
        placed = Places.of(space, reached, fits)
        for n, one, places in zip(numbers, reached, placed, strict=True):
            unit, mode, spent = asked[n]
            found[n] = places
            if fits(mode):
                found[n] = found[n].started(str(unit.at), spent)
            if exits is not None:
                off = exits.ways_off(position, unit, space, one, anyhow=bool(ample))
                found[n] = found[n].leaving(off)
    return [found[number] for number in range(len(asked))]


def pace(position: AslPosition, unit: AslUnit) -> tuple[int, int]:
    """Return the half points that a unit may have, and such that no step costs it less."""
    space, mode = shared_space(position, unit, avoid=True), mode_of(unit)
    known = space.__dict__.setdefault("cheapest steps", {})
    if mode not in known:
        known[mode] = _cheapest_step(space, mode)
    return max(int(space.limit.max()), _unlimited(position, unit)), known[mode]


def _unlimited(position: AslPosition, unit: AslUnit) -> int:
    """Return ample half points where no clause that is on bars a unit from overspending, else 0."""
    if not switched_off():
        return 0
    edition = find_rulebook(position.rulebook).edition(position)
    finding = edition.judge(standing(position, unit, "start"))
    due = msgspec.structs.replace(purse.due(position, unit, None, finding, edition), cost=AMPLE)
    return 0 if edition.judge(due).bars else AMPLE


def _cheapest_step(space: CompiledSpace, mode: Any) -> int:
    import numpy as np

    arcs, width = space.space, len(space.modes)
    source = np.repeat(np.arange(len(arcs.limit)), np.diff(arcs.indptr))
    leaves = source // width != arcs.target // width
    costs = arcs.cost[leaves & space.onward(mode)[source % width]]
    return max(1, int(costs.min())) if len(costs) else 1


def _limits(space: CompiledSpace, closed: Sequence[str], ample: int = 0) -> Any:
    import numpy as np

    if not closed and not ample:
        return None
    limit, width = np.maximum(space.limit, np.int32(ample)), len(space.modes)
    for name in closed:
        first = space.board.index[name] * width
        limit[first : first + width] = -1
    return limit


def _leaving(
    space: CompiledSpace, limit: Any, at: str, closed: Sequence[str], ample: int
) -> Any:  # fmt: skip
    """Return limits that let a unit leave the Location in which it stands, should that be closed."""
    if at not in closed:
        return limit
    return _limits(space, [name for name in closed if name != at], max(1, ample))
