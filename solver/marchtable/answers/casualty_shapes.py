"""The shape of the answer to ``casualties``."""

from __future__ import annotations

from typing import Literal

from marchtable.answers.shapeparts import (
    ActionPart,
    Count,
    DetailShape,
    LogPart,
    ObligationShape,
    Part,
    Shape,
    ViolationShape,
)
from marchtable.cpsat.confirm import Proof

__all__ = ["CasualtiesShape"]


class UnitShape(Part, frozen=True):
    """
    A unit's state: its counter, its worth, and the unit that carries it.

    ``liable`` says whether it can be made to suffer; a picture draws the ``sign`` and the ``men``.
    """

    unit: str
    side: str
    type: str
    kind: str
    figures: str
    worth: float
    pinned: bool
    alive: bool
    liable: bool
    sign: str
    men: Count
    aboard: str | None = None


class LossShape(Part, frozen=True):
    """
    The result for one unit, and the points that it fulfilled.

    ``said`` is the result in players' words; ``spared`` means that the unit is unharmed.
    """

    unit: str
    result: str
    said: str
    spared: bool
    points: Count
    clauses: list[str]


class AllocationShape(LogPart, frozen=True, kw_only=True):
    """
    A legal order in which to take the points, and the worth that remains.

    ``ways`` counts those that differ only in which of several identical units suffers. ``best``
    marks the ends of the best plan, listed first; ``rolls`` marks what only a survival roll leads
    to.
    """

    losses: list[LossShape]
    points: Count
    value: float
    ways: Count
    best: bool
    rolls: bool
    clauses: list[str]


class RollShape(Part, frozen=True):
    """A survival roll on the way, and the unit's chance to survive it."""

    unit: str
    points: Count
    ignores: bool
    chance: Count
    of: Count
    clause: str


class LossPlanShape(LogPart, frozen=True, kw_only=True):
    """
    Losses in a legal order: up to a roll with a plan for each outcome, or to the end.

    ``losses`` and ``points`` count everything up to there; ``value`` is the expected remaining
    worth. ``units`` are those in the hex at the end.
    """

    losses: list[LossShape]
    points: Count
    value: float
    clauses: list[str]
    units: list[UnitShape] | None = None
    roll: RollShape | None = None
    survived: LossPlanShape | None = None
    failed: LossPlanShape | None = None


class BestShape(Part, frozen=True):
    """
    The best plan, others that are ``equally_good``, and the runner-up with its cost.

    ``value`` is the expected remaining worth (with ``ahead``: also after that attack), ``exact``
    the same as a fraction, ``intact`` the total worth before the attack. ``proof`` says how
    optimality is proved, as for ``plan``: ``bound`` is dynamic programming, without CP-SAT.
    """

    plan: LossPlanShape
    value: float
    exact: str
    proof: Proof
    intact: float
    equally_good: list[LossPlanShape] = []
    runner_up: LossPlanShape | None = None
    cost: float | None = None


class TradeShape(Part, frozen=True):
    """A Pareto-optimal plan over three criteria, each an expected value."""

    strength: float
    firepower: float
    wasted: float
    plan: LossPlanShape


class ProposalShape(LogPart, frozen=True, kw_only=True):
    """
    The verdict on a proposal: a legal order, or its legal part and what forbids the rest.

    ``owed`` are the points left, ``value`` is the remaining worth if the proposal is legal and
    complete, ``cost`` is its loss against the best plan.
    """

    status: Literal["LEGAL", "ILLEGAL", "UNKNOWN"]
    owed: Count
    violations: list[ViolationShape]
    obligations: list[ObligationShape]
    losses: list[LossShape] = []
    value: float | None = None
    cost: float | None = None


class AttackShape(ActionPart, frozen=True, kw_only=True):
    """
    A legal attack, with the details of its roll.

    ``loss`` is its expected damage if it is the only attack on its target, whose owner chooses the
    losses optimally; ``exact`` is the same as a fraction.
    """

    target: str
    loss: float
    exact: str
    clauses: list[str]
    details: list[DetailShape]


class SplitShape(Part, frozen=True):
    """Attacks in the order to declare them, and their total expected damage."""

    attacks: list[str]
    loss: float
    exact: str


class FireShape(Part, frozen=True):
    """
    How to divide the fire of a hex: its legal attacks, the best split of them, and the runner-up.

    ``cost`` is how much less the runner-up takes; ``unsupported`` are unmodelled clauses that apply
    to attacks left out.
    """

    at: str
    side: str
    attacks: list[AttackShape]
    best: SplitShape
    runner_up: SplitShape | None = None
    cost: float | None = None
    unsupported: list[str] = []


class CasualtiesShape(Shape, frozen=True, tag="marchtable/casualties/1"):
    """
    The answer to ``casualties``.

    ``count`` is the number of ways to take the points, ``ways`` the same with identical units
    counted apart; ``left_out`` those that ``allocations`` does not list. ``worth`` explains in
    words what a unit's worth includes and omits.
    """

    status: Literal["LEGAL", "ILLEGAL", "OPTIMAL", "UNKNOWN", "UNSUPPORTED"]
    why: str = ""
    at: str | None = None
    points: Count | None = None
    origin: str | None = None
    opportunity: bool = False
    units: list[UnitShape] = []
    count: Count | None = None
    ways: Count | None = None
    allocations: list[AllocationShape] | None = None
    left_out: Count | None = None
    best: BestShape | None = None
    pareto: list[TradeShape] | None = None
    check: ProposalShape | None = None
    fire: FireShape | None = None
    pending: list[ObligationShape] = []
    titles: dict[str, str] = {}
    interpretations: dict[str, str] = {}
    worth: str = ""
    assumed: list[str] = []
