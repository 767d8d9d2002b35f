"""What each terrain costs to enter (chapter 10): a clause for each row of the table that sets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import Clause
from marchtable_models.valor.data import rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.data import Ground
    from marchtable_models.valor.facts.moves import Step

__all__ = ["CHART"]


def row_of(facts: Step, sheet: Sheet) -> str:
    """Return the row by which a step is paid: that of a road which leads in, else that of the hex (A26)."""
    if not facts.lie.road or facts.lie.there in ("road", "bridge"):
        return facts.lie.there
    return "road" if sheet.reading("A26") == "road" else facts.lie.there


def _entering(mine: tuple[Ground, ...]) -> Callable[[Step, Sheet], None]:
    by_id = {row.id: row for row in mine}

    def enter(facts: Step, sheet: Sheet) -> None:
        row = by_id.get(facts.lie.there) or by_id.get("road")
        if row is None or row_of(facts, sheet) != row.id:
            return
        cost = row.infantry if facts.column == "infantry" else row.vehicle
        if cost is None:
            sheet.bar(f"{row.title}: it cannot be entered")
        elif row.by_road and facts.is_heavy and not facts.lie.road:
            sheet.bar(f"{row.title}: only from a road that leads onto it")
        elif facts.verb != "advance":
            sheet.charge(2 * cost, row.title)

    return enter


def _clauses() -> tuple[Clause, ...]:
    by_clause: dict[str, tuple[Ground, ...]] = {}
    for row in rows().values():
        by_clause[row.clause] = (*by_clause.get(row.clause, ()), row)
    return tuple(
        Clause(name, f"{mine[0].title}: what entering costs, and whom it keeps out",
               kind="cost", function=_entering(mine))
        for name, mine in by_clause.items()
    )  # fmt: skip


CHART = _clauses()
"""In the order of the table."""
