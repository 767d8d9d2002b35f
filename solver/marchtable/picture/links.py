"""Painting ties between units: a line from one to the next, or a break between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.picture.geometry import between, centre

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.picture.geometry import Point
    from marchtable.picture.sheet import Canvas
    from marchtable.picture.view import BoardView

INK = "#111111"
WIDTH, UNDER = 0.14, 0.24
STUB, BAR, ASIDE = 0.72, 0.4, 0.6
"""For a break: its ends, the bars across them, and a label's distance, in hex sides."""


class Link(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    A tie between two units of a picture.

    Parameters
    ----------
    a, b
        Names of their Locations.
    label
        A word in its middle.
    broken
        Whether it is drawn as a break: two ends, each with a bar across.
    """

    a: str
    b: str
    label: str = ""
    broken: bool = False


def paint_links(sheet: Canvas, view: BoardView, links: Iterable[Link]) -> None:
    """Draw lines between hexes, below the counters; breaks end at bars."""
    palette, shown = sheet.styles.palette, set(view.places)
    links = [link for link in links if link.a != link.b]
    for link in links:
        ends = [view.board[link.a], view.board[link.b]]
        first, last = ((end.u, end.v) for end in ends)
        if first == last or not {first, last} & shown:
            continue
        a, b = centre(first), centre(last)
        pieces = [[a, b]] if not link.broken else _ends(a, b)
        gid = f"link:{link.a}-{link.b}{':broken' if link.broken else ''}"
        sheet.stroke(pieces, palette.light_ink, UNDER)
        sheet.stroke(pieces, palette.violation if link.broken else INK, WIDTH, gid=gid)
    for link in links:
        if link.label:
            a, b = (centre((end.u, end.v)) for end in (view.board[link.a], view.board[link.b]))
            dx, dy, long = _towards(a, b)
            share = STUB / long if link.broken else 0.5
            x, y = between(a, b, share)
            box = (palette.violation if link.broken else INK, palette.light_ink)
            at = (x - dy * ASIDE, y + dx * ASIDE)
            sheet.write(at, link.label, 0.2, palette.light_ink, bold=True, room=0.9, box=box)


def _towards(a: Point, b: Point) -> tuple[float, float, float]:
    """Return the direction and the distance from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    long = (dx * dx + dy * dy) ** 0.5 or 1.0
    return dx / long, dy / long, long


def _ends(a: Point, b: Point) -> list[list[Point]]:
    """Return the two ends of a broken line, and the bars across them."""
    dx, dy, long = _towards(a, b)
    across = (-dy * BAR / 2, dx * BAR / 2)
    pieces = []
    for start, end in ((a, b), (b, a)):
        stop = between(start, end, STUB / long)
        pieces.append([start, stop])
        pieces.append([
            (stop[0] - across[0], stop[1] - across[1]), (stop[0] + across[0], stop[1] + across[1]),
        ])  # fmt: skip
    return pieces
