"""The look of terrain: the styles of ``data/picture.toml``, found by patterns of VASL names."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Literal, TypeVar

import msgspec

from marchtable.errors import InternalError

Glyph = Literal[
    "arc", "bush", "cross", "dot", "furrow", "palm", "reed", "ring", "rock", "stalk", "tree", "wave"
]


WHITE, SNOW = 225, 0.85
"""Brightness from which a tint covers the ground like snow, and its share of the colour then."""


class Style(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    The base of all styles.

    Parameters
    ----------
    match
        Patterns of terrain names (``*`` stands for anything).
    label
        The name in the legend, replacing the terrain's own.
    """

    match: tuple[str, ...]
    label: str = ""


class Area(Style, frozen=True, kw_only=True):
    """
    Terrain in a hex.

    Parameters
    ----------
    shape
        ``plain``: the ground alone; ``field``: its hexes, rounded; ``blob``: clumps that merge;
        ``building``: a block.
    fill, line
        Colours of its surface and its outline; None draws none.
    glyph, ink, count, size, rows
        The texture: its sign, colour, number per hex, size (a hex is two wide), and whether it is
        in rows.
    storeys
        The number of roofs drawn one above another on a building.
    runs
        The width of a ``field`` that is only a chain of hexes, in hex sides; 0 if it still fills
        them.
    """

    shape: Literal["plain", "field", "blob", "building"] = "plain"
    fill: str | None = None
    line: str | None = None
    glyph: Glyph | None = None
    ink: str = "#000000"
    count: int = 9
    size: float = 0.12
    rows: bool = False
    storeys: int = 0
    runs: float = 0.0

    @property
    def visible(self) -> bool:
        """Whether any of it is drawn."""
        return self.shape != "plain" or self.glyph is not None


class Band(Style, frozen=True, kw_only=True):
    """A road, path, depression or bridge: strokes of ``(colour, width)``, the widest first."""

    strokes: tuple[tuple[str, float], ...]
    dotted: bool = False
    banks: str | None = None
    """Colour of the short strokes down both banks of a depression."""


class Side(Style, frozen=True, kw_only=True):
    """Terrain along a hexside."""

    pattern: Literal["bar", "stones", "beads", "ticks"]
    fill: str
    line: str
    width: float = 0.12


class Palette(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Colours other than terrain's."""

    grid: str
    dot: str
    crest: str
    stairway: str
    dark_ink: str
    light_ink: str
    violation: str
    route: str
    more_routes: tuple[str, ...]
    """Those of further ways, in turn."""
    route_line: str
    veil: str
    reach: str
    """Name of a matplotlib colour map, from few points left to many."""
    also_percent: int
    """Minimum share of a hex for drawing terrain beside its centre."""
    bank_percent: int
    """The same for terrain on the banks of a depression."""


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ground of one level."""

    level: int
    fill: str


class SideColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The counters of one side in play."""

    fill: str
    ink: str


class Tone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of a label."""

    fill: str
    ink: str
    line: str = "#000000"


class Styles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of ``picture.toml``."""

    palette: Palette
    levels: tuple[Level, ...]
    counters: tuple[SideColours, ...]
    tones: dict[str, Tone]
    areas: tuple[Area, ...]
    roads: tuple[Band, ...]
    depressions: tuple[Band, ...]
    bridges: tuple[Band, ...]
    path: Band
    slope: Side
    hexsides: tuple[Side, ...]
    unknown_hexside: Side
    unknown_band: Band

    def tinted(self, colour: str) -> Styles:
        """Return the styles with the ground tinted by a colour (snow); ``""``: unchanged."""
        if not colour:
            return self
        share = SNOW if not is_dark(colour, WHITE) else 0.5
        levels = tuple(Level(one.level, mixed(one.fill, colour, share)) for one in self.levels)
        return msgspec.structs.replace(self, levels=levels)

    def area(self, terrain: str) -> Area | None:
        """Return the style of a terrain, or None if unknown."""
        return first(self.areas, terrain)

    def route(self, number: int) -> str:
        """Return the colour of a way, counted from 0; colours repeat."""
        colours = (self.palette.route, *self.palette.more_routes)
        return colours[number % len(colours)]

    def road(self, name: str) -> Band:
        """Return the style of a road."""
        return first(self.roads, name) or self.unknown_band

    def rank(self, road: Band) -> int:
        """Return a road's rank in the drawing order."""
        return self.roads.index(road) if road in self.roads else len(self.roads)

    def depression(self, name: str) -> Band:
        """Return the style of a depression."""
        return first(self.depressions, name) or self.unknown_band

    def hexside(self, name: str) -> Side:
        """Return the style of terrain along a hexside."""
        return first(self.hexsides, name) or self.unknown_hexside

    def level(self, level: int) -> str:
        """Return the ground colour of a level; the nearest if it is not listed."""
        return min(self.levels, key=lambda known: (abs(known.level - level), known.level)).fill


Named = TypeVar("Named", bound=Style)


def first(styles: tuple[Named, ...], name: str) -> Named | None:
    """Return the first style with a matching pattern, or None."""
    for style in styles:
        if any(fnmatchcase(name, pattern) for pattern in style.match):
            return style
    return None


@cache
def load_styles() -> Styles:
    """Read ``picture.toml``."""
    text = resources.files("marchtable").joinpath("data", "picture.toml").read_text("utf-8")
    try:
        return msgspec.convert(tomllib.loads(text), type=Styles)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError) as error:
        raise InternalError(f"data/picture.toml: {error}") from error


def mixed(colour: str, other: str, share: float = 0.5) -> str:
    """Return the mixture of ``#rrggbb`` with ``share`` of another colour."""
    pairs = ((int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def is_dark(colour: str, limit: float = 110) -> bool:
    """Return whether ``#rrggbb`` is darker than a limit; by default, too dark for black text."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < limit
