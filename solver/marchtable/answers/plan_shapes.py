"""The shapes of answers to ``plan`` and ``why``."""

from __future__ import annotations

from typing import Literal

from marchtable.answers.shapeparts import (
    BarredShape,
    Count,
    EffectShape,
    ExceptionShape,
    LogPart,
    Part,
    Points,
    ReceiptShape,
    Shape,
    ViolationShape,
)
from marchtable.cpsat.confirm import Proof
from marchtable.rules.plan_model import NoConflict, Rolls, Unsettled
from marchtable.state.goal import Criterion

__all__ = ["PlanShape", "SpaceShape", "WhyShape"]

Sought = Criterion | Literal["sum"]
Found = Literal["OPTIMAL", "FEASIBLE", "IMPOSSIBLE", "UNKNOWN", "UNSUPPORTED"]


class SpaceShape(Part, frozen=True):
    """The set of plans that OPTIMAL and IMPOSSIBLE refer to."""

    name: str
    verbs: list[str]
    movers: list[str]
    policy: list[str]
    rolls: Rolls
    left_out: list[str]


class EndShape(Part, frozen=True):
    """Where a unit that moves or pays ends, its total cost and what it has left."""

    unit: str
    was: str | None
    at: str | None
    spent: Points
    left: Points | None


class AssumedShape(Part, frozen=True):
    """A roll's assumed result, with its odds; ``chance`` is null if they are not known."""

    step: Count
    clause: str
    unit: str
    outcome: str
    chance: Count | None
    of: Count
    note: str


class OnePlanShape(LogPart, frozen=True, kw_only=True):
    """
    One plan.

    ``objective`` is its score by criterion (and the weighted ``sum``), ``bound`` the proved limit
    for each criterion, in order (null where the search did not reach it), ``gap`` the distance
    between the two. ``proof`` says how ``OPTIMAL`` (or that there is no plan) is proved: an
    ``lrat`` proof was checked; a ``second solve`` with other parameters agrees; a ``bound`` or a
    search without a solver shows it; or one solve found it, ``unconfirmed``; null if nothing is
    proved. ``probability`` is that of all assumed rolls together, null if any is not known.
    """

    status: Found
    objective: dict[Sought, Points] | None
    bound: dict[Sought, Points | None]
    gap: dict[Sought, Points | None]
    receipts: list[ReceiptShape]
    effects: list[EffectShape]
    exceptions: list[ExceptionShape]
    ends: list[EndShape]
    proof: Proof | None
    assumed: list[AssumedShape]
    probability: float | None
    interpretations: dict[str, str]


class SearchedShape(Part, frozen=True):
    """
    A space that was searched, and the result.

    ``NO BETTER`` means a proof that it has no plan better than that of an earlier space.
    ``limit`` is the share of the limit that it could spend.
    """

    space: str
    status: Found | Literal["NO BETTER"]
    limit: float


class PlanShape(Shape, OnePlanShape, frozen=True, tag="marchtable/plan/1"):
    """
    The answer to ``plan``: the best plan, and all plans; ``complete`` means there are no more.

    ``unsettled`` says why nothing is proved of a plan, if nothing is: a limit was reached, a stop
    was requested, or the space's model cannot exclude that other units help on the way or that
    those aboard stay behind. ``searched`` lists the spaces in search order; it is empty if the goal
    itself demands units in two places at once (``twice`` names them).
    """

    space: SpaceShape
    complete: bool
    unsettled: Unsettled | None
    searched: list[SearchedShape]
    plans: list[OnePlanShape]
    twice: list[str] = []
    notes: list[str] | None = None


class ReasonShape(Part, frozen=True):
    """
    A clause that, with the others listed, forbids a goal.

    ``numbers`` says by how little it is broken, as far as known; ``needed`` whether the listed
    clauses are proved to be a smallest set.
    """

    clause: str
    title: str
    units: list[str]
    numbers: dict[str, float | str]
    needed: bool


class ClauseTitleShape(Part, frozen=True):
    """A clause and its title."""

    clause: str
    title: str


class LiftShape(LogPart, frozen=True, kw_only=True):
    """
    Clauses without which the goal is possible, with a plan that is legal once they are lifted.

    ``smallest`` says whether no fewer clauses would do, by proof.
    """

    clauses: list[ClauseTitleShape]
    smallest: bool


class RepairShape(LogPart, frozen=True, kw_only=True):
    """A change that makes the goal possible, verified, with a plan for the changed goal."""

    change: str
    cost: float
    clauses: list[str]


class RoomShape(Part, frozen=True):
    """The slack of a legal log: how much more it could use before it breaks a clause."""

    clause: str
    unit: str
    at: str | None
    what: str
    amount: Points
    title: str


class AloneShape(Part, frozen=True):
    """A unit that cannot reach a Location alone, and the step that fails at its nearest point."""

    unit: str
    to: str
    barred: BarredShape


class IdleShape(Part, frozen=True):
    """A unit that can do nothing now, and the clause that says so."""

    unit: str
    clause: str
    reason: str


class WhyShape(LogPart, Shape, frozen=True, kw_only=True, tag="marchtable/why/1"):
    """
    The answer to ``why``.

    ``first`` is the step at which the log first goes wrong. ``conflict`` is null if unknown, and
    empty if only the map forbids the goal; ``alone`` then lists what stops each unit alone.
    ``unsettled`` says why nothing was proved, or that changes smaller than those listed may be
    enough. ``enough`` is whether lifting all clauses of the conflict makes the goal possible, null
    if unknown. ``lift`` is a smallest set of clauses whose lifting makes it possible, null if there
    is none or none was found. ``no_conflict`` says why an impossible goal has no conflict: the
    ``map`` or the kind of plan searched forbids it; the ``space`` excludes what the clauses allow;
    the goal itself says to ``avoid`` every Location that it demands, or demands units in two places
    (``twice`` names them); or the ``limit`` was reached. ``proof`` says how it is proved that there
    is no plan, as for one plan of ``plan``. ``idle`` lists units of the aims that can do nothing at
    all now, for a reason that ``conflict`` does not name. ``open`` is not null if the status is UNKNOWN although
    ``space`` is proved to have no plan: it names the space of which nothing is proved, and
    ``conflict``, ``lift`` and ``repairs`` are about ``space``. ``notes`` say which Location a log
    means at a bridge, or which units the space leaves in place.
    """

    status: Literal["LEGAL", "ILLEGAL", "IMPOSSIBLE", "UNKNOWN", "UNSUPPORTED"]
    violations: list[ViolationShape]
    unsupported: list[ViolationShape]
    first: Count | None
    stopped: Count | None
    conflict: list[ReasonShape] | None
    repairs: list[RepairShape]
    slack: list[RoomShape]
    space: SpaceShape | None
    unsettled: Unsettled | None
    enough: bool | None
    lift: LiftShape | None
    no_conflict: NoConflict | None
    proof: Proof | None
    open: str | None
    alone: list[AloneShape] = []
    idle: list[IdleShape] = []
    twice: list[str] = []
    notes: list[str] | None = None
