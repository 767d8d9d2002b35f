"""Temporary obstructions: SMOKE (A24), wrecks and vehicles (D9.4), roadblocks (B29)."""

from __future__ import annotations

from typing import Any

from marchtable.sight.kernel.case import SightCase, apart
from marchtable.sight.kernel.columns import (
    BASE,
    BOTTOM,
    CLOSED,
    DOES,
    FILLS,
    FLAT,
    HIGH,
    HIGH_TOP,
    LOW,
    LOW_TOP,
    OBSTACLE,
)
from marchtable.sight.kernel.obstacles import obstacle

__all__ = ["closed", "drifts_over", "is_rubble", "lying"]


def drifts_over(extra: Any, case: SightCase, hexes: Any, h: int, top: int) -> bool:
    """Return whether a line of sight passes through SMOKE that drifts over a hex up to a height."""
    if (h == case.t and case.ht < top) or (h == case.s and case.hs < top):
        return True
    ranges = apart(hexes, case.s, h), apart(hexes, case.t, h)
    bottom = extra[h, BOTTOM]
    return obstacle((case.hs, case.ht), bottom, top - bottom, ranges, case.longest, 1) != 0


def lying(extra: Any, case: SightCase, hexes: Any, h: int) -> int:
    """Return the DRM of a hex's temporary contents."""
    if not extra.shape[0]:
        return 0
    add = 0
    if extra[h, LOW] and drifts_over(extra, case, hexes, h, extra[h, LOW_TOP]):
        add = extra[h, LOW]
    elif extra[h, HIGH] and drifts_over(extra, case, hexes, h, extra[h, HIGH_TOP]):
        add = extra[h, HIGH]
    if extra[h, FLAT] and case.same and case.hs == hexes[h, BASE] and h not in (case.s, case.t):
        add += extra[h, FLAT]
    return int(add)


def is_rubble(extra: Any, kinds: Any, h: int) -> bool:
    """Return whether rubble was placed in a hex, replacing any building there."""
    if not extra.shape[0] or h < 0 or not extra[h, FILLS]:
        return False
    return bool(kinds[extra[h, FILLS], DOES] == OBSTACLE)


def closed(extra: Any, hexes: Any, case: SightCase, hexside: tuple[int, int, int]) -> bool:
    """Return whether an obstruction closes a hexside between the ends like a wall."""
    a, h, way = hexside
    if not extra.shape[0] or way < 0 or not (extra[a, CLOSED] >> way) & 1 or not case.same:
        return False
    if case.s in (a, h) or case.t in (a, h):
        return False
    return bool(case.hs < max(hexes[a, BASE], hexes[h, BASE]) + 1)
