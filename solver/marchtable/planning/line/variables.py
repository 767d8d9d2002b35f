"""The literals of a line's model: where members are, how they move, what is spent, within what the layers leave."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable.budget import look
from marchtable.cpsat.rows import Rows
from marchtable.planning.line.graph import HALTED, HALTS, LAST, PLACE, STAYS, Course
from marchtable.planning.line.parts import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from marchtable.planning.line.parts import Parting
    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.planning.line.tables import Layers

__all__ = ["FREE", "STAY", "Kind", "Variables", "Ways", "entered"]

KIND = PLACE | HALTED | HALTS | LAST
MADE = LAST << 1
"""That it is a step at all."""


class Kind(NamedTuple):
    """What a step costs, in levels, and what it is to the others (see :mod:`.graph`)."""

    cost: int
    flags: int

    @property
    def due(self) -> int:
        """What a round costs in which no step is dearer: 0 for none, :data:`FREE` for a free one."""
        return self.cost if self.cost or not self.flags else FREE


FREE = -1
STAY = Kind(0, 0)
Ways = dict[tuple[int, int], None]
"""States before and after, in order."""


class Variables(Rows):
    """
    Literals over the time-expanded graph that the layers leave, and the rows that define them.

    Parameters
    ----------
    graph, layers
        The states, and what of them is left.
    parting
        How the line parts, if it does: each part counts its own rounds, those of all included.

    Attributes
    ----------
    at, hexes, spots
        By member and round: literals of its states, of its places, and of where it is to the
        goal.
    ways, made
        By member and round, from 1: by kind the moves that the graph allows; a literal for each kind.
    parts
        The parts of the line: one, unless it parts.
    joint
        By round, from 1: literals that all act as one in it; nothing if the line does not part.
    others
        By part: literals of places in which a member of the other stands as the part ends.
    last
        After so many rounds all plans have ended.
    """

    def __init__(self, graph: StateGraph, layers: Layers, parting: Parting | None = None) -> None:
        super().__init__()
        self.graph, self.count, self.parting = graph, graph.count, parting
        self._lay_out(layers)
        self.joint = self.news(self.last + 2) if parting else range(0)
        self.others: list[dict[int, int]] = [{} for _ in self.parts]
        members = range(self.count)
        self.at = [
            [{state: self.new() for state in self.domain[i][t]} for t in self.times]
            for i in members
        ]
        self.hexes = [[self._places(i, t, graph.place_of) for t in self.times] for i in members]
        self.spots = self.hexes
        if graph.is_twice:
            self.spots = [[self._places(i, t, graph.spot_of) for t in self.times] for i in members]
        self._gone: dict[tuple[int, int], int | None] = {}
        self._paid: dict[int, dict[int, int]] = {}
        self.ways: list[list[dict[Kind, Ways]]] = [
            [{}, *(self._moves(i, t) for t in self.rounds)] for i in members
        ]
        self.made = [[{kind: self.new() for kind in sorted(kinds)} for kinds in rows]
                     for rows in self.ways]  # fmt: skip
        for part in self.parts:
            self._count(part)

    @property
    def times(self) -> range:
        """Before the first round, and after each."""
        return range(self.last + 1)

    @property
    def rounds(self) -> range:
        """All rounds."""
        return range(1, self.last + 1)

    def says(self, what: str) -> AbstractContextManager[None]:
        """Name what is stated within by the clause that says so of a line; see :class:`.links.Links`."""
        return self.under(self.graph.clauses.get(what, ""))

    def _lay_out(self, layers: Layers) -> None:
        """Collect where each member can be, on the way or once the plan has ended."""
        shape = (-1, self.count, self.graph.size)
        active, ends = layers.active.reshape(shape), layers.ends.reshape(shape)
        self.last = int(np.flatnonzero(ends.any(axis=(1, 2))).max(initial=0))
        active, ends = active[: self.last + 1], ends[: self.last + 1]
        ended = np.bitwise_or.accumulate(ends, axis=0)
        here = active | ended
        here[-1] = ended[-1]
        self.domain = [[_row(here[t, i]) for t in self.times] for i in range(self.count)]
        self.parts = []
        for first, end in pairwise([0, *([self.parting.at] if self.parting else []), self.count]):
            levels, over = (
                [_members(np.bitwise_or.reduce(masks[t, first])) for t in self.times]
                for masks in (here, ended)
            )
            self.parts.append(Part(range(first, end), levels, over, [{}], []))

    def _count(self, part: Part) -> None:
        """Make literals of what each round of a part costs, and of what is spent by then."""
        for t in self.rounds:
            dues = sorted({kind.due for member in self.made for kind in member[t]})
            part.costs.append({due: self.new() for due in dues})
        part.totals.extend({level: self.new() for level in levels} for levels in part.levels)

    def fitting(self, i: int, t: int, state: int) -> list[int]:
        """Return the levels that may have been spent with a member in a state."""
        mask = self.domain[i][t][state]
        return [level for level in self.part_of(i).totals[t] if mask >> level & 1]

    # -- what parts they are in --------------------------------------------------------------------

    def part_of(self, i: int) -> Part:
        """Return the part that a member is in."""
        return self.parts[self.parting is not None and i >= self.parting.at]

    def apart(self, t: int) -> tuple[int, ...]:
        """Return the literal that holds if the parts act apart in a round; none if there is but one."""
        return () if self.parting is None else (~self.joint[t],)

    def apart_from(self, i: int, part: Part, t: int) -> tuple[int, ...]:
        """Return the same of a member and a part, none if it is of that."""
        return () if i in part.members else self.apart(t)

    # -- where they are, and how they move ---------------------------------------------------------

    def _places(self, i: int, t: int, place_of: Callable[[int, int], int]) -> dict[int, int]:
        by_place: dict[int, list[int]] = {}
        for state, literal in self.at[i][t].items():
            by_place.setdefault(place_of(i, state), []).append(literal)
        return self.places(by_place)

    def places(self, literals: Mapping[int, Sequence[int]]) -> dict[int, int]:
        """Return literals that hold if one of each place's does."""
        found = {place: self.either(some) for place, some in literals.items()}
        return {place: x for place, x in found.items() if x is not None}

    def either(self, literals: Iterable[int]) -> int | None:
        """Return a literal that holds if one of some does, None if there are none."""
        some = [*literals]
        if len(some) < 2:
            return some[0] if some else None
        found = self.new()
        self.any_of((~found, *some))
        for literal in some:
            self.any_of((~literal, found))
        return found

    def gone(self, i: int, t: int) -> int | None:
        """Return a literal of a member's having left the map by a round, None if it cannot."""
        if (i, t) not in self._gone:
            count = self.graph.places.count
            self._gone[i, t] = self.either(x for p, x in self.spots[i][t].items() if p >= count)
        return self._gone[i, t]

    def _moves(self, i: int, t: int) -> dict[Kind, Ways]:
        """Return the moves of a member from one layer to the next, by their kind."""
        look()
        before, after = self.domain[i][t - 1], self.domain[i][t]
        graph, grain = self.graph, self.graph.grain
        waits = {(s, graph.idle_of(i, s)): None for s in before if graph.idle_of(i, s) in after}
        found: dict[Kind, Ways] = {STAY: waits} if waits else {}
        for state in before:
            for to, cost, flags, _ in graph.ways(i, state):
                if to in after:
                    made = Kind(cost // grain, flags & KIND | MADE)
                    found.setdefault(STAY if flags & STAYS else made, {})[state, to] = None
        return found

    # -- what each has spent -----------------------------------------------------------------------

    def paid_by(self, i: int) -> dict[int, int]:
        """Return literals of what a member has spent when the plan ends, by level: none since it left the map."""
        if i in self._paid:
            return self._paid[i]
        levels = sorted({level for totals in self.part_of(i).totals for level in totals})
        found = self._paid[i] = {level: self.new() for level in levels}
        self.one_of(found.values())
        last = self.gone(i, self.last)
        self._pays(i, self.last, [] if last is None else [last])
        for t in self.rounds:
            gone, before = self.gone(i, t), self.gone(i, t - 1)
            if gone is not None:
                self._pays(i, t, [~gone, *([] if before is None else [before])])
        return found

    def _pays(self, i: int, t: int, others: list[int]) -> None:
        """State that what is spent by a round is what a member has spent, or else one of others holds."""
        for level, total in self.part_of(i).totals[t].items():
            self.any_of((~total, self._paid[i][level], *others))

    # -- what is found -----------------------------------------------------------------------------

    def courses(self, values: Any) -> list[Course]:
        """Return the plan that a solution is, by parts: in each, members of the other stay as they begin."""
        rows = [
            tuple(next(s for s, x in self.at[i][t].items() if values[x]) for i in range(self.count))
            for t in self.times
        ]
        return [self._course(part, rows, values) for part in self.parts]

    def _course(self, part: Part, rows: Sequence[tuple[int, ...]], values: Any) -> Course:
        over = (t - 1 for t in self.rounds if 0 in part.costs[t] and values[part.costs[t][0]])
        end = next(over, self.last)
        states = tuple(
            tuple(s if i in part.members else rows[0][i] for i, s in enumerate(row))
            for row in rows[: end + 1]
        )
        spent = tuple(
            self.graph.grain * next(level for level, x in totals.items() if values[x])
            for totals in part.totals[: end + 1]
        )
        return Course(states, spent)


def entered(rows: Rows, now: int, was: int | None) -> int:
    """Return a literal that holds if a unit is somewhere now where it was not before; None: never was."""
    if was is None:
        return now
    found = rows.new()
    rows.any_of((~now, was, found))
    rows.any_of((~found, now))
    rows.any_of((~found, ~was))
    return found


def _row(masks: Any) -> dict[int, int]:
    """Return the masks of the states that are left."""
    return {int(s): int(masks[s]) for s in np.flatnonzero(masks)}


def _members(mask: Any) -> list[int]:
    return [level for level in range(int(mask).bit_length()) if int(mask) >> level & 1]
