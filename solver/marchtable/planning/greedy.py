"""A first plan without a solver: units choose one after another, the most rewarding move first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.tasks import ranking, signed
from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.planning.company import Company
    from marchtable.planning.moves import Move
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal

__all__ = ["greedy"]


def greedy(
    company: Company, options: Mapping[str, Sequence[Move]], goal: Goal
) -> tuple[Action, ...]:
    """
    Return a plan in which each unit in turn takes the best option still open to it.

    Units with the most to gain over staying go first. Musts count before everything else.
    """
    ranked = {
        unit: sorted(some, key=lambda option: _rank(option, goal), reverse=True)
        for unit, some in options.items()
    }
    order = sorted(
        ranked, key=lambda unit: _rank(ranked[unit][0], goal), reverse=True
    )  # fmt: skip
    position = company.position
    log: tuple[Action, ...] = ()
    for unit in order:
        ways = None
        for option in ranked[unit]:
            if option.end is None:
                break
            ways = company.ways(position, unit) if ways is None else ways
            found = ways.get(option.end, ())
            done = company.played(position, found[0].actions) if found else None
            if done is not None:
                position, log = done[0], log + done[1]
                break
    return log


def _rank(option: Move, goal: Goal) -> tuple[int, ...]:
    """Return how an option ranks, the best most; where criteria come in order, by all of them at last."""
    score = option.score
    ties = () if goal.weights else (signed(name, score[name]) for name in CRITERIA)
    return (option.needed, *(-rank for rank in ranking(goal, score)), *ties)
