"""Laying out a picture (title, map, scale of points, legend) and writing it to a file."""

from __future__ import annotations

import logging
import warnings
from contextlib import contextmanager
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.codec.plain import check_target
from marchtable.errors import BadInputError
from marchtable.picture.axes import AxesSheet
from marchtable.picture.counters import check_markers, laid_out, paint_counters, paint_covered
from marchtable.picture.geometry import HALF, centre
from marchtable.picture.ground import paint_names, unknown_terrain
from marchtable.picture.hexsides import paint_hexsides
from marchtable.picture.legend import (
    ROW,
    SAMPLE,
    entries,
    legend_size,
    paint_board,
    paint_legend,
)
from marchtable.picture.links import Link, paint_links
from marchtable.picture.overlay import (
    PathOverlay,
    ReachOverlay,
    is_reached_twice,
    paint_clauses,
    paint_costs,
    paint_left,
    paint_reach,
    paint_violations,
    paint_ways,
    reach_scale,
)
from marchtable.picture.sheet import printable
from marchtable.picture.style import load_styles
from marchtable.picture.things import paint_things
from marchtable.picture.view import BoardView

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from marchtable.board.board import Board
    from marchtable.picture.counters import Marker
    from marchtable.picture.legend import LegendEntry
    from marchtable.picture.style import Styles
    from marchtable.picture.things import Thing

PAD = 0.12
"""Margin around each part of the picture, in inches."""
TITLE, BAR = 0.32, 0.55
"""Heights of the title and of the scale of points left, in inches."""
SMALL, LARGE, ACROSS = 0.7, 1.1, 11.2
"""Minimum and maximum height of a hex, and the total width of all columns, in inches."""
CLEAR, MOST, WIDEST = 0.75, 1.7, 28.0
"""
On counters smaller than CLEAR (in hex sides) that have labels, hexes are enlarged by the same
factor, at most MOST times, and all columns together to at most WIDEST inches.
"""
DPI = 150
SUFFIXES = (".svg", ".png")
WITHOUT = "pictures need matplotlib: pip install 'marchtable[pictures]'"


class Look(msgspec.Struct, frozen=True):
    """
    The layout of a picture.

    Parameters
    ----------
    margin
        The number of hexes shown around the units, if not the whole board is shown.
    hex_height
        Height of a hex, in inches; 0: larger if fewer hexes are drawn.
    legend
        Whether there is a legend below the map.
    tint
        A colour that covers all the ground, such as snow's; ``""``: none.
    """

    margin: int = 3
    hex_height: float = 0.0
    legend: bool = True
    tint: str = ""


def draw(
    board: Board,
    *,
    units: Sequence[Marker] = (),
    things: Sequence[Thing] = (),
    reach: ReachOverlay | None = None,
    ways: Sequence[PathOverlay] = (),
    highlights: Mapping[str, str] | None = None,
    links: Sequence[Link] = (),
    title: str = "",
    around: Iterable[str] = (),
    look: Look | None = None,
) -> Figure:
    """
    Draw a board with units and other things.

    Parameters
    ----------
    board
        The board.
    units
        Its units, those of one hex from the bottom of the stack upward.
    things
        Other things in Locations: fortifications, unpossessed SW, SMOKE.
    reach
        The reached Locations; all other hexes are veiled.
    ways
        The ways of units, each in its own colour, which the legend names.
    highlights
        Locations to outline in red, with the clause broken there.
    links
        Ties between units, as lines and breaks between their Locations.
    title
        A line above the map.
    around
        Locations whose surroundings are shown, if the whole board would be too large.
    look
        The layout.

    Returns
    -------
    matplotlib.figure.Figure
        The picture, for :func:`save` or for a notebook.

    Raises
    ------
    UnknownNameError
        If a Location is not on the board.
    BadInputError
        If a sign, a mark's colours or the size is invalid.

    Examples
    --------
    >>> from marchtable.board.board import Board, Location
    >>> from marchtable.picture import Marker
    >>> board = Board("one", [Location("A1", "A1", 0, 1, terrain="Woods")], [])
    >>> figure = draw(board, units=[Marker("A1", "4-6-7", "German")])
    """
    look = look or Look()
    if not look.hex_height >= 0:
        raise BadInputError(f"expected a height, not {look.hex_height}", field="hex_height")
    if not board.locations:
        raise BadInputError(f"board {board.name} has no Locations to draw", field="locations")
    check_markers(units, things)
    view = BoardView(board, around, look.margin)
    lines = [title] if title else []
    if view.extract:
        lines.append(view.extract)
    styles = load_styles().tinted(look.tint)
    with quiet():
        shown = []
        if look.legend:
            twice = reach is not None and is_reached_twice(view, reach.left)
            broken = bool(highlights)
            shown = entries(view, styles, units, ways, things, twice=twice, broken=broken)
        height = look.hex_height or height_for(view, units)
        layout = _Layout(view, styles, shown, len(lines), reach is not None, height)
        sheet = layout.sheet
        paint_board(sheet, view, unknown_terrain(view, sheet.styles))
        if reach is not None:
            paint_reach(sheet, view, reach.left)
        paint_hexsides(sheet, view)
        paint_names(sheet, view)
        paint_ways(sheet, view, ways)
        paint_links(sheet, view, links)
        paint_counters(sheet, view, units)
        paint_covered(sheet, view, units)
        paint_violations(sheet, view, highlights or {})
        names = [*(reach.left if reach else ()), *(at for way in ways for at, _ in way.steps)]
        raised = {(board[name].u, board[name].v) for name in names}
        paint_things(sheet, view, things, raised=raised)
        if reach is not None:
            paint_left(sheet, view, reach.left, aside=bool(ways))
        paint_costs(sheet, view, ways, aside=reach is not None)
        paint_clauses(sheet, view, highlights or {})
        layout.write_titles(lines, titled=bool(title))
        if reach is not None:
            layout.paint_scale(reach)
        layout.paint_legend(units)
        return layout.figure


def height_for(view: BoardView, units: Sequence[Marker]) -> float:
    """Return the default height of hexes, in inches."""
    columns = len({u for u, _ in view.places})
    usual = min(max(ACROSS / columns, SMALL), LARGE)
    sizes = [
        size for n, _, size in laid_out(view, units) if units[n].marks and not units[n].carried
    ]
    larger = min(max(CLEAR / min(sizes, default=1.0), 1.0), MOST)
    return max(usual, min(usual * larger, WIDEST / columns))


class _Layout:
    """The parts of a picture, measured in inches from the top."""

    def __init__(
        self,
        view: BoardView,
        styles: Styles,
        legend: list[LegendEntry],
        titles: int,
        scaled: bool,
        hex_height: float,
    ) -> None:
        from matplotlib.figure import Figure

        self.styles = styles
        self.entries = legend
        side = hex_height / (2 * HALF)
        points = [centre(place) for place in view.places]
        left, right = min(x for x, _ in points) - 1.05, max(x for x, _ in points) + 1.05
        low, high = min(y for _, y in points) - 1.0, max(y for _, y in points) + 1.0
        across, down = (right - left) * side, (high - low) * side
        self.width = max(across, 4.0) + 2 * PAD
        self.columns, rows = legend_size(len(self.entries), self.width - 2 * PAD)
        self.title = TITLE * titles
        self.bar = BAR if scaled else 0.0
        self.rows = rows * ROW
        below = self.bar + (self.rows + PAD if rows else 0.0)
        self.height = self.title + down + below + 2 * PAD
        self.map_bottom = self.title + PAD + down
        self.figure = Figure(figsize=(self.width, self.height), dpi=DPI, facecolor="#ffffff")
        axes = self.axes(self.width / 2 - across / 2, self.map_bottom, across, down)
        axes.set_xlim(left, right)
        axes.set_ylim(low, high)
        self.sheet = AxesSheet(axes, side * 72, self.styles)

    def axes(self, left: float, bottom: float, across: float, down: float) -> Axes:
        """Return bare axes with the lower edge ``bottom`` inches below the top."""
        box = (
            left / self.width,
            1 - bottom / self.height,
            across / self.width,
            down / self.height,
        )
        axes = self.figure.add_axes(box)
        axes.set_axis_off()
        return axes

    def write_titles(self, lines: Sequence[str], *, titled: bool) -> None:
        """Write the lines above the map; if titled, the first one is large."""
        for number, line in enumerate(lines):
            large = titled and not number
            self.figure.text(
                PAD / self.width,
                1 - (PAD + TITLE * (number + 0.5)) / self.height,
                printable(line),
                fontsize=12 if large else 9,
                fontweight="bold" if large else "normal",
                va="center",
                parse_math=False,
            )

    def paint_scale(self, reach: ReachOverlay) -> None:
        """Paint the scale of points left below the map."""
        from matplotlib.cm import ScalarMappable

        scale, colours = reach_scale(self.sheet, reach.left)
        axes = self.axes(PAD * 2, self.map_bottom + 0.28, min(4.0, self.width - 4 * PAD), 0.14)
        bar = self.figure.colorbar(
            ScalarMappable(scale, colours), cax=axes, orientation="horizontal"
        )
        axes.set_axis_on()
        bar.ax.tick_params(labelsize=7, length=2, pad=1)
        bar.ax.set_title(reach.label, fontsize=8, pad=2, loc="left", parse_math=False)

    def paint_legend(self, units: Sequence[Marker]) -> None:
        """Paint the legend at the bottom."""
        if not self.entries:
            return
        across = self.width - 2 * PAD
        axes = self.axes(PAD, self.height - PAD, across, self.rows)
        axes.set_xlim(0, across / SAMPLE)
        axes.set_ylim(-self.rows / SAMPLE, 0)
        paint_legend(axes, self.styles, self.entries, self.columns, units)


def save(figure: Figure, path: str | Path) -> None:
    """
    Write a picture as SVG or PNG, by the file's suffix.

    Equal pictures give equal files, byte for byte: they contain no date.

    Parameters
    ----------
    figure
        The result of :func:`draw`.
    path
        The file; an existing one is replaced.

    Raises
    ------
    BadInputError
        If the suffix is neither ``.svg`` nor ``.png``, or the file cannot be written.
    """
    target = Path(path)
    check_picture(target)
    drawn = drawn_as(
        figure, target.suffix.lower()
    )  # it is replaced by a whole picture or not at all
    try:
        target.write_bytes(drawn)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInputError(f"cannot be written: {reason}", source=str(target)) from error


def drawn_as(figure: Figure, suffix: str) -> bytes:
    """Return a picture as the bytes of a file with that suffix."""
    metadata = {"Date": None} if suffix == ".svg" else {"Software": None}
    drawn = BytesIO()
    with quiet():
        figure.savefig(drawn, format=suffix[1:], dpi=DPI, metadata=metadata)
    return drawn.getvalue()


def can_draw() -> bool:
    """Return whether matplotlib is installed (extra ``pictures``)."""
    return find_spec("matplotlib") is not None


def check_picture(path: str | Path) -> None:
    """Reject a file that is no picture or could not be written, or any without matplotlib."""
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise BadInputError(
            f"expected a file ending in {' or '.join(SUFFIXES)}, not {target.name!r}",
            source=str(target),
        )
    check_target(target)
    if not can_draw():
        raise BadInputError(WITHOUT, source=str(target))


@contextmanager
def quiet() -> Iterator[None]:
    """
    Use our own matplotlib settings, and keep its messages off standard error.

    Raises BadInputError without matplotlib.
    """
    if not can_draw():
        raise BadInputError(WITHOUT)
    # It logs about font caches and its configuration folder, and warns of missing glyphs.
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import matplotlib

            settings: Any = {
                "font.family": ["DejaVu Sans"],
                "svg.fonttype": "none",
                "svg.hashsalt": "marchtable",
                "text.usetex": False,
                "text.parse_math": False,
                "path.simplify": False,
            }
            with matplotlib.rc_context(settings):
                yield
    finally:
        logger.setLevel(level)
