"""Casualty choice by CP-SAT: the best plan, and every allocation, beside the tables' answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.cpsat import Status, Stop, enumerate_all, solve
from marchtable.errors import BadInputError, InternalError
from marchtable_models.valor.allocating.groups import groups_of, options
from marchtable_models.valor.allocating.listing import allocation_of
from marchtable_models.valor.allocating.plan import Advice
from marchtable_models.valor.allocating.reference import in_order, plan_fault
from marchtable_models.valor.allocating.stack import DEFAULTS
from marchtable_models.valor.allocating.course import Course
from marchtable_models.valor.allocating.values import Values, fixed_value, valued
from marchtable_models.valor.cpsat.ending import Ending
from marchtable_models.valor.cpsat.tree import Tree

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    from marchtable_models.valor.allocating.stack import Allocation, Choices, Stack

__all__ = ["allocations_by_cpsat", "best_by_cpsat", "enumeration_model"]

LIMIT = 60.0
USUAL = Values()


def _checked(points: int, choices: Choices) -> None:
    if type(points) is not int or points < 1:
        raise BadInputError(f"expected 1 or more Casualty Points, got {points!r}", field="points")
    if not choices.is_tabled:
        raise BadInputError("expected readings that leave the closed form as it is (see Choices)")


def best_by_cpsat(
    stack: Stack,
    points: int,
    values: Values = USUAL,
    choices: Choices = DEFAULTS,
    *,
    limit: float = LIMIT,
    stop: Stop | None = None,
) -> tuple[Status, Advice | None]:
    """
    Return the status and the best plan found, without a runner-up.

    Values are counted in whole units: ``Advice.scale`` of them make the value 1. Every plan is
    replayed through the legality of single steps before it is returned.

    Parameters
    ----------
    limit
        Deterministic time.

    Raises
    ------
    InternalError
        If the plan is illegal, or if there should be none: a bug of ours.
    """
    from ortools.sat.python import cp_model

    _checked(points, choices)
    whole, scale = valued(stack, values)
    model = cp_model.CpModel()
    tree = Tree(model, whole, points, choices, scale)
    outcome = solve(model, "knapsack", limit=limit, stop=stop)
    if outcome.status is Status.IMPOSSIBLE:
        raise InternalError("CP-SAT finds no allocation: there is always one")
    if outcome.objective is None:
        return outcome.status, None
    value = outcome.objective + fixed_value(whole, scale) * tree.finest
    plan = tree.plan(outcome.solver, value)
    fault = plan_fault(whole, points, plan, choices)
    if fault:
        raise InternalError(f"CP-SAT's plan is illegal: {fault}")
    return outcome.status, Advice(plan, value, scale.one * tree.finest)


def enumeration_model(
    stack: Stack, points: int, choices: Choices = DEFAULTS
) -> tuple[cp_model.CpModel, Ending]:
    """Return the model whose solutions are the final allocations, identical units told apart."""
    from ortools.sat.python import cp_model

    _checked(points, choices)
    model = cp_model.CpModel()
    first, last = (
        [options(group, choices) for group, names in classes for _ in names]
        for classes in groups_of(stack)
    )
    return model, Ending(model, first, last, points)


def allocations_by_cpsat(
    stack: Stack,
    points: int,
    choices: Choices = DEFAULTS,
    *,
    limit: float = LIMIT,
    stop: Stop | None = None,
) -> tuple[Status, list[Allocation]]:
    """
    Return the status and the final allocations found, identical units told apart.

    Identical Passengers of one vehicle are still taken as one. Each is replayed before it is
    returned; ``FEASIBLE`` means that the run ended before all were found.
    """
    model, ending = enumeration_model(stack, points, choices)
    offers = (*ending.first, *ending.last)
    literals = [x for group in offers for x, _ in group]
    status, found = enumerate_all(model, literals, limit=limit, stop=stop)
    copies = [(g, ids) for classes in groups_of(stack) for g, names in classes for ids in names]
    course = Course(stack, points, choices)
    allocations = []
    for values in found:
        flags = iter(values)
        chosen = tuple(
            (group, (ids,), tuple(option for _, option in choice if next(flags)))
            for (group, ids), choice in zip(copies, offers, strict=True)
        )
        allocation = allocation_of(stack, chosen)
        if in_order(course, course.start(), allocation.losses) is None:
            raise InternalError(f"CP-SAT's allocation is illegal: {allocation.losses}")
        allocations.append(allocation)
    return status, allocations
