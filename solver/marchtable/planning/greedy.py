"""A first plan without a solver: units choose one after another, the most rewarding move first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.tasks import ranking, signed
from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.planning.company import Company
    from marchtable.planning.moves import Move
    from marchtable.rules.plan_model import Score
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal

__all__ = ["greedy"]


def greedy(
    company: Company, options: Iterable[tuple[Move, Score]], goal: Goal
) -> tuple[Action, ...]:
    """
    Return a plan in which each unit in turn takes the best option still available.

    Units with the most to gain over staying go first. Musts count before everything else.
    """
    ranked: dict[
        str, list[Move]
    ] = {}  # the best option of each first; units with better ones first
    for option, _ in sorted(options, key=lambda pair: _rank(pair[0], pair[1], goal), reverse=True):
        ranked.setdefault(option.unit, []).append(option)
    position = company.position
    log: tuple[Action, ...] = ()
    for unit, some in ranked.items():
        ways = None
        for option in some:
            if option.end is None:
                break
            ways = company.ways(position, unit) if ways is None else ways
            found = ways.get(option.end, ())
            done = company.played(position, found[0].actions) if found else None
            if done is not None:
                position, log = done[0], log + done[1]
                break
    return log


def _rank(option: Move, score: Score, goal: Goal) -> tuple[int, ...]:
    """Return an option's rank, larger is better; ordered criteria all count in the end."""
    ties = () if goal.weights else (signed(name, score[name]) for name in CRITERIA)
    return (option.needed, *(-rank for rank in ranking(goal, score)), *ties)
