"""Quick plans with a Gap: all follow the lead, then some stop where they are while the others follow it on."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from marchtable.planning.line.first_plans import followed, halted, lead_ways
from marchtable.planning.line.graph import Course
from marchtable_models.asl.cpsat.convoy.gap_constraints import Parted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable_models.asl.cpsat.convoy.plans import Convoy

__all__ = ["quick_gaps"]

WAYS, MOST, EACH = 3, 4, 3
Gain = tuple[int, int]
"""What it comes to where some vehicles end: how often that is demanded, and what it is worth."""


def quick_gaps(model: Convoy, gaps: dict[int, tuple[bool, ...]]) -> list[Parted]:
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
    found: dict[Parted, Gain] = {}
    for way in lead_ways(model.graph, hopes, WAYS):
        moving = model.graph.is_moving
        courses = [c for c in followed(model.graph, way)
                   if all(moving(i, s) for i, s in enumerate(c.states[-1]))]  # fmt: skip
        for at, when in gaps.items() if courses else ():
            for plan in _parted(model, way, courses[-1], at, when):
                states = tuple(c.states[-1][i] for i, c in enumerate(plan.each))
                if model.worth.meets(Course((states,), (0,))):
                    found[plan] = _gain(model, states, range(len(states)))
    return sorted(found, key=found.__getitem__, reverse=True)[:MOST]


def _halts(
    model: Convoy, course: Course, at: int, when: Sequence[bool]
) -> dict[int, tuple[int, ...]]:
    """Return by Impulse how those from one vehicle on are if they stop in it, and so make a Gap that they may make."""
    (rows, spent), graph, found = course, model.graph, dict[int, tuple[int, ...]]()
    rears = range(at, graph.count)
    for t in range(1, len(rows)):
        able = when[t > 1] and spent[t] <= min(model.left[i] for i in rears)
        stopped = halted(graph, rows[t - 1], rears) if able else None
        if stopped is not None:
            ahead, behind = (
                graph.place_of(i, row[i]) for i, row in ((at - 1, rows[t]), (at, stopped[1]))
            )
            if ahead != behind and not graph.is_beside(at, ahead, behind):
                found[t] = stopped[1]
    return found


def _parted(
    model: Convoy, way: Sequence[int], course: Course, at: int, when: Sequence[bool]
) -> Iterator[Parted]:
    """Yield the plans in which those from one vehicle on stop as late as is best for them and they can pay."""
    (rows, spent), graph = course, model.graph
    fronts, rears = range(at), range(at, graph.count)
    halts = _halts(model, course, at, when)
    if not halts:
        return
    stop = max(halts, key=lambda t: _gain(model, halts[t], rears))
    begun = (*rows[stop][:at], *halts[stop][at:])
    track = list(way[way.index(graph.place_of(0, begun[0])) :])
    costs = [_cost(model, *each) for each in zip(count(), rows[stop - 1], begun, strict=False)]
    excess = [] if model.is_leaving_shared else [at]
    ours = graph.round_cost(cost for i, cost in enumerate(costs) if i not in excess)
    paid, together = spent[stop - 1] + ours, Course(rows[:stop], spent[:stop])
    rear = _then(together, [halts[stop]], [spent[stop - 1] + graph.round_cost(costs)])
    parts = [Course((begun,), (0,)), *followed(graph, track, begun, fronts)]
    parts.sort(key=lambda each: _gain(model, each.states[-1], fronts), reverse=True)
    for states, more in parts[:EACH]:
        plan = Parted(at, stop, _then(together, states, [paid + n for n in more]), rear)
        is_paid = all(c.spent[-1] <= model.left[i] for i, c in enumerate(plan.each))
        if is_paid and len(plan.front.states) <= model.most + 1:
            yield plan


def _then(course: Course, states: Iterable[tuple[int, ...]], spent: Iterable[int]) -> Course:
    return Course((*course.states, *states), (*course.spent, *spent))


def _gain(model: Convoy, states: Sequence[int], members: Iterable[int]) -> Gain:
    worth = model.worth
    spots = [(i, model.graph.spot_of(i, states[i])) for i in members]
    demanded = sum(int(d.counts[i, p]) for d in worth.demands for i, p in spots)
    return demanded, sum(int(worth.value[i, p] - worth.distance[i, p]) for i, p in spots)


def _cost(model: Convoy, i: int, before: int, after: int) -> int:
    if before == after:
        return 0
    return min(cost for to, cost, _, _ in model.graph.ways(i, before) if to == after)
