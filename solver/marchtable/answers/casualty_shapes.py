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
    A unit as it stands: its counter, what it is worth, and who carries it.

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
    What happened to one unit, and the points that this fulfilled.

    ``said`` is the result as players say it; ``spared`` means that the unit is none the worse.
    """

    unit: str
    result: str
    said: str
    spared: bool
    points: Count
    clauses: list[str]


class AllocationShape(LogPart, frozen=True, kw_only=True):
    """
    A way to take the points, in a legal order, and what is then left worth.

    ``ways`` counts those that differ only in which of several identical units suffers. ``best``
    marks the ends of the best plan, which come first, and ``rolls`` what only a survival roll leads to.
    """

    losses: list[LossShape]
    points: Count
    value: float
    ways: Count
    best: bool
    rolls: bool
    clauses: list[str]


class RollShape(Part, frozen=True):
    """A survival roll on the way: the unit survives with that chance."""

    unit: str
    points: Count
    ignores: bool
    chance: Count
    of: Count
    clause: str


class LossPlanShape(LogPart, frozen=True, kw_only=True):
    """
    Losses in a legal order, up to a roll and what to do then, or to the end.

    ``losses`` and ``points`` are all up to there; ``value`` is what is left worth, on average.
    ``units`` are those that stand at the end.
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
    The best plan, others that are ``equally_good``, and the next best with what choosing it costs.

    ``value`` is what is left worth on average (with ``ahead``: after that attack as well),
    ``exact`` the same as a fraction, ``intact`` what all was worth before. ``proof`` is how it is
    proved that no plan is better, as for ``plan``: ``bound`` by dynamic programming, which CP-SAT has
    no say in.
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
    """A plan that none equals or beats in all three respects, each an average."""

    strength: float
    firepower: float
    wasted: float
    plan: LossPlanShape


class ProposalShape(LogPart, frozen=True, kw_only=True):
    """
    The verdict on a proposal: a legal order, or one as far as it goes and what forbids the rest.

    ``owed`` are the points left, ``value`` what is left worth if it is legal and whole, ``cost``
    what it costs against the best plan.
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
    An attack that may be made, and all about its roll.

    ``loss`` is what it takes on average if it is the only one on its target, whose owner takes
    his losses for the best; ``exact`` the same as a fraction.
    """

    target: str
    loss: float
    exact: str
    clauses: list[str]
    details: list[DetailShape]


class SplitShape(Part, frozen=True):
    """Attacks in the order in which to declare them, and what all of them take on average."""

    attacks: list[str]
    loss: float
    exact: str


class FireShape(Part, frozen=True):
    """
    How to divide the fire of a hex: its legal attacks, the best split of them, and the next.

    ``cost`` is what the next takes less; ``unsupported`` are clauses that are not modelled and
    bear on attacks left out.
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

    ``count`` is the number of ways to take the points, ``ways`` the same with identical units counted
    apart; ``left_out`` those that ``allocations`` does not list. ``worth`` says in words what the
    worth of units counts, and what it leaves out.
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
