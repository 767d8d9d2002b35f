"""The small signs strewn over terrain, each a few lines around its centre."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.picture.geometry import Point, blob, circle, curve, toward

if TYPE_CHECKING:
    from random import Random

    from marchtable.picture.style import Glyph

CLOSED: frozenset[Glyph] = frozenset({"bush", "dot", "rock", "tree"})
"""Signs that are filled; the others are strokes."""


def glyph_lines(glyph: Glyph, at: Point, size: float, random: Random) -> list[list[Point]]:
    """Return the lines of one sign of about ``size`` in radius."""
    if glyph == "dot":
        return [circle(at, size * random.uniform(0.7, 1.2), 6)]
    if glyph in ("tree", "ring"):
        ring = circle(at, size * random.uniform(0.9, 1.1), 9)
        return [[*ring, ring[0]]]
    if glyph == "bush":
        return [blob(at, size * random.uniform(0.7, 1.1), random)]
    if glyph == "rock":
        first = random.random()
        return [
            [
                toward(at, first + 1.2 * corner, size * random.uniform(0.6, 1.1))
                for corner in range(5)
            ]
        ]
    if glyph == "palm":
        return [[at, toward(at, number + 0.3, size)] for number in range(6)]
    return [[(at[0] + size * x, at[1] + size * y) for x, y in line] for line in _STROKES[glyph]]


_STROKES: dict[str, list[list[Point]]] = {
    "arc": [curve((-1, -0.3), (0, 1.2), (1, -0.3), 4)],
    "cross": [[(0, -1), (0, 1)], [(-0.6, 0.35), (0.6, 0.35)]],
    "furrow": [[(-1, 0), (1, 0)]],
    "reed": [
        [(-1, -0.6), (1, -0.6)],
        [(-0.4, -0.6), (-0.6, 0.5)],
        [(0, -0.6), (0, 0.9)],
        [(0.4, -0.6), (0.6, 0.5)],
    ],
    "stalk": [[(0, -0.9), (0, 0.9)], [(-0.6, 0.5), (0, -0.2)], [(0.6, 0.5), (0, -0.2)]],
    "wave": [curve((-1, 0), (-0.5, 0.7), (0, 0), 4) + curve((0, 0), (0.5, -0.7), (1, 0), 4)],
}
