"""The legend: a small sample of everything in the picture, painted by the same painters."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from marchtable.board.board import Board, EdgeRecord, Hexside, Location
from marchtable.picture.axes import AxesSheet
from marchtable.picture.counters import Marker, side_colours
from marchtable.picture.geometry import block, hexagon
from marchtable.picture.ground import (
    covers,
    paint_buildings,
    paint_grid,
    paint_ground,
    unknown_terrain,
)
from marchtable.picture.hexsides import paint_hexsides
from marchtable.picture.marks import chip_width, paint_chip, paint_sides
from marchtable.picture.style import SideColours
from marchtable.picture.things import paint_icon
from marchtable.picture.view import BoardView
from marchtable.picture.ways import paint_bridges, paint_depressions, paint_paths, paint_roads
from marchtable.rules.marks import Mark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from marchtable.picture.overlay import PathOverlay
    from marchtable.picture.sheet import Canvas
    from marchtable.picture.style import Styles
    from marchtable.picture.things import Thing

COLUMN, ROW = 1.78, 0.36
"""Size of an entry, in inches."""
SAMPLE = 0.185
"""Side of a sample hex, in inches."""


class LegendEntry(msgspec.Struct, frozen=True):
    """A sample hex (with its contents) and its explanation."""

    text: str
    location: Location = Location("", "", 0, 0)
    side: str | None = None
    hatches: dict[str, str] = {}
    way: int | None = None
    mark: str = ""
    chip: Mark | None = None
    icon: str = ""


def paint_board(sheet: Canvas, view: BoardView, hatches: Mapping[str, str]) -> None:
    """Paint a map's printed features except hexsides and names, which stay above a shading."""
    sheet.clip_to(view.frame)
    paint_ground(sheet, view, hatches)
    paint_depressions(sheet, view)
    paint_paths(sheet, view)
    paint_bridges(sheet, view)
    paint_roads(sheet, view)
    paint_buildings(sheet, view)
    paint_grid(sheet, view)
    sheet.clip_to(None)


def entries(
    view: BoardView,
    styles: Styles,
    units: Sequence[Marker],
    ways: Sequence[PathOverlay] = (),
    things: Sequence[Thing] = (),
    *,
    twice: bool = False,
    broken: bool = False,
) -> list[LegendEntry]:
    """
    Return the legend's entries: all kinds of things in view, each once.

    ``twice`` means that a hex shows points left both below and above, ``broken`` that one is
    outlined in red.
    """
    hexsides = list(view.hexsides.values())
    ground = [Location("", "", 0, 0, level=level) for level in sorted(set(_levels(view)))]
    found = [LegendEntry(f"Open ground, level {_level(one.level)}", one) for one in ground]
    names = {name for hex_ in view.ground for name, _ in covers(styles, hex_)}
    found += [LegendEntry(name, Location("", "", 0, 0, terrain=name)) for name in sorted(names)]
    for name, hatch in unknown_terrain(view, styles).items():
        sample = Location("", "", 0, 0, terrain=name)
        found.append(LegendEntry(f"{name} (?)", sample, hatches={name: hatch}))
    if any(hex_.stairway for hex_ in view.ground):
        found.append(LegendEntry("Stairway", Location("", "", 0, 0, stairway=True)))
    for name in sorted({hex_.depression for hex_ in view.ground if hex_.depression}):
        sample = Location("", "", 0, 0, level=-1, terrain=name, depression=name)
        found.append(LegendEntry(name, sample))
    for name in sorted({side.road for side in hexsides if side.road}):
        found.append(LegendEntry(name, _crossed(Hexside(road=name))))
    for name in sorted({hex_.terrain for hex_ in view.above}):
        found.append(LegendEntry(name, Location(":above", "", 0, 0, terrain=name)))
    if any(side.path for side in hexsides):
        found.append(LegendEntry(styles.path.label, _crossed(Hexside(path=True))))
    for name in sorted({side.terrain for side in hexsides if side.terrain}):
        found.append(LegendEntry(name, _edged(Hexside(terrain=name))))
    if any(side.slope for side in hexsides):
        found.append(LegendEntry(styles.slope.label, _edged(Hexside(slope=True))))
    shown = set(view.places)
    seen = [u for u in units if (view.board[u.at].u, view.board[u.at].v) in shown]
    found += _play_entries(styles, seen, ways)
    found += _mark_entries(seen)
    lying = dict.fromkeys((one.sign, one.text) for one in things if one.sign)
    found += [LegendEntry(text, icon=sign) for sign, text in lying]
    found += [LegendEntry("left: beneath | above (bridge)", mark="twice")] if twice else []
    found += [LegendEntry("a clause is broken", mark="broken")] if broken else []
    return [*found, LegendEntry("north", mark="north")]


def _level(level: int) -> str:
    """Return a level and its notation in hexes."""
    return f"{level} ({level:+d})" if level else "0"


def _play_entries(
    styles: Styles, units: Sequence[Marker], ways: Sequence[PathOverlay]
) -> list[LegendEntry]:
    """Return the legend's entries for units and ways."""
    found = [LegendEntry(side or "(no side)", side=side) for side in side_colours(styles, units)]
    found += (
        [LegendEntry("small: carried", mark="carried")] if any(u.carried for u in units) else []
    )
    found += (
        [LegendEntry("faces there", mark="front")]
        if any(u.facing is not None for u in units)
        else []
    )
    return found + [
        LegendEntry(f"{way.name}: {way.points} spent".replace("  ", " "), way=number)
        for number, way in enumerate(ways)
        if way.name
    ]


def _mark_entries(units: Sequence[Marker]) -> list[LegendEntry]:
    """Return the meanings of counters' labels, except self-explanatory ones."""
    chips = {mark.sign: mark for unit in units for mark in unit.marks if mark.said}
    found = [LegendEntry(mark.said, chip=mark) for mark in chips.values()]
    return found + (
        [LegendEntry("along that hexside", mark="bar")] if any(u.sides for u in units) else []
    )


def _levels(view: BoardView) -> list[int]:
    return [view.surface[place] for place in view.places if place in view.surface]


def _crossed(hexside: Hexside) -> Location:
    """Return a hex crossed by a road or path."""
    return Location("", "", 0, 0, rim=((1, hexside), (4, hexside)))


def _edged(hexside: Hexside) -> Location:
    """Return a hex with terrain along its lower sides."""
    return Location("", "", 0, 0, rim=((2, hexside), (3, hexside), (4, hexside)))


def legend_size(count: int, width: float) -> tuple[int, int]:
    """Return columns and rows of a legend ``width`` inches wide."""
    columns = max(1, min(count, int(width / COLUMN)))
    return columns, ceil(count / columns)


def paint_legend(
    axes: Axes, styles: Styles, found: list[LegendEntry], columns: int, units: Sequence[Marker]
) -> None:
    """Paint the entries row by row, on axes measured in sides of a sample hex."""
    colours = side_colours(styles, units)
    for number, entry in enumerate(found):
        row, column = divmod(number, columns)
        at = (column * COLUMN / SAMPLE + 1.2, -(row + 0.5) * ROW / SAMPLE)
        sheet = AxesSheet(axes, SAMPLE * 72, styles, at, named=False)
        view = _sample(entry.location)
        if entry.way is not None:
            way = [[(-0.8, -0.5), (0.8, 0.5)]]
            sheet.stroke(way, styles.route(entry.way), 0.3)
        elif entry.mark:
            _paint_mark(sheet, entry.mark)
        elif entry.chip:
            wide = min(chip_width(entry.chip.sign, 0.85), 2.1)
            paint_chip(sheet, entry.chip, (0, 0), (wide, 0.85))
        elif entry.icon:
            paint_icon(sheet, entry.icon, (0, 0), 1.5)
        elif entry.side is None:
            paint_board(sheet, view, entry.hatches)
            paint_hexsides(sheet, view)
        else:
            shade = colours[entry.side]
            sheet.fill([hexagon((0, 0), 0.85)], shade.fill, line="#000000", width=0.05)
        sheet.write((1.35, 0), entry.text, 0.54, styles.palette.dark_ink, left=True, room=7.4)


def _paint_mark(sheet: Canvas, mark: str) -> None:
    """Paint a sign that explains itself."""
    palette = sheet.styles.palette
    card = block((0, -0.2), 0.9, 0.9, 0)
    if mark == "north":
        sheet.fill([[(0, 0.95), (0.5, -0.8), (0, -0.4), (-0.5, -0.8)]], palette.dark_ink)
    elif mark == "twice":
        box = ("#ffffff", palette.dark_ink)
        sheet.write((0, 0), "9 | 12", 0.5, palette.dark_ink, room=1.7, box=box)
    elif mark == "bar":
        sheet.stroke([hexagon((0, 0), 0.85)], palette.dark_ink, 0.05, closed=True)
        paint_sides(sheet, (0, 0), [1], SideColours(fill="#9a9a92", ink="#000000"))
    elif mark == "broken":
        sheet.stroke([hexagon((0, 0), 0.85)], palette.violation, 0.2, closed=True)
    else:
        sheet.fill([card], "#ffffff" if mark == "carried" else "#9a9a92", line="#000000", width=0.1)
        if mark == "front":
            sheet.fill(
                [[(-0.4, 0.25), (0, 0.8), (0.4, 0.25)]], "#ffffff", line="#000000", width=0.1
            )


def _sample(location: Location) -> BoardView:
    """Return a view of that one hex, on a board where its depression and bridge continue."""
    up, here, down = "up", "here", "down"
    ground = msgspec.structs.replace(location, name=here, hex=here)
    locations = [ground]
    edges = []
    if location.name:
        locations[:] = [Location(here, here, 0, 0, level=-1, terrain="Gully", depression="Gully")]
        deck = Location(
            "deck",
            here,
            0,
            0,
            terrain=location.terrain,
            rim=((1, Hexside(road="Dirt Road")), (4, Hexside(road="Dirt Road"))),
        )
        locations.append(deck)
    if locations[0].depression:
        for name, v in ((up, -2), (down, 2)):
            locations.append(Location(name, name, 0, v, level=-1, depression="Gully"))
            edges.append(EdgeRecord(here, name))
    return BoardView(Board("sample", locations, edges), around=[here], margin=0)
