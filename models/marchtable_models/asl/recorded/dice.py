"""Comparison of a reading's rolls with the dice in the chat."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable.rules.rulebook import find_rulebook
from marchtable.rules.throws import dice_of, outcomes_by_throw
from marchtable.state.action import Settle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.ruling import Ruling
    from marchtable.state.position import Obligation
    from marchtable.vasl.logs import Dice

KINDS = ("Other", "TC", "MC", "RS")
"""VASL's names of rolls for moves, which have no dice button of their own."""


class Compared(NamedTuple):
    """The chat's evidence on the rolls of a reading: notes, and contradictions."""

    notes: tuple[str, ...]
    doubts: tuple[str, ...]


def may_settle(dice: Dice) -> bool:
    """Return whether a throw can be a DR that a move needs."""
    return dice.kind in KINDS and len(dice.faces) > 1


def is_single(dice: Dice) -> bool:
    """Return whether a throw can be a dr that a move needs."""
    return dice.kind in KINDS and len(dice.faces) == 1


def compared(rulings: Sequence[Ruling], rolls: Sequence[tuple[str, Dice]]) -> Compared:
    """
    Compare the rolls settled in a log with those made.

    An unrecorded roll is assumed to have the log's outcome, with a note. A recorded roll with
    another outcome contradicts the log but proves nothing: it might have been for something else.

    Parameters
    ----------
    rulings
        The judged log.
    rolls
        The dice thrown during it, each with its step in words, in order.
    """
    notes, doubts = [], []
    unused = [(step, dice) for step, dice in rolls if dice.kind in KINDS]
    for obligation, outcome in _needed(rulings):
        kind = "DR" if _dice(obligation) == 2 else "dr"
        name = f"{obligation.id} ({obligation.clause})"
        fitting = [one for one in unused if len(one[1].faces) == _dice(obligation)]
        known = [(step, dice, _outcome(obligation, dice)) for step, dice in fitting]
        match = next((one for one in known if one[2] == outcome), None)
        if match is not None:
            unused.remove(match[:2])
            notes.append(f"{name}: {match[1]} at step {match[0]}: {outcome}")
        elif any(one[2] for one in known):
            step, dice, other = next(one for one in known if one[2])
            doubts.append(
                f"{name}: the {dice} at step {step} means {other}, but the move is that of {outcome}"
            )
        else:
            notes.append(f"{name}: no {kind} is recorded; assumed: {outcome}, as the move shows")
    return Compared(tuple(notes), tuple(doubts))


def _needed(rulings: Sequence[Ruling]) -> Iterator[tuple[Obligation, str]]:
    """Yield the rolls settled in a log, with outcomes; not players' decisions."""
    pending: dict[str, Obligation] = {}
    for ruling in rulings:
        if isinstance(ruling.action, Settle) and ruling.action.obligation in pending:
            found = pending[ruling.action.obligation]
            if max(one.of for one in found.outcomes) > 1:
                yield found, ruling.action.outcome
        if ruling.after is not None:
            pending = {one.id: one for one in ruling.after.pending}


def _dice(obligation: Obligation) -> int:
    """Return the number of dice of a roll: one or two."""
    return dice_of(obligation, find_rulebook("asl").throws) or 2


def _outcome(obligation: Obligation, dice: Dice) -> str:
    """Return the outcome of a throw, ``""`` if the sum of the dice does not determine it."""
    known = outcomes_by_throw(obligation, find_rulebook("asl").throws)
    return known.get(",".join(map(str, dice.faces)), "")
