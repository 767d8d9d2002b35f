"""Losses in players' words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    Data = Mapping[str, Any]

__all__ = ["IMMUNE", "UNHARMED", "plan_line", "untouched", "value"]

UNHARMED, IMMUNE = "unharmed", "takes no points"


def untouched(card: Data) -> str:
    """Return the text for a unit to which nothing happened."""
    return UNHARMED if card["liable"] else IMMUNE


def plan_line(plan: Data) -> str:
    """Return a plan in one line, up to its first roll and the value of each branch."""
    said = [f"{loss['unit']} {loss['said']}" for loss in plan["losses"]]
    if "roll" in plan:
        roll = plan["roll"]
        first = "ignores a point, then " if roll["ignores"] else ""
        said.append(f"{roll['unit']} {first}absorbs {roll['points']} and rolls")
    return ", ".join(said) or "nothing is lost"


def value(number: float) -> str:
    """Return a value with at most two decimal places."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
