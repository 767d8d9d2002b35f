"""The parts of a line that act as one up to some round, then one after the other; a line that does not part is one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from marchtable.planning.line.graph import LAST

if TYPE_CHECKING:
    from marchtable.planning.line.logic import Logic

__all__ = ["Part", "Parting", "state_payment"]


class Parting(NamedTuple):
    """
    How a line parts: those ahead go on to their end, then the others.

    Parameters
    ----------
    at
        The first member of those behind.
    first, later
        Whether the first round may be the last of all together, and whether others may.
    is_shared
        Whether those ahead pay for what that member does in the last.
    """

    at: int
    first: bool = True
    later: bool = True
    is_shared: bool = True


class Part(NamedTuple):
    """
    A part's members and, by its own rounds, literals of what each costs and of what is spent by then.

    Parameters
    ----------
    members
        Neighbours.
    levels, ended
        By round: what may have been spent by then, and so that its plan has ended; in levels.
    costs, totals
        By round: literals of what it costs (0: the plan has ended; :data:`~.logic.FREE`: nothing)
        and of what is spent by then, in levels.
    """

    members: range
    levels: list[list[int]]
    ended: list[list[int]]
    costs: list[dict[int, int]]
    totals: list[dict[int, int]]


def _payers(logic: Logic, part: Part, t: int) -> dict[int, list[tuple[int, tuple[int, ...]]]]:
    """Return by what is due the moves that count for a part's round, and what else may hold instead."""
    found: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
    for i, member in enumerate(logic.made):
        more = logic.parting is not None and i == logic.parting.at and not logic.parting.is_shared
        unless = logic.apart_from(i, part, t + more)
        for kind, literal in member[t].items():
            found.setdefault(kind.due, []).append((literal, unless))
    return found


def state_payment(logic: Logic, part: Part) -> None:
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
