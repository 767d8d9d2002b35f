"""Recorded games: the input that a rulebook judges, and its verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from marchtable.importing import SavedScene
    from marchtable.rules.ruling import Ruling, Violation
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable.vasl.logs import Part, Step
    from marchtable.vasl.saves import Layout

__all__ = [
    "UNSEEN",
    "Eyes",
    "GameFile",
    "Judged",
    "Judgement",
    "PhaseJudged",
    "Recorded",
    "Replay",
    "Shown",
    "Status",
]

Status = Literal["LEGAL", "ILLEGAL", "UNKNOWN"]
UNSEEN = "?"
"""What the reader does not see: all concealed units of a side in a Location."""


class GameFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    What recorded games do not state, in a file beside the logs.

    Parameters
    ----------
    format
        ``marchtable/game/1``.
    rulebook
        The rulebook's name; ``""`` for the first that brings a demonstration.
    year, month
        The date of the scenario, 0 where it is not given.
    conditions
        Conditions of a scene: weather, streams, night and what a scenario's special rules say.
    sides
        Whose side a player of the phase counter has, such as ``Axis = "german"``, and on whose side
        a nation is, by its letters, such as ``fi = "german"``.
    side, phase, turn
        Whose turn the recording begins with, and when, where no phase counter says.
    readings
        Entries of the register of interpretations, and how to read them.
    accept
        Steps that both players have agreed on: their number, or ``"file.vlog:12"``.
    counters
        The unit type of a counter, by its name, for counters that are not known here.
    """

    format: str = "marchtable/game/1"
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


class Eyes(NamedTuple):
    """
    Who reads a report.

    Parameters
    ----------
    viewer
        The side that reads it: it sees its own hidden and concealed units. ``""`` for both players,
        who see neither side's.
    reveal
        Whether all of them are seen.
    """

    viewer: str = ""
    reveal: bool = False

    def see(self, side: str) -> bool:
        """Return whether the hidden and concealed units of a side are seen."""
        return self.reveal or (bool(self.viewer) and side == self.viewer)


class Recorded(NamedTuple):
    """
    A recorded game without a gap, to be judged.

    Parameters
    ----------
    part
        The position it begins with, and its steps.
    layout
        The boards.
    game
        What the players have written beside it.
    position
        Makes a position of a scene, leaving out what makes no sense.
    eyes
        Who reads the verdicts: what they cannot see has no part in what is judged.
    """

    part: Part
    layout: Layout
    game: GameFile
    position: Callable[[SavedScene], Position[Any, Any]]
    eyes: Eyes = Eyes()


@dataclass(kw_only=True, slots=True)
class Judged:
    """
    A move of one unit, or of several that moved together.

    Parameters
    ----------
    units
        Who moved.
    names
        What players call them.
    veiled
        Whether it is the move of a `?` whose units the reader does not see.
    side
        Whose they are.
    steps
        The recorded steps of the move.
    way
        The Locations, from the first to the last, as they were recorded.
    status
        What the move is.
    before
        The position in which the log below begins.
    log, rulings
        The reading that is shown, and what the rules say about each entry.
    faults
        What makes it illegal: violations of the fewest clauses found without which it would be
        legal, each with its entry of the log. Where they are several, a note says that fewer were
        not ruled out.
    doubts
        Why the status is UNKNOWN.
    nearest
        The legal way that comes nearest, in words.
    notes
        What the reading assumes.
    accepted
        Whether the players have agreed on it.
    """

    units: tuple[str, ...]
    names: Mapping[str, str]
    veiled: bool
    side: str
    steps: tuple[Step, ...]
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
        What players call it.
    side
        Whose it is.
    at
        The Location, ``"-"`` beside the boards.
    facing
        Where it points, ``""`` for units without a facing.
    states
        What its counter and its markers show, such as ``cx``.
    """

    called: str
    side: str
    at: str
    facing: str
    states: tuple[str, ...]


class Replay(NamedTuple):
    """
    A phase as it was recorded.

    Parameters
    ----------
    start
        The units as the phase begins, by id. Ids of those that the reader does not see begin with `UNSEEN`.
    steps
        The steps that changed units: each unit before and after, None where it was not there.
    """

    start: dict[str, Shown]
    steps: list[tuple[Step, dict[str, tuple[Shown | None, Shown | None]]]]


class PhaseJudged(NamedTuple):
    """The moves of one phase, the rolls and the checks of LOS in it (by step), and its replay."""

    turn: int
    side: str
    phase: str
    moves: list[Judged]
    said: list[tuple[Step, str]]
    notes: list[str]
    replay: Replay


class Judgement(NamedTuple):
    """A rulebook's verdicts on a recorded game: its phases in order, and the sides that play."""

    phases: list[PhaseJudged]
    sides: tuple[str, ...]
