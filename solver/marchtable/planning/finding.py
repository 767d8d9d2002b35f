"""Which models plan for a goal: the one that is named, else all that the rulebook has in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.budget import heeding
from marchtable.errors import BadInputError
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.budget import Budget
    from marchtable.rules.plan_model import PlanModel, Rolls
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["may_be_more", "models_for", "models_in_time"]


def models_in_time(
    position: Position[Any, Any], goal: Goal, *, space: str | None, rolls: Rolls, budget: Budget
) -> Iterator[PlanModel]:
    """Yield :func:`models_for` while there is time to make them; at least that of units moving alone."""
    from marchtable.planning.alone import AloneModel

    models = models_for(position, goal, space=space, rolls=rolls)
    count = 0
    while count == 0 or not budget.is_over:
        model = None
        with heeding(budget.stop):
            model = next(models, None)
        if model is None:
            break
        count += 1
        yield model
    if count == 0:
        yield AloneModel(position, goal, rolls)


def may_be_more(
    position: Position[Any, Any], last: str, *, space: str | None, budget: Budget
) -> bool:
    """Return whether a limit, or a stop, may have kept spaces after the last one from being searched."""
    from marchtable.planning.alone import NAME

    rulebook = find_rulebook(position.rulebook)
    several = len(rulebook.fit_for) > 1 or not rulebook.covers_alone
    return space is None and budget.is_over and several and last != NAME


def models_for(
    position: Position[Any, Any], goal: Goal, *, space: str | None, rolls: Rolls
) -> Iterator[PlanModel]:
    """
    Yield the model of that name, by default all, the fittest first: where it knows no plan, others may.

    Raises
    ------
    BadInputError
        If there is no such model.
    """
    from marchtable.planning.alone import NAME, AloneModel

    if position.pending:
        waiting = ", ".join(o.id for o in position.pending)
        raise BadInputError(f"expected no roll to be pending: settle {waiting} first")
    rulebook = find_rulebook(position.rulebook)
    names = []
    if space != NAME:
        for model in rulebook.plan_models(position, goal, rolls):
            if space in (None, model.name):
                yield model
                if space is not None:
                    return
            names.append(model.name)
    if space not in (None, NAME):
        barred = rulebook.barred_models(position, goal, rolls)
        named = next((model for model in barred if model.name == space), None)
        if named is None:
            told = _unfit(rulebook, [*names, NAME], str(space))
            why = rulebook.unfit(position, goal, str(space))
            raise BadInputError(f"{told}; here {why}" if why else told, field="space")
        yield named
        return
    if space == NAME or not rulebook.covers_alone:
        yield AloneModel(position, goal, rolls)


def _unfit(rulebook: Rulebook[Any, Any], names: list[str], space: str) -> str:
    """Return what is said of a space that is none for a goal."""
    told = rulebook.fit_for.get(space)
    only = f", which is for {told}" if told else ""
    return f"expected one of {', '.join(names)}, got {space!r}{only}"
