"""
The six hexspines, and where hexsides and vertices lead: the geometry of Bypass in numbers 0 to 5.

Hexspine i lies between hexsides i and i + 1 and ends in vertex i.
Hexside s of a hex runs from vertex s - 1 to vertex s, and vertex v is shared with the neighbours
across hexsides v and v + 1. Whoever goes along hexside s clockwise, to vertex s, faces along
hexspine s + 1; the other way round, to vertex s - 1, along hexspine s - 2. A vehicle in Bypass is
given by its hexside and its VCA alone: pivoted by one hexspine at its front vertex it faces
something that no vehicle with another front vertex does. In Reverse its rear is its front.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

Spine = Literal["NNE", "E", "SSE", "SSW", "W", "NNW"]
"""A hexspine: a VCA, or the vertex in which it ends."""
CORNERS = "the hexspines, which point at the corners of a hex (NE and the like are hexsides)"
"""What a message says of them where another word is given."""
SPINES: tuple[Spine, ...] = ("NNE", "E", "SSE", "SSW", "W", "NNW")

OWN = -1
"""Instead of a direction: the very hex."""
STRAIGHT, CLOCKWISE, OWNWARD = (1, 4), (0, 1, 2), (2, 3)  # VCA less hexside
LONGEST = 4  # hexsides Infantry may go along


def opposite(direction: int) -> int:
    """Return the hexside, as the next hex numbers it, by which it is entered."""
    return (direction + 3) % 6


def is_pivoted(edge: int, facing: int) -> bool:
    """Return whether a vehicle on that hexside has changed its VCA at the vertex it goes to."""
    return (facing - edge) % 6 not in STRAIGHT


def front(edge: int, facing: int, *, reverse: bool = False) -> int:
    """Return the vertex to which a vehicle on that hexside goes, or has come."""
    return edge if (facing + 3 * reverse - edge) % 6 in CLOCKWISE else (edge - 1) % 6


@cache
def ahead(facing: int, edge: int | None, *, reverse: bool = False) -> tuple[int, ...]:
    """
    Return the directions of the hexes that a vehicle may enter, ``OWN`` for the obstacle it is at.

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
    """Return the hexsides a vehicle may go along next, by the direction of their hex (or ``OWN``)."""
    if edge is None:
        way = (facing + 3) % 6 if reverse else facing
        return {way: (way + 2) % 6, (way + 1) % 6: (way - 1) % 6}
    if not is_pivoted(edge, facing):
        return {}
    turn = (facing + 3 * reverse - edge) % 6
    side = 1 if turn in CLOCKWISE else -1
    beyond = (edge + side) % 6
    if turn in OWNWARD:  # round the same obstacle, or along that hexside in the hex beyond it
        return {OWN: beyond, beyond: opposite(beyond)}
    return {beyond: (edge - side) % 6, edge: (edge + 2 * side) % 6}


@cache
def starts(direction: int, corner: int | None) -> tuple[tuple[int, int], ...]:
    """
    Return from which vertices of the next hex Infantry may go round it, and which way (1 clockwise).

    Parameters
    ----------
    direction
        Where that hex lies.
    corner
        The vertex it has reached in Bypass, None in the middle of a hex.
    """
    shared = opposite(direction)
    if corner is None:
        return ((shared, 1), ((shared - 1) % 6, -1))
    if direction == corner:
        return (((shared - 1) % 6, 1), ((shared - 1) % 6, -1))
    return ((shared, 1), (shared, -1)) if direction == (corner + 1) % 6 else ()


def run(clear: tuple[int, ...], begin: tuple[tuple[int, int], ...], to: int) -> int:
    """Return how many hexsides lead to a vertex by the shortest way along clear ones, 0 for none."""
    found = []
    for vertex, way in begin:
        count = (way * (to - vertex)) % 6
        sides = [(vertex + (way > 0) + way * step) % 6 for step in range(count)]
        if 0 < count <= LONGEST and all(side in clear for side in sides):
            found.append(count)
    return min(found, default=0)


def turned(clear: tuple[int, ...], begin: tuple[tuple[int, int], ...], to: int) -> frozenset[int]:
    """Return the vertices that every shortest way along clear hexsides to a vertex goes round."""
    short, found = run(clear, begin, to), []
    for vertex, way in begin:
        count = (way * (to - vertex)) % 6
        sides = [(vertex + (way > 0) + way * step) % 6 for step in range(count)]
        if count == short and all(side in clear for side in sides):
            found.append(frozenset((vertex + way * step) % 6 for step in range(1, count)))
    return frozenset.intersection(*found) if found else frozenset()


def begins(clear: tuple[int, ...], begin: tuple[tuple[int, int], ...], to: int) -> frozenset[int]:
    """Return the vertex from which every shortest way along clear hexsides to a vertex sets out, if it is one."""
    short, found = run(clear, begin, to), set()
    for vertex, way in begin:
        count = (way * (to - vertex)) % 6
        sides = [(vertex + (way > 0) + way * step) % 6 for step in range(count)]
        if count == short and all(side in clear for side in sides):
            found.add(vertex)
    return frozenset(found if len(found) == 1 else ())


def passes(
    clear: tuple[int, ...], some: tuple[int, ...], begin: tuple[tuple[int, int], ...], to: int
) -> bool:
    """Return whether some of the clear hexsides are on every shortest way along them to a vertex."""
    others = tuple(side for side in clear if side not in some)
    return run(clear, begin, to) != run(others, begin, to)
