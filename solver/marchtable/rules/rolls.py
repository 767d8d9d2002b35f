"""Rolls in a plan: taken to be passed, and listed with their odds."""

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
    """A roll that a plan takes to come out in one way: at which step of the log, with its odds."""

    step: int
    obligation: Obligation
    outcome: str
    chance: int
    of: int


def passing(position: Position[Any, Any], *, leaves_nothing: bool = False) -> Settle | None:
    """
    Return the event that settles the first pending roll as passed, None if there is none.

    A roll is passed by the outcome after which all stands as if it had not been called for, but
    for counters that are put on the map with it, unless it must leave nothing behind; failing
    that, by one that takes counters away or puts others in their place.
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
    """Return a position with nothing pending, as if all had been passed."""
    return msgspec.structs.replace(position, pending=()) if position.pending else position


class Passed(NamedTuple):
    """The events that settle all that was pending as passed, and the position then."""

    events: tuple[Settle, ...]
    position: Position[Any, Any]


def passed(position: Position[Any, Any]) -> Passed | None:
    """Settle all that is pending as passed; None if a roll cannot be (see :func:`passing`)."""
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
    Judge a log, settling every roll that it calls for as passed.

    Parameters
    ----------
    position
        Where it starts.
    log
        Its actions. An entry that settles the pending roll itself is taken as it is.

    Returns
    -------
    Verdict or None
        With a ruling on each roll, too. None if a roll cannot be passed (see :func:`passing`).
    """
    found = _replayed(position, log)
    return found and found[0]


def settled(position: Position[Any, Any], log: Iterable[Action]) -> tuple[Action, ...] | None:
    """Return the same log with these rolls settled, None if one cannot be passed; what comes after the last ruling is left as it is."""
    found = _replayed(position, log)
    return found and (*found[0].log, *found[1])


def _replayed(
    position: Position[Any, Any], log: Iterable[Action]
) -> tuple[Verdict, list[Action]] | None:
    """Return the verdict on a log with its rolls settled, and the entries that are not judged."""
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
