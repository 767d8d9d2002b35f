"""
Hex Grains and Alternate Hex Grains: rows of hexes from edge to edge, along which a Human Wave goes.

A *course* is given by hexsides. ``N`` goes straight on by one; ``SW-S`` enters the hex that fixes it by
a step SW, leaves it by one S, and so on in turn: a zigzag between both, an Alternate Hex Grain.
Places are doubled coordinates, as boards have them.
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
"""How many hexes of a row are looked at on either side, which is more than maps have."""

Hex = tuple[int, int]


def _ways(course: str) -> tuple[int, int]:
    """Return the hexsides by which a course enters the hex that fixes it, and leaves it."""
    words = course.split("-")
    return DIRECTIONS.index(words[0]), DIRECTIONS.index(words[-1])


def ahead(course: str) -> tuple[int, ...]:
    """Return the hexsides across which the forward hexes lie: three by a Hex Grain, else two."""
    first, last = _ways(course)
    return ((first - 1) % 6, first, (first + 1) % 6) if first == last else (first, last)


def aside(course: str) -> tuple[int, ...]:
    """Return the hexsides across which the side hexes lie, by an Alternate Hex Grain."""
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
    """Return the hexes of a row up to the one that fixes it, that one among them."""
    first, last = _ways(course)
    return (at, *_walk(at, (first, last), -1))


@cache
def row(at: Hex, course: str) -> tuple[Hex, ...]:
    """Return the hexes of a row on both sides of the one that fixes it."""
    first, last = _ways(course)
    return (*before(at, course), *_walk(at, (last, first), 1))


def distance(at: Hex, hexes: tuple[Hex, ...]) -> int:
    """Return how many hexes a hex is from the nearest of some."""
    return min(hexes_between(at[0] - u, at[1] - v) for u, v in hexes)
