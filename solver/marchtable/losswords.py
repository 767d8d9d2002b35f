"""Losses as players say them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    Data = Mapping[str, Any]

__all__ = ["IMMUNE", "UNHARMED", "told", "untouched", "value", "words"]

UNHARMED, IMMUNE = "unharmed", "takes no points"


def untouched(card: Data) -> str:
    """Return what is said of a unit that nothing befell."""
    return UNHARMED if card["liable"] else IMMUNE


def words(result: str, loss: Data | None = None) -> str:
    """Return what befell a unit as players say it."""
    shared = loss is not None and not loss["points"]
    said = {
        "pinned": "pinned with its vehicle" if shared else "pinned",
        "reduced": "reduced to a half squad",
        "reduced, pinned": "reduced to a half squad, pinned",
        "ignored": "ignores a point",
        "survived": "survives its roll, pinned",
        "eliminated": "lost with its vehicle" if shared else "eliminated",
    }
    return said.get(result, result)


def told(plan: Data) -> str:
    """Return a plan in one line, up to its first roll and what its branches come to."""
    said = [f"{loss['unit']} {words(loss['result'], loss)}" for loss in plan["losses"]]
    if "roll" in plan:
        roll = plan["roll"]
        first = "ignores a point, then " if roll["ignores"] else ""
        said.append(f"{roll['unit']} {first}absorbs {roll['points']} and rolls")
    return ", ".join(said) or "nothing is lost"


def value(number: float) -> str:
    """Return a value with two places at most."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
