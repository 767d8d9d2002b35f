"""Where units of a plan can get to, told Location by Location: reach, looked up in its arrays."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.kernel import search, search_batch
from marchtable.sharing import own_space, shared_space
from marchtable_models.asl.modes import mode_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from marchtable.action import Action
    from marchtable.compiled import CompiledSpace
    from marchtable.position import Position
    from marchtable.space import Reached
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Place", "Ways", "found_in", "searched"]


class Ways:
    """
    What one search found: the least spent in each Location, in modes that will do.

    Parameters
    ----------
    space, found
        The space and the kernel's arrays.
    """

    def __init__(self, space: CompiledSpace, found: Reached) -> None:
        self.space, self.found = space, found

    def places(self, fits: Callable[[Any], bool]) -> list[Place]:
        """Return the cheapest place of each Location among the modes that fit, cheapest first."""
        import numpy as np

        width, names = len(self.space.modes), self.space.board.locations
        kept = np.flatnonzero(_fitting(self.space, fits)[self.found.state % width])
        if not len(kept):
            return []
        states, spent = self.found.state[kept], self.found.spent[kept]
        most = np.zeros(len(names), np.int32)
        np.maximum.at(most, states // width, self.space.limit[states] - spent)
        order = np.sort(np.unique(states // width, return_index=True)[1])
        where = states[order] // width
        rows = (where.tolist(), spent[order].tolist(), most[where].tolist(), kept[order].tolist())
        return [
            Place(names[at].name, cost, left, number, self)
            for at, cost, left, number in zip(*rows, strict=True)
        ]


    def mode(self, place: Place) -> Any:
        """Return the mode in which a place is reached."""
        return self.space.modes[int(self.found.state[place.number]) % len(self.space.modes)]


class Place(NamedTuple):
    """A Location reached: the least spent there, the most that may be left, and the way."""

    at: str
    spent: int
    left: int
    number: int
    ways: Ways

    def entered(self) -> list[str]:
        """Return the Locations entered on the way, in order."""
        space = self.ways.space
        width, names = len(space.modes), space.board.locations
        steps = [state // width for state, _ in self.ways.found.path(self.number)]
        return [names[b].name for a, b in pairwise(steps) if a != b]

    def actions(self, unit: str) -> tuple[Action, ...]:
        """Return the actions of the way, for the unit of that id."""
        space = self.ways.space
        return tuple(
            action
            for state, arc in self.ways.found.path(self.number)
            if arc >= 0
            for action in space.actions_on(arc, state, unit)
        )

    def exposure(self, threat: Mapping[str, int]) -> int:
        """Return the threat that is met on the way."""
        return sum(threat.get(at, 0) for at in self.entered()) if threat else 0


def _fitting(space: CompiledSpace, fits: Callable[[Any], bool]) -> Any:
    import numpy as np

    known = space.__dict__.setdefault("fitting", {})
    if fits not in known:
        known[fits] = np.array([fits(mode) for mode in space.modes], bool)
    return known[fits]


def searched(
    position: AslPosition,
    asked: Sequence[tuple[AslUnit, Any, int]],
    closed: Sequence[str] = (),
) -> list[Ways]:
    """
    Return where units get to from a mode with so much spent, no step calling for a roll.

    Parameters
    ----------
    position
        Who else stands where; the units themselves need not stand in it.
    asked
        Each unit, its mode and what it has spent.
    closed
        Locations that must not be entered.
    """
    groups: dict[CompiledSpace, list[int]] = {}
    for number, (unit, _, _) in enumerate(asked):
        groups.setdefault(shared_space(position, unit, avoid=True), []).append(number)
    found: dict[int, Ways] = {}
    for space, numbers in groups.items():
        limit = _limits(space, closed)
        starts = [(space.state(str(asked[n][0].at), asked[n][1]),) for n in numbers]
        costs = [(asked[n][2],) for n in numbers]
        limits = None if limit is None else [limit] * len(numbers)
        for number, reached in zip(
            numbers, search_batch(space.space, starts, costs, limits), strict=True
        ):
            found[number] = Ways(space, reached)
    return [found[number] for number in range(len(asked))]


def found_in(position: AslPosition, unit: AslUnit, closed: Sequence[str] = ()) -> Ways:
    """Return where a unit gets to from where it stands, all others standing where they do."""
    space = own_space(position, unit, avoid=True)
    start = space.state(str(unit.at), mode_of(unit))
    limit = _limits(space, closed)
    return Ways(space, search(space.space, (start,), (unit.spent,), limit))


def _limits(space: CompiledSpace, closed: Sequence[str]) -> Any:
    if not closed:
        return None
    limit, width = space.limit.copy(), len(space.modes)
    for name in closed:
        first = space.board.index[name] * width
        limit[first : first + width] = -1
    return limit
