"""Quick plans with a Gap: all follow the lead, then some stop where they are while the others follow it on."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from marchtable.planning.line.first_plans import followed, halted, lead_ways
from marchtable.planning.line.graph import Course
from marchtable_models.asl.cpsat.convoy.gap_constraints import Parted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable_models.asl.cpsat.convoy.gap_search import GapSearch
    from marchtable_models.asl.cpsat.convoy.plans import Convoy

__all__ = ["moves_of", "quick_gaps"]

WAYS, MOST, EACH = 3, 4, 3
Rows = list[tuple[int, ...]]


class _Gain(NamedTuple):
    """What it comes to where some vehicles end: how often that is demanded, and what it is worth."""

    demanded: int
    worth: int


def quick_gaps(model: Convoy, gaps: dict[int, tuple[bool, bool]]) -> list[Parted]:
    """
    Return some plans that do what they must, if following the lead is of use, the best first.

    Parameters
    ----------
    model
        That of the plans without a Gap.
    gaps
        The vehicles that may part the Convoy, by number: in the first Impulse, in later ones.
    """
    waiting = any(unit.at is None for unit in model.line)
    if waiting or not model.most or not model.worth.demands:
        return []
    hopes = (model.worth.value - model.worth.distance).sum(axis=0)
    found: list[tuple[_Gain, Parted]] = []
    for way in lead_ways(model.graph, hopes, WAYS):
        courses = [c for c in followed(model.graph, way) if not _ends_halted(model, c)]
        for at, when in gaps.items() if courses else ():
            found += _parted(model, way, courses[-1], at, *when)
    found = [each for each in found if model.worth.meets(_whole(each[1]))]
    found.sort(key=lambda each: each[0], reverse=True)
    return list(dict.fromkeys(plan for _, plan in found))[:MOST]


def _ends_halted(model: Convoy, course: Course) -> bool:
    return not all(model.graph.is_moving(i, s) for i, s in enumerate(course.states[-1]))


def _whole(plan: Parted) -> Course:
    """Return where both parts end, as if it were one Convoy's plan."""
    front, rear = plan.front.states[-1], plan.rear.states[-1]
    return Course(((*front[: plan.at], *rear[plan.at :]),), (0,))


def _parted(
    model: Convoy, way: Sequence[int], course: Course, at: int, first: bool, later: bool
) -> Iterator[tuple[_Gain, Parted]]:
    """Yield the plans in which those from one vehicle on stop as late as is best for them and they can pay."""
    rows, graph = course.states, model.graph
    fronts, rears = range(at), range(at, graph.count)
    least = min(model.left[i] for i in rears)
    halts: dict[int, tuple[int, ...]] = {}
    for t in range(1, len(rows)):
        able = (first if t == 1 else later) and course.spent[t] <= least
        found = halted(graph, rows[t - 1], rears) if able else None
        if found is not None:
            ahead, behind = (
                graph.place_of(at - 1, rows[t][at - 1]),
                graph.place_of(at, found[1][at]),
            )
            if ahead != behind and not graph.is_beside(at, ahead, behind):
                halts[t] = found[1]
    if not halts:
        return
    stop = max(halts, key=lambda t: _gain(model, halts[t], rears))
    rear: Rows = [*rows[:stop], halts[stop]]
    begun = (*rows[stop][:at], *halts[stop][at:])
    track = list(way[way.index(graph.place_of(0, begun[0])) :])
    parts = [(begun,), *(c.states for c in followed(graph, track, begun, fronts))]
    parts.sort(key=lambda states: _gain(model, states[-1], fronts), reverse=True)
    for states in parts[:EACH]:
        front = [*rows[:stop], *states]
        plan = _priced(model, at, stop, front, rear)
        if plan is not None and len(front) <= model.most + 1 and not _meets(model, plan):
            here = _gain(model, front[-1], fronts), _gain(model, rear[-1], rears)
            yield _Gain(*(sum(each) for each in zip(*here, strict=True))), plan


def _gain(model: Convoy, states: Sequence[int], members: Iterable[int]) -> _Gain:
    worth = model.worth
    spots = [(i, model.graph.spot_of(i, states[i])) for i in members]
    demanded = sum(int(d.counts[i, p]) for d in worth.demands for i, p in spots)
    return _Gain(demanded, sum(int(worth.value[i, p] - worth.distance[i, p]) for i, p in spots))


def _priced(model: Convoy, at: int, joint: int, front: Rows, rear: Rows) -> Parted | None:
    """Return a plan with what either part pays, None if it cannot."""
    fronts, rears = range(at), range(at, len(model.line))
    steps = [(fronts, front, rears, rear), (rears, rear, fronts, front)]
    courses = []
    for own, rows, others, theirs in steps:
        spent = [0]
        for t, (before, after) in enumerate(pairwise(rows), 1):
            costs = [_cost(model, i, before[i], after[i]) for i in own]
            if t <= joint:
                alone = t == joint and not model.is_leaving_shared
                payers = [i for i in others if not (alone and i == at)]
                costs += [_cost(model, i, theirs[t - 1][i], theirs[t][i]) for i in payers]
            spent.append(spent[-1] + model.graph.round_cost(costs))
        if spent[-1] > min(model.left[i] for i in own):
            return None
        courses.append(Course(tuple(rows), tuple(spent)))
    return Parted(at, joint, *courses)


def _meets(model: Convoy, plan: Parted) -> bool:
    """Return whether a vehicle ahead of the Gap enters a hex in which one behind it stands."""
    spot = model.graph.spot_of
    stand = {spot(i, s) for i, s in enumerate(plan.rear.states[-1]) if i >= plan.at}
    after = plan.front.states[plan.joint + 1 :]
    return any(spot(i, row[i]) in stand for row in after for i in range(plan.at))


def _cost(model: Convoy, i: int, before: int, after: int) -> int:
    if before == after:
        return 0
    return min(cost for to, cost, _, _ in model.graph.ways(i, before) if to == after)


def moves_of(model: Convoy | GapSearch, plan: Parted) -> tuple[list[list[str]], list[list[str]]]:
    """Return what the vehicles of each part do in each of its Impulses, the others staying."""
    line = range(len(plan.front.states[0]))
    parts = ((plan.front, line[: plan.at]), (plan.rear, line[plan.at :]))
    fronts, rears = (_moves(model, course, members) for course, members in parts)
    return fronts, rears


def _moves(model: Convoy | GapSearch, course: Course, members: range) -> list[list[str]]:
    found = []
    for t, rows in enumerate(pairwise(course.states)):
        cost = course.spent[t + 1] - course.spent[t]
        moves = ["stay"] * len(rows[0])
        for i in members:
            step = model.cuts.step(i, rows[0][i], rows[1][i], cost)
            moves[i] = "stay" if step is None else step.move
        found.append(moves)
    return found
