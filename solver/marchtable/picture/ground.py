"""Painting the ground: levels, fields, trees, texture and buildings."""

from __future__ import annotations

from math import hypot
from random import Random
from typing import TYPE_CHECKING

import msgspec

from marchtable.board.board import STEPS, Location
from marchtable.picture.geometry import (
    Place,
    Point,
    blob,
    block,
    centre,
    hexagon,
    lattice,
    outlines,
    side_middle,
    smooth,
    strand,
    turned,
)
from marchtable.picture.glyphs import CLOSED, glyph_lines
from marchtable.picture.sheet import across
from marchtable.picture.style import Area, is_dark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable.picture.sheet import Canvas
    from marchtable.picture.style import Styles
    from marchtable.picture.view import BoardView

NAME, LEVEL = 0.215, 0.24
"""Height of a hex's name; width of its level beside it."""
OPPOSITE, JOINT = 3, 0.3
"""From a hexside to the opposite one; half the width of a building's joint across a hexside."""
HATCHES = ("////", "xxxx", "....", "\\\\\\\\", "++++", "oooo")
"""Hatches of unknown terrains, in the order of their names."""


def covers(styles: Styles, location: Location) -> list[tuple[str, Area]]:
    """Return the terrains to draw in a hex, by name; that of its centre comes last."""
    palette = styles.palette
    least = palette.bank_percent if location.depression else palette.also_percent
    names = [name for name, share in location.also if share >= least]
    found = [(name, styles.area(name)) for name in [*reversed(names), location.terrain]]
    return [(name, area) for name, area in found if area and area.visible]


def unknown_terrain(view: BoardView, styles: Styles) -> dict[str, str]:
    """Return the hatch of each terrain at the centre of a hex that matches no style."""
    names = sorted({hex_.terrain for hex_ in view.ground if styles.area(hex_.terrain) is None})
    return {name: HATCHES[number % len(HATCHES)] for number, name in enumerate(names)}


def paint_ground(sheet: Canvas, view: BoardView, hatches: Mapping[str, str]) -> None:
    """Paint everything within hexes that is below roads and depressions."""
    paint_levels(sheet, view)
    by_area: dict[str, tuple[Area, list[Location]]] = {}
    for location in view.backdrop:
        for name, area in covers(sheet.styles, location):
            if area.shape != "building":
                by_area.setdefault(name, (area, []))[1].append(location)
    for shape in ("field", "plain", "blob"):
        for name, (area, locations) in sorted(by_area.items()):
            if area.shape == shape:
                paint_area(sheet, view, name, area, locations)
        if shape == "field":
            paint_crests(sheet, view)
    for name, hatch in hatches.items():
        places = [(hex_.u, hex_.v) for hex_ in view.ground if hex_.terrain == name]
        sheet.fill(
            [hexagon(place, 0.92) for place in places],
            "none",
            line="#5a0050",
            hatch=hatch,
            gid=f"unknown terrain:{name}",
        )


def paint_levels(sheet: Canvas, view: BoardView) -> None:
    """Paint the ground, each level above the lowest as one rounded region."""
    styles = sheet.styles
    shown = sorted({view.surface[place] for place in view.places if place in view.surface})
    lowest = min(shown, default=0)
    sheet.fill(view.frame, styles.level(lowest), gid=f"level:{lowest}")
    for level in shown[1:]:
        sheet.fill(_at_least(view, level), styles.level(level), gid=f"level:{level}")


def paint_crests(sheet: Canvas, view: BoardView) -> None:
    """Draw the crest lines between levels."""
    shown = sorted({view.surface[place] for place in view.places if place in view.surface})
    for level in shown[1:]:
        gid = f"crest:{level}"
        lines = _at_least(view, level)
        sheet.stroke(lines, sheet.styles.palette.crest, 0.045, closed=True, gid=gid)


def _at_least(view: BoardView, level: int) -> list[list[Point]]:
    """Return the rounded outlines of the ground at a level or higher."""
    high = {place for place, surface in view.surface.items() if surface >= level}
    beyond = {
        (u + across, v + down)
        for u, v in high
        for across, down in STEPS
        if (u + across, v + down) not in view.surface
    }
    return [smooth(loop) for loop in outlines(high | beyond)]


def paint_area(
    sheet: Canvas, view: BoardView, name: str, area: Area, locations: list[Location]
) -> None:
    """Paint one kind of terrain in all its hexes, and its texture."""
    places = [(location.u, location.v) for location in locations]
    gid = f"terrain:{name}"
    runs = _runs(view, places) if area.runs else {}
    if area.shape == "field":
        lines = [smooth(loop) for loop in outlines([at for at in places if at not in runs])]
        sheet.fill(lines, area.fill or "none", line=area.line or "none", width=0.04, gid=gid)
        bands = [line for place, ways in runs.items() for line in strand(place, ways)]
        if bands:
            sheet.stroke(bands, area.line or "none", area.runs + 0.08, cap="butt")
            sheet.stroke(bands, area.fill or "none", area.runs, gid=f"{gid} runs")
    elif area.shape == "blob":
        lines = _clumps(places)
        sheet.stroke(lines, area.line or "none", 0.09, closed=True)
        sheet.fill(lines, area.fill or "none", gid=gid)
        sheet.clip_to(lines)
    shown = set(view.places)
    paint_texture(sheet, area, [at for at in places if at in shown and at not in runs], gid)
    if runs:
        narrow = msgspec.structs.replace(area, shape="blob", count=max(area.count // 2, 1))
        paint_texture(sheet, narrow, [at for at in runs if at in shown], f"{gid} runs")
    sheet.clip_to(view.frame)


def _runs(view: BoardView, places: list[Place]) -> dict[Place, set[float]]:
    """Return the hexes crossed by a canal or river, each with the two hexsides it crosses."""
    wet, found = set(places), {}
    for u, v in places:
        around = [(u + across, v + down) for across, down in STEPS]
        ways = {way for way, at in enumerate(around) if at in wet}
        if len(ways) == 1:  # it continues over the edge of the map
            ways |= {(way + OPPOSITE) % 6 for way in ways} - {
                way for way, at in enumerate(around) if at in view.surface
            }
        low, high = min(ways, default=0), max(ways, default=0)
        if len(ways) == 2 and 2 <= high - low <= 4:
            found[u, v] = set(map(float, ways))
    return found


def _clumps(places: list[Place]) -> list[list[Point]]:
    """Return clumps of trees that merge across adjacent hexes."""
    wooded = set(places)
    lines = []
    for u, v in places:
        random = Random(f"clump {u} {v}")
        lines.append(blob(centre((u, v)), random.uniform(0.72, 0.80), random))
        # The light name at the top needs dark ground under all of it.
        x, y = centre((u, v))
        lines.append(blob((x, y + 0.5), 0.36, random))
        for direction in (0, 1, 2):
            across, down = STEPS[direction]
            if (u + across, v + down) in wooded:
                middle = side_middle((u, v), direction)
                lines.append(blob(middle, random.uniform(0.46, 0.56), random))
    return lines


def paint_texture(sheet: Canvas, area: Area, places: list[Place], gid: str) -> None:
    """Strew an area's signs over its hexes."""
    if area.glyph is None:
        return
    lines: list[list[Point]] = []
    inside = {"field": 0.84, "blob": 0.64}.get(area.shape, 0.74)
    for place in places:
        random = Random(f"{area.glyph} {place[0]} {place[1]}")
        stray = 0.0 if area.rows else 0.10
        for x, y in lattice(place, area.count, inside):
            at = (x + random.uniform(-stray, stray), y + random.uniform(-stray, stray))
            lines += glyph_lines(area.glyph, at, area.size, random)
    if area.glyph in CLOSED:
        line = area.line or area.fill or "none"
        sheet.fill(lines, area.ink, line=line, width=0.02, gid=f"{gid} texture")
    else:
        sheet.stroke(lines, area.ink, 0.035, gid=f"{gid} texture")


def paint_buildings(sheet: Canvas, view: BoardView) -> None:
    """Paint buildings above roads, those of several hexes as one; a stairway is a white square."""
    _paint_joints(sheet, view)
    for location in view.ground:
        place = (location.u, location.v)
        for name, area in covers(sheet.styles, location):
            if area.shape == "building" and name == location.terrain:
                _paint_building(sheet, area, place, f"{name}:{location.hex}")
        if location.stairway:
            square = block(centre(place), 0.17, 0.17, 0)
            sheet.fill([square], sheet.styles.palette.stairway, line="#000000", width=0.02)


def _paint_joints(sheet: Canvas, view: BoardView) -> None:
    """Paint the joints of a building across hexsides that it touches from both hexes."""
    courts, walls = [], []
    for location in view.ground:
        area = _building(sheet, location)
        joined = _joined(sheet, view, location) if area is not None else {}
        for way, (bx, by) in joined.items():
            ax, ay = centre((location.u, location.v))
            if (way + 1) % 6 in joined:  # the three of them meet in a corner
                courts.append((area, [(ax, ay), (bx, by), joined[(way + 1) % 6]]))
            if way < OPPOSITE:
                length = hypot(bx - ax, by - ay)
                dx, dy = (bx - ax) / length * JOINT, (by - ay) / length * JOINT
                wall = [
                    (ax - dy, ay + dx),
                    (bx - dy, by + dx),
                    (bx + dy, by - dx),
                    (ax + dy, ay - dx),
                ]
                walls.append((area, wall, f"joint:{location.name}:{way}"))
    for area, wall, gid in walls:
        line = (area and area.line) or "none"
        sheet.fill([wall], (area and area.fill) or "none", line=line, width=0.035, gid=gid)
    for area, court in courts:
        sheet.fill([court], (area and area.fill) or "none")


def _joined(sheet: Canvas, view: BoardView, location: Location) -> dict[int, Point]:
    """Return the centres of the hexes into which a hex's building continues, by hexside."""
    found = {}
    for way, other, _ in view.sides(location):
        if other is None or not _touches(location, way):
            continue
        beyond = view.board[other]
        if _building(sheet, beyond) is not None and _touches(beyond, (way + OPPOSITE) % 6):
            found[way] = centre((beyond.u, beyond.v))
    return found


def _building(sheet: Canvas, location: Location) -> Area | None:
    """Return the style of a hex's building, or None."""
    area = sheet.styles.area(location.terrain)
    return area if area is not None and area.shape == "building" else None


def _touches(location: Location, way: int) -> bool:
    return bool(location.clear) and location.clear[way] == 0


def _paint_building(sheet: Canvas, area: Area, place: Place, gid: str) -> None:
    """Paint one block with its shadow, ridge and roofs."""
    random = Random(f"building {place[0]} {place[1]}")
    turn = random.choice((-28.0, -12.0, 0.0, 0.0, 18.0, 32.0))
    wide, high = area.size, area.size * random.uniform(0.66, 0.8)
    at = centre(place)
    walls = [block(at, wide, high, turn)]
    if area.storeys and random.random() < 0.6:
        wing = turned([(0.32 * wide, 0.5 * high)], at, turn)[0]
        walls.append(block(wing, 0.36 * wide, 0.7 * high, turn))
    shadow = [[(x + 0.05, y - 0.05) for x, y in wall] for wall in walls]
    sheet.fill(shadow, "#000000", alpha=0.35)
    line = area.line or "none"
    for wall in reversed(walls):
        sheet.fill([wall], area.fill or "none", line=line, width=0.035, gid=gid)
    for storey in range(area.storeys):
        share = 0.76 - 0.22 * storey
        roof = block(at, wide * share, high * share, turn)
        sheet.stroke([roof], line, 0.025, closed=True)
    ridge = turned([(-0.5 * wide, 0), (0.5 * wide, 0)], at, turn)
    if not area.storeys:
        sheet.stroke([ridge], line, 0.025)


def paint_grid(sheet: Canvas, view: BoardView) -> None:
    """Draw the hexes' outlines and their centre dots."""
    palette = sheet.styles.palette
    sheet.stroke([hexagon(place) for place in view.places], palette.grid, 0.025, closed=True)
    dots = [block(centre((at.u, at.v)), 0.05, 0.05, 0) for at in view.ground if not at.stairway]
    sheet.fill(dots, palette.dot, line=palette.dark_ink, width=0.008)


def paint_names(sheet: Canvas, view: BoardView) -> None:
    """Write each hex's name at its top, light on dark ground, with its level if that is not 0."""
    palette = sheet.styles.palette
    for location in view.ground:
        place = (location.u, location.v)
        level = view.surface[place]
        below = sheet.styles.level(level)
        for _, area in covers(sheet.styles, location):
            if area.shape in ("field", "blob") and area.fill:
                below = area.fill
        if location.depression and 0 in view.depression(location):
            below = sheet.styles.depression(location.depression).strokes[-1][0]
        ink = palette.light_ink if is_dark(below) else palette.dark_ink
        x, y = centre(place)
        aside = (across(location.hex, bold=False) * NAME + LEVEL) / 2 if level else 0.0
        sheet.write((x - LEVEL / 2 * bool(level), y + 0.68), location.hex, NAME, ink, room=0.8)
        if level:
            sheet.write((x + min(aside, 0.5), y + 0.67), f"{level:+d}", 0.15, ink)
