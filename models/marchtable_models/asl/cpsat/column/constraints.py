"""What a Column's Impulses must be, each clause a function of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.column.line import FREE
from marchtable_models.asl.cpsat.literals import either

if TYPE_CHECKING:
    from marchtable_models.asl.cpsat.column.program import Program

__all__ = ["state"]


def state(program: Program) -> None:
    """State all of it."""
    for t in range(program.last):
        one_after_another(program, t)
        for r in range(program.count):
            steps_only(program, r, t)
            costs_of_steps(program, r, t)
        one_each(program, t)
        shared_expenditure(program, t)
        nobody_in_the_way(program, t)
        for r in range(1, program.count):
            ahead_only(program, r, t)
            keeps_together(program, r, t)
    all_can_pay(program)


def one_after_another(program: Program, t: int) -> None:
    """No Impulse is made after one that is not."""
    if t:
        program.any_of((~program.going[t], program.going[t - 1]))


def steps_only(program: Program, r: int, t: int) -> None:
    """State that units stay or make one of their steps (E11.2f), which may disband the Column (E11.533b)."""
    ways: dict[int, list[int]] = {x: [] for x in program.at[t][r].values()}
    for way in program.ways[t][r]:
        ways[way.before].append(way.after)
        if way.is_last and t + 1 < program.last:
            program.any_of((~way.before, ~way.after, ~program.going[t + 1]))
    for x, found in ways.items():
        program.any_of((~x, *found))


def costs_of_steps(program: Program, r: int, t: int) -> None:
    """State what a step costs: one of the literals of costs holds for a step, none for staying."""
    paying = program.paying[t][r]
    dear: dict[tuple[int, int], list[int]] = {}
    for way in program.ways[t][r]:
        if way.is_step:
            program.any_of((~way.before, ~way.after, paying[way.cost]))
            dear.setdefault((way.before, way.cost), []).append(way.after)
    for x in program.at[t][r].values():
        for cost, literal in paying.items():
            program.any_of((~literal, ~x, *dear.get((x, cost), ())))
    if len(paying) > 1:
        program.not_two(paying.values())


def one_each(program: Program, t: int) -> None:
    """E11.2f: in an Impulse that is made somebody makes a step, in one that is not nobody does."""
    going = program.going[t]
    moving = [x for paying in program.paying[t] for x in paying.values()]
    program.any_of((~going, *moving))
    for x in moving:
        program.any_of((~x, going))


def shared_expenditure(program: Program, t: int) -> None:
    """E11.2g: an Impulse costs as much as its dearest step."""
    costs, paying = program.costs[t], program.paying[t]
    for x in costs.values():
        program.any_of((~x, program.going[t]))
    program.any_of((~program.going[t], *costs.values()))
    program.not_two(costs.values())
    for cost, x in costs.items():
        program.any_of((~x, *(own[cost] for own in paying if cost in own)))
        dearer = [y for more, y in costs.items() if more >= cost]
        for own in paying:
            if cost in own:
                program.any_of((~own[cost], *dearer))


def ahead_only(program: Program, r: int, t: int) -> None:
    """E11.5g: whoever is not in front enters only the Location that those ahead leave."""
    if not program.line.follows:
        return
    was, now = program.places[t][r], program.places[t + 1][r]
    front_was, front_now = program.places[t][r - 1], program.places[t + 1][r - 1]
    for place, x in now.items():
        told = [~x, was[place]] if place in was else [~x]
        if place not in front_was:
            program.any_of(told)
            continue
        program.any_of((*told, front_was[place]))
        if place in front_now:
            program.any_of((*told, ~front_now[place]))


def keeps_together(program: Program, r: int, t: int) -> None:
    """E11.5b: as an Impulse ends each place is beside the one ahead of it."""
    front, rear = program.places[t + 1][r - 1], program.places[t + 1][r]
    for place, x in rear.items():
        beside = [y for ahead, y in front.items() if program.line.linked(r, ahead, place)]
        if len(beside) < len(front):
            program.any_of((~x, ~program.going[t], *beside))


def nobody_in_the_way(program: Program, t: int) -> None:
    """No unit enters where units of another place stand at that moment; those in front go first."""
    is_apart = program.line.follows and program.line.is_apart
    if is_apart:  # then nobody but the lead can come to where one behind him stands
        _never_together(program, t + 1)
    for r in range(1 if is_apart else program.count):
        was, now = program.places[t][r], program.places[t + 1][r]
        for place, x in now.items():
            if place is None:
                continue
            told = (~x, was[place]) if place in was else (~x,)
            for other in range(program.count):
                there = program.places[t + (other < r)][other] if other != r else {}
                if place in there:
                    program.any_of((*told, ~there[place]))


def _never_together(program: Program, t: int) -> None:
    by_place: dict[str, list[int]] = {}
    for places in program.places[t]:
        for place, x in places.items():
            if place is not None:
                by_place.setdefault(place, []).append(x)
    for literals in by_place.values():
        if len(literals) > 1:
            program.not_two(literals)


def all_can_pay(program: Program) -> None:
    """E11.2h: what an Impulse costs is what each unit has left, at least."""
    if program.line.credit == FREE:
        return
    for t in range(program.last):
        means = [_by_means(program, r, t) for r in range(program.count)]
        if program.line.shares:
            _within(program, program.spent(t + 1), t, means)
            continue
        largest = [(x, cost) for cost, x in program.costs[t].items()]
        for r in range(program.count):
            _within(program, [*program.own(r, t), *largest], t, [means[r]])


def _by_means(program: Program, r: int, t: int) -> dict[int, list[int]]:
    """Return by what a place's units may spend the literals of their states after an Impulse."""
    found: dict[int, list[int]] = {}
    for state, x in program.at[t + 1][r].items():
        means = program.line.means(r, state)
        assert means is not None
        found.setdefault(means, []).append(x)
    return found


def _within(
    program: Program, terms: list[tuple[int, int]], t: int, means: list[dict[int, list[int]]]
) -> None:
    """State that no more is spent by an Impulse, if it is made, than any of some places may."""
    going = program.going[t]
    sure = min(max(found) for found in means)
    if sum(cost for _, cost in terms) > sure:
        program.total_if([going], terms, 0, sure)
    for least in sorted({each for found in means for each in found if each < sure}):
        literals = [x for found in means for x in found.get(least, ())]
        program.total_if([going, either(program, literals)], terms, 0, least)
