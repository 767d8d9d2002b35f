"""The choice of models for a goal: the named one, or all of the rulebook's in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.budget import Budget, budget_scope, heeding
from marchtable.errors import BadInputError
from marchtable.nearest import one_of
from marchtable.rules.plan_hooks import PlanningSpace
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from marchtable.rules.plan_model import PlanModel, Rolls
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["contained_in", "may_be_more", "models_for", "models_in_time"]

AT_ONCE = 0.5
"""Deterministic time for making the first model, however small a limit is."""


def models_in_time(
    position: Position[Any, Any], goal: Goal, *, space: str | None, rolls: Rolls, budget: Budget,
    contained: bool = False,
) -> Iterator[PlanModel]:  # fmt: skip
    """
    Yield :func:`models_for` while there is time by the clock to make them.

    Yields at least one, if necessary that of units moving alone.
    """
    from marchtable.planning.alone import AloneModel

    models = models_for(position, goal, space=space, rolls=rolls, contained=contained)
    count = 0
    while count == 0 or not budget.is_late:
        model, least = None, 0.0 if count else AT_ONCE
        making = Budget(max(budget.left(), least), budget.stop)
        with heeding(budget.stop), budget_scope(making):
            model = next(models, None)
        budget.spend(making.used)
        if model is None:
            break
        count += 1
        yield model
    if count == 0:
        yield AloneModel(position, goal, rolls)


def may_be_more(
    position: Position[Any, Any], last: str, *, space: str | None, budget: Budget
) -> bool:
    """Return whether a limit or a stop may have kept later spaces from being searched."""
    from marchtable.planning.alone import NAME

    rulebook = find_rulebook(position.rulebook)
    several = len(rulebook.spaces) > 1 or not _covers_alone(rulebook)
    return space is None and budget.is_over and several and last != NAME


def contained_in(position: Position[Any, Any], space: str) -> Collection[str]:
    """Return the spaces whose plans a space includes."""
    return find_rulebook(position.rulebook).spaces.get(space, PlanningSpace()).contains


def _covers_alone(rulebook: Rulebook[Any, Any]) -> bool:
    """Return whether one of the rulebook's own spaces has the plans of units that move alone as well."""
    from marchtable.planning.alone import NAME

    return any(NAME in space.contains for space in rulebook.spaces.values())


def models_for(
    position: Position[Any, Any], goal: Goal, *, space: str | None, rolls: Rolls,
    contained: bool = False,
) -> Iterator[PlanModel]:  # fmt: skip
    """
    Yield the named model, or all models, the fittest first; later ones may know plans it does not.

    Parameters
    ----------
    contained
        Yield first the models of the spaces that the named one contains.

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
    names: list[str] = []
    inner: list[PlanModel] = []
    if space != NAME:
        for model in rulebook.plan_models(position, goal, rolls):
            if space in (None, model.name):
                yield from inner
                yield model
                if space is not None:
                    return
            elif contained and model.name in contained_in(position, space):
                inner.append(model)  # searched only if the named space fits
            names.append(model.name)
    if space not in (None, NAME):
        barred = rulebook.barred_models(position, goal, rolls)
        named = next((model for model in barred if model.name == space), None)
        if named is None:
            message = _unfit(rulebook, [*names, NAME], str(space))
            why = rulebook.spaces.get(str(space), PlanningSpace()).unfit(rulebook, position, goal)
            raise BadInputError(f"{message}; here {why}" if why else message, field="space")
        yield named
        return
    if space == NAME or not _covers_alone(rulebook):
        yield AloneModel(position, goal, rolls)


def _unfit(rulebook: Rulebook[Any, Any], names: list[str], space: str) -> str:
    """Return the message for a space that does not fit a goal."""
    purpose = rulebook.spaces.get(space, PlanningSpace()).purpose
    only = f", which is for {purpose}" if purpose else ""
    return f"{one_of(names, space)}{only}"
