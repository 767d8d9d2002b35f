"""What each member has spent when a plan ends: who has left the map spends no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from marchtable.planning.line.logic import Logic

__all__ = ["paid_by"]


def paid_by(logic: Logic, i: int) -> dict[int, int]:
    """Return literals of what a member has spent when the plan ends, by level."""
    if i in logic.paid:
        return logic.paid[i]
    levels = sorted({level for totals in logic.totals for level in totals})
    found = logic.paid[i] = {level: logic.new() for level in levels}
    logic.one_of(found.values())
    _pays(logic, found, logic.last, [x for x in [logic.gone(i, logic.last)] if x is not None])
    for t in range(1, logic.last + 1):
        gone, before = logic.gone(i, t), logic.gone(i, t - 1)
        if gone is not None:
            _pays(logic, found, t, [~gone, *([] if before is None else [before])])
    return found


def _pays(logic: Logic, paid: dict[int, int], t: int, others: list[int]) -> None:
    """State that what is spent by a round is what a member has spent, or else one of others holds."""
    for level, total in logic.totals[t].items():
        logic.any_of((~total, paid[level], *others))
