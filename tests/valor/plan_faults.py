"""Checks that a plan can be carried out step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.valor.allocation.course import Course, LossStep, in_order
from marchtable_models.valor.allocation.stack import DEFAULTS, Choices, Stack

if TYPE_CHECKING:
    from marchtable_models.valor.allocation.course import State
    from marchtable_models.valor.allocation.rolls import LossPlan

__all__ = ["plan_fault"]


def plan_fault(stack: Stack, points: int, plan: LossPlan, choices: Choices = DEFAULTS) -> str:
    """Return the error in a plan, or an empty string if every step of it is legal."""
    course = Course(stack, points, choices)
    return _fault(course, course.start(), plan)


def _fault(course: Course, state: State, plan: LossPlan) -> str:
    found = in_order(course, state, plan.losses)
    if found is None:
        return f"no legal order leads to {plan.losses}"
    state, roll = found[1], plan.roll
    if roll is None:
        return "" if course.is_over(state) else f"points are left after {plan.losses}"
    if roll.ignores:
        step = LossStep(roll.unit, "ignore")
        if course.barred(state, step):
            return f"{roll.unit} cannot ignore a point"
        state = course.after(state, step)
    for verb, branch in (("survive", plan.survived), ("fail", plan.failed)):
        step = LossStep(roll.unit, verb, roll.points)  # type: ignore[arg-type] # of these two
        clause = course.barred(state, step)
        if bool(clause) != (branch is None):
            return ", ".join(clause) or f"{step} has no branch"
        fault = "" if branch is None else _fault(course, course.after(state, step), branch)
        if fault:
            return fault
    return ""
