"""The shapes of answers and of the other files, for ``marchtable schema`` and for tests."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from marchtable.answers.casualty_shapes import CasualtiesShape
from marchtable.answers.plan_shapes import PlanShape, WhyShape
from marchtable.answers.referee_shapes import RefereeShape
from marchtable.answers.shapeparts import (
    ActionPart,
    BarredShape,
    ChargeShape,
    Count,
    DetailShape,
    EffectShape,
    ExceptionShape,
    LogPart,
    ObligationShape,
    Part,
    Points,
    ReceiptShape,
    Shape,
    ViolationShape,
)
from marchtable.rules.clause import Composition, Kind

__all__ = ["ANSWERS", "Shape"]


class SlackShape(Part, frozen=True):
    """What a unit had left after it last paid."""

    unit: str
    points: str
    left: Points


class StepDetailShape(DetailShape, frozen=True):
    """A detail of a log's step."""

    step: Count


class CheckShape(LogPart, Shape, frozen=True, kw_only=True, tag="marchtable/check/1"):
    """The answer to ``check``."""

    status: Literal["LEGAL", "ILLEGAL", "UNSUPPORTED"]
    violations: list[ViolationShape]
    unsupported: list[ViolationShape]
    receipts: list[ReceiptShape]
    effects: list[EffectShape]
    exceptions: list[ExceptionShape]
    obligations: list[ObligationShape]
    slack: list[SlackShape]
    stopped: Count | None
    assumed: list[str]
    interpretations: dict[str, str]
    details: list[StepDetailShape] | None = None
    notes: list[str] | None = None
    scene: dict[str, Any] | None = None


class PlaceShape(Part, frozen=True):
    """A reachable Location, the cost and points left there, and the unit's state."""

    at: str
    facing: str | None
    moving: bool | None
    spent: Points
    left: Points
    mode: dict[str, Any] = {}


class StepShape(ActionPart, frozen=True, kw_only=True):
    """A step on the way to a hex, with its cost and the running cost."""

    at: str
    cost: Points
    spent: Points
    left: Points | None
    charges: list[ChargeShape]
    rolls: list[str]


class ReachShape(Shape, frozen=True, tag="marchtable/reach/1"):
    """The answer to ``reach`` for one unit."""

    status: Literal["OPTIMAL", "FEASIBLE", "IMPOSSIBLE", "UNSUPPORTED", "UNKNOWN"]
    unit: str
    points: str
    budget: Points
    exact: bool
    unsupported: list[str]
    instead: list[str]
    assumed: list[str]
    titles: dict[str, str]
    pending: list[ObligationShape]
    locations: list[PlaceShape]
    to: str | None = None
    notes: list[str] | None = None
    path: list[StepShape] | None = None
    barred: BarredShape | None = None


class ReachesShape(Shape, frozen=True, tag="marchtable/reaches/1"):
    """The answer to ``reach`` for several units."""

    status: Literal["OPTIMAL", "FEASIBLE", "IMPOSSIBLE", "UNSUPPORTED"]
    answers: list[ReachShape]
    notes: list[str] | None = None


class SightShape(Part, frozen=True, kw_only=True):
    """Whether one place can be seen from another; levels may end in .5 (rooftops)."""

    viewer: str | None
    target: str | None
    from_: str = msgspec.field(name="from")
    from_level: float
    to: str
    to_level: float
    range: Count
    sight: Literal["clear", "blocked", "close", "unknown"]
    hex: str | None
    hindrance: Count
    clause: str | None
    reason: str


class LosShape(Shape, frozen=True, kw_only=True, tag="marchtable/los/1"):
    """The answer to ``los``: one row per pair."""

    status: Literal["LEGAL"]
    board: str
    rulebook: str
    by: Literal["pixels", "hexes"]
    assumed: list[str]
    sights: list[SightShape]


class CostShape(Part, frozen=True):
    """The cost of an action to a unit, and what the unit has left."""

    unit: str
    points: str
    amount: Points
    left: Points


class ChoiceShape(ActionPart, frozen=True, kw_only=True):
    """An action, whether it is legal as it is, which units can join it, and the cost to each."""

    closes: bool
    joins: list[str]
    costs: list[CostShape]
    details: list[DetailShape] | None = None


class LegalActionsShape(Shape, frozen=True, tag="marchtable/legal_actions/1"):
    """The answer to ``legal_actions``."""

    status: Literal["LEGAL"]
    actions: list[ChoiceShape]


class PerftShape(Shape, frozen=True, tag="marchtable/perft/1"):
    """The answer to ``perft``."""

    status: Literal["LEGAL"]
    depth: Count
    count: Count
    divide: dict[str, Count] | None = None


class OptionShape(ActionPart, frozen=True, kw_only=True):
    """An action that is possible now; ``joins`` and ``closes`` if several units can share it."""

    verb: str
    cost: Points | None = None
    left: Points | None = None
    rolls: list[str] | None = None
    closes: bool | None = None
    joins: list[str] | None = None
    example: str | None = None
    details: list[DetailShape] | None = None


class BarShape(Part, frozen=True):
    """An unavailable verb, what forbids its closest attempt, and other units this applies to."""

    verb: str
    clauses: list[str]
    note: str
    need: Points | str | None
    have: Points | str | None
    of: list[str]
    closest: str


class UnmodelledShape(ActionPart, frozen=True, kw_only=True):
    """An action to which unmodelled clauses apply; ``note`` says in words what is not modelled."""

    clauses: list[str]
    note: str


class EntitlementShape(Part, frozen=True):
    """Something a unit can do besides moving, and the clauses that allow it."""

    what: str
    allowed: bool
    factor: float | None
    clauses: list[str]


class ProspectShape(Part, frozen=True):
    """Something a unit could do at a reachable place: with which other unit, and what remains."""

    what: str
    unit: str
    at: str
    left: Points
    note: str
    clauses: list[str]


class OptionsReachShape(Part, frozen=True):
    """Where a unit can go: the most points left in each Location, and what it could do there."""

    exact: bool
    assumed: list[str]
    unsupported: list[str]
    locations: dict[str, Points]
    prospects: list[ProspectShape]


class UnitOptionsShape(Part, frozen=True):
    """What one unit can still do."""

    unit: str
    at: str | None
    left: Points
    points: str
    actions: list[OptionShape]
    barred: list[BarShape]
    unsupported: list[UnmodelledShape]
    entitlements: list[EntitlementShape]
    reach: OptionsReachShape | None = None


class OptionsShape(Shape, frozen=True, tag="marchtable/options/1"):
    """The answer to ``options``."""

    status: Literal["LEGAL"]
    pending: list[ObligationShape]
    unproposed: list[str]
    units: list[UnitOptionsShape]
    notes: list[str] | None = None


class ExampleShape(Part, frozen=True):
    """
    A case of the conformance suite: its id, its scene, and ``check``'s answer for its log.

    If it asks about an entitlement, the log is empty, and ``unit`` and ``entitlement`` are given.
    ``without`` is the status without the clause (null if the case cannot be judged then). In a
    contrast, the whole answer is the same without it.
    """

    case: str
    scene: dict[str, Any]
    without: Literal["LEGAL", "ILLEGAL", "UNSUPPORTED"] | None
    contrast: bool
    check: CheckShape
    unit: str | None = None
    entitlement: EntitlementShape | None = None


class ReadsShape(Part, frozen=True):
    """What a clause reads: ``records`` and their ``facts``, figures, readings, clauses before it."""

    records: list[str]
    facts: list[str]
    figures: dict[str, float]
    readings: list[str]
    after: list[str]


class ClauseShape(Part, frozen=True):
    """
    A clause; ``status`` and ``tests`` if coverage was requested.

    If examples were requested, ``location`` is the file and line of its code, ``reads`` what it
    reads, and ``tests`` names the tests that fail without it.
    """

    clause: str
    title: str
    kind: Kind
    composes: Composition | None = None
    modelled: bool | None = None
    status: Literal["enforced", "partial", "unsupported"] | None = None
    tests: list[str] | None = None
    location: str | None = None
    reads: ReadsShape | None = None
    examples: list[ExampleShape] | None = None


class ReadingShape(Part, frozen=True):
    """An entry of the interpretation register, the default choice first."""

    id: str
    question: str
    choices: list[str]
    reason: str


class MissingShape(Part, frozen=True):
    """A word of the request that names no clause, chapter or reading, with the nearest ones."""

    word: str
    nearest: list[str]


class RulesShape(Shape, frozen=True, tag="marchtable/rules/1"):
    """The answer to ``rules``."""

    status: Literal["LEGAL"]
    rulebook: str
    version: str
    clauses: list[ClauseShape]
    interpretations: list[ReadingShape]
    missing: list[MissingShape]


class UnknownShape(Shape, frozen=True, tag="marchtable/unknown/1"):
    """The answer if the limit was reached, or a stop requested, before anything was found."""

    status: Literal["UNKNOWN"]
    unsettled: Literal["limit", "stop"]


class ErrorShape(Shape, frozen=True, tag="marchtable/error/1"):
    """The answer to invalid input."""

    status: Literal["ERROR"]
    error: dict[Literal["message", "source", "field"], str]


ANSWERS: dict[str, type[Shape]] = {
    "check": CheckShape, "options": OptionsShape, "reach": ReachShape, "reaches": ReachesShape,
    "perft": PerftShape, "legal_actions": LegalActionsShape,
    "casualties": CasualtiesShape, "los": LosShape, "plan": PlanShape, "why": WhyShape, "rules": RulesShape,
    "referee": RefereeShape,
    "unknown": UnknownShape, "error": ErrorShape,
}  # fmt: skip
"""The shape of each answer, by name."""
