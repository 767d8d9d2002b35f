"""A model with scripted proposals, to test how the planner handles them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ortools.sat.python import cp_model

from marchtable.cpsat.harness import solve
from marchtable.rules.plan_model import PlanSpace, Proposal
from marchtable.state.action import Settle
from marchtable.state.goal import Aim, Goal
from tests.toy_scene import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from marchtable.rules.plan_model import Control, Reason, Task, Unsettled
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action

__all__ = [
    "BOTH", "CROWDED", "GOAL", "ILLEGAL", "MUD", "OVER", "POINTS", "RED", "Scripted", "best",
    "by_solving",
]  # fmt: skip


OVER = (walk("w0", "B1"),)
MUD = (walk("w1", "A2"), Settle("mud:w1", "through"))
BOTH = (*OVER, *MUD)
ILLEGAL = (walk("w0 w1", "B1"),)
RED = Aim(side="red", at=("B1", "A2"))
GOAL = Goal(aims=(RED,), order=("value",))
CROWDED = Goal(aims=(Aim(side="red", at=("B1",), must="all"),))
POINTS = Goal(aims=(RED,), order=("value", "points"))


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
    tasks, rejected, different
        What it was asked for, and which logs it was asked never to propose again, or to differ from.
    """

    def __init__(
        self,
        *proposals: Proposal | Callable[[Task, Control], Proposal],
        quick: Iterable[tuple[Action, ...]] = (),
    ) -> None:
        self._proposals, self._quick = list(proposals), quick
        self.tasks: list[Task] = []
        self.rejected: list[tuple[Action, ...]] = []
        self.different: list[tuple[Action, ...]] = []
        self.name = "scripted"
        self.unsettled: Unsettled = "others"
        self.is_by_policy = False
        self.space = PlanSpace(name="scripted", verbs=("walk",), movers=("w0", "w1"), policy=())

    def quick(self) -> Iterable[tuple[Action, ...]]:
        """Return the scripted result."""
        return self._quick

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the next proposal, or none once all are used up."""
        self.tasks.append(task)
        if not self._proposals:
            return Proposal("IMPOSSIBLE", None, None)
        following = self._proposals.pop(0)
        return following if isinstance(following, Proposal) else following(task, control)

    def reject(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Record it."""
        self.rejected.append(log)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Record it."""
        self.different.append(log)

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return nothing."""
        return None


def best(log: tuple[Action, ...] | None, bound: int | None) -> Proposal:
    """Return a log's proposal as the best, with its claim."""
    return Proposal("OPTIMAL", log, bound)


def by_solving(task: Task, control: Control) -> Proposal:
    """Propose a log that CP-SAT claims to be optimal."""
    assert task.weights
    assert control.left() > 0
    model = cp_model.CpModel()
    model.maximize(model.new_int_var(0, 1, ""))
    return best(OVER, solve(model, "logic").bound)
