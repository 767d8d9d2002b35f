"""Changes to a unit's allotment during its move: a road, a leader, Double Time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.codec.structs import points

if TYPE_CHECKING:
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.position import Position

__all__ = ["changed"]


def changed(
    book: Rulebook[Any, Any],
    before: Position[Any, Any],
    after: Position[Any, Any],
    name: str,
    who: str = "it",
) -> list[dict[str, Any]]:
    """Return the parts of a unit's allotment, as a detail of the step that changed it."""
    was, now = before.unit(name), after.unit(name)
    budget = book.budget(after, now)
    if budget.allotment == book.allotment(before, was):
        return []
    made = [charge for charge in budget.charges if charge.amount]
    if not made:
        return []
    return [
        {
            "what": f"{book.points(after, now)} that {who} has then",
            "value": points(budget.allotment),
            "parts": [
                {"clause": one.clause, "note": one.note, "amount": points(one.amount)}
                for one in made
            ],
            "outcomes": [],
        }
    ]
