"""What the planner asks of a model of one kind of problem; rulebooks supply the models.

A model searches a *plan space* that it declares, and proposes logs. It is a relaxation of the
rules within that space: no plan that the referee accepts may be missing from it. The planner
replays each proposal (:mod:`marchtable.planning.loop`); one that is refused comes back to the
model, which must not make it again, and the search goes on until a proposal stands.
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
"""What a plan comes to, by criterion; points in half points."""

Rolls = Literal["pass", "avoid"]

Unsettled = Literal["limit", "stop", "others"]
"""
A limit was reached; a stop was requested; other units might help, for all the model knows.
"""

NoConflict = Literal["map", "space", "avoid", "limit"]
"""
Why no clauses are named that forbid an impossible goal.

With every clause lifted that can be, the map or the kind of plan searched still forbids it; the
space excludes by its policy what the clauses allow; the goal itself avoids every Location that an
aim demands; no set was found within the limit.
"""


class PlanSpace(msgspec.Struct, frozen=True, kw_only=True):
    """
    The plans among which one is the best, or none exists: what OPTIMAL and IMPOSSIBLE refer to.

    Parameters
    ----------
    name
        The model's name, such as ``"transport"``.
    verbs
        The actions that its plans are made of.
    movers
        The units that may move.
    policy
        What shape its plans have, in plain sentences.
    rolls
        ``pass`` takes rolls on the way to be passed, ``avoid`` calls for none.
    left_out
        Clauses that are not modelled and bear on steps that might be of use: plans with such
        steps are not among those searched.
    """

    name: str
    verbs: tuple[str, ...]
    movers: tuple[str, ...]
    policy: tuple[str, ...]
    rolls: Rolls = "pass"
    left_out: tuple[str, ...] = ()


class Task(NamedTuple):
    """
    One optimisation: make the weighted sum as large as possible within bounds.

    Parameters
    ----------
    weights
        By criterion, signed: positive for ``value``, negative for what is to be small.
    least, most
        Bounds on criteria, both ends allowed.
    """

    weights: Mapping[Criterion, int]
    least: Mapping[Criterion, int]
    most: Mapping[Criterion, int]


class Proposal(NamedTuple):
    """
    What a model found for a task.

    Parameters
    ----------
    status
        ``OPTIMAL``: no plan of the space beats `log`, by the model's own account; ``IMPOSSIBLE``:
        none fits the bounds and the musts; ``FEASIBLE`` and ``UNKNOWN``: a limit was reached.
    log
        The plan, or None.
    bound
        No plan's weighted sum is larger; None if nothing is known.
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
        Which, and whom it concerns.
    numbers
        Those it turns on: by how little it is broken; none if that is not known.
    is_needed
        Whether it is proved that the others alone do not forbid the goal, and that all together do.
    """

    clause: str
    units: tuple[str, ...] = ()
    numbers: tuple[tuple[str, int | float | str], ...] = ()
    is_needed: bool = True


class Control(Protocol):
    """
    What the planner lends a model while it searches.

    Attributes
    ----------
    stop
        To be tested between solves, and handed to each.
    seed
        For CP-SAT; answers do not depend on it where they are proved.
    """

    stop: Stop
    seed: int

    def left(self) -> float:
        """Return what is left of the limit, in CP-SAT's deterministic time."""

    def spend(self, time: float) -> None:
        """Count deterministic time as used."""

    def found(self, log: tuple[Action, ...]) -> None:
        """Report a plan on the way; the planner replays it and keeps it if it is the best so far."""

    def bounded(self, bound: int) -> None:
        """Report an upper bound of every plan's weighted sum, for the task that runs."""


class PlanModel(Protocol):
    """A model of one kind of problem, for one position and goal."""

    @property
    def name(self) -> str:
        """The name of its space."""

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches; what it came to leave out may grow as it does."""

    @property
    def unsettled(self) -> Unsettled:
        """Why it may have proved nothing though neither a limit nor a stop cut it short."""

    @property
    def is_by_policy(self) -> bool:
        """Whether its last ``conflict`` found that no clause forbids the goal, but the space's policy does."""

    def quick(self) -> Iterable[tuple[Action, ...]]:
        """Return plans found without a solver (greedy, follow-my-leader): the first incumbents."""

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes."""

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Never propose this again: the referee refuses the log. The cut may exclude more, if it is sure."""

    def differ(self, log: tuple[Action, ...]) -> Callable[[tuple[Action, ...]], bool] | None:
        """
        From now on look only for plans whose final places or points spent per unit differ from the log's.

        A space that by its policy counts other plans as one returns a function that recognizes them by their logs.
        """

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """
        Return a minimal set of clauses that together forbid the goal's musts, verified.

        Without any of them, the others kept, the musts could be met. Where that was not verified
        within the limit, each says so (``is_needed``), or there is None.
        """
