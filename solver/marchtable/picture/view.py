"""The part of a board that is drawn."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from marchtable.board.board import STEPS, Board, Hexside, Location
from marchtable.board.cropping import CROPPED
from marchtable.picture.geometry import centre, outlines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.picture.geometry import Place, Point


class BoardView:
    """
    The hexes of a board to draw, with queries for painters.

    Parameters
    ----------
    board
        The board.
    around
        Names of Locations whose surroundings are shown; empty for the whole board.
    margin
        The number of hexes to show on each side of them.
    """

    def __init__(self, board: Board, around: Iterable[str] = (), margin: int = 3) -> None:
        self.board = board
        centres = [board[name] for name in around]
        self.locations = _within(board.locations, centres, margin)
        self.ground = tuple(location for location in self.locations if is_ground(location))
        self.above = tuple(location for location in self.locations if not is_ground(location))
        # Trees and fields are painted one hex further, so that they continue at the edge.
        wider = _within(board.locations, centres, margin + 1)
        self.backdrop = tuple(location for location in wider if is_ground(location))

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The places of the hexes drawn, each once."""
        return tuple(dict.fromkeys((location.u, location.v) for location in self.locations))

    @cached_property
    def frame(self) -> list[list[Point]]:
        """The outlines of the hexes drawn."""
        return outlines(self.places)

    @cached_property
    def extract(self) -> str:
        """A description of the part of the board; ``""`` for the whole."""
        if len(self.locations) == len(self.board.locations):
            return ""
        first = min(self.ground, key=lambda location: (location.u, location.v)).name
        last = max(self.ground, key=lambda location: (location.u, location.v)).name
        return f"a part of board {self.board.name}: {first} to {last}"

    @cached_property
    def beyond(self) -> list[list[Point]]:
        """The halves of the outermost hexes beyond the board's edge, which maps do not print."""
        if not self._has_halves:
            return []
        points = [centre((one.u, one.v)) for one in self.board.locations]
        (left, right), (low, high) = ((min(part), max(part)) for part in zip(*points, strict=True))
        return [
            [(left - 1, high + 1), (right + 1, high + 1), (right + 1, high), (left - 1, high)],
            [(left - 1, low), (right + 1, low), (right + 1, low - 1), (left - 1, low - 1)],
            [(left - 1, high), (left, high), (left, low), (left - 1, low)],
            [(right, high), (right + 1, high), (right + 1, low), (right, low)],
        ]

    @cached_property
    def _has_halves(self) -> bool:
        """Whether rows are numbered from 0, as on printed maps that end in half hexes."""
        board = self.board
        return CROPPED not in board.name and any(
            name.rstrip("0123456789").isalnum() and name.endswith("0") and not name[-2].isdecimal()
            for name in (*board.aliases, *(one.hex for one in board.locations))
            if len(name) > 1
        )

    @cached_property
    def surface(self) -> dict[Place, int]:
        """The level of each hex of the whole board, with depressions filled."""
        return {
            (location.u, location.v): location.level + (location.depression is not None)
            for location in self.board.locations
            if is_ground(location)
        }

    @cached_property
    def hexsides(self) -> dict[tuple[int, int, int], Hexside]:
        """The features of each hexside drawn, each once, by ``(u, v, direction)``."""
        found: dict[tuple[int, int, int], Hexside] = {}
        for location in self.locations:
            for direction, _, hexside in self.sides(location):
                across, down = STEPS[direction]
                other = (location.u + across, location.v + down, (direction + 3) % 6)
                key = other if other in found else (location.u, location.v, direction)
                found[key] = found[key].merged(hexside) if key in found else hexside
        return found

    def sides(self, location: Location) -> list[tuple[int, str | None, Hexside]]:
        """Return ``(direction, Location there or None, hexside)`` for each side listed."""
        found: list[tuple[int, str | None, Hexside]] = [
            (direction, other, self.board.hexside(location.name, other) or Hexside())
            for direction, other in self.board.neighbours(location.name)
        ]
        return found + [(direction, None, hexside) for direction, hexside in location.rim]

    def roads(self, location: Location) -> dict[str, set[float]]:
        """
        Return, by road name, the hexsides that it crosses on leaving a Location.

        A corner from which it continues along a hexside is between two: 1.5 is that of 1 and 2.
        """
        found: dict[str, set[float]] = {}
        sides = self.sides(location)
        for direction, _, hexside in sides:
            if hexside.road:
                found.setdefault(hexside.road, set()).add(direction)
        if found:
            around = {direction: other for direction, other, _ in sides if other}
            for direction, other in around.items():
                beyond = self.board.hexside(other, around.get((direction + 1) % 6, ""))
                if beyond and beyond.along:
                    found.setdefault(beyond.along, set()).add(direction + 0.5)
        return found

    def roads_along(self, location: Location) -> list[tuple[str, int]]:
        """Return the roads along the hexsides of a Location, each with its hexside."""
        return [
            (hexside.along, direction)
            for direction, _, hexside in self.sides(location)
            if hexside.along
        ]

    def paths(self, location: Location) -> set[int]:
        """Return the hexsides that a path crosses on leaving a Location."""
        return {direction for direction, _, hexside in self.sides(location) if hexside.path}

    def depression(self, location: Location) -> set[int]:
        """
        Return the hexsides through which a depression continues.

        Where it ends beside the edge of the map it continues across that edge: boards do not end
        gullies there.
        """
        near = self.board.neighbours(location.name)
        joined = {direction for direction, other in near if self.board[other].depression}
        if len(joined) == 1:
            ahead = (next(iter(joined)) + 3) % 6
            open_sides = set(range(6)) - {direction for direction, _ in near}
            for direction in (ahead, (ahead + 1) % 6, (ahead - 1) % 6):
                if direction in open_sides:
                    return joined | {direction}
        return joined


def _within(
    locations: tuple[Location, ...], centres: list[Location], margin: int
) -> tuple[Location, ...]:
    """Return the Locations in the rectangle around some; all if there are none."""
    if not centres:
        return locations
    across = [location.u for location in centres]
    down = [location.v for location in centres]
    return tuple(
        location
        for location in locations
        if min(across) - margin <= location.u <= max(across) + margin
        and min(down) - 2 * margin <= location.v <= max(down) + 2 * margin
    )


def is_ground(location: Location) -> bool:
    """Return whether a Location is its hex's ground (not a bridge or similar above it)."""
    return location.name == location.hex
