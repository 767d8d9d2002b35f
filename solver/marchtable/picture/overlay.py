"""Painting answers over the board: reach, a path with its running cost, violations."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from marchtable.picture.geometry import Point, between, centre, hexagon
from marchtable.picture.style import is_dark
from marchtable.picture.view import is_ground

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.colors import Colormap, Normalize

    from marchtable.picture.geometry import Place
    from marchtable.picture.sheet import Sheet
    from marchtable.picture.view import View

Reach: TypeAlias = "Mapping[str, tuple[float, str]]"
"""Points left and a short text, by name of Location."""

CHIP = 0.7
"""How far below a hex's centre small texts are written."""


def reach_scale(sheet: Sheet, reach: Reach) -> tuple[Normalize, Colormap]:
    """Return how points left become colours."""
    import matplotlib
    from matplotlib.colors import Normalize

    most = max((left for left, _ in reach.values()), default=0.0)
    return Normalize(0.0, max(most, 0.5)), matplotlib.colormaps[sheet.styles.palette.reach]


def paint_reach(sheet: Sheet, view: View, reach: Reach) -> None:
    """
    Colour each hex by the points left on reaching it and veil the others.

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


def paint_left(sheet: Sheet, view: View, reach: Reach, *, aside: bool = False) -> None:
    """
    Write the label of each hex reached at its foot, the ground's before a bridge's.

    ``aside`` leaves room for the cost of a path.
    """
    texts: dict[Place, list[tuple[bool, str]]] = {}
    for name, (_, label) in reach.items():
        location = view.board[name]
        if label:
            place = (location.u, location.v)
            texts.setdefault(place, []).append((not is_ground(location), label))
    for place, colour in _shades(sheet, view, reach).items():
        if place in texts:
            x, y = centre(place)
            ink = "#ffffff" if is_dark(colour) else "#000000"
            at = (x - (0.28 if aside else 0.0), y - CHIP)
            text = " | ".join(label for _, label in sorted(texts[place]))
            sheet.write(at, text, 0.22, ink, room=0.9, box=(colour, "#222222"))


def _shades(sheet: Sheet, view: View, reach: Reach) -> dict[Place, str]:
    """Return the colour of each hex in view that is reached."""
    from matplotlib.colors import to_hex

    scale, colours = reach_scale(sheet, reach)
    best: dict[Place, float] = {}
    for name, (left, _) in reach.items():
        location = view.board[name]
        place = (location.u, location.v)
        best[place] = max(left, best.get(place, left))
    return {place: to_hex(colours(scale(best[place]))) for place in view.places if place in best}


def paint_path(
    sheet: Sheet, view: View, path: Sequence[tuple[str, str]], name: str = "path arrow"
) -> None:
    """Draw a path as an arrow of that name."""
    palette = sheet.styles.palette
    stops: list[Point] = []
    for stop, _ in path:
        location = view.board[stop]
        at = centre((location.u, location.v))
        if not stops or stops[-1] != at:
            stops.append(at)
    if len(stops) > 1:
        tip = between(stops[-1], stops[-2], 0.3)
        neck = between(stops[-1], stops[-2], 0.48)
        line = [*stops[:-1], neck]
        head = _arrow_head(tip, neck)
        sheet.stroke([line], palette.route_line, 0.2)
        sheet.stroke([head], palette.route_line, 0.1, closed=True)
        sheet.stroke([line], palette.route, 0.11, gid=name)
        sheet.fill([head], palette.route)


def paint_costs(
    sheet: Sheet, view: View, path: Sequence[tuple[str, str]], *, aside: bool = False
) -> None:
    """Write the running cost of a path at the foot of each of its hexes."""
    palette = sheet.styles.palette
    costs: dict[Place, list[str]] = {}
    for name, cost in path:
        location = view.board[name]
        texts = costs.setdefault((location.u, location.v), [])
        if cost and cost not in texts:
            texts.append(cost)
    shown = set(view.places)
    for place, texts in costs.items():
        if texts and place in shown:
            x, y = centre(place)
            text = ", ".join(texts)
            box = ("#ffffff", palette.route)
            at = (x + (0.3 if aside else 0.0), y - CHIP)
            sheet.write(at, text, 0.22, palette.route, bold=True, room=0.9, box=box)


def _arrow_head(tip: Point, neck: Point) -> list[Point]:
    """Return the triangle from an arrow's neck to its tip."""
    dx, dy = tip[0] - neck[0], tip[1] - neck[1]
    across = (-dy * 0.6, dx * 0.6)
    return [
        tip,
        (neck[0] + across[0], neck[1] + across[1]),
        (neck[0] - across[0], neck[1] - across[1]),
    ]


def paint_violations(sheet: Sheet, view: View, highlights: Mapping[str, str]) -> None:
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


def paint_clauses(sheet: Sheet, view: View, highlights: Mapping[str, str]) -> None:
    """Write above each hex outlined in red the clause that speaks against it."""
    palette = sheet.styles.palette
    texts: dict[Place, list[str]] = {}
    for name, clause in highlights.items():
        location = view.board[name]
        texts.setdefault((location.u, location.v), []).append(clause)
    for place in view.places:
        text = ", ".join(dict.fromkeys(filter(None, texts.get(place, ()))))
        if text:
            x, y = centre(place)
            box = (palette.violation, palette.light_ink)
            sheet.write((x, y + 0.94), text, 0.24, palette.light_ink, bold=True, room=1.7, box=box)
