"""A matplotlib sheet, for pictures as figures."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from marchtable import budget
from marchtable.picture.sheet import Canvas, fitted, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.path import Path

    from marchtable.picture.geometry import Point
    from marchtable.picture.style import Styles

MIN_FONT = 2.5
"""The smallest font size, in points; an SVG can still be enlarged."""


@cache
def _patch() -> Any:
    """Return a patch class that checks the time limit while drawing large maps."""
    from matplotlib.patches import PathPatch

    class Patch(PathPatch):
        def draw(self, renderer: Any) -> None:
            budget.look()
            super().draw(renderer)

    return Patch


class AxesSheet(Canvas):
    """
    A matplotlib axes on which each thing covers what was drawn before.

    Parameters
    ----------
    axes
        The axes to draw on.
    unit
        The side of a hex, in points of 1/72 inch.
    styles
        Colours and symbols.
    origin
        The map's zero point on the axes.
    named
        Whether drawn things have ids in an SVG; of several with one id, the first gets it.
    """

    def __init__(
        self,
        axes: Axes,
        unit: float,
        styles: Styles,
        origin: Point = (0.0, 0.0),
        *,
        named: bool = True,
    ) -> None:
        self.axes = axes
        self.unit = unit
        self.styles = styles
        self.origin = origin
        self.clip: Path | None = None
        self.ids: set[str] | None = set() if named else None

    def _path(self, lines: Iterable[Sequence[Point]], closed: bool) -> Path:
        from matplotlib.path import Path

        x0, y0 = self.origin
        vertices: list[Point] = []
        codes: list[Any] = []
        for line in lines:
            points = [(x0 + x, y0 + y) for x, y in line]
            vertices += [*points, points[0]] if closed else points
            codes += [Path.MOVETO, *[Path.LINETO] * (len(points) - 1)]
            codes += [Path.CLOSEPOLY] if closed else []
        return Path(vertices, codes) if vertices else Path([(x0, y0)], [Path.MOVETO])

    def clip_to(self, lines: Iterable[Sequence[Point]] | None) -> None:
        """Clip all further drawing to closed outlines; None removes the clip."""
        self.clip = None if lines is None else self._path(lines, closed=True)

    def _add(self, path: Path, gid: str, **look: Any) -> None:
        budget.look()
        patch = _patch()(path, zorder=1, capstyle=look.pop("cap", "round"), **look)
        patch.set_joinstyle("round")
        name = "_".join(gid.split())
        if name and self.ids is not None and name not in self.ids:
            self.ids.add(name)
            patch.set_gid(name)
        self.axes.add_artist(patch)  # add_patch would measure every curve
        if self.clip is not None:
            patch.set_clip_path(self.clip, self.axes.transData)

    def fill(
        self,
        lines: Iterable[Sequence[Point]],
        colour: str | tuple[float, ...],
        *,
        line: str = "none",
        width: float = 0.0,
        alpha: float | None = None,
        hatch: str | None = None,
        gid: str = "",
    ) -> None:
        """Fill closed outlines; ``width`` is the outline's, in sides of a hex."""
        look: dict[str, Any] = {"facecolor": colour, "edgecolor": line, "hatch": hatch}
        self._add(
            self._path(lines, closed=True),
            gid,
            linewidth=width * self.unit,
            alpha=alpha,
            **look,
        )

    def stroke(
        self,
        lines: Iterable[Sequence[Point]],
        colour: str,
        width: float,
        *,
        closed: bool = False,
        dots: float = 0.0,
        cap: str = "round",
        alpha: float | None = None,
        gid: str = "",
    ) -> None:
        """Draw lines of a width; ``dots`` is the spacing of the dots of a dotted line."""
        self._add(
            self._path(lines, closed),
            gid,
            fill=False,
            edgecolor=colour,
            linewidth=width * self.unit,
            linestyle=(0, (0.01, dots / width)) if dots else "solid",
            cap=cap,
            alpha=alpha,
        )

    def write(
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
        """Write a text."""
        text = printable(text)
        size = fitted(text, size, bold, room)
        written = self.axes.text(
            self.origin[0] + at[0],
            self.origin[1] + at[1],
            text,
            fontsize=max(size * self.unit, MIN_FONT),
            color=colour,
            fontweight="bold" if bold else "normal",
            ha="left" if left else "center",
            va="center",
            zorder=1,
            parse_math=False,
        )
        if box is not None:
            written.set_bbox(
                {
                    "facecolor": box[0],
                    "edgecolor": box[1],
                    "boxstyle": "round,pad=0.15",
                    "linewidth": 0.03 * self.unit,
                }
            )
