"""Steps in order: every sequence of them walked, one judged, or one found that leads to given losses.

:func:`brute_force` answers for readings under which :mod:`.fold` does not hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.errors import UnknownNameError
from marchtable_models.valor.allocation.course import Course, Step
from marchtable_models.valor.facts.stack import DEFAULTS, Allocation, Loss

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable_models.valor.allocation.course import State
    from marchtable_models.valor.facts.stack import Choices, Stack

__all__ = ["brute_force", "in_order", "replay"]


def replay(
    stack: Stack, points: int, steps: Sequence[Step], choices: Choices = DEFAULTS
) -> tuple[Allocation | None, tuple[str, ...], int]:
    """
    Apply steps in order and judge them.

    Returns
    -------
    tuple
        The allocation that they end in, if they are all legal and leave nothing to do; otherwise
        None, the clauses broken, and the step (from 0; one past the last if points are left).

    Raises
    ------
    UnknownNameError
        If a step names no unit of the stack.
    """
    course = Course(stack, points, choices)
    state = course.start()
    for i, step in enumerate(steps):
        if step.unit not in stack.by_id:
            raise UnknownNameError(f"no unit {step.unit!r} in the stack", field=f"steps[{i}]")
        if broken := course.barred(state, step):
            return None, broken, i
        state = course.after(state, step)
    if not course.is_over(state):
        return None, ("V14.61d",), len(steps)
    losses = course.losses(state)
    return Allocation(losses, sum(loss.points for loss in losses)), (), len(steps)


def brute_force(stack: Stack, points: int, choices: Choices = DEFAULTS) -> tuple[Allocation, ...]:
    """
    Return every final allocation, identical units told apart, by trying every sequence.

    A state reached twice is walked once; nothing else is left out. For small stacks only.
    """
    course = Course(stack, points, choices)
    found: dict[tuple[Loss, ...], Allocation] = {}
    seen = {course.start()}
    todo = list(seen)
    while todo:
        state = todo.pop()
        if course.is_over(state):
            losses = course.losses(state)
            found[losses] = Allocation(losses, sum(loss.points for loss in losses))
            continue
        for step in course.steps(state):
            after = course.after(state, step)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return tuple(found[losses] for losses in sorted(found))


def in_order(
    course: Course, state: State, losses: tuple[Loss, ...]
) -> tuple[list[Step], State] | None:
    """
    Return legal steps that lead from a state to exactly these losses, and the state then.

    None if there is no such order. Losses already suffered in ``state`` must be among them. The
    likeliest order is tried first, then every other.
    """
    wanted = {loss.unit: loss for loss in losses}
    begun, here = list[Step](), state
    while True:
        if course.points - here.owed == sum(loss.points for loss in losses):  # no step is free
            if course.losses(here) == losses:
                return begun, here
            break
        step = next(_towards(course, here, wanted), None)
        if step is None:
            break
        here = course.after(here, step)
        if not _suits(course, here, step, wanted[step.unit]):
            break
        begun.append(step)
    return _search(course, state, losses, wanted)


def _search(
    course: Course, state: State, losses: tuple[Loss, ...], wanted: dict[str, Loss]
) -> tuple[list[Step], State] | None:
    """Return the same, from all orders."""
    if course.points - state.owed == sum(loss.points for loss in losses):
        return ([], state) if course.losses(state) == losses else None
    for step in _towards(course, state, wanted):
        after = course.after(state, step)
        if _suits(course, after, step, wanted[step.unit]):
            rest = _search(course, after, losses, wanted)
            if rest is not None:
                return [step, *rest[0]], rest[1]
    return None


def _towards(course: Course, state: State, wanted: dict[str, Loss]) -> Iterator[Step]:
    """Yield the legal steps that may lead to some losses: pins and detours last, then by cost."""
    found: list[tuple[bool, int, int, Step]] = []
    for unit in course.ids:
        goal, mark = wanted.get(unit), course.mark(state, unit)
        if goal is None or (goal.result, goal.points) == (mark.result, mark.points):
            continue
        missing = goal.points - mark.points
        for step in _steps_to(course, state, goal, missing):
            late, cost = step.verb == "pin", missing
            if step.verb == "ignore":
                late = goal.result in ("pinned", "ignored", "survived")
                cost = missing - 1 or course.points  # with nothing after it, it is the very last
            elif step.verb == "reduce":
                late = goal.result == "eliminated"
            found.append((late, cost, len(found), step))
    found.sort()
    for *_, step in found:
        if not course.barred(state, step):
            yield step


def _steps_to(course: Course, state: State, goal: Loss, missing: int) -> Iterator[Step]:
    """Yield the steps that may lead one unit to what befalls it, legal or not."""
    member, choices = course.stack.by_id[goal.unit], course.choices
    lost, pin = member.cr - (member.cr_half or 0), int(member.aboard is None)
    plain = {"pinned": pin, "reduced": lost, "reduced, pinned": lost + pin, "eliminated": member.cr}
    if member.shield and goal.points != plain.get(goal.result):
        yield Step(goal.unit, "ignore")
    if goal.result == "eliminated":
        yield Step(goal.unit, "eliminate")
        if member.kind != "infantry":
            most = missing if choices.failed_roll == "applied" else member.cr
            yield from (Step(goal.unit, "fail", k) for k in range(min(most, state.owed), 1, -1))
    cut = goal.result.startswith("reduced") or goal.result == "eliminated"  # lost once reduced, too
    if member.cr_half is not None and cut:
        yield Step(goal.unit, "reduce")
    may_be_lost = goal.result == "eliminated" and choices.newly_pinned == "allowed"
    if may_be_lost or goal.result in ("pinned", "reduced, pinned"):
        yield Step(goal.unit, "pin")
    if goal.result == "survived":
        yield Step(goal.unit, "survive", missing)
    elif may_be_lost:
        yield Step(goal.unit, "survive", missing - member.cr)


def _suits(course: Course, state: State, step: Step, goal: Loss) -> bool:
    """Return whether a unit that a step has hit can still come to the loss wanted."""
    mark = course.mark(state, step.unit)
    if step.verb in ("ignore", "reduce") or goal.result == "eliminated" != mark.result:
        return mark.points <= goal.points
    return (mark.result, mark.points) == (goal.result, goal.points)
