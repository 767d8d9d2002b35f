"""What the shapes of answers are made of."""

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
    """An answer; ``format`` says which."""


class ActionPart(Part, frozen=True, kw_only=True):
    """A part about an action: its line, and, where ``objects`` were asked for, the same as an object."""

    action: str
    object: dict[str, Any] | None = None


class LogPart(Part, frozen=True, kw_only=True):
    """A part about a log: its lines, and, where ``objects`` were asked for, the same as objects."""

    log: list[str]
    objects: list[dict[str, Any]] | None = None


class ChargeShape(Part, frozen=True):
    """What one clause charges."""

    clause: str
    amount: Points
    note: str


class ReceiptShape(Part, frozen=True):
    """What a unit paid for a step, and what it has left."""

    step: Count
    unit: str
    points: str
    amount: Points
    left: Points
    charges: list[ChargeShape]


class ViolationShape(Part, frozen=True):
    """
    A clause broken by a step; ``after`` an earlier illegal step.

    ``message`` is a sentence of who, where and which clause, too; ``reason`` what is wrong, alone.
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
    """How a roll may come out, and what that amounts to."""

    outcome: str
    chance: Count
    of: Count
    value: float


class PartShape(Part, frozen=True):
    """What one clause adds to an amount that is not paid in points."""

    clause: str
    amount: float
    note: str


class DetailShape(Part, frozen=True):
    """Something a rulebook states of an action beside its cost; with outcomes, the value expected."""

    what: str
    value: float | str
    parts: list[PartShape]
    outcomes: list[OutcomeShape]


class BarredShape(ActionPart, frozen=True, kw_only=True):
    """The step that fails where the unit comes nearest to a hex, what it did before, and why."""

    before: list[str]
    at: str
    violations: list[ViolationShape]
    rolls: list[ObligationShape]


class EffectShape(Part, frozen=True):
    """What a clause forced on a unit."""

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
