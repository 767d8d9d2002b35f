"""Everything tried: allocations by walking every sequence of single applications of points.

:func:`brute_force` answers for readings that the tables of :mod:`.groups` do not cover,
and everything else is held against it; :func:`replay` judges an allocation and its order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.errors import UnknownNameError
from marchtable_models.valor.allocating.stack import DEFAULTS, Allocation, Loss
from marchtable_models.valor.allocating.state import Step
from marchtable_models.valor.allocating.steps import Application

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable_models.valor.allocating.plan import Plan
    from marchtable_models.valor.allocating.stack import Choices, Stack
    from marchtable_models.valor.allocating.state import State

__all__ = ["brute_force", "in_order", "plan_fault", "replay"]


def replay(
    stack: Stack, points: int, steps: Sequence[Step], choices: Choices = DEFAULTS
) -> tuple[Allocation | None, str, int]:
    """
    Apply steps in order and judge them.

    Returns
    -------
    tuple
        The allocation that they end in, if they are all legal and leave nothing to do; otherwise
        None, the clause broken, and the step (from 0; one past the last if points are left).

    Raises
    ------
    UnknownNameError
        If a step names no unit of the stack.
    """
    application = Application(stack, points, choices)
    state = application.start()
    for i, step in enumerate(steps):
        if step.unit not in stack.by_id:
            raise UnknownNameError(f"no unit {step.unit!r} in the stack", field=f"steps[{i}]")
        clause = application.barred(state, step)
        if clause:
            return None, clause, i
        state = application.after(state, step)
    if not application.is_over(state):
        return None, "V14.61d", len(steps)
    losses = application.losses(state)
    return Allocation(losses, sum(loss.points for loss in losses)), "", len(steps)


def brute_force(stack: Stack, points: int, choices: Choices = DEFAULTS) -> tuple[Allocation, ...]:
    """
    Return every final allocation, identical units told apart, by trying every sequence.

    A state reached twice is walked once; nothing else is left out. For small stacks only.
    """
    application = Application(stack, points, choices)
    found: dict[tuple[Loss, ...], Allocation] = {}
    seen = {application.start()}
    todo = list(seen)
    while todo:
        state = todo.pop()
        if application.is_over(state):
            losses = application.losses(state)
            found[losses] = Allocation(losses, sum(loss.points for loss in losses))
            continue
        for step in application.steps(state):
            after = application.after(state, step)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return tuple(found[losses] for losses in sorted(found))


def in_order(
    application: Application, state: State, losses: tuple[Loss, ...]
) -> tuple[list[Step], State] | None:
    """
    Return legal steps that lead from a state to exactly these losses, and the state then.

    None if there is no such order. Losses already suffered in ``state`` must be among them.
    """
    spent = application.points - state.owed
    if spent == sum(loss.points for loss in losses):  # no step is free
        return ([], state) if application.losses(state) == losses else None
    wanted = {loss.unit: loss for loss in losses}
    for step in _towards(application, state, wanted):
        after = application.after(state, step)
        if _suits(application, after, step, wanted[step.unit]):
            rest = in_order(application, after, losses)
            if rest is not None:
                return [step, *rest[0]], rest[1]
    return None


def _towards(application: Application, state: State, wanted: dict[str, Loss]) -> Iterator[Step]:
    """Yield the legal steps that may lead to some losses: pins and detours last, then by cost."""
    found: list[tuple[bool, int, int, Step]] = []
    for unit, mark in zip(application.ids, state.marks, strict=True):
        goal = wanted.get(unit)
        if goal is None or (goal.result, goal.points) == mark:
            continue
        for step in _steps_to(application, state, goal, goal.points - mark.points):
            late = step.verb == "pin" or (step.verb == "reduce" and goal.result == "eliminated")
            found.append((late, application.cost(state, step), len(found), step))
    found.sort()
    for *_, step in found:
        if not application.barred(state, step):
            yield step


def _steps_to(application: Application, state: State, goal: Loss, missing: int) -> Iterator[Step]:
    """Yield the steps that may lead one unit to what befalls it, legal or not."""
    member, choices = application.stack.by_id[goal.unit], application.choices
    if member.shield:
        yield Step(goal.unit, "ignore")
    if goal.result == "eliminated":
        yield Step(goal.unit, "eliminate")
        if member.kind != "infantry":
            most = missing if choices.failed_roll == "applied" else member.cr
            yield from (Step(goal.unit, "fail", k) for k in range(min(most, state.owed), 1, -1))
    if member.cr_half is not None and goal.result != "pinned":  # it may be lost once it is reduced
        yield Step(goal.unit, "reduce")
    may_be_lost = goal.result == "eliminated" and choices.newly_pinned == "allowed"
    if may_be_lost or goal.result in ("pinned", "reduced, pinned"):
        yield Step(goal.unit, "pin")
    if goal.result == "survived":
        yield Step(goal.unit, "survive", missing)
    elif may_be_lost:
        yield Step(goal.unit, "survive", missing - member.cr)


def _suits(application: Application, state: State, step: Step, goal: Loss) -> bool:
    """Tell whether a unit that a step has hit can still come to the loss wanted."""
    mark = state.marks[application.ids.index(step.unit)]
    if step.verb in ("ignore", "reduce") or goal.result == "eliminated" != mark.result:
        return mark.points <= goal.points
    return (mark.result, mark.points) == (goal.result, goal.points)


def plan_fault(stack: Stack, points: int, plan: Plan, choices: Choices = DEFAULTS) -> str:
    """Return what is wrong with a plan, or an empty string if every step of it is legal."""
    application = Application(stack, points, choices)
    return _fault(application, application.start(), plan)


def _fault(application: Application, state: State, plan: Plan) -> str:
    found = in_order(application, state, plan.losses)
    if found is None:
        return f"no legal order leads to {plan.losses}"
    state, roll = found[1], plan.roll
    if roll is None:
        return "" if application.is_over(state) else f"points are left after {plan.losses}"
    if roll.ignores:
        step = Step(roll.unit, "ignore")
        if application.barred(state, step):
            return f"{roll.unit} cannot ignore a point"
        state = application.after(state, step)
    for verb, branch in (("survive", plan.survived), ("fail", plan.failed)):
        step = Step(roll.unit, verb, roll.points)  # type: ignore[arg-type] # of these two
        clause = application.barred(state, step)
        if bool(clause) != (branch is None):
            return clause or f"{step} has no branch"
        fault = (
            "" if branch is None else _fault(application, application.after(state, step), branch)
        )
        if fault:
            return fault
    return ""
