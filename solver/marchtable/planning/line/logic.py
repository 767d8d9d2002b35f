"""Whether a line has a plan within some layers: the decision, in booleans alone."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable.budget import look
from marchtable.cpsat.harness import Status, solve, weighted
from marchtable.cpsat.rows import Rows
from marchtable.planning.line.graph import HALTED, HALTS, LAST, PLACE, STAYS, Course
from marchtable.planning.line.parts import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from marchtable.planning.line.parts import Parting
    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.planning.line.tables import Layers
    from marchtable.rules.plan_model import Control

__all__ = ["Logic", "checked", "entered", "solved"]

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


class Logic(Rows):
    """
    The decision as clauses.

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
    parts
        The parts of the line: one, unless it parts.
    others
        By part: literals of places in which a member of the other stands as the part ends.
    last
        After so many rounds all plans have ended.
    """

    def __init__(self, graph: StateGraph, layers: Layers, parting: Parting | None = None) -> None:
        super().__init__()
        self.graph, self.count, self.parting = graph, graph.count, parting
        self._lay_out(layers)
        self.others: list[dict[int, int]] = [{} for _ in self.parts]
        self.at = [[self._states(i, t) for t in self._times()] for i in range(self.count)]
        self.hexes = [
            [self._hexes(i, self.at[i][t], graph.place_of) for t in self._times()]
            for i in range(self.count)
        ]
        self.spots = self.hexes
        self._gone: dict[tuple[int, int], int | None] = {}
        self._paid: dict[int, dict[int, int]] = {}
        if graph.is_twice:
            self.spots = [
                [self._hexes(i, self.at[i][t], graph.spot_of) for t in self._times()]
                for i in range(self.count)
            ]
        self.made: list[list[dict[Kind, int]]] = [[{}] for _ in range(self.count)]
        for i in range(self.count):
            for t in range(1, self.last + 1):
                look()
                self._moves(i, t)
        if parting is not None:
            self._part(parting)

    def says(self, what: str) -> AbstractContextManager[None]:
        """Name what is stated within by the clause that says so of a line; see :class:`.links.Links`."""
        return self.under(self.graph.clauses.get(what, ""))

    def _times(self) -> range:
        return range(self.last + 1)

    def _lay_out(self, layers: Layers) -> None:
        """Collect where each member can be, on the way or once the plan has ended."""
        shape = (self.graph.most + 1, self.count, self.graph.size)
        active, ends = layers.active.reshape(shape), layers.ends.reshape(shape)
        self.last = int(np.flatnonzero(ends.any(axis=(1, 2))).max(initial=0))
        active, ends = active[: self.last + 1], ends[: self.last + 1]
        ended = np.bitwise_or.accumulate(ends, axis=0)
        here = active | ended
        here[-1] = ended[-1]
        self.domain = [[_row(here[t, i]) for t in self._times()] for i in range(self.count)]
        self.parts = []
        for first, end in pairwise([0, *([self.parting.at] if self.parting else []), self.count]):
            levels, over = (
                [_members(np.bitwise_or.reduce(told[t, first])) for t in self._times()]
                for told in (here, ended)
            )
            self.parts.append(Part(range(first, end), levels, over, [{}], []))

    def fitting(self, i: int, t: int, state: int) -> list[int]:
        """Return the levels that may have been spent with a member in a state."""
        mask = self.domain[i][t][state]
        return [level for level in self.part_of(i).totals[t] if mask >> level & 1]

    # -- what parts they are in --------------------------------------------------------------------

    def part_of(self, i: int) -> Part:
        """Return the part that a member is in."""
        return self.parts[self.parting is not None and i >= self.parting.at]

    def _part(self, parting: Parting) -> None:
        """Lay out until when all act as one: in a round at least."""
        self.joint = self.news(self.last + 2)  # by round, from 1; none after the last
        self.any_of((self.joint[1],))
        self.any_of((~self.joint[self.last + 1],))
        for t in range(1, self.last + 1):
            self.any_of((~self.joint[t + 1], self.joint[t]))
        if not parting.later and self.last > 1:
            self.any_of((~self.joint[2],))
        if not parting.first:
            self.any_of((self.joint[2],))

    def apart(self, t: int) -> tuple[int, ...]:
        """Return the literal that holds if the parts act apart in a round; none if there is but one."""
        return () if self.parting is None else (~self.joint[t],)

    def apart_from(self, i: int, part: Part, t: int) -> tuple[int, ...]:
        """Return the same of a member and a part, none if it is of that."""
        return () if i in part.members else self.apart(t)

    # -- where they are --------------------------------------------------------------------------

    def _states(self, i: int, t: int) -> dict[int, int]:
        found = {state: self.new() for state in self.domain[i][t]}
        self.one_of(found.values())
        return found

    def _hexes(
        self, i: int, states: dict[int, int], place_of: Callable[[int, int], int]
    ) -> dict[int, int]:
        by_place: dict[int, list[int]] = {}
        for state, literal in states.items():
            by_place.setdefault(place_of(i, state), []).append(literal)
        return self.places(by_place)

    def places(self, told: Mapping[int, Sequence[int]]) -> dict[int, int]:
        """Return literals that hold if one of each place's does."""
        found = {place: self.either(literals) for place, literals in told.items()}
        return {place: x for place, x in found.items() if x is not None}

    def either(self, literals: Iterable[int]) -> int | None:
        """Return a literal that holds if one of some does, None if there are none."""
        told = [*literals]
        if len(told) < 2:
            return told[0] if told else None
        found = self.new()
        self.any_of((~found, *told))
        for literal in told:
            self.any_of((~literal, found))
        return found

    def gone(self, i: int, t: int) -> int | None:
        """Return a literal of a member's having left the map by a round, None if it cannot."""
        if (i, t) not in self._gone:
            count = self.graph.places.count
            self._gone[i, t] = self.either(x for p, x in self.spots[i][t].items() if p >= count)
        return self._gone[i, t]

    # -- how they move ---------------------------------------------------------------------------

    def _moves(self, i: int, t: int) -> None:
        """State which moves lead from one layer to the next, by their kind."""
        before, after = self.domain[i][t - 1], self.domain[i][t]
        grain = self.graph.grain
        idle = self.graph.idle[self.graph.base[i] :]
        ways: dict[Kind, Ways] = {
            STAY: {(s, int(idle[s])): None for s in before if int(idle[s]) in after}
        }
        for state in before:
            for to, cost, flags, _ in self.graph.ways(i, state):
                if to in after:
                    made = Kind(cost // grain, flags & KIND | MADE)
                    kind = STAY if flags & STAYS else made
                    ways.setdefault(kind, {})[state, to] = None
        literals = {kind: self.new() for kind, found in sorted(ways.items()) if found}
        self.one_of(literals.values())
        self.made[i].append(literals)
        self._leads(ways, literals, self.at[i][t - 1], self.at[i][t], 0)
        self._leads(ways, literals, self.at[i][t], self.at[i][t - 1], 1)

    def _leads(
        self,
        ways: dict[Kind, Ways],
        made: dict[Kind, int],
        here: dict[int, int],
        there: dict[int, int],
        end: int,
    ) -> None:
        """State that who is here and moves so is there; and that it moves as leads anywhere."""
        fans: dict[tuple[int, Kind], list[int]] = {}
        able: dict[int, list[int]] = {state: [] for state in here}
        for kind, found in ways.items():
            for way in found:
                fan = fans.get((way[end], kind))
                if fan is None:
                    fan = fans[way[end], kind] = []
                    able[way[end]].append(made[kind])
                fan.append(there[way[1 - end]])
        for (state, kind), fan in fans.items():
            self.any_of((~here[state], ~made[kind], *fan))
        for state, literals in able.items():
            if len(literals) < len(made):
                self.any_of((~here[state], *literals))

    # -- what each has spent ---------------------------------------------------------------------

    def paid_by(self, i: int) -> dict[int, int]:
        """Return literals of what a member has spent when the plan ends, by level: none since it left the map."""
        if i in self._paid:
            return self._paid[i]
        levels = sorted({level for totals in self.part_of(i).totals for level in totals})
        found = self._paid[i] = {level: self.new() for level in levels}
        self.one_of(found.values())
        last = self.gone(i, self.last)
        self._pays(i, self.last, [] if last is None else [last])
        for t in range(1, self.last + 1):
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
            for t in self._times()
        ]
        return [self._course(part, rows, values) for part in self.parts]

    def _course(self, part: Part, rows: Sequence[tuple[int, ...]], values: Any) -> Course:
        over = (t - 1 for t in range(1, self.last + 1)
                if 0 in part.costs[t] and values[part.costs[t][0]])  # fmt: skip
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


def checked(control: Control) -> None:
    """Raise TimeoutError if a limit is reached or a stop was requested."""
    if control.stop.is_requested or control.left() <= 0:
        raise TimeoutError


def solved(logic: Logic, control: Control, sought: Sequence[tuple[int, int]] = ()) -> Any | None:
    """Return the values of a plan that a model allows, the best if a sum is sought, None if there is none; raises TimeoutError at a limit."""
    checked(control)
    model = logic.model()
    if sought:
        told = [(model.get_bool_var_from_proto_index(x), value) for x, value in sought]
        model.maximize(weighted(told))
    outcome = solve(
        model, "logic", limit=control.left(), stop=control.stop, seed=control.seed,
        about=(logic.graph, logic.parting and logic.parting.at),
    )  # fmt: skip
    control.spend(outcome.time)
    if outcome.status is Status.IMPOSSIBLE:
        return None
    if outcome.status is not Status.OPTIMAL and (sought or outcome.status is Status.UNKNOWN):
        raise TimeoutError
    return [*outcome.solver.response_proto.solution]  # the solver's own goes with it
