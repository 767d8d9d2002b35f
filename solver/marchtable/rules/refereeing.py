"""Recorded games: the input to a rulebook, and its verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from marchtable.importing import SavedScene
    from marchtable.rules.ruling import Ruling, Violation
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable.vasl.logs import RecordedPart, RecordedStep, Show
    from marchtable.vasl.saves import Layout, Piece

__all__ = [
    "OLDER_GAME_FORMATS",
    "UNSEEN",
    "GameFile",
    "Judged",
    "Judgement",
    "PhaseJudged",
    "Recorded",
    "Referee",
    "Replay",
    "Shown",
    "Status",
    "Viewer",
]

Status = Literal["LEGAL", "ILLEGAL", "UNKNOWN"]
UNSEEN = "?"
"""The id that stands for all concealed units of a side in a Location that the reader cannot see."""


OLDER_GAME_FORMATS = ("marchtable/game/1",)
"""Formats of game files that are still read. The HTTP service's answers have that format too."""


class GameFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    What recorded games do not state, in a file beside the logs.

    Parameters
    ----------
    format
        ``marchtable/game-file/1``; files can have the older name ``marchtable/game/1``.
    rulebook
        The rulebook's name; ``""`` for the first that has a demonstration.
    year, month
        The date of the scenario, 0 if not given.
    conditions
        Conditions of a scene: weather, streams, night and the scenario's special rules.
    sides
        The side of each player named on the phase counter, such as ``Axis = "german"``, and of each
        nation by its letters, such as ``fi = "german"``.
    side, phase, turn
        Whose turn the recording begins with, and when, if no phase counter states it.
    readings
        Readings by entry of the interpretation register.
    accept
        Steps that both players agreed on: their number, or ``"file.vlog:12"``.
    counters
        Unit types of unknown counters, by the counter's name.
    """

    format: Literal["marchtable/game-file/1"] = "marchtable/game-file/1"
    rulebook: str = ""
    year: Annotated[int, msgspec.Meta(ge=0, le=2100)] = 0
    month: Annotated[int, msgspec.Meta(ge=0, le=12)] = 0
    conditions: dict[str, Any] = msgspec.field(default_factory=dict)
    sides: dict[str, str] = msgspec.field(default_factory=dict)
    side: str = ""
    phase: str = ""
    turn: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    readings: dict[str, str] = msgspec.field(default_factory=dict)
    accept: tuple[Annotated[int, msgspec.Meta(ge=1)] | str, ...] = ()
    counters: dict[str, str] = msgspec.field(default_factory=dict)


class Viewer(NamedTuple):
    """
    The reader of a report.

    Parameters
    ----------
    side
        The reading side: it sees its own hidden and concealed units. ``""`` for both players, who
        see neither side's.
    reveal
        Whether all such units are visible.
    """

    side: str = ""
    reveal: bool = False

    def see(self, side: str) -> bool:
        """Return whether the hidden and concealed units of a side are visible."""
        return self.reveal or (bool(self.side) and side == self.side)


class Recorded(NamedTuple):
    """
    A recorded game without a gap, to be judged.

    Parameters
    ----------
    part
        Its first position, and its steps.
    layout
        The boards.
    game
        The players' game file.
    position
        Makes a position from a scene, leaving out what makes no sense.
    viewer
        The reader of the verdicts: units that they cannot see do not affect the judgement.
    """

    part: RecordedPart
    layout: Layout
    game: GameFile
    position: Callable[[SavedScene], Position[Any, Any]]
    viewer: Viewer = Viewer()


@dataclass(kw_only=True, slots=True)
class Judged:
    """
    A move of one unit, or of several that moved together.

    Parameters
    ----------
    units
        The units that moved.
    names
        The players' names for them.
    veiled
        Whether it is the move of a `?` whose units the reader cannot see.
    side
        Their side.
    steps
        The recorded steps of the move.
    way
        The Locations, from the first to the last, as they were recorded.
    status
        The status of the move.
    before
        The position in which the log below begins.
    log, rulings
        The reading shown, and the ruling on each entry.
    faults
        Violations of the fewest clauses found without which the move would be legal, each with its
        entry of the log. If there are several, a note says that fewer were not ruled out.
    doubts
        Why the status is UNKNOWN.
    nearest
        The legal way that comes nearest, in words.
    notes
        The assumptions of the reading.
    accepted
        Whether the players agreed on the move.
    """

    units: tuple[str, ...]
    names: Mapping[str, str]
    veiled: bool
    side: str
    steps: tuple[RecordedStep, ...]
    way: tuple[str, ...]
    status: Status
    before: Position[Any, Any] | None = None
    log: tuple[Action, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    faults: tuple[Violation, ...] = ()
    doubts: tuple[str, ...] = ()
    nearest: str = ""
    notes: tuple[str, ...] = ()
    accepted: bool = False


class Shown(NamedTuple):
    """
    A unit as its counter shows it.

    Parameters
    ----------
    called
        The players' name for it.
    side
        Its side.
    at
        The Location, ``"-"`` beside the boards.
    facing
        Its facing, ``""`` for units without one.
    states
        The states that its counter and markers show, such as ``cx``.
    """

    called: str
    side: str
    at: str
    facing: str
    states: tuple[str, ...]


class Replay(NamedTuple):
    """
    A recorded phase.

    Parameters
    ----------
    start
        The units at the start of the phase, by id. Ids of units that the reader cannot see begin
        with `UNSEEN`.
    steps
        The steps that changed units: each unit before and after, None where it did not exist.
    """

    start: dict[str, Shown]
    steps: list[tuple[RecordedStep, dict[str, tuple[Shown | None, Shown | None]]]]


class PhaseJudged(NamedTuple):
    """The moves of one phase, its rolls and LOS checks by step, and its replay."""

    turn: int
    side: str
    phase: str
    moves: list[Judged]
    said: list[tuple[RecordedStep, str]]
    notes: list[str]
    replay: Replay


class Referee(Protocol):
    """A rulebook's referee of one recorded game."""

    def show(self, piles: Sequence[Sequence[Piece]]) -> Show:
        """Return the pieces of a stack that the reader sees, by the stacks with which the recording begins."""

    def judge(self, recorded: Recorded) -> Judgement:
        """Judge the moves of a part of it; raises BadInputError."""


class Judgement(NamedTuple):
    """A rulebook's verdicts on a recorded game: its phases in order, and the sides that play."""

    phases: list[PhaseJudged]
    sides: tuple[str, ...]
