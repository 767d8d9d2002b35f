"""The shape of the answer to ``referee``."""

from __future__ import annotations

from typing import Literal

from marchtable.answers.shapeparts import Count, Part, Points, ReceiptShape, Shape, ViolationShape

__all__ = ["RefereeShape"]

Status = Literal["LEGAL", "ILLEGAL", "UNKNOWN"]


class FileShape(Part, frozen=True):
    """A log, and how it continues those before it."""

    file: str
    steps: Count
    link: Literal["begins", "follows", "contains", "overlaps", "repeats", "gap"]
    note: str


class PressShape(Part, frozen=True):
    """A recorded step: the file, and the press of PgDn (from 1) that plays it."""

    file: str
    step: Count


class MoverShape(Part, frozen=True):
    """A unit, and its counter's name."""

    id: str
    called: str


class SpentShape(Part, frozen=True):
    """What a unit has spent in its move, and has left."""

    unit: str
    points: str
    spent: Points
    left: Points


class MoveShape(Part, frozen=True):
    """
    The move of a unit, or of several together.

    ``log`` is the reading shown. ``violations`` are of the fewest clauses found without which the
    move would be legal; a note says if fewer were not ruled out. ``reasons`` say why it is UNKNOWN;
    ``nearest`` is the legal part of the log.
    """

    units: list[MoverShape]
    side: str
    steps: list[PressShape]
    way: list[str]
    status: Status
    accepted: bool
    veiled: bool
    spent: list[SpentShape]
    log: list[str]
    receipts: list[ReceiptShape]
    violations: list[ViolationShape]
    reasons: list[str]
    nearest: str
    notes: list[str]


class ReportedShape(Part, frozen=True):
    """A roll, or a check of LOS, and the step in which it was made."""

    file: str
    step: Count
    text: str


class StandingShape(Part, frozen=True):
    """A unit as its counter shows it; ``?`` for concealed units that the reader cannot inspect."""

    id: str
    called: str
    side: str
    at: str
    facing: str
    states: list[str]


class ChangeShape(StandingShape, frozen=True, rename={"origin": "from"}):
    """A unit after a step, and where it was before; ``at`` is empty if it is gone."""

    origin: str


class ReplayedShape(Part, frozen=True):
    """The changes of one recorded step."""

    file: str
    step: Count
    changes: list[ChangeShape]


class ReplayShape(Part, frozen=True):
    """A recorded phase: the units at its start, and its steps."""

    start: list[StandingShape]
    steps: list[ReplayedShape]


class PhaseShape(Part, frozen=True):
    """A phase and its moves; ``board`` has the boards as a scene names them."""

    turn: Count
    side: str
    phase: str
    moves: list[MoveShape]
    said: list[ReportedShape]
    notes: list[str]
    replay: ReplayShape
    board: list[list[str]]


class RefereeShape(Shape, frozen=True, tag="marchtable/referee/1"):
    """The answer to ``referee``."""

    status: Status
    files: list[FileShape]
    phases: list[PhaseShape]
    notes: list[str]
