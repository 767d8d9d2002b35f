"""Painting answers over the board: reach, a path with its running cost, violations."""

from __future__ import annotations

from itertools import zip_longest
from math import atan2, degrees, dist, sqrt
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from marchtable.picture.geometry import Point, between, centre, hexagon, toward
from marchtable.picture.style import is_dark
from marchtable.picture.view import is_ground

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.colors import Colormap, Normalize

    from marchtable.picture.geometry import Place
    from marchtable.picture.sheet import Canvas
    from marchtable.picture.view import BoardView

Reach: TypeAlias = "Mapping[str, tuple[float, str]]"
"""Points left and a short text, by Location name."""

CHIP = 0.7
"""Offset of short texts below a hex's centre."""
BESIDE = 0.48
"""From one way's cost to the next way's."""
LINE = 0.27
"""From one of them to the next above it."""
ABOUT = 3
"""Maximum number of costs side by side."""
BAR = " | "
"""Separates the labels of a hex's ground and of what is above it."""
STEP = sqrt(3)
"""From hex to hex."""
ROUND = 0.8
"""Distance from a hex's centre at which a way passes around its contents."""
NEAR = 0.2
"""Corners this close to a way's ends, in hexsides, are omitted."""
ABREAST = 0.16
"""Distance between parallel ways."""


class ReachOverlay(msgspec.Struct, frozen=True):
    """Points left and a short text for each reached Location, and the scale's name."""

    left: dict[str, tuple[float, str]]
    label: str = "points left"


class PathOverlay(msgspec.Struct, frozen=True):
    """
    A unit's path: the Locations, each with the cost so far, and its name.

    ``asides`` gives each one's direction from the hex's centre, as in a :class:`Marker`; ``points``
    names the unit of cost.
    """

    steps: tuple[tuple[str, str], ...]
    name: str = ""
    asides: tuple[float | None, ...] = ()
    points: str = ""


def reach_scale(sheet: Canvas, reach: Reach) -> tuple[Normalize, Colormap]:
    """Return the colour scale of points left."""
    import matplotlib
    from matplotlib.colors import Normalize

    most = max((left for left, _ in reach.values()), default=0.0)
    return Normalize(0.0, max(most, 0.5)), matplotlib.colormaps[sheet.styles.palette.reach]


def paint_reach(sheet: Canvas, view: BoardView, reach: Reach) -> None:
    """
    Colour each hex by the points left on reaching it, and veil the others.

    A hex with a bridge takes the colour of the better of the two.
    """
    shades = _shades(sheet, view, reach)
    veiled = [hexagon(place) for place in view.places if place not in shades]
    sheet.fill(veiled, sheet.styles.palette.veil, alpha=0.55)
    for place, colour in shades.items():
        sheet.fill([hexagon(place)], colour, alpha=0.14)
        sheet.stroke(
            [hexagon(place, 0.9)], colour, 0.11, closed=True, gid=f"reach:{place[0]},{place[1]}"
        )


def paint_left(sheet: Canvas, view: BoardView, reach: Reach, *, aside: bool = False) -> None:
    """
    Write the label of each reached hex at its foot, the ground's before a bridge's.

    ``aside`` leaves room for the cost of a path.
    """
    texts = _labels(view, reach)
    for place, colour in _shades(sheet, view, reach).items():
        if place in texts:
            x, y = centre(place)
            ink = "#ffffff" if is_dark(colour) else "#000000"
            at = (x - (0.28 if aside else 0.0), y - CHIP)
            text = BAR.join(label for _, label in sorted(texts[place]))
            sheet.write(at, text, 0.22, ink, room=0.9, box=(colour, "#222222"))


def _labels(view: BoardView, reach: Reach) -> dict[Place, list[tuple[bool, str]]]:
    """Return the labels of each hex, each with whether it belongs to what is above the ground."""
    texts: dict[Place, list[tuple[bool, str]]] = {}
    for name, (_, label) in reach.items():
        location = view.board[name]
        if label:
            place = (location.u, location.v)
            texts.setdefault(place, []).append((not is_ground(location), label))
    return texts


def is_reached_twice(view: BoardView, reach: Reach) -> bool:
    """Return whether a hex in view has two labels: one for its ground, one for what is above."""
    shown = set(view.places)
    return any(len(found) > 1 for place, found in _labels(view, reach).items() if place in shown)


def _shades(sheet: Canvas, view: BoardView, reach: Reach) -> dict[Place, str]:
    """Return the colour of each reached hex in view."""
    from matplotlib.colors import to_hex

    scale, colours = reach_scale(sheet, reach)
    best: dict[Place, float] = {}
    for name, (left, _) in reach.items():
        location = view.board[name]
        place = (location.u, location.v)
        best[place] = max(left, best.get(place, left))
    return {place: to_hex(colours(scale(best[place]))) for place in view.places if place in best}


def paint_ways(sheet: Canvas, view: BoardView, ways: Sequence[PathOverlay]) -> None:
    """Draw ways as arrows, each in its colour, side by side where they coincide."""
    for number, way in enumerate(ways):
        aside = (number - (len(ways) - 1) / 2) * min(ABREAST, 0.7 / len(ways))
        name = f"path arrow {number}" if number else "path arrow"
        _paint_way(sheet, view, way, (sheet.styles.route(number), aside, name))


def _paint_way(
    sheet: Canvas, view: BoardView, way: PathOverlay, how: tuple[str, float, str]
) -> None:
    colour, aside, name = how
    stops: list[Point] = []
    before: Point | None = None
    for (stop, _), side in zip_longest(way.steps, way.asides):
        location = view.board[stop]
        middle = centre((location.u, location.v))
        for x, y in [middle] if side is None else way_round(middle, side, before):
            at = before = (x + aside, y - aside)
            if not stops or stops[-1] != at:
                stops.append(at)
    if len(stops) > 1:
        step = min(1.0, STEP / dist(stops[-1], stops[-2]))  # an illegal jump has no larger head
        tip = between(stops[-1], stops[-2], 0.3 * step)
        neck = between(stops[-1], stops[-2], 0.48 * step)
        line = [*stops[:-1], neck]
        head = _arrow_head(tip, neck)
        rim = sheet.styles.palette.route_line
        sheet.stroke([line], rim, 0.2)
        sheet.stroke([head], rim, 0.1, closed=True)
        sheet.stroke([line], colour, 0.11, gid=name)
        sheet.fill([head], colour)


def way_round(middle: Point, side: float, before: Point | None) -> list[Point]:
    """Return a way's detour around a hex's contents: by its corners, the shorter way."""
    if before is None:
        return [toward(middle, side, ROUND)]
    begin = degrees(atan2(before[0] - middle[0], before[1] - middle[1])) / 60
    turn = (side - begin + 3) % 6 - 3
    low, high = sorted((begin, begin + turn))
    corners = [number + 0.5 for number in range(-4, 10) if low + NEAR < number + 0.5 < high - NEAR]
    return [toward(middle, at, ROUND) for at in [*(corners if turn > 0 else corners[::-1]), side]]


def paint_costs(
    sheet: Canvas, view: BoardView, ways: Sequence[PathOverlay], *, aside: bool = False
) -> None:
    """Write the running costs of ways at the foot of each of their hexes, side by side."""
    chips: dict[Place, list[tuple[str, str]]] = {}
    for number, way in enumerate(ways):
        for place, texts in _costs(view, way).items():
            if texts:
                chips.setdefault(place, []).append((", ".join(texts), sheet.styles.route(number)))
    for place in set(view.places) & set(chips):
        x, y = centre(place)
        for number, (text, colour) in enumerate(found := chips[place]):
            line, column = divmod(number, ABOUT)
            along = min(ABOUT, len(found) - line * ABOUT)
            off = (column - (along - 1) / 2) * BESIDE + (0.3 if aside else 0.0)
            at = (x + off, y - CHIP + LINE * line)
            room = 0.9 if along == 1 else BESIDE - 0.12
            sheet.write(at, text, 0.22, colour, bold=True, room=room, box=("#ffffff", colour))


def _costs(view: BoardView, way: PathOverlay) -> dict[Place, list[str]]:
    """Return a way's running costs in each hex."""
    costs: dict[Place, list[str]] = {}
    for name, cost in way.steps:
        location = view.board[name]
        texts = costs.setdefault((location.u, location.v), [])
        if cost and cost not in texts:
            texts.append(cost)
    return costs


def _arrow_head(tip: Point, neck: Point) -> list[Point]:
    """Return the triangle from an arrow's neck to its tip."""
    dx, dy = tip[0] - neck[0], tip[1] - neck[1]
    across = (-dy * 0.6, dx * 0.6)
    return [
        tip,
        (neck[0] + across[0], neck[1] + across[1]),
        (neck[0] - across[0], neck[1] - across[1]),
    ]


def paint_violations(sheet: Canvas, view: BoardView, highlights: Mapping[str, str]) -> None:
    """Outline hexes in red."""
    palette = sheet.styles.palette
    marked = {(view.board[name].u, view.board[name].v) for name in highlights}
    for place in view.places:
        if place in marked:
            outline = [hexagon(place, 0.93)]
            sheet.stroke(outline, palette.light_ink, 0.2, closed=True)
            sheet.stroke(
                outline,
                palette.violation,
                0.12,
                closed=True,
                gid=f"violation:{place[0]},{place[1]}",
            )


def paint_clauses(sheet: Canvas, view: BoardView, highlights: Mapping[str, str]) -> None:
    """Write above each hex outlined in red its name, and the clause broken there."""
    palette = sheet.styles.palette
    texts: dict[Place, list[str]] = {}
    names: dict[Place, str] = {}
    for name, clause in highlights.items():
        location = view.board[name]
        texts.setdefault((location.u, location.v), []).append(clause)
        names[location.u, location.v] = location.hex
    for place in view.places:
        text = ", ".join(dict.fromkeys(filter(None, texts.get(place, ()))))
        if text:
            text = f"{names[place]}: {text}"
            x, y = centre(place)
            box = (palette.violation, palette.light_ink)
            sheet.write((x, y + 0.94), text, 0.24, palette.light_ink, bold=True, room=1.7, box=box)
