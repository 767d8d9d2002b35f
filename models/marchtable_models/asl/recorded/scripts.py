"""Units' acts in a phase, in order: the parts of a recorded move that a reading must explain."""

from __future__ import annotations

from typing import NamedTuple


class Declared(NamedTuple):
    """A unit on foot declares Double Time."""

    unit: str


class Dropped(NamedTuple):
    """A unit on foot drops a SW before it goes on."""

    unit: str
    weapon: str
    when: int


class Recovered(NamedTuple):
    """A unit on foot recovers a SW in its Location."""

    unit: str
    weapon: str
    when: int


class Meanwhile(NamedTuple):
    """Units outside the move were lost (None) or came to a hex."""

    others: tuple[tuple[str, str | None], ...]
    when: int


class LendScript(NamedTuple):
    """A SMC lends its IPC to a unit."""

    unit: str
    to: str


class Sped(NamedTuple):
    """A tracked vehicle gains MP by Excessive Speed, in half points (D2.5)."""

    unit: str
    mp: int


class Walked(NamedTuple):
    """
    Units go to a place: Infantry as a stack, or a vehicle by itself.

    `when` is the step's index; `rests`: a vehicle goes no farther and is in Motion there.
    """

    units: tuple[str, ...]
    to: str
    when: int
    rests: bool = False


class Advanced(NamedTuple):
    """Units advance to a place, in the APh."""

    units: tuple[str, ...]
    to: str
    when: int


class PushScript(NamedTuple):
    """Infantry pushes a Gun to an adjacent place."""

    units: tuple[str, ...]
    gun: str
    to: str
    when: int


class SmokeScript(NamedTuple):
    """One of some units places SMOKE: grenades in its place or an adjacent one, a vehicle in its own."""

    units: tuple[str, ...]
    to: str
    when: int


class Exited(NamedTuple):
    """Units leave the map."""

    units: tuple[str, ...]
    when: int


class BoardScript(NamedTuple):
    """Units board a vehicle, if they are not aboard."""

    units: tuple[str, ...]
    vehicle: str
    when: int


class UnloadScript(NamedTuple):
    """Units get off their vehicle."""

    units: tuple[str, ...]
    when: int


class ClimbScript(NamedTuple):
    """Units take the stairs to a level of their building, if they are not on it."""

    units: tuple[str, ...]
    floor: int
    when: int


class Hooked(NamedTuple):
    """A vehicle hooks up a Gun, unless it tows it; one of `crews` boards, or any stays on foot."""

    vehicle: str
    gun: str
    crews: tuple[str, ...]
    when: int


class Unhooked(NamedTuple):
    """A vehicle unhooks its Gun."""

    vehicle: str
    gun: str
    when: int


class Affected(NamedTuple):
    """Fire pinned or broke a unit."""

    unit: str
    what: str
    when: int


class Ended(NamedTuple):
    """A vehicle ends its move with VCA `facing`, in Motion or not."""

    unit: str
    facing: str
    moving: bool
    when: int


Part = (
    Declared
    | Dropped
    | Recovered
    | Meanwhile
    | LendScript
    | Sped
    | Walked
    | Advanced
    | PushScript
    | SmokeScript
    | Exited
    | BoardScript
    | ClimbScript
    | UnloadScript
    | Hooked
    | Unhooked
    | Affected
    | Ended
)
