"""Painting marks of units: small labels at the foot of a counter, and bars along hexsides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.picture.geometry import between, block, centre, side_ends
from marchtable.picture.sheet import across

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.picture.geometry import Place, Point
    from marchtable.picture.sheet import Canvas
    from marchtable.picture.style import SideColours
    from marchtable.rules.marks import Mark

__all__ = ["FOOT", "chip_width", "paint_chip", "paint_marks", "paint_sides", "rows_of"]

HEIGHTS = ((0.2, 2), (0.17, 2), (0.15, 3), (0.125, 3), (0.11, 4), (0.09, 5))
"""Possible label heights, in counter sides, with the maximum number of rows for each."""
FOOT, ROOM, APART = 0.475, 0.95, 0.012
"""The labels' lower edge below a counter's centre, the rows' width, and the gap between two."""
LETTERS, BESIDE, CAPITALS = 0.78, 0.36, 1.12
"""
Relative to a label's height: its letters and the space beside them; and the width of capitals
relative to other letters.
"""
INSIDE, ENDS = 0.84, 0.1
"""A bar's distance from the hex's centre, and the free part of the hexside at each end."""


def chip_width(sign: str, high: float) -> float:
    """Return the width of a label of that height."""
    return (across(sign, bold=True) * CAPITALS * LETTERS + BESIDE) * high


def rows_of(marks: Sequence[Mark]) -> tuple[float, list[list[Mark]]]:
    """Return the greatest height (in counter sides) at which marks fit, and their rows."""
    rows: list[list[Mark]] = []
    for high, most in HEIGHTS:
        rows = _wrapped(marks, high)
        if len(rows) <= most:
            return high, rows
    return high * most / len(rows), rows


def _wrapped(marks: Sequence[Mark], high: float) -> list[list[Mark]]:
    rows: list[list[Mark]] = []
    left = 0.0
    for mark in marks:
        wide = chip_width(mark.sign, high) + APART
        if rows and wide <= left:
            rows[-1].append(mark)
            left -= wide
        else:
            rows.append([mark])
            left = ROOM - wide
    return rows


def paint_marks(
    sheet: Canvas, at: Point, size: float, laid: tuple[float, list[list[Mark]]]
) -> None:
    """Paint labels on a counter at a centre and size, the last row at its foot."""
    high, rows = laid
    for number, row in enumerate(rows):
        widths = [min(chip_width(mark.sign, high), ROOM) for mark in row]
        x = at[0] - (sum(widths) + APART * (len(row) - 1)) * size / 2
        y = at[1] - (FOOT - high * (len(rows) - number - 0.5)) * size
        for mark, wide in zip(row, widths, strict=True):
            paint_chip(sheet, mark, (x + wide * size / 2, y), (wide * size, high * size))
            x += (wide + APART) * size


def paint_chip(sheet: Canvas, mark: Mark, at: Point, box: tuple[float, float]) -> None:
    """Paint a label at a centre, of a width and height."""
    wide, high = box
    colours = sheet.styles.tones[mark.tone]
    card = block(at, wide, high * 0.92, 0)
    sheet.fill([card], colours.fill, line=colours.line, width=0.06 * high)
    room = (wide - 0.16 * high) / CAPITALS
    sheet.write(at, mark.sign, LETTERS * high, colours.ink, bold=True, room=room)


def paint_sides(sheet: Canvas, place: Place, sides: Iterable[int], colours: SideColours) -> None:
    """Paint bars inside a hex along some of its hexsides, in a side's colour."""
    for side in sides:
        a, b = (between(centre(place), end, INSIDE) for end in side_ends(place, side))
        bar = [between(a, b, ENDS), between(b, a, ENDS)]
        sheet.stroke([bar], "#000000", 0.15, cap="butt", gid=f"bar:{place[0]},{place[1]},{side}")
        sheet.stroke([bar], colours.fill, 0.09, cap="butt")
