"""A sheet that writes SVG for a page, with named groups."""

from __future__ import annotations

from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING

from marchtable import budget
from marchtable.picture.sheet import Canvas, across, fitted, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.picture.geometry import Point
    from marchtable.picture.style import Styles

UNIT = 100
"""Pixels per hex side; y points down."""
FONT = "DejaVu Sans, Verdana, sans-serif"
_HATCH = {
    "/": "M0 40L40 0", "\\": "M0 0L40 40", "x": "M0 40L40 0M0 0L40 40", "+": "M20 0V40M0 20H40",
    ".": "M20 20h0", "o": "M12 20a8 8 0 1 0 16 0a8 8 0 1 0-16 0",
}  # fmt: skip


class Vectors(Canvas):
    """
    A sheet that draws SVG elements.

    Parameters
    ----------
    styles
        Colours and symbols.
    name
        Prefix of the ids of its clips and patterns, unique on the page.
    """

    def __init__(self, styles: Styles, name: str) -> None:
        self.styles = styles
        self.name = name
        self.parts: list[str] = []
        self.clip = ""
        self.defined = 0

    def text(self) -> str:
        """Return the drawing as text."""
        return "".join(self.parts)

    @contextmanager
    def group(self, **attributes: str) -> Iterator[None]:
        """Put drawing inside the block into one ``g``; underscores in names become hyphens."""
        written = "".join(
            f' {name.strip("_").replace("_", "-")}="{escape(value)}"'
            for name, value in attributes.items()
        )
        self.parts.append(f"<g{written}>")
        yield
        self.parts.append("</g>")

    def clip_to(self, lines: Iterable[Sequence[Point]] | None) -> None:  # noqa: D102
        self.clip = ""
        if lines is not None:
            path = _path(lines, closed=True)
            self.clip = self._define(f"<clipPath id={{}}><path d='{path}'/></clipPath>")
            self.clip = f' clip-path="url(#{self.clip})"'

    def fill(  # noqa: D102
        self,
        lines: Iterable[Sequence[Point]],
        colour: str,
        *,
        line: str = "none",
        width: float = 0.0,
        alpha: float | None = None,
        hatch: str | None = None,
        gid: str = "",  # noqa: ARG002
    ) -> None:
        path = _path(lines, closed=True)
        look = f' stroke="{line}"{_size("stroke-width", width)}' if line != "none" and width else ""
        if hatch:
            colour = f"url(#{self._hatched(hatch[0], line)})"
        self._add(path, f' fill="{colour}"{look}', alpha)

    def stroke(  # noqa: D102
        self,
        lines: Iterable[Sequence[Point]],
        colour: str,
        width: float,
        *,
        closed: bool = False,
        dots: float = 0.0,
        cap: str = "round",
        alpha: float | None = None,
        gid: str = "",  # noqa: ARG002
    ) -> None:
        path = _path(lines, closed)
        look = f' fill="none" stroke="{colour}"{_size("stroke-width", width)}'
        look += f' stroke-dasharray="1 {dots * UNIT:.0f}"' if dots else ""
        look += ' stroke-linecap="butt"' if cap == "butt" else ""
        self._add(path, look, alpha)

    def write(  # noqa: D102
        self,
        at: Point,
        text: str,
        size: float,
        colour: str,
        *,
        bold: bool = False,
        room: float | None = None,
        box: tuple[str, str] | None = None,
        left: bool = False,
    ) -> None:
        text = printable(text)
        size = fitted(text, size, bold, room)
        x, y = at[0] * UNIT, -at[1] * UNIT
        if box is not None:
            wide, high = (across(text, bold) + 0.3) * size * UNIT, 1.5 * size * UNIT
            start = x - (0 if left else wide / 2)
            self.parts.append(
                f'<rect x="{start:.0f}" y="{y - high / 2:.0f}" width="{wide:.0f}" height="{high:.0f}"'
                f' rx="4" fill="{box[0]}" stroke="{box[1]}" stroke-width="3"/>'
            )
        weight = ' font-weight="bold"' if bold else ""
        anchor = "" if left else ' text-anchor="middle"'
        # Capitals are about 0.73 of the size high; "central" differs between browsers.
        self.parts.append(
            f'<text x="{x:.0f}" y="{y + 0.36 * size * UNIT:.1f}"{_size("font-size", size)}'
            f' fill="{colour}"{weight}{anchor}>{escape(text)}</text>'
        )

    def _add(self, path: str, look: str, alpha: float | None) -> None:
        budget.look()
        if path:
            clear = "" if alpha is None else f' opacity="{alpha:g}"'
            self.parts.append(f'<path d="{path}"{look}{clear}{self.clip}/>')

    def _define(self, definition: str) -> str:
        self.defined += 1
        name = f"{self.name}-{self.defined}"
        self.parts.append(f"<defs>{definition.format(repr(name))}</defs>")
        return name

    def _hatched(self, sign: str, line: str) -> str:
        return self._define(
            '<pattern id={} width="40" height="40" patternUnits="userSpaceOnUse">'
            f'<path d="{_HATCH[sign]}" fill="none" stroke="{line}" stroke-width="5"'
            ' stroke-linecap="round"/></pattern>'
        )


def _size(name: str, length: float) -> str:
    return f' {name}="{length * UNIT:.3g}"'


def _path(lines: Iterable[Sequence[Point]], closed: bool) -> str:
    """Return lines as an SVG path with relative points."""
    parts = []
    for line in lines:
        points = [(round(x * UNIT), round(-y * UNIT)) for x, y in line]
        x0, y0 = points[0]
        parts.append(f"M{x0} {y0}l" if len(points) > 1 else f"M{x0} {y0}h0")
        steps = []
        for x, y in points[1:]:
            steps.append(f"{x - x0} {y - y0}")
            x0, y0 = x, y
        parts.append(" ".join(steps).replace(" -", "-"))
        if closed:
            parts.append("z")
    return "".join(parts)
