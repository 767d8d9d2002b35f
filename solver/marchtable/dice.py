"""Chances of dice."""

from __future__ import annotations

__all__ = ["SIDES", "two_dice_at_least"]

SIDES = 6
"""Sides of a die."""


def two_dice_at_least(total: int) -> tuple[int, int]:
    """
    Return how many of the 36 throws of two dice total at least `total`, and 36.

    Examples
    --------
    >>> two_dice_at_least(11)
    (3, 36)
    """
    return sum(a + b >= total for a in range(1, SIDES + 1) for b in range(1, SIDES + 1)), 36
