"""Everything tried: allocations by walking every sequence of single applications of points.

:func:`brute_force` answers for readings that the tables of :mod:`.allocation_groups` do not cover,
and everything else is held against it; :func:`replay` judges an allocation and its order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.valor.allocation_stack import DEFAULTS, Allocation, Loss
from marchtable_models.valor.allocation_steps import Application

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable_models.valor.allocation_stack import Choices, Stack
    from marchtable_models.valor.allocation_state import Step

__all__ = ["brute_force", "replay"]


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
    """
    application = Application(stack, points, choices)
    state = application.start()
    for i, step in enumerate(steps):
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
