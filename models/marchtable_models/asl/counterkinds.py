"""Names of counter kinds, and what a name itself states."""

from __future__ import annotations

import re

from marchtable.board.board import DIRECTIONS
from marchtable_models.asl.data import works

ROADBLOCK, BREACH = "roadblock-", "breach-"
ONE_LANE = "one-lane"
TRAIL = "trail-break-"
_TONS = re.compile(r"[0-9]+(\.[0-9]+)?")
BLAST = "blast-area"
MINEFIELD, SMOKE, TRENCH, BURNING, BLAZE = "minefield", "smoke", "trench", "burning-wreck", "blaze"
SMOKES = (
    SMOKE, "smoke-full", "smoke-dispersed", "smoke-grenades", "smoke-drifting",
    "wp-full", "wp-dispersed", "wp-grenades", "wp-drifting",
)  # fmt: skip
"""SMOKE: of unstated strength, then conventional smoke and WP by source (A24.5)."""
AT_DITCH = "at-ditch"
WIRE = "wire"
FORTIFIED = "fortified"
PLACED_DC, SET_DC, FLAME = "placed-dc", "set-dc", "flame"
CROSSED = "crossed-"
LIMIT = "weight-limit-"
OTHER = "other "
"""Start of the kind of a counter without a clause: UNSUPPORTED where it matters."""


def roadblock_side(kind: str) -> int | None:
    """Return the hexside on which a kind of counter is a roadblock, None if it is not one."""
    return side_of(ROADBLOCK, kind)


def side_of(prefix: str, kind: str) -> int | None:
    """Return the hexside of a counter of that sort, None for another sort."""
    side = kind.removeprefix(prefix)
    return DIRECTIONS.index(side) if side != kind and side in DIRECTIONS else None


def limit_of(kind: str) -> float | None:
    """Return the tons that a counter states a wooden bridge has held, else None."""
    number = kind.removeprefix(LIMIT)
    return float(number) if number != kind and _TONS.fullmatch(number) else None


def is_track(kind: str) -> bool:
    """Return whether a counter affects no unit that enters, or only shows where vehicles can go."""
    return kind in (ONE_LANE, PLACED_DC, SET_DC, FLAME) or kind.startswith(
        (TRAIL[:-1], CROSSED, LIMIT)
    )


def known_kinds() -> tuple[str, ...]:
    """Return the kinds of counters that clauses name, except those of hexsides and SW."""
    return (*SMOKES, *works().terrain, *works().other, *(row.id for row in works().counter))


def is_known(kind: str) -> bool:
    """Return whether some clause states the effect of that kind of counter on movement."""
    sides = (side_of(prefix, kind) for prefix in (ROADBLOCK, BREACH, TRAIL, CROSSED))
    listed = (*SMOKES, *works().terrain, *works().other)
    known = kind in listed or limit_of(kind) is not None or any(side is not None for side in sides)
    return known or any(row.id == kind for row in works().counter)
