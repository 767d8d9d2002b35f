"""The building blocks of answer shapes."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from marchtable.state.position import Odds

__all__ = [
    "ActionPart", "BarredShape", "ChargeShape", "Count", "DetailShape", "EffectShape", "ExceptionShape", "LogPart", "ObligationShape", "Part", "Points", "ReceiptShape", "Shape",
    "ViolationShape",
]  # fmt: skip

Points = Annotated[float, msgspec.Meta(multiple_of=0.5)]
Count = Annotated[int, msgspec.Meta(ge=0)]


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of an answer."""


class Shape(Part, frozen=True, tag_field="format"):
    """An answer; ``format`` names its kind."""


class ActionPart(Part, frozen=True, kw_only=True):
    """A part about an action: its line and, if ``objects`` was set, the same as an object."""

    action: str
    object: dict[str, Any] | None = None


class LogPart(Part, frozen=True, kw_only=True):
    """A part about a log: its lines and, if ``objects`` was set, the same as objects."""

    log: list[str]
    objects: list[dict[str, Any]] | None = None


class ChargeShape(Part, frozen=True):
    """The charge of one clause."""

    clause: str
    amount: Points
    note: str


class ReceiptShape(Part, frozen=True):
    """The cost of a step to a unit, and what the unit has left."""

    step: Count
    unit: str
    points: str
    amount: Points
    left: Points
    charges: list[ChargeShape]


class ViolationShape(Part, frozen=True):
    """
    A clause broken by a step; ``after`` an earlier illegal step.

    ``message`` is a sentence that includes the unit, place and clause; ``reason`` is the fault
    alone.
    """

    clause: str
    units: list[str]
    step: Count
    hexes: list[str]
    need: Points | str | None
    have: Points | str | None
    after: bool
    reason: str
    message: str


class ObligationShape(Part, frozen=True):
    """A roll or decision to be settled before anything else."""

    id: str
    clause: str
    unit: str
    note: str
    outcomes: list[Odds]


class OutcomeShape(Part, frozen=True):
    """A possible outcome of a roll, and its result."""

    outcome: str
    chance: Count
    of: Count
    value: float


class PartShape(Part, frozen=True):
    """One clause's contribution to an amount that is not paid in points."""

    clause: str
    amount: float
    note: str


class DetailShape(Part, frozen=True):
    """A rulebook's detail of an action besides its cost; with outcomes, the expectation."""

    what: str
    value: float | str
    parts: list[PartShape]
    outcomes: list[OutcomeShape]


class BarredShape(ActionPart, frozen=True, kw_only=True):
    """The step that fails where the unit gets nearest to a hex, its steps before, and why."""

    before: list[str]
    at: str
    violations: list[ViolationShape]
    rolls: list[ObligationShape]


class EffectShape(Part, frozen=True):
    """The effect of a clause on a unit."""

    clause: str
    step: Count
    unit: str
    field: str
    value: Any
    text: str | None = None


class ExceptionShape(Part, frozen=True):
    """An exception that applied."""

    clause: str
    step: Count
    note: str
