"""How the vehicles of a Convoy that a Gap parts stand to each other, as clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.line.bonds import one_each_of
from marchtable.planning.line.graph import HALTED, HALTS, OFF, PLACE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable_models.asl.cpsat.convoy.gaplogic import GapLogic

__all__ = ["keep_alone", "keep_apart", "keep_halted", "keep_line"]

Stands = dict[int, int]
"""Literals by Location."""


def keep_line(logic: GapLogic) -> None:
    """State that all are in line but for the Gap, made by a Stop or by entering a hex."""
    for i in range(1, logic.count):
        for t in range(logic.last + 1):
            if i != logic.cut:
                _beside(logic, i, t, ())
            elif t < logic.last:
                _beside(logic, i, t, (~logic.joint[t + 1],))
    for t in range(1, logic.last + 1):
        _gapes(logic, t)


def _beside(logic: GapLogic, i: int, t: int, free: Sequence[int]) -> None:
    """State that a vehicle is beside the one ahead, unless something holds."""
    field, rear = logic.field, logic.spots[i][t]
    for p, literal in logic.spots[i - 1][t].items():
        if p != OFF:
            beside, entering = field.beside.sets[p], field.entering[i, p]
            near = [x for q, x in rear.items() if (entering if q == OFF else q in beside)]
            logic.any_of((~literal, *free, *near))


def _gapes(logic: GapLogic, t: int) -> None:
    """State that there is a Gap where one is made, by a move that may make it."""
    gap, beside = logic.makes_gap(t), logic.field.beside.sets
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


def keep_apart(logic: GapLogic) -> tuple[Stands, Stands]:
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


def keep_alone(logic: GapLogic) -> None:
    """State that a part of one vehicle is no Convoy from the Gap on (E11.255b)."""
    for i in [part[0] for part in logic.parts if len(part) == 1]:
        for t in range(logic.last + 1):
            whole, states = logic.joint[t + 1], logic.at[i][t].items()
            alone = logic.either(x for s, x in states if logic.field.is_alone(i, s))
            if alone is None:
                logic.any_of((whole,))
            else:
                logic.any_of((alone, whole))
                logic.any_of((~alone, ~whole))


def keep_halted(logic: GapLogic, *, halted: bool) -> None:
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
