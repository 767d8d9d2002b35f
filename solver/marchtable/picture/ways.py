"""Painting features that cross hexes: depressions, paths, roads and bridges."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from marchtable.picture.geometry import Point, along, side_ends, strand
from marchtable.picture.style import first

if TYPE_CHECKING:
    from marchtable.picture.sheet import Canvas
    from marchtable.picture.style import Band
    from marchtable.picture.view import BoardView


def paint_depressions(sheet: Canvas, view: BoardView) -> None:
    """Paint gullies and streams as one sunken band through adjacent hexes."""
    found: list[tuple[Band, str, list[list[Point]]]] = []
    for location in view.ground:
        if location.depression:
            lines = strand((location.u, location.v), view.depression(location))
            gid = f"depression:{location.name}"
            found.append((sheet.styles.depression(location.depression), gid, lines))
    _paint_bands(sheet, found)
    for style, gid, lines in found:
        if style.banks:
            width = style.strokes[0][1]
            sheet.stroke(_banks(lines, width, Random(gid)), style.banks, 0.028)


def _banks(lines: list[list[Point]], width: float, random: Random) -> list[list[Point]]:
    """Return short strokes down both banks of a depression."""
    strokes = []
    for line in lines:
        for (x, y), (dx, dy) in along(line, 0.075):
            for side in (-width / 2, width / 2):
                foot = side * random.uniform(0.5, 0.8)
                strokes.append([(x + dx * side, y + dy * side), (x + dx * foot, y + dy * foot)])
    return strokes


def paint_paths(sheet: Canvas, view: BoardView) -> None:
    """Paint paths as dotted lines."""
    style = sheet.styles.path
    for location in view.locations:
        if directions := view.paths(location):
            lines = strand((location.u, location.v), directions)
            for colour, width in style.strokes:
                gid = f"path:{location.name}"
                sheet.stroke(lines, colour, width, dots=0.2 if style.dotted else 0.0, gid=gid)


def paint_roads(sheet: Canvas, view: BoardView) -> None:
    """Paint roads as bands, the kinds in the order of the style file."""
    styles = sheet.styles
    found: list[tuple[Band, str, list[list[Point]]]] = []
    for location in view.locations:
        roads = view.roads(location)
        place = (location.u, location.v)
        # A road of another kind ends on the bend of the through road.
        through = [strand(place, ways)[0] for ways in roads.values() if len(ways) == 2]
        meet = through[0][len(through[0]) // 2] if through else None
        for name, directions in sorted(roads.items()):
            lines = strand(place, directions, meet=meet)
            found.append((styles.road(name), f"road:{location.name}:{name}", lines))
        for name, direction in view.roads_along(location):
            lines = [list(side_ends(place, direction))]
            found.append((styles.road(name), f"road:{location.name}:{direction}", lines))
    found.sort(key=lambda item: styles.rank(item[0]))
    _paint_bands(sheet, found)


def _paint_bands(sheet: Canvas, found: list[tuple[Band, str, list[list[Point]]]]) -> None:
    """Paint bands stroke by stroke, so that their pieces flow into one another."""
    depth = max((len(style.strokes) for style, _, _ in found), default=0)
    for number in range(depth):
        for style, gid, lines in found:
            if number < len(style.strokes):
                colour, width = style.strokes[number]
                last = number == len(style.strokes) - 1
                sheet.stroke(lines, colour, width, gid=gid if last else "")


def paint_bridges(sheet: Canvas, view: BoardView) -> None:
    """Paint the decks of bridges, above what they cross and below their road."""
    for location in view.above:
        style = first(sheet.styles.bridges, location.terrain)
        if style is None or "Bridge" not in location.terrain:
            continue
        roads = [direction for found in view.roads(location).values() for direction in found]
        directions = roads or [direction for direction, _, _ in view.sides(location)]
        lines = strand((location.u, location.v), set(directions), reach=0.78)
        for number, (colour, width) in enumerate(style.strokes):
            gid = f"bridge:{location.name}" if number == 0 else ""
            sheet.stroke(lines, colour, width, cap="butt", gid=gid)
