"""
Hex Grains and Alternate Hex Grains: rows of hexes from edge to edge, followed by Human Waves.

Hexsides define a *course*. ``N`` goes straight on; ``SW-S`` enters the hex that fixes it by a step
SW, leaves it by one S, and so on in turn: a zigzag, an Alternate Hex Grain. Places are doubled
coordinates, as in boards.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, get_args

from marchtable.board.board import DIRECTIONS, STEPS, hexes_between

Course = Literal[
    "N", "NE", "SE", "S", "SW", "NW", "N-NE", "NE-N", "NE-SE", "SE-NE", "SE-S", "S-SE", "S-SW",
    "SW-S", "SW-NW", "NW-SW", "NW-N", "N-NW",
]  # fmt: skip
COURSES: tuple[Course, ...] = get_args(Course)
FAR = 64
"""How many hexes of a row are examined on either side: more than maps have."""

Hex = tuple[int, int]


def _ways(course: str) -> tuple[int, int]:
    """Return the hexsides by which a course enters and leaves the hex that fixes it."""
    words = course.split("-")
    return DIRECTIONS.index(words[0]), DIRECTIONS.index(words[-1])


def ahead(course: str) -> tuple[int, ...]:
    """Return the hexsides of the forward hexes: three by a Hex Grain, else two."""
    first, last = _ways(course)
    return ((first - 1) % 6, first, (first + 1) % 6) if first == last else (first, last)


def aside(course: str) -> tuple[int, ...]:
    """Return the hexsides of the side hexes, by an Alternate Hex Grain."""
    first, last = _ways(course)
    if first == last:
        return ()
    low, high = (first, last) if (last - first) % 6 == 1 else (last, first)
    return ((low - 1) % 6, (high + 1) % 6)


def _walk(start: Hex, ways: tuple[int, int], sign: int) -> list[Hex]:
    found, (u, v) = [], start
    for number in range(FAR):
        du, dv = STEPS[ways[number % 2]]
        u, v = u + sign * du, v + sign * dv
        found.append((u, v))
    return found


@cache
def before(at: Hex, course: str) -> tuple[Hex, ...]:
    """Return the hexes of a row up to the one that fixes it, inclusive."""
    first, last = _ways(course)
    return (at, *_walk(at, (first, last), -1))


@cache
def row(at: Hex, course: str) -> tuple[Hex, ...]:
    """Return the hexes of a row on both sides of the one that fixes it."""
    first, last = _ways(course)
    return (*before(at, course), *_walk(at, (last, first), 1))


def distance(at: Hex, hexes: tuple[Hex, ...]) -> int:
    """Return the distance from a hex to the nearest of some hexes."""
    return min(hexes_between(at[0] - u, at[1] - v) for u, v in hexes)
