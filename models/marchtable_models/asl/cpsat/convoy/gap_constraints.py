"""What a Gap asks for besides what parts of any line do: how it is made, who is in whose way, who is then alone."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from marchtable.planning.line.graph import HALTS, OFF, PLACE
from marchtable_models.asl.cpsat.convoy.exits import state_alone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.planning.line.graph import Course
    from marchtable.planning.line.logic import Logic

__all__ = ["Parted", "state_gap"]

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

    @property
    def each(self) -> tuple[Course, ...]:
        """The plan of each vehicle's part."""
        rears = len(self.front.states[0]) - self.at
        return (self.front,) * self.at + (self.rear,) * rears


def state_gap(logic: Logic, at: int) -> None:
    """State how a Gap is made before a vehicle, and what is so once it is there."""
    for t in range(1, logic.last + 1):
        with logic.says("line"):
            _gapes(logic, at, t)
    _keep_apart(logic)
    for part in logic.parts:
        for t in range(logic.last + 1) if len(part.members) == 1 else ():
            state_alone(logic, part.members[0], t, *logic.apart(t + 1))


def _makes_gap(logic: Logic, t: int) -> tuple[int, int]:
    """Return two literals that both fail if the Gap is made in an Impulse, and only then."""
    return ~logic.joint[t], logic.joint[t + 1]


def _gapes(logic: Logic, at: int, t: int) -> None:
    """State that there is a Gap where one is made, by a move that may make it: a Stop, or into a hex."""
    gap, beside = _makes_gap(logic, t), logic.graph.beside.sets
    front, rear = logic.spots[at - 1][t], logic.spots[at][t]
    for spots in (front, rear):
        if OFF in spots:
            logic.any_of((*gap, ~spots[OFF]))
    for p, literal in front.items():
        for q in (p, *beside[p]) if p != OFF else ():
            if q in rear:
                logic.any_of((*gap, ~literal, ~rear[q]))
    for kind, literal in logic.made[at][t].items():
        if not kind.flags & (PLACE | HALTS):
            logic.any_of((*gap, ~literal))


def _keep_apart(logic: Logic) -> None:
    """
    State that nobody enters where one of the other part stands.

    The front part as the Gap is made, the rear one where those ahead end.
    """
    times = range(logic.last + 1)
    front, rear = ([_stands(logic, part.members, t) for t in times] for part in logic.parts)
    for t in times[1:]:
        for q, literal in front[t].items():
            for other in (rear[t].get(q), rear[t - 1].get(q)):
                if other is not None:
                    logic.any_of((*logic.apart(t), ~literal, ~other))
    stood = {q: logic.new() for q in dict.fromkeys(q for told in rear[1:] for q in told)}
    for t, (q, x) in product(times[1:], stood.items()):
        there, gap = rear[t].get(q), _makes_gap(logic, t)
        logic.any_of((*gap, ~x) if there is None else (*gap, ~x, there))
        if there is not None:
            logic.any_of((*gap, ~there, x))
        for here, other in ((front[t].get(q), x), (front[-1].get(q), there)):
            if here is not None and other is not None:
                logic.any_of((logic.joint[t], ~here, ~other))
    logic.others = [stood, front[-1]]


def _stands(logic: Logic, part: Sequence[int], t: int) -> Stands:
    """Return literals of some vehicle of a part being in a Location."""
    found: dict[int, list[int]] = {}
    for i in part:
        for p, literal in logic.spots[i][t].items():
            if p != OFF:
                found.setdefault(p, []).append(literal)
    return logic.places(found)
