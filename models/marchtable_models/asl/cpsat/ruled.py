"""The models' questions to a rulebook, and readings of its rulings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from marchtable.budget import work
from marchtable.rules.rolls import passing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["charged", "is_granted", "passed", "still_has", "tried", "unmodelled"]

STEP = 0.0002  # deterministic time per ruling


def is_granted(ruling: Ruling) -> bool:
    """Return whether a step is legal without a roll."""
    return ruling.is_legal and not ruling.obligations


def tried(
    rulebook: Rulebook[Any, Any], here: Position[Any, Any], actions: Sequence[Action]
) -> list[Ruling]:
    """Return rulings on actions in turn, up to the first rejected one."""
    found = []
    for action in actions:
        work(STEP)
        ruling = rulebook.rule(here, action)
        found.append(ruling)
        if not is_granted(ruling):
            break
        here = ruling.after
    return found


def unmodelled(ruling: Ruling) -> set[str]:
    """Return the unmodelled clauses that alone prevent a step."""
    return set() if ruling.violations else {fault.clause for fault in ruling.unsupported}


def charged(rulings: Sequence[Ruling], unit: str | None = None) -> Counter[str]:
    """Return, by clause, the half points that steps charge a unit, or all units."""
    found: Counter[str] = Counter()
    for receipt in (r for ruling in rulings for r in ruling.receipts):
        if unit in (None, receipt.unit):
            for charge in receipt.charges:
                found[charge.clause] += charge.amount
    return found


def still_has(rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Any) -> int:
    """Return a unit's remaining half points; negative if it has overspent."""
    return rulebook.allotment(position, unit) - rulebook.spent(unit)


def passed(
    rulebook: Rulebook[Any, Any], ruling: Ruling, *, avoid: bool
) -> Position[Any, Any] | None:
    """
    Return the position after a legal step, with rolls assumed passed or, to avoid them, None.

    Also None if a passed roll leaves a counter: others would find another map.
    """
    after: Position[Any, Any] | None = ruling.after
    if after is None or not ruling.is_legal or (after.pending and avoid):
        return None
    while after.pending:
        event = passing(after, leaves_nothing=True)
        if event is None:
            return None
        after = rulebook.rule(after, event).after
        assert after is not None
    return after
