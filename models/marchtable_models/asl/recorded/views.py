"""Units as seen in a recorded game: after each step, and phase by phase."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.rules.refereeing import UNSEEN

if TYPE_CHECKING:
    from marchtable.importing import SavedScene
    from marchtable.vasl.logs import Dice, RecordedStep

DUMMY, OFF_MAP = "dummy", "-"
BARE = "board "
"""Start of the place of a unit on a board without LOS data; its name follows."""
STATES = ("pinned", "broken")
"""The states that fire can cause during a move."""
MARKED = (
    "ti",
    "prep_fired",
    "wounded",
    "disrupted",
    "immobile",
    "bogged",
    "shocked",
    "stunned",
    "recalled",
)
"""Other states that bar or shorten a move."""


class Seen(NamedTuple):
    """A unit as its counter shows it after a step."""

    fields: dict[str, Any]  # its fields as a scene has them, ``{}`` for a unit without a type
    called: str  # what its counter is called
    side: str  # whose it is
    at: str  # the hex it lies in, ``"-"`` off the map, or a board without LOS data (`BARE`)
    # its class: squad, vehicle, gun and so on; ``dummy`` for a `?` over nothing, ``?`` for one
    # under which the reader does not see
    class_: str
    # ``concealed`` or ``hidden`` where the other side does not see what it is; ``?`` once the
    # reader does not see it any more
    veil: str = ""
    off_centre: bool = False  # whether it lies off its hex's centre, so that Bypass may be meant
    moved: bool = False  # whether it has the moved mark
    why: str = ""  # why it has no type
    gone: bool = False  # whether it lies among the casualties, or on any map but the main one
    # whether it lies beneath a CX counter that is right above another unit: one counter may stand
    # for a whole stack
    shares_cx: bool = False
    # what a counter that marks it is called, if nothing here says what that counter means
    unknown: str = ""

    def shows(self, state: str) -> bool:
        """Return whether the counter shows a state such as ``cx``, or might share it."""
        return bool(self.fields.get(state)) or (state == "cx" and self.shares_cx)

    @property
    def weapons(self) -> Counter[str]:
        """The names of its SW."""
        return Counter(one["name"] for one in self.fields.get("sw", ()))

    @property
    def facing(self) -> str:
        """A vehicle's VCA hexspine, ``""`` for others."""
        return str(self.fields.get("facing") or "")

    @property
    def is_vehicle(self) -> bool:
        """Whether it is a vehicle."""
        return self.class_ == "vehicle"

    @property
    def is_afoot(self) -> bool:
        """Whether it is, or might be, Personnel or a Dummy."""
        return self.class_ in ("squad", "half-squad", "crew", "smc", DUMMY, UNSEEN)


class PlacedCounter(NamedTuple):
    """A hex where a counter (by number) was placed, changed or removed; `is_smoke` for new grenades."""

    at: str
    number: str
    is_smoke: bool = False


class Event(NamedTuple):
    """Units changed by a step: before and after it, None if there was no such unit."""

    when: int
    step: RecordedStep
    changed: dict[str, tuple[Seen | None, Seen | None]]


class Segment:
    """
    The steps of one phase.

    Parameters
    ----------
    side, phase, turn
        Its side, phase and turn.
    is_known
        Whether the recording or the game file states which phase it is.
    entered
        Whether the recording includes the start of the phase.
    """

    def __init__(self, side: str, phase: str, turn: int, *, is_known: bool, entered: bool) -> None:
        self.side, self.phase, self.turn, self.is_known = side, phase, turn, is_known
        self.base: SavedScene | None = None
        self.why = ""
        """Why there is no position to judge it in."""
        self.start: dict[str, Seen] = {}
        self.unknown_at: dict[str, str] = {}
        """Hexes with an unknown counter that marks no unit, and the counter's name."""
        self.events: list[Event] = []
        self.said: list[tuple[RecordedStep, str]] = []
        self.rolls: list[tuple[int, Dice]] = []
        """The rolls in it, with the indices of their steps."""
        self.unread: dict[int, str] = {}
        """Steps that could not be read, by index, and why."""
        self.placed: list[tuple[int, PlacedCounter]] = []
        """Steps that put counters on the map, by index, and where."""
        self.entered = entered
        self.shown = ("", "", "")
        """The player, phase and turn that the phase counter shows."""
        self.following: tuple[str, str, int] | None = None
        """Side, phase and turn of the next recorded event, None if there is none."""
        self.is_fresh = True
        """Whether the table at the start of the phase has yet to be read."""

    @property
    def when(self) -> tuple[str, str, int]:
        """Side, phase and turn."""
        return self.side, self.phase, self.turn

    @property
    def has_events(self) -> bool:
        """Whether anything happened in it."""
        return bool(self.events or self.said or self.unread)
