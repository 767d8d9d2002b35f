"""How the vehicles of a Convoy stand to each other, as clauses: in line, and one to a hex."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.convoyfield import OFF

if TYPE_CHECKING:
    from marchtable_models.asl.cpsat.convoylogic import Logic

__all__ = ["in_line", "one_each"]


def in_line(logic: Logic, t: int) -> None:
    """State that each vehicle is beside the next."""
    for i in range(logic.count - 1):
        front, rear = logic.hexes[i][t], logic.hexes[i + 1][t]
        entering = logic.entering[i + 1]
        for cell, literal in front.items():
            _beside(logic, literal, rear, logic.field.behind(1 << cell, entering))
        for cell, literal in rear.items():
            _beside(logic, literal, front, logic.field.before(1 << cell, entering))


def _beside(logic: Logic, literal: int, others: dict[int, int], near: int) -> None:
    found = [other for cell, other in others.items() if near >> cell & 1]
    if len(found) < len(others):
        logic.any_of((~literal, *found))


def one_each(logic: Logic, t: int) -> None:
    """State that nobody enters where another still stands: those ahead move first."""
    now: dict[int, dict[int, int]] = {}
    was: dict[int, dict[int, int]] = {}
    for i in range(logic.count):
        for cell, literal in logic.hexes[i][t].items():
            now.setdefault(cell, {})[i] = literal
        for cell, literal in logic.hexes[i][t - 1].items() if t else ():
            was.setdefault(cell, {})[i] = literal
    for cell, those in now.items():
        if cell == OFF - 1:
            continue
        before = was.get(cell, {})
        seen = set()
        for k in sorted(those) if before else [logic.count]:
            group = tuple(
                [x for i, x in those.items() if i <= k] + [x for i, x in before.items() if i > k]
            )
            if len(group) > 1 and group not in seen:
                seen.add(group)
                logic.not_two(group)
