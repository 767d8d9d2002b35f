"""The answers of ``plan``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from marchtable.cpsat.confirm import Proof
    from marchtable.rules.plan_model import PlanSpace, Score, Unsettled
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action

__all__ = ["Plan", "Plans", "Searched", "Status"]

Status = Literal["OPTIMAL", "FEASIBLE", "IMPOSSIBLE", "UNKNOWN", "UNSUPPORTED"]


class Plan(NamedTuple):
    """
    One plan, replayed by the referee.

    Parameters
    ----------
    status
        ``OPTIMAL``: no plan of the space is better (and different from those before it);
        ``FEASIBLE``: that is not proved.
    log, verdict, score
        Its actions, the referee's verdict on them, and their score; half points.
    sought
        The objectives in order: criteria, or ``"sum"``.
    reached, bound
        For each objective, the plan's result, and the limit for plans that are as good in the
        earlier ones; None if the search did not reach it. A sum is in half points.
    proof
        How ``OPTIMAL`` is proved; None if it is not.
    """

    status: Status
    log: tuple[Action, ...]
    verdict: Verdict
    score: Score
    sought: tuple[str, ...]
    reached: tuple[int, ...]
    bound: tuple[int | None, ...]
    proof: Proof | None = None


class Searched(NamedTuple):
    """
    A space that was searched.

    Parameters
    ----------
    space, status
        Its name, and the result; ``NO BETTER`` if it is proved that it has no plan better than one
        of an earlier space.
    limit
        The deterministic time that it could spend: all that remained, until there was a plan.
    """

    space: str
    status: Status | Literal["NO BETTER"]
    limit: float


class Plans(NamedTuple):
    """
    The answer to a goal.

    Parameters
    ----------
    status
        That of the first plan; ``IMPOSSIBLE`` if it is proved that the space has none, ``UNKNOWN``
        if nothing is proved, ``UNSUPPORTED`` if none was found and unmodelled clauses leave open
        whether there is one.
    space
        The space of the plans.
    plans
        The best first; for a front, by its first criterion.
    complete
        Whether it is proved that there are no more: no further different plan, or no further point
        of the front.
    bound
        For each objective, the limit for all plans, if no plan was found.
    unsettled
        Why nothing is proved of a plan, or of there being more, if so.
    proof
        How it is proved that there are no more than these, or none; None if it is not.
    searched
        The spaces that were searched, in order.
    twice
        Units that the goal itself demands in two places at once; then nothing is searched.
    """

    status: Status
    space: PlanSpace
    plans: tuple[Plan, ...]
    complete: bool
    bound: tuple[tuple[str, int | None], ...]
    unsettled: Unsettled | None = None
    proof: Proof | None = None
    searched: tuple[Searched, ...] = ()
    twice: tuple[str, ...] = ()
