"""Steps in order: a sequence judged, or one found that leads to given losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.errors import UnknownNameError
from marchtable_models.valor.allocation.course import VERBS, Course, Step
from marchtable_models.valor.facts.stack import DEFAULTS, Allocation, Loss

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable_models.valor.allocation.course import State, Verb
    from marchtable_models.valor.facts.stack import Choices, Stack

__all__ = ["in_order", "replay"]

TOWARDS: dict[str, tuple[Verb, ...]] = {
    "ignored": ("ignore",),
    "pinned": ("ignore", "pin"),
    "reduced": ("ignore", "reduce"),
    "reduced, pinned": ("ignore", "reduce", "pin"),
    "survived": ("ignore", "survive"),
    "eliminated": VERBS,
}
"""The steps that may lead to a result."""


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


def in_order(
    course: Course, state: State, losses: tuple[Loss, ...]
) -> tuple[list[Step], State] | None:
    """
    Return legal steps that lead from a state to exactly these losses, and the state then.

    None if there is no such order. Losses already suffered in ``state`` must be among them. The
    likeliest order is tried first, then every other.
    """
    points = sum(loss.points for loss in losses)
    wanted = {loss.unit: loss for loss in losses}
    futile: set[State] = set()

    def onward(here: State) -> tuple[list[Step], State] | None:
        if course.points - here.owed == points:  # no step is free
            return ([], here) if course.losses(here) == losses else None
        futile.add(here)
        for step in _towards(course, here, wanted):
            after = course.after(here, step)
            if after not in futile and _suits(course, after, step, wanted[step.unit]):
                rest = onward(after)
                if rest is not None:
                    return [step, *rest[0]], rest[1]
        return None

    return onward(state)


def _towards(course: Course, state: State, wanted: dict[str, Loss]) -> Iterator[Step]:
    """Yield the legal steps that may lead to some losses: pins and detours last, then by cost."""
    found: list[tuple[bool, int, bool, int, int, Step]] = []
    for step in course.candidates(state):
        goal, mark = wanted.get(step.unit), course.mark(state, step.unit)
        if goal is None or (goal.result, goal.points) == (mark.result, mark.points):
            continue
        if step.verb not in TOWARDS[goal.result]:
            continue
        late, cost = step.verb == "pin", goal.points - mark.points
        if step.verb == "ignore":
            late = goal.result in ("pinned", "ignored", "survived")
            cost = cost - 1 or course.points  # with nothing after it, it is the very last
        elif goal.result == "eliminated":
            late = step.verb not in ("eliminate", "fail")
        found.append((late, cost, step.verb == "fail", -step.points, len(found), step))
    found.sort()
    for *_, step in found:
        if not course.barred(state, step):
            yield step


def _suits(course: Course, state: State, step: Step, goal: Loss) -> bool:
    """Return whether a unit that a step has hit can still come to the loss wanted."""
    mark = course.mark(state, step.unit)
    if step.verb in ("ignore", "reduce") or goal.result == "eliminated" != mark.result:
        return mark.points <= goal.points
    return (mark.result, mark.points) == (goal.result, goal.points)
