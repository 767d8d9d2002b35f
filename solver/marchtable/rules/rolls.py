"""Rolls in a plan: assumed passed, and listed with their odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.rules.rulebook import find_rulebook
from marchtable.rules.ruling import Verdict
from marchtable.state.action import Settle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Obligation, Position

__all__ = [
    "Assumption",
    "Passed",
    "assumptions",
    "passed",
    "passing",
    "replayed",
    "settled",
    "without_rolls",
]


class Assumption(NamedTuple):
    """The assumed outcome of a roll in a plan: its step of the log, with its odds."""

    step: int
    obligation: Obligation
    outcome: str
    chance: int
    of: int


def passing(position: Position[Any, Any], *, leaves_nothing: bool = False) -> Settle | None:
    """
    Return the event that settles the first pending roll as passed, or None.

    A roll is passed by the outcome that leaves the position as if the roll had not been required,
    except for counters placed with it (unless nothing may be left behind). If there is none, it is
    passed by an outcome that removes or replaces counters.
    """
    rulebook = find_rulebook(position.rulebook)
    first = position.pending[0]
    struck = msgspec.structs.replace(position, pending=position.pending[1:])
    other: Settle | None = None
    for odds in first.outcomes:
        if odds.chance:
            event = Settle(first.id, odds.outcome)
            ruling = rulebook.rule(position, event)
            if not ruling.is_legal:
                continue
            after = ruling.after
            put = after.counters if leaves_nothing else struck.counters
            if msgspec.structs.replace(after, counters=put) == struck:
                if {*struck.counters} <= {*after.counters}:
                    return event
                other = other or event
    return None if leaves_nothing else other


def without_rolls(position: Position[Any, Any]) -> Position[Any, Any]:
    """Return a position with nothing pending, as if all rolls had been passed."""
    return msgspec.structs.replace(position, pending=()) if position.pending else position


class Passed(NamedTuple):
    """The events that settle all pending rolls as passed, and the position after them."""

    events: tuple[Settle, ...]
    position: Position[Any, Any]


def passed(position: Position[Any, Any]) -> Passed | None:
    """Settle all pending rolls as passed; return None if one cannot be (see :func:`passing`)."""
    rulebook = find_rulebook(position.rulebook)
    events: list[Settle] = []
    while position.pending:
        event = passing(position)
        if event is None:
            return None
        events.append(event)
        position = rulebook.rule(position, event).after
    return Passed(tuple(events), position)


def replayed(position: Position[Any, Any], log: Iterable[Action]) -> Verdict | None:
    """
    Judge a log, settling every roll that it requires as passed.

    Parameters
    ----------
    position
        The starting position.
    log
        Its actions. Entries that settle the pending roll themselves are kept.

    Returns
    -------
    Verdict or None
        Includes a ruling on each roll. None if a roll cannot be passed (see :func:`passing`).
    """
    found = _replayed(position, log)
    return found and found[0]


def settled(position: Position[Any, Any], log: Iterable[Action]) -> tuple[Action, ...] | None:
    """
    Return a log with every roll that it requires settled as passed, or None.

    Entries after the last ruling are unchanged.
    """
    found = _replayed(position, log)
    return found and (*found[0].log, *found[1])


def _replayed(
    position: Position[Any, Any], log: Iterable[Action]
) -> tuple[Verdict, list[Action]] | None:
    """Return the verdict on a log with its rolls settled, and the entries not judged."""
    rulebook = find_rulebook(position.rulebook)
    rulings: list[Ruling] = []
    waiting = list(log)[::-1]
    while waiting or position.pending:
        if position.pending and not (waiting and isinstance(waiting[-1], Settle)):
            event = passing(position)
            if event is None:
                return None
            waiting.append(event)
        rulings.append(rulebook.rule(position, waiting.pop()))
        if rulings[-1].after is None:
            stopped = len(rulings) - 1
            return Verdict(rulings=tuple(rulings), stopped=stopped, position=position), waiting[
                ::-1
            ]
        position = rulings[-1].after
    return Verdict(rulings=tuple(rulings), stopped=None, position=position), []


def assumptions(position: Position[Any, Any], verdict: Verdict) -> tuple[Assumption, ...]:
    """Return the rolls that a replayed log settles."""
    found, before = [], position
    for step, ruling in enumerate(verdict.rulings):
        event = ruling.action
        if isinstance(event, Settle):
            pending = next(o for o in before.pending if o.id == event.obligation)
            odds = next(o for o in pending.outcomes if o.outcome == event.outcome)
            found.append(Assumption(step, pending, odds.outcome, odds.chance, odds.of))
        before = ruling.after
    return tuple(found)
