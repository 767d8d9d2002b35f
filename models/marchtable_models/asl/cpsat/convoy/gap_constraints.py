"""Plans in which a Gap parts a Convoy, as clauses: together up to the Gap, then front before rear.

Each part counts its own Impulses; those up to the one that makes the Gap are made by all. A literal
tells of each Impulse whether it is one of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable.budget import work
from marchtable.cpsat.rows import Rows
from marchtable.planning.line.constraints import one_each_of, state_beside
from marchtable.planning.line.graph import HALTED, HALTS, OFF, PLACE, Course
from marchtable.planning.line.logic import Kind, Logic
from marchtable_models.asl.clauses.lines.leaving import lone
from marchtable_models.asl.clauses.vehicles.movement import end_in_motion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.planning.line.task import Row
    from marchtable.planning.line.worth import Worth
    from marchtable_models.asl.cpsat.convoy.ends import Ends
    from marchtable_models.asl.cpsat.convoy.gap_layers import Reached

__all__ = ["GapLogic", "Parted"]

STATE = 5e-5  # deterministic time for what is told of a vehicle's state in an Impulse
Mover = tuple[int, Kind, int]
"""A vehicle, what its move is, and the literal of it."""
Stands = dict[int, int]
"""Literals by Location."""


class Parted(NamedTuple):
    """
    A plan with a Gap: what either part does, each vehicle told in both.

    Parameters
    ----------
    at
        The first vehicle of the rear part.
    joint
        How many Impulses all make together, the one that makes the Gap being the last.
    front, rear
        The parts' plans: in each the vehicles of the other stay as they are.
    """

    at: int
    joint: int
    front: Course
    rear: Course


class GapLogic(Logic):
    """
    The plans in which a Gap appears before one vehicle.

    Parameters
    ----------
    graph
        The states, no vehicle bound to be beside another.
    found
        What of the states is left.
    at
        The vehicle that makes the Gap.
    left
        What each vehicle has left, in half points.
    first, later
        Whether it may make the Gap in the first Impulse, and in others.
    halted
        Whether the Convoy has stopped already; None if it may start again whenever it has.
    shared
        Whether those ahead pay for what is spent to make the Gap.
    """

    def __init__(
        self, graph: StateGraph, found: Reached, at: int, left: Sequence[int], *, first: bool,
        later: bool, halted: bool | None, shared: bool,
    ) -> None:  # fmt: skip
        Rows.__init__(self)
        self.graph, self.count, self.last, self.cut = graph, graph.count, graph.most, at
        self._paid, self._gone, self._shared = {}, {}, shared
        self.parts = (range(at), range(at, self.count))
        ended = np.bitwise_or.accumulate(found.ends, axis=0)  # whose part has ended stays there
        here = found.active | ended
        here[-1] = ended[-1]
        self.domain = [
            [{int(s): int(here[t, i, s]) for s in here[t, i].nonzero()[0]} for t in self._times()]
            for i in range(self.count)
        ]
        self.at = [[self._states(i, t) for t in self._times()] for i in range(self.count)]
        self.hexes = [
            [self._hexes(i, self.at[i][t], graph.place_of) for t in self._times()]
            for i in range(self.count)
        ]
        self.spots = [
            [self._hexes(i, self.at[i][t], graph.spot_of) for t in self._times()]
            for i in range(self.count)
        ]
        self.made = [[{}] for _ in range(self.count)]
        for i in range(self.count):
            for t in range(1, self.last + 1):
                work(STATE * len(self.at[i][t]))
                self._moves(i, t)
        self._joint(first=first, later=later)
        with self.says("pay"):
            self.paying = [self._payments(part) for part in (0, 1)]
        least = [min(left[i] for i in part) for part in self.parts]
        self.sums = [self._sums(part, own) for part, own in enumerate(least)]
        with self.says("line"):
            _keep_line(self)
        self.stood, self.final = _keep_apart(self)
        with self.under(lone.id):
            _keep_alone(self)
        with self.says("halt"):
            if halted is not None:
                _keep_halted(self, halted=halted)

    # -- when the Gap is made ----------------------------------------------------------------------

    def _joint(self, *, first: bool, later: bool) -> None:
        """Lay out until when all move together: at least one Impulse."""
        self.joint = list(self.news(self.last + 2))  # by Impulse, from 1; none after the last
        self.any_of((self.joint[1],))
        self.any_of((~self.joint[self.last + 1],))
        for t in range(1, self.last + 1):
            self.any_of((~self.joint[t + 1], self.joint[t]))
        if not later and self.last > 1:
            self.any_of((~self.joint[2],))
        if not first:
            self.any_of((self.joint[2],))

    def makes_gap(self, t: int) -> tuple[int, int]:
        """Return two literals that both fail if the Gap is made in an Impulse, and only then."""
        return ~self.joint[t], self.joint[t + 1]

    # -- what is paid --------------------------------------------------------------------------------

    def movers(self, t: int) -> Iterator[Mover]:
        """Yield who moves in an Impulse, how, and the literal of it."""
        for i in range(self.count):
            for kind, literal in self.made[i][t].items():
                yield i, kind, literal

    def _where(self, part: int, i: int, t: int) -> list[int] | None:
        """Return what must hold for a part to pay what a vehicle's move costs: nothing if its own."""
        if i in self.parts[part]:
            return []
        makes_it = part == 0 and i == self.cut and not self._shared
        return [self.joint[t + makes_it]]

    def _payments(self, part: int) -> list[dict[int, int]]:
        """State what each Impulse of a part costs: the dearest move of it, or of all while joint."""
        found: list[dict[int, int]] = [{}]
        for t in range(1, self.last + 1):
            costs = {c: self.new() for c in sorted({0, *(k.due for _, k, _ in self.movers(t))})}
            self.one_of(costs.values())
            payers: dict[int, list[tuple[list[int], int]]] = {cost: [] for cost in costs}
            for i, kind, literal in self.movers(t):
                when = self._where(part, i, t) or []
                payers[kind.due].append((when, literal))
                above = [costs[c] for c in costs if c and c >= kind.due]
                if kind.due:
                    self.any_of((~literal, *(~x for x in when), *above))
            for cost, told in payers.items():
                if cost:
                    self.any_of((~costs[cost], *(self._both(when, x) for when, x in told)))
            self.any_of((~self.joint[t], ~costs[0]))
            if t > 1:
                self.any_of((~found[-1][0], costs[0]))
            found.append(costs)
        return found

    def _both(self, when: Sequence[int], literal: int) -> int:
        if not when:
            return literal
        found = self.new()
        self.any_of((~found, literal))
        for each in when:
            self.any_of((~found, each))
        return found

    def _sums(self, part: int, left: int) -> list[dict[int, int]]:
        """State what a part has spent by each of its Impulses: never more than its poorest has."""
        most = left // self.graph.grain
        found = [{0: self.new()}]
        self.any_of(found[0].values())
        for t in range(1, self.last + 1):
            costs = self.paying[part][t]
            levels = {a + max(0, c) for a in found[-1] for c in costs if a + c <= most}
            sums = {level: self.new() for level in sorted(levels)}
            self.one_of(sums.values())
            for level, literal in found[-1].items():
                for cost, paid in costs.items():
                    after = sums.get(level + max(0, cost))
                    self.any_of((~literal, ~paid, *([] if after is None else [after])))
            found.append(sums)
        return found

    # -- how they end ------------------------------------------------------------------------------------

    def state_ends(self, ends: Ends, left: Sequence[int]) -> None:
        """State how each part may end its MPh."""
        for part, members in enumerate(self.parts):
            ends.state_motion(self, members if len(members) > 1 else ())
            poorest = min(left[i] for i in members)
            others = self.stood if part == 0 else self.final
            for i in members:
                for state, literal in self.at[i][self.last].items():
                    totals = self.sums[part][self.last]
                    fitting = [x for x in totals if self.domain[i][self.last][state] >> x & 1]
                    self.any_of((~literal, *(totals[level] for level in fitting)))
                    for level in fitting:
                        needs = ends.needs(i, state, level, poorest)
                        for places in [frozenset[int]()] if needs is None else needs:
                            there = [
                                x for j in members if j != i
                                for p, x in self.spots[j][self.last].items() if p in places
                            ]  # fmt: skip
                            there += [others[p] for p in places if p in others]
                            with self.under(end_in_motion.id):
                                self.any_of((~literal, ~totals[level], *there))

    # -- what they come to -------------------------------------------------------------------------------

    def terms(self, row: Row, worth: Worth, met: Any) -> list[tuple[int, int]]:
        """Return the literals that count for a sum, and how much each does."""
        found = [
            (literal, int(row.final[i, p]))
            for i, spots in enumerate(self.spots)
            for p, literal in spots[self.last].items()
        ]
        each = row.points * self.graph.grain // self.count
        for part, members in enumerate(self.parts):
            found += [(x, each * level * len(members)) for level, x in self.sums[part][-1].items()]
        for name, weight in row.wayside:
            found += [(x, weight * times) for x, times in met(worth, self, name)]
        return [(literal, value) for literal, value in found if value]

    def spending(self) -> list[tuple[int, int]]:
        """Return the literals of what either part spends, against it."""
        return [(x, -level) for sums in self.sums for level, x in sums[-1].items() if level]

    # -- what is found -----------------------------------------------------------------------------------

    def parted(self, values: Any) -> Parted:
        """Return the plan that a solution is."""
        grain = self.graph.grain
        rows = tuple(
            tuple(next(s for s, x in self.at[i][t].items() if values[x]) for i in range(self.count))
            for t in self._times()
        )
        courses = []
        for part in (0, 1):
            paid = [
                cost for costs in self.paying[part][1:] for cost, x in costs.items() if values[x]
            ]
            end = next((t for t, cost in enumerate(paid) if not cost), self.last)
            spent = tuple(
                grain * next(level for level, x in self.sums[part][t].items() if values[x])
                for t in range(end + 1)
            )
            own = [
                tuple(s if i in self.parts[part] else rows[0][i] for i, s in enumerate(row))
                for row in rows[: end + 1]
            ]
            courses.append(Course(tuple(own), spent))
        joint = max(t for t in range(1, self.last + 1) if values[self.joint[t]])
        return Parted(self.cut, joint, *courses)


# -- how the vehicles stand to each other --------------------------------------------------------


def _keep_line(logic: GapLogic) -> None:
    """State that all are in line but for the Gap, made by a Stop or by entering a hex."""
    for i in range(1, logic.count):
        for t in range(logic.last + (i != logic.cut)):
            ahead, here = logic.spots[i - 1][t].items(), logic.spots[i][t].items()
            free = (~logic.joint[t + 1],) if i == logic.cut else ()
            state_beside(logic, logic.graph, i, ahead, here, free)
    for t in range(1, logic.last + 1):
        _gapes(logic, t)


def _gapes(logic: GapLogic, t: int) -> None:
    """State that there is a Gap where one is made, by a move that may make it."""
    gap, beside = logic.makes_gap(t), logic.graph.beside.sets
    front, rear = logic.spots[logic.cut - 1][t], logic.spots[logic.cut][t]
    for spots in (front, rear):
        if OFF in spots:
            logic.any_of((*gap, ~spots[OFF]))
    for p, literal in front.items():
        for q in (p, *beside[p]) if p != OFF else ():
            if q in rear:
                logic.any_of((*gap, ~literal, ~rear[q]))
    for kind, literal in logic.made[logic.cut][t].items():
        if not kind.flags & (PLACE | HALTS):
            logic.any_of((*gap, ~literal))


def _keep_apart(logic: GapLogic) -> tuple[Stands, Stands]:
    """
    State that nobody enters where another stands: all while together, later the other part.

    Returns where vehicles of the rear part stand as the Gap is made, and those ahead at last.
    """
    times = range(logic.last + 1)
    front, rear = ([_stands(logic, part, t) for t in times] for part in logic.parts)
    for part in logic.parts:
        for t in times:
            one_each_of(logic, t, part)
    stood: Stands = {}
    for t in times[1:]:
        _apart_together(logic, t, front[t], rear)
        for q, literal in rear[t].items():
            if q not in stood:
                stood[q] = logic.new()
            logic.any_of((*logic.makes_gap(t), ~literal, stood[q]))
            if q in front[-1]:
                logic.any_of((logic.joint[t], ~literal, ~front[-1][q]))
    _nowhere_else(logic, stood, rear)
    for t in times[1:]:
        for q, literal in front[t].items():
            if q in stood:
                logic.any_of((logic.joint[t], ~literal, ~stood[q]))
    return stood, front[-1]


def _nowhere_else(logic: GapLogic, stood: Stands, rear: Sequence[Stands]) -> None:
    """State that what is told to stand behind the Gap as it is made does."""
    for t in range(1, logic.last + 1):
        for q, literal in stood.items():
            there = [rear[t][q]] if q in rear[t] else []
            logic.any_of((*logic.makes_gap(t), ~literal, *there))


def _apart_together(logic: GapLogic, t: int, front: Stands, rear: Sequence[Stands]) -> None:
    for q, literal in front.items():
        for other in (rear[t].get(q), rear[t - 1].get(q)):
            if other is not None:
                logic.any_of((~logic.joint[t], ~literal, ~other))


def _stands(logic: GapLogic, part: Sequence[int], t: int) -> Stands:
    """Return literals of some vehicle of a part being in a Location."""
    found: dict[int, list[int]] = {}
    for i in part:
        for p, literal in logic.spots[i][t].items():
            if p != OFF:
                found.setdefault(p, []).append(literal)
    told = {p: logic.either(literals) for p, literals in found.items()}
    return {p: literal for p, literal in told.items() if literal is not None}


def _keep_alone(logic: GapLogic) -> None:
    """State that a part of one vehicle is no Convoy from the Gap on (E11.255b)."""
    for i in [part[0] for part in logic.parts if len(part) == 1]:
        for t in range(logic.last + 1):
            whole, states = logic.joint[t + 1], logic.at[i][t].items()
            alone = logic.either(x for s, x in states if logic.graph.is_alone(i, s))
            if alone is None:
                logic.any_of((whole,))
            else:
                logic.any_of((alone, whole))
                logic.any_of((~alone, ~whole))


def _keep_halted(logic: GapLogic, *, halted: bool) -> None:
    """State that nobody starts once somebody of its part, or of all before the Gap, has stopped."""
    over = [logic.news(logic.last + 1) for _ in logic.parts]
    for row in over:
        if halted:
            logic.any_of((row[0],))
        for t in range(logic.last):
            logic.any_of((~row[t], row[t + 1]))
    for t in range(1, logic.last + 1):
        movers = list(logic.movers(t))
        stops = [(i, x) for i, kind, x in movers if kind.flags & HALTS]
        for i, literal in stops:
            own = int(i >= logic.cut)
            logic.any_of((~literal, over[own][t]))
            logic.any_of((~literal, ~logic.joint[t + 1], over[1 - own][t]))
        for i, literal in [(i, x) for i, kind, x in movers if kind.flags & HALTED]:
            own = int(i >= logic.cut)
            logic.any_of((~literal, ~over[own][t - 1]))
            for j, other in stops:
                if j < i:  # those ahead act first
                    apart = [] if int(j >= logic.cut) == own else [~logic.joint[t]]
                    logic.any_of((~literal, ~other, *apart))
