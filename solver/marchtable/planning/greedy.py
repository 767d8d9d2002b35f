"""A first plan without a solver: units choose one after another, the most rewarding move first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.planning.company import Company, Cost
    from marchtable.rules.plan_model import Score
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal

__all__ = ["Move", "greedy"]


class Move(NamedTuple):
    """
    One thing a unit may do.

    Parameters
    ----------
    unit, aboard
        Who, and who moves with it.
    at
        Where it ends, None if it stays.
    cost
        The least it costs.
    value, distance, moved
        What that adds to these criteria.
    meets
        Numbers of the aims for which it puts a unit where it has to be, once for each unit.
    heads
        How many of the plan's movers go, each of whom is exposed.
    """

    unit: str
    aboard: tuple[str, ...]
    at: str | None
    cost: Cost
    value: int
    distance: int
    moved: int
    meets: tuple[int, ...]
    heads: int

    @property
    def units(self) -> tuple[str, ...]:
        """All whose fate it settles."""
        return (self.unit, *self.aboard)

    @property
    def acts(self) -> int:
        """Whether it moves."""
        return int(self.at is not None)

    @property
    def points(self) -> int:
        """What it spends, in half points."""
        return self.cost.points

    @property
    def exposure(self) -> int:
        """The threat met by all who go."""
        return self.cost.exposure * self.heads

    @property
    def score(self) -> Score:
        """What it adds to each criterion."""
        counted: Score = {"exposure": self.exposure, "points": self.points}
        return {"value": self.value, "distance": self.distance, "moved": self.moved, **counted}


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
            if option.at is None:
                break
            ways = company.ways(position, unit) if ways is None else ways
            found = ways.get(option.at, ())
            done = company.played(position, found[0].actions) if found else None
            if done is not None:
                position, log = done[0], log + done[1]
                break
    return log


def _rank(option: Move, goal: Goal) -> tuple[int, ...]:
    worth = {name: gain if name == "value" else -gain for name, gain in option.score.items()}
    needed = sum(goal.aims[aim].must is not None for aim in option.meets)
    if goal.weights:
        halves = {name: gain * (1 if name == "points" else 2) for name, gain in worth.items()}
        return (needed, sum(weight * halves[name] for name, weight in goal.weights.items()))
    return (needed, *(worth[name] for name in goal.order), *(worth[name] for name in CRITERIA))
