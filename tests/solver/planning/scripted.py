"""A model that proposes what a test says so to, to see what the planner makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.plan_model import PlanSpace, Proposal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from marchtable.rules.plan_model import Control, Reason, Task, Unsettled
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action

__all__ = ["Scripted"]


class Scripted:
    """
    A model of the space "scripted".

    Parameters
    ----------
    proposals
        What it answers, one after another: proposals, or functions that make one.
    quick
        What it finds without a solver.

    Attributes
    ----------
    tasks, refused, different
        What it was asked for, and which logs it was asked never to propose again, or to differ from.
    """

    def __init__(
        self,
        *proposals: Proposal | Callable[[Task, Control], Proposal],
        quick: Iterable[tuple[Action, ...]] = (),
    ) -> None:
        self._proposals, self._quick = list(proposals), quick
        self.tasks: list[Task] = []
        self.refused: list[tuple[Action, ...]] = []
        self.different: list[tuple[Action, ...]] = []
        self.name = "scripted"
        self.unsettled: Unsettled = "others"
        self.is_by_policy = False
        self.space = PlanSpace(name="scripted", verbs=("walk",), movers=("w0", "w1"), policy=())

    def quick(self) -> Iterable[tuple[Action, ...]]:
        """Return what it was asked to."""
        return self._quick

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the next proposal; that there is none once all are used up."""
        self.tasks.append(task)
        if not self._proposals:
            return Proposal("IMPOSSIBLE", None, None)
        following = self._proposals.pop(0)
        return following if isinstance(following, Proposal) else following(task, control)

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Note it."""
        self.refused.append(log)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Note it."""
        self.different.append(log)

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return nothing."""
        return None
