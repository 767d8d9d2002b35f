"""The board and its counters as SVG for a page: a named group for each hex and each unit."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.board.board import DIRECTIONS, STEPS
from marchtable.picture.counters import (
    laid_out,
    largest_first,
    paint_counter,
    paint_front,
    side_colours,
)
from marchtable.picture.geometry import centre, hexagon
from marchtable.picture.ground import paint_names, unknown_terrain
from marchtable.picture.hexsides import paint_hexsides
from marchtable.picture.legend import paint_board
from marchtable.picture.links import Link, paint_links
from marchtable.picture.marks import paint_sides
from marchtable.picture.showing import counters_of, things_of
from marchtable.picture.style import load_styles
from marchtable.picture.things import paint_things
from marchtable.picture.vectors import FONT, UNIT, Vectors
from marchtable.picture.view import BoardView
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.board.board import Board, Location
    from marchtable.board.places import Hexside
    from marchtable.picture.counters import Marker
    from marchtable.picture.geometry import Place
    from marchtable.picture.things import Thing
    from marchtable.state.position import Position

__all__ = [
    "NO_WORDS",
    "board_picture",
    "described",
    "kind_of",
    "palette",
    "pieces_picture",
    "scene_drawn",
    "terrain_words",
]

NO_WORDS: Mapping[str, str] = MappingProxyType({})
GROUND = "Open Ground"
"""The terrain that fills the rest of most hexes, so that other terrain need not mention it."""
UNNAMED = ("hexside", "terrain")
"""Placeholders of titles in lists of terrain."""
_TITLE = re.compile(r"(?:(?!, | that | of a ).)+")
"""A row's title up to how it is entered (``Gully, entered``)."""
_LEVELS = re.compile(r", ([\d.]+) Level")
WIDEST = 10
"""Maximum number of legible letters on a counter."""


@cache
def terrain_words(rulebook: str) -> Mapping[str, str]:
    """
    Return a rulebook's own names for the terrain of VASL's boards: ``{"Woods": "Woods", ...}``.

    A building keeps its levels, which the chart does not name. Terrain that the rulebook does not
    name keeps its name.
    """
    found = {}
    for name, line in find_rulebook(rulebook).known("terrain"):
        title = _TITLE.match(line.partition(":")[0])
        if title is None or title[0] in UNNAMED:
            continue
        levels = _LEVELS.search(name)
        size = f" ({levels[1]} level{'' if levels[1] == '1' else 's'})" if levels else ""
        found[name] = f"{title[0]}{size}"
    return found


def board_picture(board: Board, tint: str = "", words: Mapping[str, str] = NO_WORDS) -> str:
    """
    Return a board as an SVG element of a page, with empty layers for shading, ways and units.

    Each hex is a group of the class ``hex``: ``data-at`` names its ground, ``data-all`` all its
    Locations, ``data-u`` and ``data-v`` its place. ``tint`` covers all the ground; ``words`` name
    terrain (see :func:`terrain_words`).
    """
    view = BoardView(board)
    styles = load_styles().tinted(tint)
    sheet = Vectors(styles, "ground")
    with sheet.group(class_="ground", aria_hidden="true"):
        paint_board(sheet, view, unknown_terrain(view, styles))
    sheet.parts.append('<g id="shades" aria-hidden="true"></g>')
    with sheet.group(class_="printed", aria_hidden="true"):
        paint_hexsides(sheet, view)
        paint_names(sheet, view)
    with sheet.group(
        id="hexes", role="group", aria_label="Hexes", fill="none", pointer_events="all"
    ):
        sheet.parts += _cells(view, words)
    for layer in ("plans", "last", "thread", "ways", "links", "frames", "units", "marks", "tags"):
        named = 'role="group" aria-label="Units"' if layer == "units" else 'aria-hidden="true"'
        sheet.parts.append(f'<g id="{layer}" {named}></g>')
    return (
        f'<svg id="board" xmlns="http://www.w3.org/2000/svg" viewBox="{_frame(view)}"'
        f' font-family="{FONT}" stroke-linejoin="round" stroke-linecap="round" role="group"'
        f' aria-label="Board {escape(board.name)}" preserveAspectRatio="xMidYMid meet">'
        f"{sheet.text()}</svg>"
    )


def scene_drawn(position: Position[Any, Any]) -> str:
    """Return a board with its units as stand-alone SVG."""
    units, links = pieces_picture(position)
    end = "</svg>"
    tint = find_rulebook(position.rulebook).overall(position).tint
    return board_picture(position.board, tint).removesuffix(end) + links + units + end


def _frame(view: BoardView) -> str:
    points = [centre(place) for place in view.places]
    left, right = min(x for x, _ in points) - 1.05, max(x for x, _ in points) + 1.05
    low, high = min(y for _, y in points) - 0.95, max(y for _, y in points) + 1.05
    return " ".join(f"{part * UNIT:.0f}" for part in (left, -high, right - left, high - low))


def _cells(view: BoardView, terrain: Mapping[str, str]) -> list[str]:
    """Return a group for each hex, with its outline, and its name for screen readers."""
    by_place: dict[Place, list[Location]] = {}
    for location in view.locations:
        by_place.setdefault((location.u, location.v), []).append(location)
    found = []
    for (u, v), locations in by_place.items():
        x, y = centre((u, v))
        names = " ".join(location.name for location in locations)
        outline = " ".join(f"{px * UNIT:.0f},{-py * UNIT:.0f}" for px, py in hexagon((u, v), 0.97))
        words = escape("; ".join(described(view.board, one.name, terrain) for one in locations))
        found.append(
            f'<g class="hex" role="button" tabindex="-1" data-at="{escape(locations[0].name)}"'
            f' data-all="{escape(names)}" data-u="{u}" data-v="{v}" data-x="{x * UNIT:.0f}"'
            f' data-y="{-y * UNIT:.0f}" aria-label="{words}"><polygon points="{outline}"/></g>'
        )
    return found


def along(hexside: Hexside | None) -> list[str]:
    """Return the features along a hexside, in words."""
    if hexside is None:
        return []
    found = [hexside.terrain, hexside.road, hexside.along and f"{hexside.along} along it"]
    found += ["path" if hexside.path else None, "slope" if hexside.slope else None]
    return [word for word in found if word]


def described(board: Board, name: str, terrain: Mapping[str, str] = NO_WORDS) -> str:
    """Return the features of a Location, with terrain in a game's words."""
    location = board[name]
    ground = terrain.get(location.terrain, location.terrain)
    words = [name, ground.lower() if location.name != location.hex else ground]
    words += [terrain.get(other, other) for other, _ in location.also[:2] if other != GROUND]
    if location.depression:
        words.append(terrain.get(location.depression, location.depression))
    words.append(f"level {location.level}")
    where: dict[str, list[str]] = {}
    sides = [(direction, board.hexside(name, other)) for direction, other in board.neighbours(name)]
    for direction, hexside in [*sides, *location.rim]:
        for what in along(hexside):
            where.setdefault(what, []).append(DIRECTIONS[direction])
    words += [f"{what} {'/'.join(dict.fromkeys(there))}" for what, there in where.items()]
    return ", ".join(dict.fromkeys(words))


def pieces_picture(position: Position[Any, Any]) -> tuple[str, str]:
    """
    Return the inside of two layers: ties and counters on the map, and units.

    Each unit is a group of the class ``unit`` with ``data-unit`` and ``data-at``; anything else in
    a hex is one of the class ``thing``, with ``data-at`` and a description in ``data-said``.
    """
    view = BoardView(position.board)
    book = find_rulebook(position.rulebook)
    tied = Vectors(load_styles(), "links")
    paint_links(tied, view, [Link(**link) for link in book.overall(position).links])
    things = _by_hex(position)
    for name, found in things.items():
        words = ", ".join(_there(thing) for thing in found)
        with tied.group(class_="thing", data_at=name, data_said=words):
            paint_things(tied, view, found)
    sheet = Vectors(load_styles(), "units")
    markers = counters_of(position)
    names, units = list(markers), list(markers.values())
    colours = side_colours(sheet.styles, _sides(position, units))
    lain = {
        _place(position, name)
        for name, found in things.items()
        if any(t.side is None for t in found)
    }
    for number, at, size in largest_first(laid_out(view, units, lain)):
        unit = units[number]
        location = position.board[unit.at]
        said = _said(names[number], unit)
        with sheet.group(
            class_="unit",
            role="button",
            tabindex="-1",
            data_unit=names[number],
            data_at=unit.at,
            aria_label=said,
        ):
            sheet.parts.append(f"<title>{escape(said)}</title>")
            paint_sides(sheet, (location.u, location.v), unit.sides, colours[unit.side])
            face = _face(position.unit(names[number]), unit)
            paint_counter(sheet, face, at, size, colours[unit.side])
            paint_front(sheet, unit, at, size)
    return sheet.text(), tied.text()


def _place(position: Position[Any, Any], name: str) -> Place:
    """Return the place at which a hex is drawn."""
    location = position.board[name]
    return (location.u, location.v)


def kind_of(unit: Any) -> str:
    """Return the name of a unit's type, without its nationality."""
    kind = str(getattr(unit, "type", ""))
    owner, _, rest = kind.partition(" ")
    return rest if rest and owner in (unit.side, getattr(unit, "nationality", "")) else kind


def _face(unit: Any, marker: Marker) -> Marker:
    """Return a counter that shows its type instead of an id made up by an import (``br_648_1``)."""
    if "_" not in unit.id or not (words := kind_of(unit).split(" ")):
        return marker
    shown = words[0]
    for word in words[1:]:
        if len(shown) + len(word) < WIDEST:
            shown += f" {word}"
    return msgspec.structs.replace(marker, label=shown)


def _by_hex(position: Position[Any, Any]) -> dict[str, list[Thing]]:
    """Return the things on the map, by the name of their hex."""
    found: dict[str, list[Thing]] = {}
    for thing in things_of(position):
        found.setdefault(position.board[thing.at].hex, []).append(thing)
    return found


def _there(thing: Thing) -> str:
    return thing.text if thing.side is None else f"{thing.text} {DIRECTIONS[thing.side]}"


def _sides(position: Position[Any, Any], units: Sequence[Marker]) -> list[Any]:
    """Return all that have sides, including units off the map, so that colours are stable."""
    return [*position.units, *units]


def _said(name: str, unit: Marker) -> str:
    words = [name, unit.side, *([unit.label] if unit.label != name else []), unit.note]
    marks = [mark.said or mark.sign for mark in unit.marks]
    return ", ".join([*filter(None, words), *marks, f"at {unit.at}"])


def palette() -> dict[str, Any]:
    """Return the colours that the page itself uses on a board, equal to those of pictures."""
    colours = load_styles().palette
    return {
        "route": colours.route,
        "routeLine": colours.route_line,
        "violation": colours.violation,
        "dark": colours.dark_ink,
        "light": colours.light_ink,
        "tones": {
            name: {"fill": tone.fill, "ink": tone.ink} for name, tone in load_styles().tones.items()
        },
        "steps": STEPS,
    }
