"""
The six hexspines, hexsides and vertices: the geometry of Bypass in numbers 0 to 5.

Hexspine i lies between hexsides i and i + 1 and ends in vertex i. Hexside s of a hex runs from
vertex s - 1 to vertex s; vertex v is shared with the neighbours across hexsides v and v + 1. Moving
along hexside s clockwise, to vertex s, a vehicle faces along hexspine s + 1; the other way, to
vertex s - 1, along hexspine s - 2. Its hexside and VCA alone define a vehicle in Bypass: pivoted by
one hexspine at its front vertex, it has a VCA that no vehicle with another front vertex has. In
Reverse its rear is its front.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

Spine = Literal["NNE", "E", "SSE", "SSW", "W", "NNW"]
"""A hexspine: a VCA, or the vertex it ends in."""
CORNERS = "the hexspines, which point at the corners of a hex (NE and the like are hexsides)"
"""The expected words in an error message."""
SPINES: tuple[Spine, ...] = ("NNE", "E", "SSE", "SSW", "W", "NNW")

OWN = -1
"""In place of a direction: the hex itself."""
STRAIGHT, CLOCKWISE, OWNWARD = (1, 4), (0, 1, 2), (2, 3)  # VCA less hexside
LONGEST = 4  # hexsides Infantry can go along


def opposite(direction: int) -> int:
    """Return the hexside of entry, in the next hex's numbering."""
    return (direction + 3) % 6


def is_pivoted(edge: int, facing: int) -> bool:
    """Return whether a vehicle on that hexside has changed its VCA at the vertex it goes to."""
    return (facing - edge) % 6 not in STRAIGHT


def front(edge: int, facing: int, *, reverse: bool = False) -> int:
    """Return the vertex that a vehicle on that hexside goes to or has come to."""
    return edge if (facing + 3 * reverse - edge) % 6 in CLOCKWISE else (edge - 1) % 6


@cache
def ahead(facing: int, edge: int | None, *, reverse: bool = False) -> tuple[int, ...]:
    """
    Return the directions of hexes a vehicle can enter, ``OWN`` for the obstacle it is at.

    Parameters
    ----------
    facing
        Its VCA, as the number of a hexspine.
    edge
        The hexside along which it is in Bypass, None in the middle of a hex.
    reverse
        Whether it moves in Reverse.
    """
    if edge is None:
        way = (facing + 3) % 6 if reverse else facing
        return (way, (way + 1) % 6)
    turn = (facing + 3 * reverse - edge) % 6
    side = 1 if turn in CLOCKWISE else -1
    beyond = (edge + side) % 6
    if turn in STRAIGHT:
        return (beyond,)
    return (beyond, OWN if turn in OWNWARD else edge)


@cache
def edges(facing: int, edge: int | None, *, reverse: bool = False) -> dict[int, int]:
    """Return the hexsides a vehicle can go along next, by the direction of their hex (or ``OWN``)."""
    if edge is None:
        way = (facing + 3) % 6 if reverse else facing
        return {way: (way + 2) % 6, (way + 1) % 6: (way - 1) % 6}
    if not is_pivoted(edge, facing):
        return {}
    turn = (facing + 3 * reverse - edge) % 6
    side = 1 if turn in CLOCKWISE else -1
    beyond = (edge + side) % 6
    if turn in OWNWARD:  # around the same obstacle, or along that hexside in the next hex
        return {OWN: beyond, beyond: opposite(beyond)}
    return {beyond: (edge - side) % 6, edge: (edge + 2 * side) % 6}


@cache
def starts(direction: int, corner: int | None) -> tuple[tuple[int, int], ...]:
    """
    Return the vertices of the next hex from which Infantry can bypass it, and the direction (1 clockwise).

    Parameters
    ----------
    direction
        The direction of that hex.
    corner
        The vertex it has reached in Bypass, None in the middle of a hex.
    """
    shared = opposite(direction)
    if corner is None:
        return ((shared, 1), ((shared - 1) % 6, -1))
    if direction == corner:
        return (((shared - 1) % 6, 1), ((shared - 1) % 6, -1))
    return ((shared, 1), (shared, -1)) if direction == (corner + 1) % 6 else ()


@cache
def run(clear: tuple[int, ...], begin: tuple[tuple[int, int], ...], to: int) -> int:
    """Return the number of hexsides of the shortest clear way to a vertex, 0 for none."""
    found = []
    for vertex, way in begin:
        count = (way * (to - vertex)) % 6
        sides = [(vertex + (way > 0) + way * step) % 6 for step in range(count)]
        if 0 < count <= LONGEST and all(side in clear for side in sides):
            found.append(count)
    return min(found, default=0)


def turned(clear: tuple[int, ...], begin: tuple[tuple[int, int], ...], to: int) -> frozenset[int]:
    """Return the vertices that every shortest clear way to a vertex goes around."""
    short, found = run(clear, begin, to), []
    for vertex, way in begin:
        count = (way * (to - vertex)) % 6
        sides = [(vertex + (way > 0) + way * step) % 6 for step in range(count)]
        if count == short and all(side in clear for side in sides):
            found.append(frozenset((vertex + way * step) % 6 for step in range(1, count)))
    return frozenset.intersection(*found) if found else frozenset()


def begins(clear: tuple[int, ...], begin: tuple[tuple[int, int], ...], to: int) -> frozenset[int]:
    """Return the vertex from which every shortest clear way to a vertex starts, if it is one."""
    short, found = run(clear, begin, to), set()
    for vertex, way in begin:
        count = (way * (to - vertex)) % 6
        sides = [(vertex + (way > 0) + way * step) % 6 for step in range(count)]
        if count == short and all(side in clear for side in sides):
            found.add(vertex)
    return frozenset(found if len(found) == 1 else ())


@cache
def passes(
    clear: tuple[int, ...], some: tuple[int, ...], begin: tuple[tuple[int, int], ...], to: int
) -> bool:
    """Return whether some of the clear hexsides are on every shortest way to a vertex."""
    others = tuple(side for side in clear if side not in some)
    return run(clear, begin, to) != run(others, begin, to)
