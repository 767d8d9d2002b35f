"""Literals that follow from others, stated where they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.cpsat.rows import Rows

__all__ = ["either", "entered"]


def either(rows: Rows, literals: Sequence[int]) -> int:
    """Return a literal that holds if one of some does."""
    if len(literals) == 1:
        return literals[0]
    found = rows.new()
    rows.any_of((~found, *literals))
    for literal in literals:
        rows.any_of((~literal, found))
    return found


def entered(rows: Rows, now: int, was: int | None) -> int:
    """Return a literal that holds if a unit is somewhere now where it was not before; None: never was."""
    if was is None:
        return now
    found = rows.new()
    rows.any_of((~now, was, found))
    rows.any_of((~found, now))
    rows.any_of((~found, ~was))
    return found
