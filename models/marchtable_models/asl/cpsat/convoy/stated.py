"""Whether a Convoy has a plan, decided by clauses that are written and solved by compiled functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from marchtable_models.asl.cpsat.convoy.clauses import (
    CLAUSES,
    GROUPS,
    LITERALS,
    MEMBERS,
    VARIABLES,
    dear,
)
from marchtable_models.asl.cpsat.convoy.compiled import run
from marchtable_models.asl.cpsat.convoy.field import Course

if TYPE_CHECKING:
    from marchtable_models.asl.cpsat.convoy.ends import Ends
    from marchtable_models.asl.cpsat.convoy.field import Field
    from marchtable_models.asl.cpsat.convoy.layers import Layers, Pairs, Wanted

__all__ = ["Stated", "lasting"]

LEARNED, LONG = 10_000, 40
"""For how many learned clauses there is room, and for how many literals of each."""


class Lasting(NamedTuple):
    """
    Masks of all states on the way to an end and of ends, which last.

    Parameters
    ----------
    masks
        Of the states.
    nodes, over
        By Impulse: what may be spent, and what when the plan has ended.
    """

    masks: Any
    nodes: Any
    over: Any


def lasting(field: Field, layers: Layers) -> Lasting:
    """Return what layers are if a plan stays as it ends."""
    shape = (field.most + 1, field.count, field.size)
    ended = np.bitwise_or.accumulate(layers.ends.reshape(shape), axis=0)
    here = layers.active.reshape(shape) | ended
    here[-1] = ended[-1]
    nodes, over = (np.bitwise_or.reduce(masks[:, 0], axis=1) for masks in (here, ended))
    return Lasting(here.reshape(-1), nodes, over)


class Stated:
    """
    The clauses of a decision, as :mod:`.clauses` writes them.

    Parameters
    ----------
    field, pairs, lasting
        The states, what is left of them, and numbered.
    ends, may_end, halted
        How a plan may end, and whether the Convoy has stopped already, as a dive has it.
    """

    def __init__(
        self, field: Field, pairs: Pairs, lasting: Lasting, ends: Ends, may_end: Any, *,
        halted: bool | None,
    ) -> None:  # fmt: skip
        self.field, self.pairs, self.last = field, pairs, field.most
        self.work = len(lasting.masks)
        self._write(lasting, ends, may_end, halted)

    def _write(self, lasting: Lasting, ends: Ends, may_end: Any, halted: bool | None) -> None:
        field, pairs, places = self.field, self.pairs, self.field.places
        states, arcs = len(pairs.states), int(pairs.arc_at[-1])
        back = [np.zeros(n, np.int64) for n in (states, arcs, arcs, states)]
        home = [np.zeros(n, np.int64) for n in (states, len(pairs.at), states, states)]
        sizes = [12 * arcs + 40 * states, 4 * arcs + 8 * states, 4 * states, 2 * states, 0]
        while True:
            room = [sizes[0] + LEARNED * LONG, sizes[1] + LEARNED + 2, sizes[2] + 1, sizes[3] + 2]
            self.lits, self.start, self.members, self.group_at = (
                np.zeros(n, np.int32) for n in room
            )
            made = np.zeros(5, np.int64)
            run(
                "written", field.levels, self.work, lasting.masks, self.last, field.levels, field.costs,
                lasting.nodes, lasting.over, int(halted is not None), int(halted or 0), int(ends.all_alike),
                may_end, ends.ahead(), field.moving, places.u, places.v,
                field.entering.reshape(-1), field.linked, len(places), *field.line[:3],
                field.place, pairs.at, pairs.states, pairs.arc_at, pairs.arc_to, pairs.arc_kind,
                pairs.arc_flags, *back, *home, self.lits, self.start, self.members, self.group_at,
                made,
            )  # fmt: skip
            made_ = made.tolist()
            if all(a <= b for a, b in zip(made_[:4], sizes[:4], strict=True)):
                break
            sizes = made_
        self.clauses, self.groups = made_[CLAUSES], made_[GROUPS]
        self.variables, self.literals = made_[VARIABLES], made_[LITERALS]
        self.of_at = np.zeros(self.variables + 1, np.int32)
        self.of = np.zeros(made_[MEMBERS] + 1, np.int32)
        run(
            "grouped", field.levels, self.work, self.variables, self.groups, self.group_at,
            self.members, self.of_at, self.of,
        )  # fmt: skip
        self.active, self.phase = np.zeros(self.variables), np.zeros(self.variables, np.int8)

    def solved(self, cap: int) -> tuple[int, Any, int]:
        """Return what the search tells, the values of the literals, and the work."""
        n = self.variables
        head, after = np.full(2 * n, -1, np.int32), np.zeros(2 * len(self.start), np.int32)
        value, made = np.zeros(2 * n, np.int8), np.array([0, self.clauses], np.int64)
        scratch = [np.zeros(k, np.int32) for k in (n, n, n + 1, n + 2, n + 1, n, 2, n, n)]
        told = run(
            "searched", self.field.levels, self.work, n, self.clauses, cap, self.lits, self.start, head,
            after, self.of_at, self.of, self.group_at, self.members, value, *scratch, self.active,
            self.phase, made,
        )  # fmt: skip
        self.clauses = int(made[1])
        return int(told), value, int(made[0])

    def _spent(self, t: int) -> range:
        """Return the variables of what is spent after an Impulse."""
        first = len(self.pairs.states) + t * self.field.levels
        return range(first, first + self.field.levels)

    def course(self, value: Any) -> Course:
        """Return the plan that a solution is."""
        field, pairs, count = self.field, self.pairs, self.field.count
        told = value[::2] > 0
        end = 0
        while end < self.last and told[self._dear(end + 1)]:
            end += 1
        rows = []
        for t in range(end + 1):
            begin, stop = pairs.at[t * count], pairs.at[(t + 1) * count]
            rows.append(tuple(pairs.states[begin:stop][told[begin:stop]].tolist()))
        spent = [int(np.flatnonzero(told[list(self._spent(t))])[0]) for t in range(end + 1)]
        return Course(tuple(rows), tuple(level * field.grain for level in spent))

    def _dear(self, t: int) -> int:
        field = self.field
        kinds, count = len(field.costs), field.count
        return int(dear(t, 1, kinds, self.last, field.levels, self.pairs.at, count))

    def refuse(self, course: Course, wanted: Wanted) -> bool | None:
        """
        State that an end must be worth more than a plan's, if that is not enough; tell if it is not.

        None if there is no room to state it.
        """
        field, level = self.field, course.spent[-1] // self.field.grain
        gains = wanted.gains.reshape(len(wanted.least), field.count, field.size)
        for row, points, least in zip(gains, wanted.points, wanted.least, strict=True):
            floors = [int(row[i, state]) for i, state in enumerate(course.states[-1])]
            floors.append(int(points * level))
            short = int(least) - 1 - sum(floors)
            if short >= 0:
                return self._better(row, int(points), floors, short) or None
        return False

    def _better(self, row: Any, points: int, floors: list[int], short: int) -> bool:
        """State that a vehicle gains more than its floor, or what is spent does; all may be higher."""
        field, pairs = self.field, self.pairs
        literals: list[int] = []
        last = self.last * field.count
        for i, floor in enumerate(floors):
            variables = self._spent(self.last)
            told = points * np.arange(field.levels)
            if i < field.count:
                variables = range(pairs.at[last + i], pairs.at[last + i + 1])
                told = row[i, pairs.states[variables.start : variables.stop]]
            high = int(told[told <= floor + short].max(initial=floor))
            short -= high - floor
            literals += [2 * x for x, gain in zip(variables, told, strict=True) if gain > high]
        begin = self.start[self.clauses]
        if begin + len(literals) > len(self.lits) or self.clauses + 2 > len(self.start):
            return False
        self.lits[begin : begin + len(literals)] = literals
        self.clauses += 1
        self.start[self.clauses] = begin + len(literals)
        return True
