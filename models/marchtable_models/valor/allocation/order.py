"""Legal steps, in order, that lead to given losses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from marchtable.budget import OverLimit, look
from marchtable_models.valor.allocation.options import figures_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable_models.valor.allocation.course import Course, State, Step, Verb
    from marchtable_models.valor.allocation.stack import Loss

__all__ = ["STRAIGHT", "in_order"]

STRAIGHT: dict[str, tuple[Verb, ...]] = {
    "unharmed": (),
    "ignored": ("ignore",),
    "pinned": ("pin",),
    "reduced": ("reduce",),
    "reduced, pinned": ("reduce", "pin"),
    "survived": ("survive",),
    "eliminated": ("eliminate", "fail"),
}
"""The steps that lead to a result; a point may be ignored first, and who is eliminated be hit before."""


def in_order(
    course: Course,
    state: State,
    losses: tuple[Loss, ...],
    *,
    ends: bool = False,
    most: float = math.inf,
) -> tuple[list[Step], State] | None:
    """
    Return legal steps that lead from a state to exactly these losses, and the state then.

    None if there is no such order, or if it does not end the attack though it should (``ends``).
    Losses already suffered in ``state`` must be among them. The likeliest order is tried first,
    then every other; of units alike, bound for the same loss, the first suffers first. Raises
    OverLimit where ``most`` states do not suffice.
    """
    points = sum(loss.points for loss in losses)
    wanted = {loss.unit: loss for loss in losses}
    futile: set[State] = set()

    def onward(here: State) -> tuple[list[Step], State] | None:
        if course.points - here.owed == points:  # no step is free
            is_there = course.losses(here) == losses and (not ends or course.is_over(here))
            return ([], here) if is_there else None
        look()
        if len(futile) >= most:
            raise OverLimit
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
    stack, tried = course.stack, set()
    for step in course.candidates(state, wanted):
        goal, mark = wanted[step.unit], course.mark(state, step.unit)
        if (goal.result, goal.points) == (mark.result, mark.points):
            continue
        if step.verb not in ("ignore", *STRAIGHT[goal.result]) and goal.result != "eliminated":
            continue
        member = stack.by_id[step.unit]
        if member.aboard is None and step.unit not in stack.cargo:
            alike = figures_of(member), member.pinned, mark, goal.result, goal.points, step[1:]
            if state.pending != step.unit and alike in tried:
                continue
            tried.add(alike)
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
