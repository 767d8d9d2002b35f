"""The cheapest places that searches reached, Location by Location: looked up in reach's arrays."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.reachability.arrivals import Arrivals
from marchtable.state.action import retold
from marchtable_models.asl.cpsat.reached.ends import end_name, end_number, left_by
from marchtable_models.asl.cpsat.reached.exposed import exposure_of
from marchtable_models.asl.extraction.modes import declared
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.reachability.compiled import CompiledSpace
    from marchtable.reachability.space import Reached
    from marchtable.state.action import Action

    Ints = npt.NDArray[np.int64]

__all__ = ["Place", "Places", "declarations"]

NOWHERE = -1
ON_MAP = Arrivals({}, ())


class Places:
    """
    The cheapest place of each Location that a search reached in a mode that will do.

    Parameters
    ----------
    space, found
        The space and the kernel's arrays.
    on
        The ways on to the map by one of which each way begins, if the unit waits off it.
    at, spent, left, numbers
        The ends' numbers, Locations before those off the map, the cheapest first; the least spent
        there and the most that may be left, in half points; which state each is.
    """

    def __init__(
        self, space: CompiledSpace, found: Reached, at: Ints, spent: Ints, left: Ints, numbers: Ints,
        *, on: Arrivals = ON_MAP,
    ) -> None:  # fmt: skip
        self.space, self.found, self.on = space, found, on
        self.at, self.spent, self.left, self.numbers = at, spent, left, numbers

    @classmethod
    def of(
        cls, space: CompiledSpace, found: Sequence[Reached], fits: Callable[[Any], bool],
        on: Sequence[Arrivals] = (),
    ) -> list[Places]:  # fmt: skip
        """Return the places of several searches, `fits` telling which modes will do."""
        import numpy as np

        width, size = space.width, len(space.board)
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
        spare = np.maximum(0, space.limits_in(states[ranked].astype(np.int32)) - spent)
        most = np.maximum.reduceat(spare, first) if len(first) else spare
        order = _ranked(search[first], spent[first])
        best = first[order]
        ends = np.searchsorted(search[best], np.arange(len(found) + 1)).tolist()
        told = (at[best] - search[best] * size, spent[best], most[order], kept[best])
        return [
            cls(space, one, *[array[ends[n] : ends[n + 1]] for array in told],
                on=on[n] if on else ON_MAP)
            for n, one in enumerate(found)
        ]  # fmt: skip

    def __len__(self) -> int:
        return len(self.at)

    def started(self, at: str, spent: int) -> Places:
        """Return this with where it started, should it have had nothing left even there, or waited."""
        import numpy as np

        here = end_number(self.space.board, at)
        if not (self.at[:1] == here).any() and not (self.at == here).any():  # mostly it is first
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
        return Places.of(self.space, [self.found], fits, [self.on])[0]

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

        found, width = self.found, self.space.width
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
                elif self.on.ways:
                    met[number] = into[state // width]
        return met

    def place(self, row: int) -> Place:
        """Return the place of a row."""
        name = end_name(self.space.board, int(self.at[row]))
        return Place(name, int(self.spent[row]), int(self.left[row]), row, self)

    def by(self, at: str) -> Place | None:
        """Return the place of that name, None where it is not reached."""
        rows = (self.at == end_number(self.space.board, at)).nonzero()[0]
        return self.place(int(rows[0])) if len(rows) else None

    @cached_property
    def _paths(self) -> dict[int, list[tuple[int, int]]]:
        """Ways told before."""
        return {}

    def path(self, row: int) -> list[tuple[int, int]]:
        """Return the states of a way and the arcs into them."""
        number = int(self.numbers[row])
        if number not in self._paths:
            self._paths[number] = [] if number == NOWHERE else self.found.path(number)
        return self._paths[number]

    def way_on(self, path: Sequence[tuple[int, int]], unit: str) -> list[Action]:
        """Return the actions that lead a unit on to the map where a path begins."""
        if not (path and self.on.ways):
            return []
        space = self.space
        at, mode = divmod(path[0][0], space.width)
        told = self.on.ways[space.board.locations[at].name, space.modes[mode]].actions
        return [retold(one, unit=unit, to=getattr(one, "to", "")) for one in told]

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
    row: int
    places: Places

    def mode(self) -> Any:
        """Return the mode in which it is reached."""
        space, found = self.places.space, self.places.found
        return space.modes[int(found.state[self.places.numbers[self.row]]) % space.width]

    def entered(self) -> list[str]:
        """Return the Locations entered on the way, in order."""
        space = self.places.space
        width, names = space.width, space.board.locations
        steps = [state // width for state, _ in self.places.path(self.row)]
        first = steps[:1] if self.places.on.ways else []
        return [names[n].name for n in (*first, *(b for a, b in pairwise(steps) if a != b))]

    def actions(self, unit: str) -> tuple[Action, ...]:
        """Return the actions of the way, for the unit of that id."""
        path = self.places.path(self.row)
        found = self.places.way_on(path, unit)
        found += [
            action
            for state, arc in path
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

    key = ("fitting", fits, len(space.modes))
    if key not in space.notes:
        space.notes[key] = np.array([fits(mode) for mode in space.modes], bool)
    return space.notes[key]


def declarations(space: CompiledSpace) -> Any:
    """Return numbers that rank modes by what has been declared in them."""
    import numpy as np

    key = ("declared", len(space.modes))
    if key not in space.notes:
        told = [declared(mode) for mode in space.modes]
        ranks = {one: rank for rank, one in enumerate(sorted(set(told)))}
        space.notes[key] = np.array([ranks[one] for one in told], np.int64)
    return space.notes[key]
