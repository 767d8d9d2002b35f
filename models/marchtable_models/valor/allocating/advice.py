"""The plan of the greatest expected value, from tables or, under unusual readings, by search."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from marchtable_models.valor.allocating.cargo import Fate
from marchtable_models.valor.allocating.openings import openings
from marchtable_models.valor.allocating.plan import Advice
from marchtable_models.valor.allocating.planner import Planner
from marchtable_models.valor.allocating.search import Search
from marchtable_models.valor.allocating.state import DIE
from marchtable_models.valor.allocating.values import valued
from marchtable_models.valor.allocating.writing import write

if TYPE_CHECKING:
    from marchtable_models.valor.allocating.stack import Choices, Loss, Stack
    from marchtable_models.valor.allocating.values import Scale, Values

__all__ = ["advise", "best_value", "search", "value_of"]


def advise(stack: Stack, points: int, values: Values, choices: Choices) -> Advice:
    """Return the best plan and the runner-up."""
    if not points or not choices.is_tabled:
        return search(stack, points, values, choices)
    planner = Planner(stack, points, values, choices)
    plans = [write(planner, opening) for opening in openings(planner)]
    scale = planner.scale.one * int(DIE ** len(planner.rollers))
    runner_up = plans[1] if len(plans) > 1 else None
    cost = None if runner_up is None else plans[0].value - runner_up.value
    return Advice(plans[0], plans[0].value, scale, runner_up, cost)


def best_value(stack: Stack, points: int, values: Values, choices: Choices) -> Fraction:
    """Return what the stack is worth at best, without writing out how."""
    if not points:
        whole, scale = valued(stack, values)
        return Fraction(value_of(whole, (), scale), scale.one)
    if not choices.is_tabled:
        found = search(stack, points, values, choices)
        return Fraction(found.value, found.scale)
    planner = Planner(stack, points, values, choices)
    finer: int = DIE ** len(planner.rollers)
    value = openings(planner)[0].value + planner.fixed * finer
    return Fraction(value, planner.scale.one * finer)


def search(stack: Stack, points: int, values: Values, choices: Choices) -> Advice:
    """Return the same as :func:`advise`, by trying every single application of points."""
    whole, scale = valued(stack, values)

    def worth(losses: tuple[Loss, ...]) -> Fraction:
        return Fraction(value_of(whole, losses, scale), scale.one)

    rolls = sum(m.kind in ("vehicle", "gun") for m in stack.members)
    found = Search(whole, points, worth, choices, rolls_first=choices.is_tabled)
    return found.advice(scale.one * int(DIE**rolls))


def value_of(whole: Stack, losses: tuple[Loss, ...], scale: Scale) -> int:
    """Return what is left worth after some losses; worths must be whole."""
    fates = {loss.unit: Fate(loss.result, loss.points) for loss in losses}
    return sum(
        scale.unit(m, fates.get(m.id, Fate()), was_pinned=whole.is_pinned(m)) for m in whole.members
    )
