"""
Lines of sight from the map (V9): from centre to centre, over whole hexes, exact in whole numbers.

A hex at (u, v) has its centre at (3u, v) here and its corners 2 across, or 1 across and 1 down, from it:
what is straight stays straight, and corners have whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from marchtable.board.board import STEPS, Board, Location
from marchtable_models.valor.data import ground_of, hexside_of
from marchtable_models.valor.model import Sight
from marchtable_models.valor.views.ground import level_of, terrain_of

Point = tuple[int, int]
CORNERS: tuple[Point, ...] = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""From the centre of a hex, clockwise; hexside n (0 is north) lies between corners n and n + 1."""
SLOPE = 1
"""Level 1 hill hexes that may lie between level 2 and what is lower (V10.7)."""


class Line(NamedTuple):
    """A line of sight."""

    sight: Sight  # what it crosses and runs along
    # the hex in which it is blocked, by which clause, and why in words; None and ``""`` if it is not
    where: str | None = None
    clause: str = ""
    reason: str = ""
    unknown: tuple[str, ...] = ()  # terrain along it that the table does not have


def line_of_sight(board: Board, a: str, b: str) -> Line:
    """Find the line of sight between two hexes; counters in the way are not looked at."""
    known: dict[tuple[str, str], Line] = board.notes.setdefault("valor sight", {})
    key = (a, b) if a <= b else (b, a)
    if key not in known:
        known[key] = _Tracer(board, *key).line()
    return known[key]


class _Tracer:
    """Finds what a line between two hexes crosses, and what that does to it."""

    def __init__(self, board: Board, a: str, b: str) -> None:
        self.board, self.a, self.b = board, board[a], board[b]
        self.start, self.end = _centre(self.a), _centre(self.b)
        self._ends = {self.a.name, self.b.name}

    def line(self) -> Line:
        """Return the line."""
        between, over = self._between(), list[str]()
        along: list[tuple[Location, Location]] = []
        on_it = {one.name for one in (self.a, *between, self.b)}
        for here, way, other in self._hexsides():
            first, second = (self._aside(corner) for corner in _ends(here, way))
            if first == second == 0:
                along.append((here, other))
            elif first * second < 0 and here.name in on_it and other.name in on_it:
                over.append(f"{here.name}-{other.name}")
        left, right = (
            [one for pair in along for one in pair if self._aside(_centre(one)) * sign > 0]
            for sign in (1, -1)
        )
        hedged = [pair for pair in along if self._hinders(pair)]
        sight = Sight(
            a=self.a.name, b=self.b.name, through=tuple(one.name for one in between),
            over=tuple(over), along=tuple(f"{one.name}-{other.name}" for one, other in along),
            beside=tuple(_counted(left, right, hedged=bool(hedged))),
        )  # fmt: skip
        unknown = [
            terrain_of(one)
            for one in (*between, *left, *right)
            if ground_of(terrain_of(one)) is None
        ]
        unknown += filter(None, map(self._unknown, (*over, *sight.along)))
        where, clause, reason = self._blocked(between, left, right)
        sight = msgspec.structs.replace(sight, blocked=bool(clause))
        return Line(sight, where, clause, reason, tuple(dict.fromkeys(unknown)))

    def _unknown(self, hexside: str) -> str:
        """Return what lies along a hexside that the table does not have, or ``""``."""
        side = self.board.hexside(*hexside.split("-"))
        name = side.terrain if side else None
        return name if name and hexside_of(name) is None else ""

    def _hinders(self, pair: tuple[Location, Location]) -> bool:
        side = self.board.hexside(pair[0].name, pair[1].name)
        row = hexside_of(side.terrain) if side else None
        return bool(row and row.hindrance)

    def _aside(self, point: Point) -> int:
        """Return on which side of the line a point lies: more, or less, than 0."""
        (ax, ay), (bx, by) = self.start, self.end
        return (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)

    def _near(self) -> Iterable[Location]:
        """Yield the hexes that the line may touch."""
        board, a, b = self.board, self.a.name, self.b.name
        far = board.distance(a, b) + 1
        for one in board.locations:
            if one.name == one.hex and (
                board.distance(a, one.name) + board.distance(one.name, b) <= far
            ):
                yield one

    def _is_ahead(self, one: Location) -> bool:
        """Return whether a hex lies between the ends, not beyond one of them."""
        (ax, ay), (bx, by), (x, y) = self.start, self.end, _centre(one)
        along = (x - ax) * (bx - ax) + 3 * (y - ay) * (by - ay)
        return 0 < along < (bx - ax) ** 2 + 3 * (by - ay) ** 2

    def _between(self) -> list[Location]:
        """Return the hexes that the line passes through, from end to end."""
        found = []
        for one in self._near():
            if one.name in self._ends or not self._is_ahead(one):
                continue
            sides = [self._aside(corner) for corner in _corners(one)]
            if min(sides) < 0 < max(sides):
                found.append(one)
        return sorted(found, key=lambda one: self.board.distance(self.a.name, one.name))

    def _hexsides(self) -> Iterable[tuple[Location, int, Location]]:
        """Yield the hexsides between hexes that the line may touch, each once."""
        near = {(one.u, one.v): one for one in self._near()}
        for one in near.values():
            for way in range(3):
                other = near.get((one.u + STEPS[way][0], one.v + STEPS[way][1]))
                if other is not None and (
                    not self._ends.isdisjoint((one.name, other.name)) or self._is_ahead(one)
                ):
                    yield one, way, other

    # -- what blocks ---------------------------------------------------------------------------

    def _blocked(
        self, between: Sequence[Location], left: Sequence[Location], right: Sequence[Location]
    ) -> tuple[str | None, str, str]:
        """Return where, by which clause and why the line is blocked; None and ``""`` if it is not."""
        for one in between:
            if _blocks(one):
                return one.name, "V9.2", f"{terrain_of(one)} blocks it"
        hills = [one for one in between if level_of(one) > 0]
        if hills and not self._is_sloping(hills):
            return hills[0].name, "V10.7", "a hill lies between"
        both = [
            next((one for one in side if _blocks(one) or self._rises(one)), None)
            for side in (left, right)
        ]
        if both[0] is not None and both[1] is not None:
            return both[0].name, "V9.4", "blocking terrain lies on either side of the hexsides"
        return None, "", ""

    def _rises(self, one: Location) -> bool:
        """Return whether a hill hex beside the line is higher than both ends."""
        return level_of(one) > max(level_of(self.a), level_of(self.b))

    def _is_sloping(self, hills: Sequence[Location]) -> bool:
        """Return whether the line passes over hill hexes: as high as they are, or over one slope hex."""
        low, high = sorted((level_of(self.a), level_of(self.b)))
        if low == high:
            return all(level_of(one) <= low for one in hills)
        top = self.a if level_of(self.a) == high else self.b
        return (
            high > SLOPE
            and len(hills) == 1
            and level_of(hills[0]) == SLOPE
            and self.board.distance(hills[0].name, top.name) == 1
        )


def _counted(left: Sequence[Location], right: Sequence[Location], *, hedged: bool) -> list[str]:
    """
    Return the hexes beside a line along hexsides whose hindrance counts (V9.4).

    One on either side hinders it once; blocking terrain stands in for one. Along a wall or hedge, which
    hinders it already, each counts.
    """
    hinder = [[one for one in side if _hinders_through(one)] for side in (left, right)]
    block = [any(map(_blocks, side)) for side in (left, right)]
    found = [one.name for side in hinder for one in side]
    if hedged or (hinder[0] and block[1]) or (hinder[1] and block[0]):
        return found
    return found[1:] if hinder[0] and hinder[1] else []


def _blocks(one: Location) -> bool:
    row = ground_of(terrain_of(one))
    return row is not None and row.blocks


def _hinders_through(one: Location) -> bool:
    row = ground_of(terrain_of(one))
    return row is not None and row.hindrance


def _centre(one: Location) -> Point:
    return 3 * one.u, one.v


def _corners(one: Location) -> list[Point]:
    x, y = _centre(one)
    return [(x + across, y + down) for across, down in CORNERS]


def _ends(one: Location, way: int) -> tuple[Point, Point]:
    """Return the ends of a hexside."""
    corners = _corners(one)
    return corners[way], corners[(way + 1) % len(corners)]
