"""How the members of a line stand to each other, as clauses: what they pay, in line, one to a hex, stopped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from marchtable.planning.line.graph import HALTED, HALTS, LAST, OFF

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from marchtable.cpsat.rows import Rows
    from marchtable.planning.line.logic import Logic
    from marchtable.planning.line.parts import Part
    from marchtable.planning.line.state_graph import StateGraph

__all__ = ["state_beside", "state_line"]

Spot = tuple[int, int]
"""A place, and the literal of a member's being there."""


def state_line(logic: Logic) -> None:
    """State all that binds the members of a line."""
    graph, halted = logic.graph, logic.graph.halted
    for part in logic.parts:
        _pay(logic, part)
    for t in range(logic.last + 1):
        with logic.says("line"):
            _in_line(logic, t)
        _one_each(logic, t)
        with logic.says("follow"):
            if graph.follows and t:
                _ahead_only(logic, t)
        with logic.says("turn"):
            if graph.in_turn and t:
                _in_turn(logic, t)
    with logic.says("halt"):
        if halted is not None:
            _no_restart(logic, halted=halted)


def _in_line(logic: Logic, t: int) -> None:
    """State that each member is beside the next."""
    graph = logic.graph
    for i in range(1, logic.count):
        if graph.linked[i]:
            front, rear = logic.hexes[i - 1][t].items(), logic.hexes[i][t].items()
            free = logic.apart_from(i, logic.part_of(i - 1), t + 1)
            state_beside(logic, graph, i, front, rear, free)
            around = {p: graph.near(i, p) for p, _ in front if p != OFF}
            for q, literal in rear:
                near = [x for p, x in front if p == OFF or q in around[p]]
                if len(near) < len(front):
                    logic.any_of((~literal, *free, *near))


def state_beside(
    rows: Rows, graph: StateGraph, i: int, front: Collection[Spot], rear: Collection[Spot],
    free: Iterable[int] = (),
) -> None:  # fmt: skip
    """State that a member is beside the one ahead, or something else holds."""
    for p, literal in front:
        if p == OFF:
            continue
        around = graph.near(i, p)
        near = [x for q, x in rear if q in around]
        if len(near) < len(rear):
            rows.any_of((~literal, *free, *near))


def _in_turn(logic: Logic, t: int) -> None:
    """State that who waits off the map comes on after the one ahead."""
    for i in range(logic.count - 1):
        if not logic.graph.linked[i + 1] or OFF not in logic.hexes[i + 1][t - 1]:
            continue
        ahead = logic.hexes[i][t - 1].get(OFF)
        if ahead is not None:
            waits = logic.hexes[i + 1]
            told = (waits[t][OFF],) if OFF in waits[t] else ()
            logic.any_of((~ahead, ~waits[t - 1][OFF], *told))


def _ahead_only(logic: Logic, t: int) -> None:
    """State that whoever is not in front enters only what the one ahead has just left."""
    for i in range(1, logic.count):
        was, now = logic.hexes[i][t - 1], logic.hexes[i][t]
        front_was, front_now = logic.hexes[i - 1][t - 1], logic.hexes[i - 1][t]
        for place, x in now.items():
            told = [~x, was[place]] if place in was else [~x]
            if place not in front_was:
                logic.any_of(told)
                continue
            logic.any_of((*told, front_was[place]))
            if place in front_now:
                logic.any_of((*told, ~front_now[place]))


def _one_each(logic: Logic, t: int) -> None:
    """State that nobody enters where another still stands whom it crowds: those ahead move first."""
    begun = [place for hexes in logic.hexes for place in hexes[0] if place != OFF]
    if logic.graph.crowds is None and len(set(begun)) == len(begun):
        for part in logic.parts:
            _one_each_of(logic, t, part.members)
    elif t:
        _enter_apart(logic, t)


def _enter_apart(logic: Logic, t: int) -> None:
    """State it of a line of which some begin in one place, and may stay there."""
    crowds = logic.graph.crowds
    for i, hexes in enumerate(logic.hexes):
        for place, x in hexes[t].items():
            told = (~x, hexes[t - 1][place]) if place in hexes[t - 1] else (~x,)
            for j, others in enumerate(logic.hexes):
                there = others[t - (j > i)]
                is_apart = j != i and (crowds is None or j in crowds[i])
                if is_apart and place != OFF and place in there:
                    logic.any_of((*told, ~there[place]))


def _one_each_of(logic: Logic, t: int, members: Iterable[int]) -> None:
    """State it of some members."""
    now: dict[int, dict[int, int]] = {}
    was: dict[int, dict[int, int]] = {}
    for i in members:
        for place, literal in logic.hexes[i][t].items():
            now.setdefault(place, {})[i] = literal
        for place, literal in logic.hexes[i][t - 1].items() if t else ():
            was.setdefault(place, {})[i] = literal
    for place, those in now.items():
        if place == OFF:
            continue
        before = was.get(place, {})
        seen = set()
        for k in sorted(those) if before else [logic.count]:
            group = tuple(
                [x for i, x in those.items() if i <= k] + [x for i, x in before.items() if i > k]
            )
            if len(group) > 1 and group not in seen:
                seen.add(group)
                logic.not_two(group)


def _no_restart(logic: Logic, *, halted: bool) -> None:
    """State that nobody starts once somebody of its part, or of all before they part, has stopped."""
    starts, stops = _those(logic, HALTED), _those(logic, HALTS)
    if not starts or not (stops or halted):
        return
    for part in logic.parts:
        over = logic.news(logic.last + 1)
        if halted:
            logic.any_of((over[0],))
        for t in range(logic.last):
            logic.any_of((~over[t], over[t + 1]))
        for i, t, literal in stops:
            logic.any_of((~literal, *logic.apart_from(i, part, t + 1), over[t]))
        for i, t, literal in starts:
            if i in part.members:
                logic.any_of((~literal, ~over[t - 1]))
                for j, s, other in stops:
                    if s == t and j < i:  # those ahead act first
                        logic.any_of((~literal, ~other, *logic.apart_from(j, part, t)))


def _those(logic: Logic, flag: int) -> list[tuple[int, int, int]]:
    """Return the members, rounds and literals of moves of a kind."""
    return [
        (i, t, literal)
        for i, member in enumerate(logic.made)
        for t, made in enumerate(member)
        for kind, literal in made.items()
        if kind.flags & flag
    ]


# -- what they pay ---------------------------------------------------------------------------------


def _payers(logic: Logic, part: Part, t: int) -> dict[int, list[tuple[int, tuple[int, ...]]]]:
    """Return by what is due the moves that count for a part's round, and what else may hold instead."""
    found: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
    for i, member in enumerate(logic.made):
        more = logic.parting is not None and i == logic.parting.at and not logic.parting.is_shared
        unless = logic.apart_from(i, part, t + more)
        for kind, literal in member[t].items():
            found.setdefault(kind.due, []).append((literal, unless))
    return found


def _pay(logic: Logic, part: Part) -> None:
    """State that a round of a part costs what the dearest move does, and what is spent so; none follows after the plan's end."""
    bears = cache(logic.graph.bears)
    for t in range(1, logic.last + 1):
        payers = _payers(logic, part, t)
        costs = {cost: logic.new() for cost in sorted(payers)}
        logic.one_of(costs.values())
        with logic.says("pay"):
            for cost, told in payers.items():
                if cost:
                    logic.any_of((~costs[cost], *(_both(logic, *each) for each in told)))
                    above = [
                        x for due, x in costs.items() if due and bears(max(0, due), max(0, cost))
                    ]
                    for literal, unless in told:
                        logic.any_of((~literal, *unless, *above))
        if 0 in costs and (t == 1 or logic.parting):
            logic.any_of((*logic.apart(t), ~costs[0]))
        part.costs.append(costs)
    for before, after in zip(part.costs[1:], part.costs[2:], strict=False):
        if 0 in before:
            logic.any_of((~before[0], after[0]) if 0 in after else (~before[0],))
    _last_rounds(logic, part)
    _levels(logic, part)


def _both(logic: Logic, literal: int, unless: tuple[int, ...]) -> int:
    """Return a literal that holds only if one does, and none of others."""
    if not unless:
        return literal
    found = logic.new()
    for told in (literal, *(~x for x in unless)):
        logic.any_of((~found, told))
    return found


def _last_rounds(logic: Logic, part: Part) -> None:
    """State that no round follows a step after which none does."""
    for i in part.members:
        for made, after in zip(logic.made[i][1:], part.costs[2:], strict=False):
            for literal in (x for kind, x in made.items() if kind.flags & LAST):
                logic.any_of((~literal, after[0]) if 0 in after else (~literal,))


def _levels(logic: Logic, part: Part) -> None:
    """State what is spent by each round, and where a member can be for so much."""
    totals = part.totals
    totals += [{level: logic.new() for level in levels} for levels in part.levels]
    for told in totals:
        logic.one_of(told.values())
    for t in range(1, logic.last + 1):
        for level, literal in totals[t - 1].items():
            for cost, costs in part.costs[t].items():
                after = totals[t].get(level + max(0, cost))
                if not cost and level not in part.ended[t - 1]:
                    after = None
                logic.any_of((~literal, ~costs) if after is None else (~literal, ~costs, after))
    for t, levels in enumerate(part.levels):
        if len(levels) > 1 and (t == logic.last or not logic.parting):  # of parts that says little
            for i in part.members:
                _fits(logic, i, t)


def _fits(logic: Logic, i: int, t: int) -> None:
    totals = logic.part_of(i).totals[t]
    for state, literal in logic.at[i][t].items():
        fitting = logic.fitting(i, t, state)
        if len(fitting) < len(totals):
            logic.any_of((~literal, *(totals[level] for level in fitting)))
