"""Helpers for tests of the verb ``casualties`` and of the advice on fire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import marchtable
from marchtable.files.notation import format_action

if TYPE_CHECKING:
    from fractions import Fraction

    from marchtable_models.valor.advisor.fire import FireAdvice
    from tests.valor.scenes import Pos

__all__ = ["HOUSE", "asked", "lines", "losses"]

HOUSE = {"C1": {"terrain": "Stone Building"}}


def asked(position: Pos, points: int | None = None, **fields: Any) -> dict[str, Any]:
    """Return the answer for C1, with fire from C3 unless an attack is open."""
    return marchtable.casualties(position, points, at="C1", origin="C3", **fields)


def lines(advice: FireAdvice, which: str = "best") -> list[str]:
    """Return a split as lines of a log."""
    return [format_action(strike.action) for strike in getattr(advice, which).strikes]


def losses(advice: FireAdvice) -> dict[str, Fraction]:
    """Return the expected loss of each single attack."""
    return {format_action(strike.action): strike.loss for strike in advice.strikes}
