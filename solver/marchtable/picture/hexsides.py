"""Painting terrain along hexsides (walls, hedges, cliffs, slopes), and the edge of the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.picture.geometry import HALF, Point, between, circle, side_ends, toward

if TYPE_CHECKING:
    from marchtable.picture.sheet import Canvas
    from marchtable.picture.style import Side
    from marchtable.picture.view import BoardView

GAP = 0.24
"""Half of a road's gap in a wall or hedge, as a share of the hexside."""


def paint_hexsides(sheet: Canvas, view: BoardView) -> None:
    """Paint terrain along hexsides, with gaps where roads cross, and the edge of the map."""
    sheet.clip_to(view.frame)
    for (u, v, direction), hexside in view.hexsides.items():
        a, b = side_ends((u, v), direction)
        parts = [(a, b)]
        if hexside.road:
            parts = [(a, between(a, b, 0.5 - GAP)), (between(a, b, 0.5 + GAP), b)]
        if hexside.terrain:
            style = sheet.styles.hexside(hexside.terrain)
            gid = f"hexside:{hexside.terrain}:{u},{v},{direction}"
            for part in parts:
                _paint_side(sheet, style, part, direction, gid)
        if hexside.slope:
            _paint_side(sheet, sheet.styles.slope, (a, b), direction, f"slope:{u},{v},{direction}")
    # Maps do not print the outer halves of their outermost hexes.
    sheet.fill(view.beyond, sheet.styles.palette.veil, alpha=0.65, gid="beyond the map")
    sheet.clip_to(None)


def _paint_side(
    sheet: Canvas, style: Side, ends: tuple[Point, Point], direction: int, gid: str
) -> None:
    """Paint one stretch of a wall, hedge or cliff."""
    a, b = ends
    length = abs(complex(b[0] - a[0], b[1] - a[1]))
    width = style.width
    if style.pattern == "beads":
        count = max(2, round(length / (0.62 * width)))
        beads = [
            circle(between(a, b, number / count), width * (0.56 if number % 2 else 0.68), 7)
            for number in range(count + 1)
        ]
        sheet.stroke(beads, style.line, 0.045, closed=True)
        sheet.fill(beads, style.fill, gid=gid)
        return
    sheet.stroke([ends], style.line, width * (1.5 if style.pattern != "ticks" else 1), gid=gid)
    if style.pattern == "ticks":
        sheet.stroke(_ticks(a, b, direction, length), style.line, max(0.03, width / 2))
        return
    sheet.stroke([ends], style.fill, width)
    if style.pattern == "stones":
        count = max(2, round(length / 0.13))
        joints = [
            [
                toward(between(a, b, (number + 0.5) / count), direction, reach * width / 2)
                for reach in (-1, 1)
            ]
            for number in range(count)
        ]
        sheet.stroke(joints, style.line, 0.03, cap="butt")


def _ticks(a: Point, b: Point, direction: int, length: float) -> list[list[Point]]:
    """Return short strokes across a hexside."""
    count = max(2, round(length / 0.17))
    middles = [between(a, b, (number + 0.5) / count) for number in range(count)]
    return [
        [toward(at, direction, -0.12 * HALF), toward(at, direction, 0.12 * HALF)] for at in middles
    ]
