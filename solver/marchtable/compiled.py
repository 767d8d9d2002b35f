"""Search spaces made of what the compiler found."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING
from weakref import ref

from marchtable.action import retold
from marchtable.clause import switched_off
from marchtable.errors import InternalError
from marchtable.space import Space
from marchtable.splicing import arcs_of, spliced
from marchtable.unrolled import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.action import Action
    from marchtable.board import Board
    from marchtable.crossings import Crossings
    from marchtable.family import Family
    from marchtable.home import Returns
    from marchtable.space import Reached
    from marchtable.splicing import Arcs

    Ints = npt.NDArray[np.int32]

__all__ = ["NO_LIMIT", "CompiledSpace"]

NO_LIMIT = 2**31 - 1
FEW = 4  # of the places of a map: what share of them may differ


class CompiledSpace:
    """
    A search space with what is needed to tell its states and arcs in the game's words.

    Parameters
    ----------
    board
        The map; a state is a Location's index times the number of modes, plus the mode's.
    modes, limits
        The modes, and the allotment in each, in half points.
    crossings, kinds, families
        The board's crossings, each one's group, and what may be done in each group.
    shelf
        Where these, and others for the same modes, stand unrolled.

    Attributes
    ----------
    facts
        The combinations of facts that it was compiled from, if they are told.
    heard
        Returns the clauses that have a say in it, None where that was not kept.
    covered
        The modes in which it is told what may be done.
    """

    def __init__(
        self,
        board: Board,
        modes: Sequence[Hashable],
        limits: Sequence[int],
        crossings: Crossings,
        kinds: Ints,
        families: Sequence[Family],
        shelf: Shelf,
    ) -> None:
        import numpy as np

        self.modes, self.board = tuple(modes), board
        self.families, self._crossings, self._kinds = families, crossings, kinds
        self.facts: tuple[Hashable, ...] = ()
        self.covered: frozenset[Hashable] = frozenset(modes)
        self.returns: dict[Hashable, Returns | None] = {}
        self.heard: Callable[[], set[str] | None] = lambda: None
        self.scratch: list[npt.NDArray[np.int64]] = []
        self._mode2index = {mode: index for index, mode in enumerate(self.modes)}
        self.limit = np.tile(np.array(limits, np.int32), len(board))
        self._ways, shelved = shelf.of(families)
        self._number = shelved[kinds]
        self._plain, self._ends = self._like(shelf.last()) or self._sorted()
        shelf.last = ref(self)
        self.arc_way = np.concatenate([self._plain.way, self._ends.way])
        self.space = Space(
            indptr=self._plain.indptr,
            target=self._plain.target,
            cost=self._ways.cost[self._plain.way],
            limit=self.limit,
            end_indptr=self._ends.indptr,
            end_target=self._ends.target,
            end_before=np.full(len(self._ends.way), NO_LIMIT, np.int32),
        )

    @property
    def size(self) -> int:
        """The number of its states and arcs."""
        return len(self.limit) + len(self.arc_way)

    def lend_scratch(self) -> npt.NDArray[np.int64]:
        """Return an array with NO_LIMIT for each state; give it back to ``scratch`` as it was."""
        import numpy as np

        try:
            return self.scratch.pop()
        except IndexError:
            return np.full(len(self.limit), NO_LIMIT, np.int64)

    def _like(self, other: CompiledSpace | None) -> tuple[Arcs, Arcs] | None:
        """Return arcs made of those of a space that differs in few places, None if it does not."""
        import numpy as np

        if other is None or other._crossings is not self._crossings or other.modes != self.modes:
            return None
        ends = self._crossings.ends[:, 0]
        places = np.unique(ends[self._number != other._number])
        if len(places) * FEW > len(self.board):
            return None
        width, found = len(self.modes), []
        rows = np.flatnonzero(np.isin(ends, places))
        for old, (source, target, way) in zip(
            (other._plain, other._ends), self._expanded(rows), strict=True
        ):
            found.append(spliced(old, places, width, source, target, way))
        return found[0], found[1]

    def _sorted(self) -> tuple[Arcs, Arcs]:
        """Return all arcs."""
        plain, ends = (arcs_of(*told, len(self.limit)) for told in self._expanded(None))
        return plain, ends

    def _expanded(self, rows: npt.NDArray[np.int64] | None) -> list[tuple[Ints, Ints, Ints]]:
        """Return source, target and way of the arcs of all crossings, or some, and of end arcs."""
        import numpy as np

        width, ways = np.int32(len(self.modes)), self._ways
        kinds = self._number if rows is None else self._number[rows]
        order = np.argsort(kinds, kind="stable")
        row, number = ways.spread(kinds[order])
        told = order if rows is None else rows[order]
        pairs = self._crossings.ends[told[row]] * width
        source = pairs[:, 0] + ways.start[number]
        by_source = np.argsort(source, kind="stable")
        is_end = np.array([way.end for way in ways.of], bool)[ways.number[number]][by_source]
        found = []
        for some in (by_source[~is_end], by_source[is_end]):
            number_of = number[some]
            found.append((source[some], pairs[some, 1] + ways.stop[number_of], number_of))
        return found

    def covers(self, modes: Iterable[Hashable]) -> bool:
        """Tell whether a search may begin in any of these modes."""
        return self.covered.issuperset(modes)

    def onward(self, mode: Hashable) -> npt.NDArray[np.bool_]:
        """Return which modes a unit can be in that begins in one."""
        import numpy as np

        width, arcs = len(self.modes), self.space
        led = np.zeros((width, width), bool)
        for indptr, target in ((arcs.indptr, arcs.target), (arcs.end_indptr, arcs.end_target)):
            led[np.repeat(np.arange(arcs.size), np.diff(indptr)) % width, target % width] = True
        before = 0
        found: npt.NDArray[np.bool_] = np.arange(width) == self._mode2index[mode]
        while before < (before := int(found.sum())):
            found |= led[found].any(axis=0)
        return found

    def state(self, at: str, mode: Hashable) -> int:
        """Return the state of a unit at a Location in a mode that it covers."""
        if mode not in self.covered:
            raise InternalError(f"mode {mode!r} is not among those its space covers")
        return self.board.index[at] * len(self.modes) + self._mode2index[mode]

    def families_at(self, crossing: int) -> Family:
        """Return what may be done at a crossing, by its number."""
        return self.families[int(self._kinds[crossing])]

    def actions_on(self, arc: int, state: int, unit: str) -> tuple[Action, ...]:
        """Return the actions that an arc into a state stands for."""
        to = self.board.locations[state // len(self.modes)].name
        actions = self._ways.told(int(self.arc_way[arc])).actions
        return tuple(retold(action, unit=unit, to=to) for action in actions)

    def rolls_on(self, arcs: Ints) -> tuple[str, ...]:
        """Return the clauses whose rolls these arcs call for."""
        import numpy as np

        used = arcs[self._calls_for_roll[arcs]]  # of an arc -1, at a start, the last entry tells
        numbers = np.unique(self._ways.number[self.arc_way[used]]).tolist()
        return tuple(sorted({name for n in numbers for name in self._ways.of[n].rolls}))

    @cached_property
    def _calls_for_roll(self) -> npt.NDArray[np.bool_]:
        """Whether each arc calls for a roll, and False at the end."""
        import numpy as np

        rolled = np.array([bool(way.rolls) for way in self._ways.of], bool)
        return np.append(rolled[self._ways.number[self.arc_way]], False)

    @cached_property
    def _unsupported(self) -> tuple[Ints, Ints, Ints, tuple[tuple[str, ...], ...]]:
        """Return the states, the most spent in each, and the clauses of every such step."""
        ways, shelved = Shelf(lambda block: block.unsupported).of(self.families)
        row, number = ways.spread(shelved[self._kinds])
        states = self._crossings.ends[row, 0] * len(self.modes) + ways.start[number]
        most = self.limit[ways.stop[number]] - ways.cost[number]
        return states, most, ways.number[number], tuple(way.clauses for way in ways.of)

    def unsupported_from(self, found: Reached) -> tuple[str, ...]:
        """Return the clauses, not modelled, that bear on a step that could be paid for."""
        return self.unsupported_in(found.state, found.spent)

    def unsupported_in(self, states: Ints, costs: Ints) -> tuple[str, ...]:
        """
        Return the clauses, not modelled, that bear on a step from some states at what they cost.

        While clauses are off a step may be paid for by what there is not, so all of them count.
        """
        import numpy as np

        where, most, kinds, names = self._unsupported
        if not len(where):
            return ()
        if switched_off():
            most = np.full_like(most, NO_LIMIT - 1)
        spent = self.lend_scratch()
        spent[states] = costs
        hit = np.unique(kinds[spent[where] <= most])
        spent[states] = NO_LIMIT
        self.scratch.append(spent)
        return tuple(sorted({name for kind in hit.tolist() for name in names[kind]}))
