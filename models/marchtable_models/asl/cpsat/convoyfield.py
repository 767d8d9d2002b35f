"""A Convoy's part of the map as bits: sets of states, of hexes, and what is one step away."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable_models.asl.cpsat.convoysteps import NEVER, State
from marchtable_models.asl.spines import SPINES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from marchtable.board import Board
    from marchtable_models.asl.cpsat.convoysteps import Step, Steps

__all__ = ["Arcs", "Course", "Field", "Kind", "bits_of", "image", "preimage"]

OFF = 1
"""The cell of those who wait off the map, as a set of hexes."""


class Kind(NamedTuple):
    """
    What a step is, to the others of its Convoy; see :class:`Step`.

    ``place`` tells that it leads to another hex; ``turn`` is 1 or -1 for a VCA change, else 0.
    """

    cost: int
    place: bool
    halted: bool
    halts: bool
    turn: int


class Course(NamedTuple):
    """A plan as numbers: each vehicle's state after each Impulse, and what is spent by then."""

    states: tuple[tuple[int, ...], ...]
    spent: tuple[int, ...]


Arcs = dict[Kind, list[tuple[int, int]]]
"""By kind, cheapest first: shifts, each with the states from which it leads somewhere."""


def bits_of(number: int) -> Iterator[int]:
    """Yield the members of a set."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def image(arcs: Sequence[tuple[int, int]], states: int) -> int:
    """Return where these steps lead from some states."""
    found = 0
    for shift, mask in arcs:
        if there := states & mask:
            found |= there << shift if shift >= 0 else there >> -shift
    return found


def preimage(arcs: Sequence[tuple[int, int]], states: int) -> int:
    """Return from where these steps lead to some states."""
    found = 0
    for shift, mask in arcs:
        found |= (states >> shift if shift >= 0 else states << -shift) & mask
    return found


class Field:
    """
    The states that vehicles of a Convoy can reach, numbered so that steps are shifts.

    A state's number is its mode's times the number of cells, and its cell; cell 0 lies off the
    map, the others in columns of the doubled coordinates of :mod:`marchtable.board`.

    Parameters
    ----------
    board
        The map.
    steps, starts
        What each vehicle may do, and where it is.
    most, budget
        How many steps it may take, and for how much in all.
    avoid
        Locations that are not entered.
    free
        Count every step as one half point: only how many there are matters.
    """

    def __init__(
        self,
        board: Board,
        steps: Sequence[Steps],
        starts: Sequence[State],
        most: int,
        budget: int,
        avoid: Iterable[str] = (),
        *,
        free: bool = False,
    ) -> None:
        self.board, self.free = board, free
        by_sort: dict[int, tuple[Steps, list[State]]] = {}
        for each, start in zip(steps, starts, strict=True):
            by_sort.setdefault(id(each), (each, []))[1].append(start)
        shut = frozenset(board.resolve(name) for name in avoid)
        reached = {
            key: _reached(each, begun, most, NEVER if free else budget, shut)
            for key, (each, begun) in by_sort.items()
        }
        states = {state for found in reached.values() for state in found}
        self._lay_out({state.at for state in states if state.at is not None})
        modes = sorted({state.mode for state in states}, key=repr)
        self.modes = modes
        self._block = {mode: n * self.area for n, mode in enumerate(modes)}
        self._doubling = _doubling(len(modes), self.area)
        tables = {key: self._arcs(found) for key, found in reached.items()}
        self.arcs = [tables[id(each)] for each in steps]
        self.grain = 0
        for table in tables.values():
            for kind in table:
                self.grain = gcd(self.grain, kind.cost)
        self.starts = [1 << self.number(start) for start in starts]

    def _lay_out(self, hexes: set[str]) -> None:
        board = self.board
        places = {name: (board[name].u, board[name].v) for name in hexes}
        us = [u for u, _ in places.values()] or [0]
        vs = [v for _, v in places.values()] or [0]
        # u + v is odd, and so is the width: halved, no number is left out and steps stay shifts
        width = (max(vs) - min(vs) + 6) | 1
        first = 2 * width - min(us) * width - min(vs) + 2
        self.cell = {name: (u * width + v + first) // 2 for name, (u, v) in places.items()}
        self.area = (max(us) - min(us) + 5) * width // 2 + 1
        self.hex = {cell: name for name, cell in self.cell.items()}
        self.all_hexes = sum(1 << cell for cell in self.hex)
        self.off_or_hex = self.all_hexes | OFF
        self.shifts = [(width - 1) // 2, (width + 1) // 2, 1]

    def _arcs(self, reached: Mapping[State, tuple[Step, ...]]) -> Arcs:
        found: dict[Kind, dict[int, int]] = {}
        for state, ways in reached.items():
            here = self.number(state)
            for step in ways:
                there = self.number(step.to)
                kind = _kind(state, step)
                kind = kind._replace(cost=1) if self.free else kind
                shifts = found.setdefault(kind, {})
                shifts[there - here] = shifts.get(there - here, 0) | 1 << here
        return {kind: list(found[kind].items()) for kind in sorted(found)}

    # -- names -------------------------------------------------------------------------------

    def number(self, state: State) -> int:
        """Return a state's number."""
        cell = 0 if state.at is None else self.cell[state.at]
        return self._block[state.mode] + cell

    def state(self, number: int) -> State:
        """Return the state of a number."""
        mode, cell = divmod(number, self.area)
        return State(self.hex.get(cell), self.modes[mode])

    def cell_of(self, number: int) -> int:
        """Return the cell of a state."""
        return number % self.area

    def cells(self, names: Iterable[str]) -> int:
        """Return a set of hexes, those out of reach left out."""
        return sum(1 << self.cell[name] for name in set(names) if name in self.cell)

    # -- sets --------------------------------------------------------------------------------

    def hexes_of(self, states: int) -> int:
        """Return the cells of some states."""
        for shift in self._doubling:
            states |= states >> shift
        return states & self.off_or_hex

    def states_in(self, cells: int) -> int:
        """Return all states in some cells."""
        for shift in self._doubling:
            cells |= cells << shift
        return cells

    def with_mode(self, holds: Any) -> int:
        """Return all states of the modes for which something holds."""
        return sum(self.off_or_hex << self._block[mode] for mode in self.modes if holds(mode))

    def around(self, cells: int) -> int:
        """Return these hexes and those next to them."""
        found = cells
        for shift in self.shifts:
            found |= cells << shift | cells >> shift
        return found & self.all_hexes

    def behind(self, front: int, entering: int | None) -> int:
        """
        Return where the next vehicle may be, by where it comes on, if this one is in `front`.

        None stands for a vehicle before which there may be a Gap.
        """
        if entering is None:
            return self.off_or_hex
        found = self.around(front & ~OFF)
        if front & OFF:
            return self.off_or_hex
        return found | OFF if front & entering else found

    def before(self, rear: int, entering: int | None) -> int:
        """Return where a vehicle may be if the next one, which comes on there, is in `rear`."""
        if entering is None:
            return self.off_or_hex
        found = self.around(rear & ~OFF)
        if rear & ~OFF:
            found |= OFF
        return found | entering | OFF if rear & OFF else found


def _reached(
    steps: Steps, starts: Iterable[State], most: int, budget: int, shut: frozenset[str]
) -> dict[State, tuple[Step, ...]]:
    """Return the states within so many steps for so much, and what may be done in each."""
    found: dict[State, tuple[Step, ...]] = {}
    spent = dict.fromkeys(starts, 0)
    edge = list(spent)
    for left in range(most, -1, -1):
        after: dict[State, int] = {}
        for state in edge:
            ways = tuple(
                s
                for s in steps.of(state)
                if left
                and spent[state] + s.cost <= budget
                and (s.to.at == state.at or s.to.at not in shut)
            )
            found[state] = ways if len(ways) > len(found.get(state, ())) else found.get(state, ways)
            for step in ways:
                total = spent[state] + step.cost
                if total < spent.get(step.to, budget + 1):
                    spent[step.to] = after[step.to] = total
        edge = list(after)
    return found


def _kind(state: State, step: Step) -> Kind:
    turn = 0
    if step.verb == "turn":
        by = SPINES.index(step.to.mode[0]) - SPINES.index(state.mode[0])
        turn = 1 if by % len(SPINES) == 1 else -1
    return Kind(step.cost, step.to.at != state.at, step.halted, step.halts, turn)


def _doubling(count: int, size: int) -> list[int]:
    """Return shifts by which one block is spread over all, each doubling what is covered."""
    found, covered = [], 1
    while covered < count:
        step = min(covered, count - covered)
        found.append(step * size)
        covered += step
    return found
