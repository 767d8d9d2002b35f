"""
The interface between the planner and a model of one kind of problem; rulebooks supply the models.

A model searches a *plan space* that it declares, and proposes logs. It is a relaxation of the
rules within that space: it must contain every plan that the referee accepts. The planner replays
each proposal (:mod:`marchtable.planning.loop`). It returns a rejected one to the model, which must
not propose it again, and searches on until a proposal is legal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import msgspec

from marchtable.state.goal import Criterion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from marchtable.cpsat.harness import Stop
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action

__all__ = [
    "Control", "NoConflict", "PlanModel", "PlanSpace", "Proposal", "Reason", "Score", "Task",
    "Unsettled",
]  # fmt: skip

Score = dict[Criterion, int]
"""A plan's result by criterion; points in half points."""

Rolls = Literal["pass", "avoid"]

Unsettled = Literal["limit", "stop", "others"]
"""A limit was reached; a stop was requested; the model cannot exclude that other units help."""

NoConflict = Literal["map", "space", "avoid", "limit", "unproved"]
"""
Why no clauses are named that forbid an impossible goal.

``map``: the map or the kind of plan forbids it even with every clause lifted that can be;
``space``: the space's policy excludes what the clauses allow; ``avoid``: the goal itself avoids
every Location that an aim demands; ``limit``: no set was found in time.
"""


class PlanSpace(msgspec.Struct, frozen=True, kw_only=True):
    """
    The set of plans to which OPTIMAL and IMPOSSIBLE refer.

    Parameters
    ----------
    name
        The model's name, such as ``"transport"``.
    verbs
        The actions in its plans.
    movers
        The units that can move.
    policy
        The form of its plans, in plain sentences.
    rolls
        ``pass`` assumes that rolls on the way succeed, ``avoid`` permits no plan with rolls.
    left_out
        Unmodelled clauses that apply to steps that might be useful: plans with such steps are not
        searched.
    """

    name: str
    verbs: tuple[str, ...]
    movers: tuple[str, ...]
    policy: tuple[str, ...]
    rolls: Rolls = "pass"
    left_out: tuple[str, ...] = ()


class Task(NamedTuple):
    """
    One optimisation: maximise the weighted sum within bounds.

    Parameters
    ----------
    weights
        By criterion, signed: positive for ``value``, negative for criteria to minimise.
    least, most
        Inclusive bounds on criteria.
    """

    weights: Mapping[Criterion, int]
    least: Mapping[Criterion, int]
    most: Mapping[Criterion, int]


class Proposal(NamedTuple):
    """
    A model's result for a task.

    Parameters
    ----------
    status
        ``OPTIMAL``: the model proves that no plan of the space beats `log`; ``IMPOSSIBLE``: none
        fits the bounds and the musts; ``FEASIBLE`` and ``UNKNOWN``: a limit was reached.
    log
        The plan, or None.
    bound
        An upper bound of every plan's weighted sum; None if unknown.
    """

    status: Literal["OPTIMAL", "FEASIBLE", "IMPOSSIBLE", "UNKNOWN"]
    log: tuple[Action, ...] | None
    bound: int | None


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """
    A clause that, with the others listed, forbids a goal.

    Parameters
    ----------
    clause, units
        The clause, and the units it concerns.
    numbers
        The numbers by which it is narrowly broken; empty if not known.
    is_needed
        Whether it is proved that the others alone do not forbid the goal, and that all together do.
    """

    clause: str
    units: tuple[str, ...] = ()
    numbers: tuple[tuple[str, int | float | str], ...] = ()
    is_needed: bool = True


class Control(Protocol):
    """
    What the planner gives a model for a search.

    Attributes
    ----------
    stop
        To be tested between solves, and passed to each.
    seed
        For CP-SAT; proved answers do not depend on it.
    """

    stop: Stop
    seed: int

    def left(self) -> float:
        """Return the rest of the limit, in CP-SAT's deterministic time."""

    def spend(self, time: float) -> None:
        """Record deterministic time as used."""

    def found(self, log: tuple[Action, ...]) -> None:
        """Report an interim plan; the planner replays it and keeps it if it is the best so far."""

    def bounded(self, bound: int) -> None:
        """Report an upper bound of every plan's weighted sum, for the running task."""


class PlanModel(Protocol):
    """A model of one kind of problem, for one position and goal."""

    @property
    def name(self) -> str:
        """The name of its space."""

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches; clauses left out can be added during the search."""

    @property
    def unsettled(self) -> Unsettled:
        """Why nothing may be proved although neither a limit nor a stop ended the search."""

    @property
    def is_by_policy(self) -> bool:
        """Whether the last ``conflict`` found that only the space's policy forbids the goal."""

    def quick(self) -> Iterable[tuple[Action, ...]]:
        """Return plans found at once (greedy, follow-my-leader): the first incumbents."""

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes."""

    def reject(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Exclude a log that the referee rejects. The cut may exclude more, if that is proved."""

    def differ(self, log: tuple[Action, ...]) -> Callable[[tuple[Action, ...]], bool] | None:
        """
        Restrict the search to plans with other final places, or points spent, than the log's.

        If the space's policy counts other plans as equal to it, return a function that recognizes
        them.
        """

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """
        Return a minimal set of clauses that together forbid the goal's musts, verified.

        Without any one of them, the musts can be met. What was not verified within the limit is
        marked (``is_needed``), or the result is None.
        """
