"""A line of units led along the path that its first unit would take alone."""

from __future__ import annotations

import re
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

from marchtable.answers.routes import reach_answers
from marchtable.errors import UnknownNameError
from marchtable.files.logs import log_of
from marchtable.files.notation import format_action, parse_action
from marchtable.play.moves import legal_actions
from marchtable.play.options import options
from marchtable.rules.clause import without
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from marchtable.files.scenes import Scene
    from marchtable.play.moves import Choice
    from marchtable.state.position import Position

__all__ = ["led", "reach_alone"]

LEGAL = "LEGAL"
TURNS = 3
"""Maximum number of successive Impulses in which members only turn."""
STAY = "stay"
_HELD = re.compile(r"^[a-z-]+:")
"""A line member's action before its place: ``enter:C5``."""


def led(scene: Scene, *, unit: str, line: str, stops: list[str]) -> dict[str, Any]:
    """
    Lead a line through hexes, along the cheapest path of its first unit alone.

    Members that must turn before they can follow do so in a separate Impulse; those that need not
    turn stay as they are when the first unit turns. An Impulse that is
    not offered is still listed, last, with every member moving to the place of the one before it,
    so that the referee says what forbids it. So is one that leads to a roll.

    Parameters
    ----------
    unit
        The first unit of the line.
    line
        The line's action as it is offered, still open: ``impulse lead -``.
    stops
        Locations; the last is the first unit's destination.

    Returns
    -------
    dict
        ``log``: Impulses to propose; ``at``: the hex that the first unit reaches by them, or the
        last stop if one of them is not legal; ``failed``: the answer of `reach` about the first
        stop that it does not reach, None if it reaches all.

    Raises
    ------
    UnknownNameError
        If there is no such unit or Location.
    """
    steps, failed = _course(scene.position, unit, stops)
    if failed is not None:
        return {"log": [], "at": None, "failed": failed}
    return _Line(scene, unit, line).along(steps, stops[-1])


def reach_alone(scene: Scene, *, unit: str, to: str | None = None) -> dict[str, Any]:
    """
    Compute a unit's reach alone in its line: the Locations to which it might lead the line.

    With `to`, return the answer of `reach` about that Location.

    Raises
    ------
    UnknownNameError
        If there is no such unit or Location.
    """
    with _alone(scene.position, unit) as alone:
        if to is not None:
            return reach_answers(alone, [unit], to=to)[0]
        (found,) = options(alone, unit)["units"]
    return {"locations": found["reach"]["locations"]}


def _course(
    position: Position[Any, Any], unit: str, stops: Iterable[str]
) -> tuple[list[str], dict[str, Any] | None]:
    """Find a unit's cheapest path alone, and the answer about the first stop out of reach."""
    actions: list[str] = []
    with _alone(position, unit) as alone:
        now = alone
        for stop in stops:
            (found,) = reach_answers(now, [unit], to=stop)
            lines = [one["action"] for one in found.get("path") or ()]
            if not lines:
                return actions, found
            actions += lines
            now = check(now, log_of(lines, now)).position
    return actions, None


@contextmanager
def _alone(position: Position[Any, Any], unit: str) -> Iterator[Position[Any, Any]]:
    """Give the position in which a unit of a line makes its own moves, the others of the line away."""
    if unit not in position.index:
        raise UnknownNameError(position.unknown_unit(unit), field="unit")
    book = find_rulebook(position.rulebook)
    with without(*book.planned_jointly):
        yield book.alone(position, position.unit(unit))


class _Line:
    """
    A moving line.

    Parameters
    ----------
    scene, unit, line
        As in :func:`led`.
    """

    def __init__(self, scene: Scene, unit: str, line: str) -> None:
        self.position = scene.position
        self.book = find_rulebook(self.position.rulebook)
        self.line = line
        self.log: list[str] = []
        offered = self._offered(line)
        receipts = offered[0][1].ruling.receipts if offered else ()
        self.names = [receipt.unit for receipt in receipts] or [unit]

    def along(self, steps: list[str], goal: str) -> dict[str, Any]:
        """Follow the first unit's steps to a goal if possible; return :func:`led`'s result."""
        here = self._at(self.names[0])
        for step in steps:
            to = next(iter(self._places(step)), None)
            entry = self._impulse(step, to)
            if self.position.pending:  # turning calls for a roll
                break
            if entry is None:
                continue  # needed by a unit alone, but not by a line
            here = to or here
            if not self._go(entry):
                self.log.append(entry)
                here = goal
                break
            if self.position.pending:
                break
        at = self.position.board[here].hex if here else None
        return {"log": self.log, "at": at, "failed": None}

    def _impulse(self, step: str, to: str | None) -> str | None:
        """Return the Impulse for a step; None if there is none and it leads nowhere."""
        for tries in count():
            offered = self._offered(self.line)
            if to is None:
                ends = f" {_held(step)}"
                return self._in_place(_cheapest(o for o in offered if o[0].endswith(ends)))
            first = _cheapest(o for o in offered if self._same(_place(o[0], 0), to))
            wanted = [to, *(self._at(name) for name in self.names[:-1])]
            entry = self._following(first, wanted)
            if entry is None and tries >= TURNS:
                entry = self._completed(first)
                return entry or self._words(map(_entering, wanted))
            if entry is not None:
                return entry
            turned = self._turning(wanted)
            if turned is not None and self._go(turned):
                if self.position.pending:
                    return None
            else:
                return self._completed(first) or self._words(map(_entering, wanted))
        raise AssertionError

    def _go(self, entry: str) -> bool:
        """Play an Impulse if it is legal; return whether it is."""
        verdict = check(self.position, log_of([entry], self.position))
        if verdict.status != LEGAL:
            return False
        self.position = verdict.position
        self.log.append(entry)
        return True

    def _offered(self, opened: str) -> list[tuple[str, Choice]]:
        """Return the continuations of an open action, each in words."""
        found = legal_actions(self.position, opened=parse_action(opened, self.book))
        return [(format_action(choice.action), choice) for choice in found]

    def _completed(self, one: tuple[str, Choice] | None) -> str | None:
        """Complete an open action at the least cost for each member behind; None if impossible."""
        while one is not None and not one[1].closes:
            one = _cheapest(self._offered(one[0]))
        return one and one[0]

    def _following(self, one: tuple[str, Choice] | None, wanted: list[str | None]) -> str | None:
        """Complete an open action so that each member reaches its place or waits, else None."""
        for number, end in enumerate(wanted[1:], 1):
            if one is None:
                return None
            offered = self._offered(one[0])
            ends = f",{STAY}"
            one = _cheapest(
                o for o in offered
                if (self._same(_place(o[0], number), end) if end else o[0].endswith(ends))
            )  # fmt: skip
        return one and one[0]

    def _in_place(self, one: tuple[str, Choice] | None) -> str | None:
        """Complete what the first unit does in its hex: those behind do only what they need to follow."""
        if one is None:
            return None
        ahead = [self._at(name) for name in self.names[:-1]]
        needed = ",".join([one[0], *self._needed(self.names[1:], ahead)])
        if check(self.position, log_of([needed], self.position)).status == LEGAL:
            return needed
        return self._together(one)

    def _together(self, one: tuple[str, Choice] | None) -> str | None:
        """Complete an open action with all members doing the same, as far as possible."""
        word = one[0].split()[-1] if one else ""
        more = one
        while more is not None and word in more[1].joins:
            one = more
            more = next((o for o in self._offered(one[0]) if o[0].endswith(f",{word}")), None)
        return self._completed(more or one)

    def _turning(self, wanted: list[str | None]) -> str | None:
        """Return an Impulse in which members turn towards the hexes to enter; None if none must."""
        words = self._needed(self.names, wanted)
        return None if set(words) == {STAY} else self._words(words)

    def _needed(self, names: list[str], wanted: list[str | None]) -> list[str]:
        """Return each unit's action in its hex before it can enter the wanted hex: start, turn or stay."""
        words = []
        for name, end in zip(names, wanted, strict=True):
            step = next(iter(_course(self.position, name, [end])[0]), "") if end else ""
            words.append(_held(step) if step and not self._places(step) else STAY)
        return words

    def _words(self, words: Iterable[str]) -> str:
        """Return the notation of an Impulse from each member's action."""
        return self.line[:-1] + ",".join(words)

    def _at(self, name: str) -> str | None:
        """Return a member's place; None if it still waits off the map, as do those behind it."""
        at: str | None = self.position.unit(name).at
        return at

    def _places(self, step: str) -> list[str]:
        """Return the Locations that a step names, other than its unit."""
        words = [one for word in step.split()[2:] for one in word.split("=")[-1].split(",")]
        return [word for word in words if self._is_place(word)]

    def _is_place(self, name: str) -> bool:
        return name in self.position.board

    def _same(self, one: str, other: str) -> bool:
        """Return whether two Locations are in one hex."""
        board = self.position.board
        return self._is_place(one) and board[one].hex == board[other].hex


def _cheapest(offered: Iterable[tuple[str, Choice]]) -> tuple[str, Choice] | None:
    """Return the choice that costs all together the least, the first of several."""
    return min(
        offered, key=lambda one: sum(paid.amount for paid in one[1].ruling.receipts), default=None
    )


def _entering(end: str | None) -> str:
    """Return the action of a member that enters a Location, or waits."""
    return f"enter:{end}" if end else STAY


def _held(step: str) -> str:
    """Return a unit's action alone as a word of an Impulse."""
    verb, _, *rest = step.split()
    return ":".join([verb, *rest])


def _place(entry: str, number: int) -> str:
    """Return the destination of a member (from the front) in an Impulse, or else its action."""
    words = entry.split()[2].split(",")
    return _HELD.sub("", words[number]) if number < len(words) else ""
