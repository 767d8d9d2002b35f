"""Plane geometry of a flat-top hex map: one unit is the side of a hex, y points up.

Shapes are lists of points; curves are sampled, so that everything drawn is a polyline.
"""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, TypeAlias

from marchtable.board.board import STEPS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from random import Random

Point: TypeAlias = tuple[float, float]
Place: TypeAlias = tuple[int, int]
"""Doubled coordinates of a hex."""

HALF = math.sqrt(3) / 2
"""Half the height of a hex."""

# Corners in steps of (half a side, half a height), clockwise; side i runs from corner i to i + 1.
_CORNERS = ((-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1), (-2, 0))


def centre(place: Place) -> Point:
    """Return the centre of a hex."""
    return 1.5 * place[0], -HALF * place[1]


def toward(origin: Point, direction: float, length: float) -> Point:
    """Return the point at a distance from the origin, in hexsides clockwise from the top."""
    angle = math.radians(90 - 60 * direction)
    return origin[0] + length * math.cos(angle), origin[1] + length * math.sin(angle)


def side_middle(place: Place, direction: int) -> Point:
    """Return the midpoint of a hexside."""
    return toward(centre(place), direction, HALF)


def side_ends(place: Place, direction: int) -> tuple[Point, Point]:
    """Return both ends of a hexside, clockwise."""
    origin = centre(place)
    return toward(origin, direction - 0.5, 1), toward(origin, direction + 0.5, 1)


def between(a: Point, b: Point, share: float) -> Point:
    """Return the point ``share`` of the way from ``a`` to ``b``."""
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def hexagon(place: Place, size: float = 1.0) -> list[Point]:
    """Return the outline of a hex."""
    origin = centre(place)
    return [toward(origin, number - 0.5, size) for number in range(6)]


def outlines(places: Collection[Place]) -> list[list[Point]]:
    """Return the closed outlines of a set of hexes."""
    region = set(places)
    follow: dict[Place, Place] = {}
    for u, v in sorted(region):
        for number, (across, down) in enumerate(STEPS):
            if (u + across, v + down) not in region:
                a, b = _CORNERS[number], _CORNERS[(number + 1) % 6]
                follow[3 * u + a[0], a[1] - v] = (3 * u + b[0], b[1] - v)
    found = []
    while follow:
        start, corner = follow.popitem()
        loop = [start]
        while corner != start:
            loop.append(corner)
            corner = follow.pop(corner)
        found.append([(x / 2, y * HALF) for x, y in loop])
    return found


def smooth(loop: Sequence[Point], times: int = 3) -> list[Point]:
    """Return a closed outline with its corners cut (Chaikin)."""
    points = list(loop)
    for _ in range(times):
        after = points[1:] + points[:1]
        points = [
            point
            for a, b in zip(points, after, strict=True)
            for point in (between(a, b, 0.25), between(a, b, 0.75))
        ]
    return points


def curve(start: Point, bend: Point, end: Point, pieces: int = 10) -> list[Point]:
    """Return a quadratic curve bent towards ``bend``."""
    steps = [number / pieces for number in range(pieces + 1)]
    return [between(between(start, bend, t), between(bend, end, t), t) for t in steps]


def strand(
    place: Place,
    directions: Collection[float],
    *,
    reach: float = 1.0,
    meet: Point | None = None,
) -> list[list[Point]]:
    """
    Return the lines of a road or stream between the sides of a hex.

    Parameters
    ----------
    place
        The hex.
    directions
        The hexsides it leads to, and the corners (halfway between two), joined by curves.
    reach
        The share of the way to the hexside that it covers.
    meet
        The end of a single line; by default the centre.
    """
    origin = centre(place)
    ends = {at: toward(origin, at, reach * (1 if at % 1 else HALF)) for at in sorted(directions)}
    if len(ends) == 2:
        first, second = ends.values()
        return [curve(first, origin, second)]
    # Adjacent sides are not joined at a junction: that would enclose an island.
    pairs = [(a, b) for a, b in combinations(ends, 2) if b - a not in (1, 5)]
    curves = [curve(ends[a], origin, ends[b]) for a, b in pairs]
    last = meet or origin
    return curves + ([[end, last] for end in ends.values()] or [[last, (last[0] + 1e-3, last[1])]])


def along(line: Sequence[Point], pitch: float) -> list[tuple[Point, Point]]:
    """Return evenly spaced points of a line, each with the unit vector across it."""
    found = []
    ahead = pitch / 2
    for a, b in pairwise(line):
        length = math.dist(a, b)
        while ahead <= length:
            across = ((a[1] - b[1]) / length, (b[0] - a[0]) / length)
            found.append((between(a, b, ahead / length), across))
            ahead += pitch
        ahead -= length
    return found


def circle(origin: Point, radius: float, corners: int = 12) -> list[Point]:
    """Return a circle, as a polygon."""
    return [toward(origin, 6 * number / corners, radius) for number in range(corners)]


def blob(origin: Point, radius: float, random: Random) -> list[Point]:
    """Return a lobed outline, like a clump of trees seen from above."""
    lobes = max(5, round(radius * 17))
    points = []
    for number in range(lobes):
        bulge = radius * random.uniform(0.90, 1.05)
        for part, length in ((0.0, 0.88 * radius), (0.3, bulge), (0.7, bulge)):
            points.append(toward(origin, 6 * (number + part) / lobes, length))
    return points


def block(origin: Point, wide: float, high: float, turn: float) -> list[Point]:
    """Return a rectangle around its centre, rotated clockwise by ``turn`` degrees."""
    corners = ((-wide, high), (wide, high), (wide, -high), (-wide, -high))
    return turned([(x / 2, y / 2) for x, y in corners], origin, turn)


def turned(points: Iterable[Point], origin: Point, turn: float) -> list[Point]:
    """Return points around the origin, rotated clockwise by ``turn`` degrees and moved there."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return [(origin[0] + x * cos + y * sin, origin[1] - x * sin + y * cos) for x, y in points]


def lattice(place: Place, count: int, inside: float) -> list[Point]:
    """
    Return about ``count`` points in even rows within a hex, clear of its name at the top.

    ``inside`` is how near they may come to the hexsides: half the height of the hex they fill.
    """
    x0, y0 = centre(place)
    pitch = math.sqrt(2.2 / max(count, 1))
    rows = math.ceil(1 / pitch)
    points = []
    for row in range(-rows, rows + 1):
        shift = pitch / 2 if row % 2 else 0.0
        for column in range(-rows - 1, rows + 2):
            x, y = column * pitch + shift, row * pitch * HALF
            fits = abs(y) < inside and HALF * abs(x) + abs(y) / 2 < inside
            if fits and not (y > 0.48 and abs(x) < 0.34):
                points.append((x0 + x, y0 + y))
    return points
