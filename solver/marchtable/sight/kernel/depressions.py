"""Depressions (A6.3): how far a line stays within one from either end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.sight.kernel.columns import (
    CREST,
    EXIT_S,
    EXIT_T,
    GAP,
    HALL_AT,
    INSIDE,
    LEVEL,
    OPEN_S,
    R_BUILDING,
    R_DEPRESSION,
    R_OBSTACLE,
    RUN_S,
    RUN_T,
)

if TYPE_CHECKING:
    from marchtable.sight.kernel.case import SightCase

__all__ = ["ends_block", "follow_depression"]


def follow_depression(
    field: Any, me: Any, case: SightCase, hexside: tuple[int, int, int], into: bool
) -> None:
    """Record whether a line crosses a hexside within a depression, from one hex to the next."""
    hexes = field[2]
    a, h, way = hexside
    if me[CREST]:  # it has left the depression since the last hexside
        me[OPEN_S] = me[RUN_T] = me[CREST] = 0
    if way >= 0 and hexes[a, GAP + way] & 2:
        into = False
    if me[OPEN_S] and into:
        me[RUN_S] += 1
    else:
        me[OPEN_S] = 0
    me[RUN_T] = me[RUN_T] + 1 if into else 0
    if a == case.s and into and hexes[h, LEVEL] < case.hs:
        me[EXIT_S] = me[OPEN_S]
    if h == case.t and into and hexes[a, LEVEL] < case.ht:
        me[EXIT_T] = 1


def ends_block(me: Any, case: SightCase) -> tuple[int, int]:
    """Return why a line is blocked at its ends, or by a hall that it looks through, or 0."""
    if case.s_in:
        through = me[RUN_S] >= case.rng or me[EXIT_S]
        if not through and case.ht - case.hs < 2 * (case.rng - me[RUN_S]):
            return R_DEPRESSION, case.s
    if case.t_in:
        run = 0 if me[CREST] else me[RUN_T]
        through = run >= case.rng or (me[EXIT_T] and not me[CREST])
        if not through and case.hs - case.ht < 2 * (case.rng - run):
            return R_DEPRESSION, case.t
    if not me[INSIDE]:
        return (R_OBSTACLE, me[HALL_AT]) if me[HALL_AT] >= 0 else (0, -1)
    if case.from_roof and (case.rng == 1 or me[HALL_AT] >= 0):
        return R_BUILDING, case.s  # B23.87: within a Factory the roof is open only to its own hex
    return 0, -1
