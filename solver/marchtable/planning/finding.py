"""Which model plans for a goal: the one that is named, else the fittest that the rulebook has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.budget import OverLimit
from marchtable.errors import BadInputError
from marchtable.rulebook import find_rulebook

if TYPE_CHECKING:
    from marchtable.budget import Budget
    from marchtable.planning.goal import Goal
    from marchtable.planning.model import PlanModel, Rolls
    from marchtable.position import Position

__all__ = ["model_for", "model_in_time"]


def model_in_time(
    position: Position[Any, Any], goal: Goal, *, space: str | None, rolls: Rolls, budget: Budget
) -> PlanModel:
    """Return :func:`model_for`; where there is no time left to make it that of units moving alone."""
    from marchtable.planning.alone import AloneModel

    try:
        return model_for(position, goal, space=space, rolls=rolls)
    except OverLimit:
        pass
    except KeyboardInterrupt:
        budget.stop.request()
    return AloneModel(position, goal, rolls)


def model_for(
    position: Position[Any, Any], goal: Goal, *, space: str | None, rolls: Rolls
) -> PlanModel:
    """Return the model of that name, by default the fittest; raises BadInputError for no such."""
    from marchtable.planning.alone import NAME, AloneModel

    if position.pending:
        waiting = ", ".join(o.id for o in position.pending)
        raise BadInputError(f"expected no roll to be pending: settle {waiting} first")
    rulebook = find_rulebook(position.rulebook)
    if space == NAME:
        return AloneModel(position, goal, rolls)
    names = []
    for model in rulebook.plan_models(position, goal, rolls):
        if space in (None, model.name):
            return model
        names.append(model.name)
    if space is not None:
        names.append(NAME)
        raise BadInputError(f"expected one of {', '.join(names)}, got {space!r}", field="space")
    return AloneModel(position, goal, rolls)
