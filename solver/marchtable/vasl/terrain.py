"""VASL's terrain types: the meaning of pixel codes."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError
from marchtable.vasl import xmlfile

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["TerrainTable", "TerrainType", "load_terrain"]

_BUILDINGS = frozenset({"BUILDING", "FACTORY", "MARKETPLACE"})
_WALL = " Wall"
_WALLS_BY_NAME = ("Rowhouse Wall", "Interior Factory Wall")
# Woods, roads and depressions that VASL lists in another category.
_MORE_WOODS = frozenset({"Forest", "Light Woods"})
_MORE_ROADS = frozenset({"Sunken Road", "Track"})
_SCATTERED = frozenset({"Broken Ground", "Hammada", "Runway", "Scrub", "Shellholes"})
_MARSH = frozenset({"Marsh", "Swamp"})
_MARSHY = frozenset(
    {"Effluent", "Ford", "Irrigation Ditch", "Marsh", "Mudflats", "Ocean", "Shallow Ocean", "Swamp"}
)
_MORE_DEPRESSIONS = frozenset({"Flooded Stream", "Railroad, Sunken"})


class TerrainType(msgspec.Struct, frozen=True):
    """
    One VASL terrain type.

    Parameters
    ----------
    code
        The number of its pixels, 0 to 255.
    name
        Its VASL name.
    category
        VASL's line-of-sight category (``ROAD``, ``BUILDING`` …).
    inherent
        Whether a trace of it makes it the terrain of the whole hex.
    """

    code: int
    name: str
    category: str
    inherent: bool

    @property
    def is_along_hexsides(self) -> bool:
        """Whether it runs along hexsides: walls, hedges, cliffs, rowhouse walls."""
        return self.category == "HEXSIDE" or self.name.startswith(_WALLS_BY_NAME)

    @property
    def is_building(self) -> bool:
        """Whether it is a building (the walls between rowhouses are not)."""
        return self.category in _BUILDINGS and not self.is_along_hexsides

    @property
    def is_obstacle(self) -> bool:
        """Whether it is a building or woods, including walls of buildings."""
        return self.category in _BUILDINGS | {"WOODS"} or self.name in _MORE_WOODS

    @property
    def is_bridge(self) -> bool:
        """Whether it is a bridge with a Location of its own."""
        return self.category == "BRIDGE"

    @property
    def is_road(self) -> bool:
        """Whether it is a road (not a bridge's deck)."""
        return self.category == "ROAD" or self.name in _MORE_ROADS

    @property
    def is_marshy(self) -> bool:
        """Whether bridges are built over it although it is neither depression nor water."""
        return self.name in _MARSHY

    @property
    def is_marsh(self) -> bool:
        """Whether it is marsh: it makes a hex with it at the centre marsh, even beside a stream."""
        return self.name in _MARSH

    @property
    def is_open(self) -> bool:
        """Whether it is plain open ground."""
        return self.name == "Open Ground"

    @property
    def is_scattered(self) -> bool:
        """Whether it determines its hex although it is printed off the centre."""
        return self.name in _SCATTERED

    @property
    def is_over_roads(self) -> bool:
        """Whether it is printed over roads, which continue beneath it."""
        return self.name == "Shellholes"

    @property
    def is_path(self) -> bool:
        """Whether it is a path."""
        return self.name == "Path"

    @property
    def is_depression(self) -> bool:
        """Whether it is a level lower than its surroundings."""
        return self.category == "DEPRESSION" or self.name in _MORE_DEPRESSIONS

    @property
    def is_water(self) -> bool:
        """Whether it is open water."""
        return self.category == "WATER"

    @property
    def is_ground_cover(self) -> bool:
        """Whether it covers the ground of a hex: woods, crops, marsh, sand."""
        other = self.is_open or self.is_road or self.is_path or self.is_bridge or self.is_building
        low = self.is_depression or self.is_water
        return not (other or low or self.is_along_hexsides)


class TerrainTable:
    """
    The terrain types by code.

    Parameters
    ----------
    types
        The types; if a code occurs twice, the later one counts.
    """

    def __init__(self, types: list[TerrainType]) -> None:
        self.by_code: dict[int, TerrainType] = {kind.code: kind for kind in types}

    def __getitem__(self, code: int) -> TerrainType:
        return self.by_code[code]

    def __contains__(self, code: int) -> bool:
        return code in self.by_code

    def codes(self, wanted: Callable[[TerrainType], bool]) -> frozenset[int]:
        """Return the codes of the types that satisfy ``wanted``."""
        return frozenset(code for code, kind in self.by_code.items() if wanted(kind))

    def within(self, kind: TerrainType) -> TerrainType:
        """Return the factory for one of its outer walls, or else the type itself."""
        if kind.category != "FACTORY" or kind.is_along_hexsides or _WALL not in kind.name:
            return kind
        factory = kind.name.replace(_WALL, "")
        return next((one for one in self.by_code.values() if one.name == factory), kind)


def load_terrain(path: str | Path | None = None) -> TerrainTable:
    """
    Return VASL's terrain types.

    Parameters
    ----------
    path
        A ``SharedBoardMetadata.xml`` to read them from, for a VASL newer than the built-in table.

    Raises
    ------
    BadInputError
        If the file cannot be read or lists no terrain.
    """
    if path is None:
        table = files("marchtable.vasl").joinpath("data/terrain.tsv").read_text(encoding="utf-8")
        rows = [line.split("\t") for line in table.splitlines()[1:]]
        return TerrainTable(
            [TerrainType(int(code), name, kind, mark == "yes") for code, name, kind, mark in rows]
        )
    source = Path(path).name
    try:
        with Path(path).open("rb") as file:
            data = file.read(xmlfile.MAX_XML_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BadInputError(f"cannot be read ({error})", source=source) from None
    found = [
        TerrainType(
            element.whole("typeCode", 0, 255),
            element.text("name"),
            element.text("LOSCategory"),
            element.flag("isInherentTerrain"),
        )
        for element in xmlfile.parse(data, source)
        if element.tag == "terrainType"
    ]
    if not found:
        raise BadInputError("lists no <terrainType>: expected VASL's terrain table", source=source)
    return TerrainTable(found)
