"""``BoardMetadata.xml``: the size of a board, its hex grid, and hexsides without pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError
from marchtable.vasl import xmlfile

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MAX_COLUMNS", "Metadata", "read_metadata"]

MAX_COLUMNS = 250
_MAX_PIXELS = 32_000.0
# The grid of a geomorphic board, whose metadata omit these attributes.
_HEX_WIDTH = 56.25
_HEX_HEIGHT = 64.5
# Elements that name SSR: those with pictures, and those with a meaning of their own.
_PICTURES = frozenset({"overlaySSRule", "overlaySSRuleSet"})
_REDEFINED = frozenset({"colorSSR", "LOSSSRule"})
# Elements that mark hexsides, and VASL's terrain for them.
_MARKED_HEXSIDES = {"rrembankment": "Rrembankment", "partialorchard": "PartialOrchard"}


class Metadata(msgspec.Struct, frozen=True):
    """
    A board's metadata, as far as the importer needs them.

    Parameters
    ----------
    columns, rows
        Size in hexes (the rows of column A).
    hex_width, hex_height
        From one column, and from one row, to the next, in pixels.
    a1_x, a1_y
        Centre of hex A1 in pixels; it may be off the board.
    alternate_grain
        Whether column B is half a hex higher than A instead of lower.
    slopes
        Slope hexsides as ``(hex, direction)``.
    hexsides
        Terrain of hexsides without pixels, by ``(hex, direction)``.
    pictures
        Names of SSR and overlays for which the archive has pictures.
    redefined
        Names of SSR with a special meaning on this board.
    version, name, picture
        The board's version, its own name, and the file of its picture; ``""`` if not named.
    """

    columns: int
    rows: int
    hex_width: float
    hex_height: float
    a1_x: float
    a1_y: float
    alternate_grain: bool
    slopes: frozenset[tuple[str, int]]
    hexsides: dict[tuple[str, int], str]
    pictures: frozenset[str] = frozenset()
    redefined: frozenset[str] = frozenset()
    version: str = ""
    name: str = ""
    picture: str = ""


def read_metadata(data: bytes, source: str) -> Metadata:
    """
    Return the metadata of a board.

    Parameters
    ----------
    data
        The file ``BoardMetadata.xml``.
    source
        Its archive, for messages.

    Raises
    ------
    BadInputError
        If it is invalid, or a number in it makes no sense.
    """
    elements = xmlfile.parse(data, f"{source}/BoardMetadata.xml")
    root = elements[0]
    if root.tag != "boardMetadata":
        raise BadInputError(f"expected <boardMetadata>, not <{root.tag[:40]}>", source=root.source)
    height = root.real("hexHeight", 8, 2000, _HEX_HEIGHT)
    slopes: set[tuple[str, int]] = set()
    hexsides: dict[tuple[str, int], str] = {}
    for element in elements:
        if element.tag == "slope":
            slopes.update(_sides(element))
        elif element.tag in _MARKED_HEXSIDES:
            hexsides.update(dict.fromkeys(_sides(element), _MARKED_HEXSIDES[element.tag]))
    return Metadata(
        columns=root.whole("width", 1, MAX_COLUMNS),
        rows=root.whole("height", 1, MAX_COLUMNS),
        hex_width=root.real("hexWidth", 8, 2000, _HEX_WIDTH),
        hex_height=height,
        a1_x=root.real("A1CenterX", -_MAX_PIXELS, _MAX_PIXELS, 0.0),
        a1_y=root.real("A1CenterY", -_MAX_PIXELS, _MAX_PIXELS, height / 2),
        alternate_grain=root.flag("altHexGrain"),
        slopes=frozenset(slopes),
        hexsides=hexsides,
        pictures=_named(elements, _PICTURES),
        redefined=_named(elements, _REDEFINED),
        version=root.attributes.get("version", "").strip(),
        name=root.attributes.get("name", "").strip(),
        picture=root.attributes.get("boardImageFileName", "").strip(),
    )


def _named(elements: Sequence[xmlfile.Element], tags: frozenset[str]) -> frozenset[str]:
    return frozenset(one.attributes.get("name", "") for one in elements if one.tag in tags)


def _sides(element: xmlfile.Element) -> list[tuple[str, int]]:
    """Return the hexsides named by an element such as ``<slope hex="K5" hexsides="014"/>``."""
    hexsides = element.text("hexsides")
    if not set(hexsides) <= set("012345"):
        raise BadInputError(
            f"expected digits 0 to 5, not {hexsides[:40]!r}",
            source=element.source,
            field=f"{element.tag}.hexsides",
        )
    return [(element.text("hex").upper(), int(side)) for side in hexsides]
