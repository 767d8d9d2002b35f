"""
Lines of sight from the map (V9): from centre to centre, over whole hexes, in exact integers.

A hex at (u, v) has its centre at (3u, v) here, and its corners 2 across, or 1 across and 1 down,
from it: lines stay straight, and corners are integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from marchtable.board.board import STEPS, Board, Location
from marchtable_models.valor.data import figure, ground_of, hexside_of, hinders
from marchtable_models.valor.model import Sight
from marchtable_models.valor.views.ground import level_of, terrain_of

Point = tuple[int, int]
Pair = tuple[Location, Location]
CORNERS: tuple[Point, ...] = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""From a hex's centre, clockwise; hexside n (0 is north) is between corners n and n + 1."""
SLOPE = 1
"""Level of a single hill hex between level 2 and lower ground (V10.7)."""


class Line(NamedTuple):
    """A line of sight."""

    sight: Sight  # what it crosses and runs along
    # the hex where it is blocked, the clause, and the reason; None and ``""`` if it is not
    where: str | None = None
    clause: str = ""
    reason: str = ""
    unknown: tuple[tuple[str, str], ...] = ()  # what is not modelled along it, after its clause


def line_of_sight(board: Board, a: str, b: str, bunkers: frozenset[str] = frozenset()) -> Line:
    """Find the line of sight between two hexes; bunkers are the only counters that block it (V20.5)."""
    known: dict[tuple[str, str, frozenset[str]], Line] = board.notes.setdefault("valor sight", {})
    far = board.distance(a, b) + 1 if bunkers else 0
    near = frozenset(
        one for one in bunkers if board.distance(a, one) + board.distance(one, b) <= far
    )
    key = (*((a, b) if a <= b else (b, a)), near)
    if key not in known:
        known[key] = _Tracer(board, *key).line()
    return known[key]


class _Tracer:
    """Finds the hexes and hexsides a line crosses, and their effect on it."""

    def __init__(self, board: Board, a: str, b: str, bunkers: frozenset[str]) -> None:
        self.board, self.a, self.b, self.bunkers = board, board[a], board[b], bunkers
        self.start, self.end = _centre(self.a), _centre(self.b)
        self._ends = {self.a.name, self.b.name}

    def line(self) -> Line:
        """Return the line."""
        between = self._between()
        over, along = self._crossed({one.name for one in (self.a, *between, self.b)})
        left, right = (
            [one for pair in along for one in pair if self._aside(_centre(one)) * sign > 0]
            for sign in (1, -1)
        )
        sight = Sight(
            a=self.a.name, b=self.b.name, through=tuple(one.name for one in between),
            over=tuple(map(_named, over)), along=tuple(map(_named, along)),
            beside=tuple(self._counted(left, right, hedged=any(map(self._hinders, along)))),
        )  # fmt: skip
        where, clause, reason = self._blocked(between, left, right, over, along)
        sight = msgspec.structs.replace(sight, blocked=bool(clause))
        unknown = self._unknown([*between, *left, *right], [*over, *along])
        return Line(sight, where, clause, reason, tuple(dict.fromkeys(unknown)))

    def _unknown(
        self, hexes: Sequence[Location], sides: Sequence[Pair]
    ) -> Iterable[tuple[str, str]]:
        """Yield what is not modelled along the line, after its clause."""
        for one in hexes:
            if ground_of(terrain_of(one)) is None:
                yield "V10.1", terrain_of(one)
        for pair in sides:
            name = self._along(pair)
            if name and hexside_of(name) is None:
                yield "V10.1", name
        if any(map(self._passes, _holes(self.board))):
            yield "V9.1", "a place where the map has no hex"
        if self._is_high(hexes):
            yield "V10.7c", f"a hill above level {figure('V10.7', 'highest')}"

    def _is_high(self, hexes: Iterable[Location]) -> bool:
        """Return whether the line starts at, ends at or passes a hill that V10.7 does not cover."""
        return max(map(level_of, (self.a, self.b, *hexes))) > figure("V10.7", "highest")

    def _along(self, pair: Pair) -> str | None:
        """Return the terrain along a hexside."""
        side = self.board.hexside(pair[0].name, pair[1].name)
        return side.terrain if side else None

    def _hinders(self, pair: Pair) -> bool:
        return hinders(self._along(pair))

    def _aside(self, point: Point) -> int:
        """Return the side of the line a point is on: above or below 0."""
        (ax, ay), (bx, by) = self.start, self.end
        return (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)

    def _near(self) -> Iterable[Location]:
        """Yield the hexes the line might touch."""
        board, a, b = self.board, self.a.name, self.b.name
        far = board.distance(a, b) + 1
        for one in board.locations:
            if one.name == one.hex and (
                board.distance(a, one.name) + board.distance(one.name, b) <= far
            ):
                yield one

    def _is_ahead(self, point: Point) -> bool:
        """Return whether a point is between the ends."""
        (ax, ay), (bx, by), (x, y) = self.start, self.end, point
        along = (x - ax) * (bx - ax) + 3 * (y - ay) * (by - ay)
        return 0 < along < (bx - ax) ** 2 + 3 * (by - ay) ** 2

    def _passes(self, centre: Point) -> bool:
        """Return whether the line passes through a hex between its ends."""
        if not self._is_ahead(centre):
            return False
        sides = [self._aside(corner) for corner in _corners(centre)]
        return min(sides) < 0 < max(sides)

    def _between(self) -> list[Location]:
        """Return the hexes that the line passes through, from end to end."""
        found = [
            one for one in self._near() if one.name not in self._ends and self._passes(_centre(one))
        ]
        return sorted(found, key=lambda one: self.board.distance(self.a.name, one.name))

    def _crossed(self, on_it: set[str]) -> tuple[list[Pair], list[Pair]]:
        """
        Return the hexsides the line crosses, and those it runs along.

        A line through a vertex crosses the hexsides ending there on both sides of it, once: a hex
        surrounded by hedges is behind them in every direction.
        """
        over, along = list[Pair](), list[Pair]()
        ending: dict[Point, tuple[list[Pair], list[Pair]]] = {}
        for pair, ends in self._hexsides():
            first, second = map(self._aside, ends)
            if first == second == 0:
                if all(map(self._is_ahead, ends)):
                    along.append(pair)
            elif first * second < 0:
                if pair[0].name in on_it and pair[1].name in on_it:
                    over.append(pair)
            elif first == 0 or second == 0:
                vertex, off = (ends[0], second) if first == 0 else (ends[1], first)
                if self._is_ahead(vertex) and self._along(pair):
                    ending.setdefault(vertex, ([], []))[off > 0].append(pair)
        for sides in ending.values():
            if all(sides):
                ways = [max(side, key=self._is_hedgerow) for side in sides]
                over.append(min(ways, key=lambda pair: (
                    self._is_hedgerow(pair), -sum(one.name in on_it for one in pair)
                )))  # fmt: skip
        return over, along

    def _hexsides(self) -> Iterable[tuple[Pair, tuple[Point, Point]]]:
        """Yield the hexsides between hexes the line might touch, each once, with their ends."""
        near = {(one.u, one.v): one for one in self._near()}
        for one in near.values():
            for way in range(3):
                other = near.get((one.u + STEPS[way][0], one.v + STEPS[way][1]))
                if other is not None:
                    corners = _corners(_centre(one))
                    yield (one, other), (corners[way], corners[way + 1])

    # -- blocking ---------------------------------------------------------------------------------

    def _blocked(
        self, between: Sequence[Location], left: Sequence[Location], right: Sequence[Location],
        over: Sequence[Pair], along: Sequence[Pair],
    ) -> tuple[str | None, str, str]:  # fmt: skip
        """Return the hex that blocks the line, the clause and the reason; None and ``""`` if it is not blocked."""
        for one in between:
            if self._blocks(one):
                what = "a bunker" if one.name in self.bunkers else terrain_of(one)
                return one.name, "V9.2", f"{what} blocks it"
        for pair in along:
            if self._is_hedgerow(pair):
                return self._first(pair), "V9.4", "it runs along a hedgerow"
        for pair in over:
            if self._is_hedgerow(pair) and self._ends.isdisjoint(one.name for one in pair):
                return self._first(pair), "V10.101", "a hedgerow lies between"
        hills = [one for one in between if level_of(one) > 0]
        is_high = self._is_high([*between, *left, *right])
        if hills and not is_high and not self._is_sloping(hills):
            return hills[0].name, "V10.7", "a hill lies between"
        both = [
            [one for one in side
             if self._blocks(one) or (not is_high and self._rises(one, hills))]
            for side in (left, right)
        ]  # fmt: skip
        if all(both):
            return (
                self._first([*both[0], *both[1]]),
                "V9.4",
                "blocking terrain lies on either side of the hexsides",
            )
        return None, "", ""

    def _first(self, hexes: Iterable[Location]) -> str:
        """Return the hex nearest to the line's first end."""
        return min((self.board.distance(self.a.name, one.name), one.name) for one in hexes)[1]

    def _is_hedgerow(self, pair: Pair) -> bool:
        row = hexside_of(self._along(pair))
        return row is not None and row.blocks

    def _blocks(self, one: Location) -> bool:
        row = ground_of(terrain_of(one))
        return one.name in self.bunkers or (row is not None and row.blocks)

    def _rises(self, one: Location, hills: Sequence[Location]) -> bool:
        """Return whether a hill hex beside the line, which passes over some hills, blocks like them."""
        return level_of(one) > 0 and not self._is_sloping([*hills, one])

    def _is_sloping(self, hills: Sequence[Location]) -> bool:
        """Return whether the line passes over hill hexes: at their height, or over one slope hex."""
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

    def _counted(
        self, left: Sequence[Location], right: Sequence[Location], *, hedged: bool
    ) -> list[str]:
        """
        Return the hexes beside a line along hexsides whose hindrance counts (V9.4).

        Two on both sides hinder it once; blocking terrain can be one of them. Along a wall or
        hedge, already a hindrance, each counts.
        """
        hinder = [[one for one in side if _hinders_through(one)] for side in (left, right)]
        block = [any(map(self._blocks, side)) for side in (left, right)]
        found = [one.name for side in hinder for one in side]
        if hedged or (hinder[0] and block[1]) or (hinder[1] and block[0]):
            return found
        return found[1:] if hinder[0] and hinder[1] else []


def _holes(board: Board) -> Sequence[Point]:
    """Return the centres of the places inside a board's bounds without a hex."""
    known: Sequence[Point] | None = board.notes.get("valor holes")
    if known is None:
        hexes = {(one.u, one.v) for one in board.locations}
        us, vs = ({place[axis] for place in hexes} for axis in (0, 1))
        odd = sum(next(iter(hexes))) % 2
        known = board.notes["valor holes"] = [
            (3 * u, v)
            for u in range(min(us), max(us) + 1)
            for v in range(min(vs), max(vs) + 1)
            if (u + v) % 2 == odd and (u, v) not in hexes
        ]
    return known


def _hinders_through(one: Location) -> bool:
    row = ground_of(terrain_of(one))
    return row is not None and row.hindrance


def _centre(one: Location) -> Point:
    return 3 * one.u, one.v


def _corners(centre: Point) -> list[Point]:
    x, y = centre
    return [(x + across, y + down) for across, down in CORNERS]


def _named(pair: Pair) -> str:
    return f"{pair[0].name}-{pair[1].name}"
