"""The literals of a line's model within its layers: members' places, moves, and sums spent."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable.budget import look
from marchtable.cpsat.rows import Rows
from marchtable.planning.line.graph import HALTED, HALTS, LAST, PLACE, STAYS, Course

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    import networkx as nx

    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.planning.line.sweep import Layers

__all__ = [
    "FREE_ROUND",
    "STAY",
    "Kind",
    "LinePart",
    "Parting",
    "Variables",
    "entered",
    "time_expanded",
]

KIND = PLACE | HALTED | HALTS | LAST
MADE = LAST << 1
"""The flag of any step."""


class Kind(NamedTuple):
    """A step's cost, in levels, and its meaning for the others (see :mod:`.graph`)."""

    cost: int
    flags: int

    @property
    def due(self) -> int:
        """The cost of a round without dearer steps: 0: none, :data:`FREE_ROUND`: a free one."""
        return self.cost if self.cost or not self.flags else FREE_ROUND


FREE_ROUND = -1
STAY = Kind(0, 0)


def time_expanded(
    graph: StateGraph, i: int, layers: Sequence[Mapping[int, int]]
) -> nx.MultiDiGraph[Any]:
    """
    Return a member's lane graph unrolled round by round, within its layers.

    Parameters
    ----------
    graph, i
        The states, and the member.
    layers
        After each round: its states, and masks of the levels that can have been spent by then.

    Returns
    -------
    Nodes are pairs of round and state, with their mask as ``levels``. Edges lead from one round to
    the next; their key is the :class:`Kind` of the move, :data:`STAY` for none.
    """
    import networkx as nx

    found: nx.MultiDiGraph[Any] = nx.MultiDiGraph()
    for t, masks in enumerate(layers):
        found.add_nodes_from(((t, state), {"levels": mask}) for state, mask in masks.items())
    known: dict[int, list[tuple[int, Kind]]] = {}
    for t, (before, after) in enumerate(pairwise(layers)):
        look()
        for state in before:
            if state not in known:
                known[state] = [(graph.idle_of(i, state), STAY)] + [
                    (to, STAY if flags & STAYS else Kind(cost // graph.grain, flags & KIND | MADE))
                    for to, cost, flags, _ in graph.ways(i, state)
                ]
            for to, kind in known[state]:
                if to in after:
                    found.add_edge((t, state), (t + 1, to), kind)
    return found


class Parting(NamedTuple):
    """
    How a line parts: those ahead go on to their end, then the others.

    Parameters
    ----------
    at
        The first member of those behind.
    first, later
        Whether the first round can be the last joint one, and whether later ones can.
    is_shared
        Whether those ahead pay for that member's move in the last joint round.
    alone_budgets
        By member: the half points that it can have spent after a step that it makes alone.
    """

    at: int
    first: bool = True
    later: bool = True
    is_shared: bool = True
    alone_budgets: Sequence[int] = ()


class LinePart(NamedTuple):
    """
    A part's members and, by its own rounds, literals of their costs and of the sums spent by then.

    Parameters
    ----------
    members
        Neighbours.
    levels, ended
        By round: the possible sums by then, and those with which the plan can have ended; in
        levels.
    costs, totals
        By round: literals of its cost (0: the plan has ended; :data:`~.variables.FREE_ROUND`:
        nothing) and of the sum spent by then, in levels.
    """

    members: range
    levels: list[list[int]]
    ended: list[list[int]]
    costs: list[dict[int, int]]
    totals: list[dict[int, int]]


class Variables(Rows):
    """
    Literals over the time-expanded graph within the layers, and the rows that define them.

    Parameters
    ----------
    graph, layers
        The states, and those remaining.
    parting
        How the line parts, if it does: each part counts its own rounds, including the joint ones.

    Attributes
    ----------
    at, places, spots
        By member and round: literals of its states, of its places, and of its spots for the goal.
    nets
        By member: its time-expanded graph (:func:`time_expanded`).
    made
        By member and round, from 1: a literal for each kind of move that its graph has.
    parts
        The parts of the line: one, unless it parts.
    joint
        By round, from 1: literals that all act together in it; empty if the line does not part.
    others
        By part: literals of places in which a member of the other is as the part ends.
    last
        The round after which all plans have ended.
    """

    def __init__(self, graph: StateGraph, layers: Layers, parting: Parting | None = None) -> None:
        super().__init__()
        self.graph, self.count, self.parting = graph, graph.count, parting
        domain = self._lay_out(layers)
        self.nets = [time_expanded(graph, i, each) for i, each in enumerate(domain)]
        self.joint = self.news(self.last + 2) if parting else range(0)
        self.others: list[dict[int, int]] = [{} for _ in self.parts]
        members = range(self.count)
        self.at = [
            [{state: self.new() for state in states} for states in layers] for layers in domain
        ]
        self.places = [[self._places(i, t, graph.place_of) for t in self.times] for i in members]
        self.spots = self.places
        if graph.is_twice:
            self.spots = [[self._places(i, t, graph.spot_of) for t in self.times] for i in members]
        self._gone: dict[tuple[int, int], int | None] = {}
        self._paid: dict[int, dict[int, int]] = {}
        self.made = [self._kinds(net) for net in self.nets]
        for part in self.parts:
            self._count(part)

    @property
    def times(self) -> range:
        """The times before the first round, and after each."""
        return range(self.last + 1)

    @property
    def rounds(self) -> range:
        """All rounds."""
        return range(1, self.last + 1)

    def says(self, what: str) -> AbstractContextManager[None]:
        """Name the rows added inside the block by a line's clause; see :class:`.links.Links`."""
        return self.under(self.graph.clauses.get(what, ""))

    def _lay_out(self, layers: Layers) -> list[list[dict[int, int]]]:
        """
        Return each member's possible states by round, and create the parts.

        Includes states after the plan has ended.
        """
        shape = (-1, self.count, self.graph.size)
        active, ends = layers.active.reshape(shape), layers.ends.reshape(shape)
        self.last = int(np.flatnonzero(ends.any(axis=(1, 2))).max(initial=0))
        active, ends = active[: self.last + 1], ends[: self.last + 1]
        ended = np.bitwise_or.accumulate(ends, axis=0)
        here = active | ended
        here[-1] = ended[-1]
        self.parts = []
        for first, end in pairwise([0, *([self.parting.at] if self.parting else []), self.count]):
            levels, over = (
                [_members(np.bitwise_or.reduce(masks[t, first])) for t in self.times]
                for masks in (here, ended)
            )
            self.parts.append(LinePart(range(first, end), levels, over, [{}], []))
        return [[_row(here[t, i]) for t in self.times] for i in range(self.count)]

    def _kinds(self, net: nx.MultiDiGraph[Any]) -> list[dict[Kind, int]]:
        """Return, by round, literals of the kinds of move on the edges that end there."""
        found: list[set[Kind]] = [set() for _ in self.times]
        for _, (t, _), kind in net.edges(keys=True):
            found[t].add(kind)
        return [{kind: self.new() for kind in sorted(kinds)} for kinds in found]

    def _count(self, part: LinePart) -> None:
        """Create literals of the cost of each round of a part, and of the sum spent by then."""
        for t in self.rounds:
            dues = sorted({kind.due for member in self.made for kind in member[t]})
            part.costs.append({due: self.new() for due in dues})
        part.totals.extend({level: self.new() for level in levels} for levels in part.levels)

    def fitting(self, i: int, t: int, state: int) -> list[int]:
        """Return the levels that may have been spent with a member in a state."""
        mask = self.nets[i].nodes[t, state]["levels"]
        return [level for level in self.part_of(i).totals[t] if mask >> level & 1]

    # -- parts -------------------------------------------------------------------------------------

    def part_of(self, i: int) -> LinePart:
        """Return the part of a member."""
        return self.parts[self.parting is not None and i >= self.parting.at]

    def apart(self, t: int) -> tuple[int, ...]:
        """Return the literal for the parts acting apart in a round; none if there is only one."""
        return () if self.parting is None else (~self.joint[t],)

    def apart_from(self, i: int, part: LinePart, t: int) -> tuple[int, ...]:
        """Return the same for a member and a part, none if the member is in that part."""
        return () if i in part.members else self.apart(t)

    # -- places and moves --------------------------------------------------------------------------

    def _places(self, i: int, t: int, place_of: Callable[[int, int], int]) -> dict[int, int]:
        by_place: dict[int, list[int]] = {}
        for state, literal in self.at[i][t].items():
            by_place.setdefault(place_of(i, state), []).append(literal)
        return self.merged(by_place)

    def merged(self, literals: Mapping[int, Sequence[int]]) -> dict[int, int]:
        """Return, by place, a literal that holds if one of the place's literals does."""
        found = {place: self.either(some) for place, some in literals.items()}
        return {place: x for place, x in found.items() if x is not None}

    def either(self, literals: Iterable[int]) -> int | None:
        """Return a literal that holds if at least one does, None if there are none."""
        some = [*literals]
        if len(some) < 2:
            return some[0] if some else None
        found = self.new()
        self.any_of((~found, *some))
        for literal in some:
            self.any_of((~literal, found))
        return found

    def both(self, *literals: int) -> int:
        """Return a literal that holds if all do."""
        if len(literals) == 1:
            return literals[0]
        found = self.new()
        self.any_of((found, *(~x for x in literals)))
        for literal in literals:
            self.any_of((~found, literal))
        return found

    def gone(self, i: int, t: int) -> int | None:
        """Return a literal for a member's having left the map by a round, None if it cannot."""
        if (i, t) not in self._gone:
            count = self.graph.places.count
            self._gone[i, t] = self.either(x for p, x in self.spots[i][t].items() if p >= count)
        return self._gone[i, t]

    # -- what each has spent -----------------------------------------------------------------------

    def paid_by(self, i: int) -> dict[int, int]:
        """Return literals of a member's total at its plan's or its own end, by level."""
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
        """Require that the sum by a round is what a member has spent, or one of other literals."""
        for level, total in self.part_of(i).totals[t].items():
            self.any_of((~total, self._paid[i][level], *others))

    # -- solutions ---------------------------------------------------------------------------------

    def courses(self, values: Any) -> list[Course]:
        """Return a solution's plan by parts; members of the other part stay at their start."""
        rows = [
            tuple(next(s for s, x in self.at[i][t].items() if values[x]) for i in range(self.count))
            for t in self.times
        ]
        return [self._course(part, rows, values) for part in self.parts]

    def _course(self, part: LinePart, rows: Sequence[tuple[int, ...]], values: Any) -> Course:
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
    """Return a literal for "there now but not before"; with `was` None, `now` alone."""
    if was is None:
        return now
    found = rows.new()
    rows.any_of((~now, was, found))
    rows.any_of((~found, now))
    rows.any_of((~found, ~was))
    return found


def _row(masks: Any) -> dict[int, int]:
    """Return the non-empty masks by state."""
    return {int(s): int(masks[s]) for s in np.flatnonzero(masks)}


def _members(mask: Any) -> list[int]:
    return [level for level in range(int(mask).bit_length()) if int(mask) >> level & 1]
