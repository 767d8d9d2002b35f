"""
Reading VASL's small XML files: elements and attributes, nothing else.

Anything that could expand (a DOCTYPE, an entity) is rejected, so a file costs no more than its own
size. Comments are removed first, because some published boards have comments that are not
well-formed XML.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from xml.parsers import expat

import msgspec

from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MAX_XML_BYTES", "Element", "parse"]

MAX_XML_BYTES = 1_000_000
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})


class Element(msgspec.Struct, frozen=True):
    """
    One element: its tag, its parent's tag, and its attributes.

    Parameters
    ----------
    tag
        Its name.
    inside
        The parent's tag; empty for the outermost.
    attributes
        Its attributes as text.
    source
        The file it came from, for messages.
    """

    tag: str
    inside: str
    attributes: dict[str, str]
    source: str

    def text(self, name: str) -> str:
        """Return a required attribute; raise BadInputError."""
        if name not in self.attributes:
            raise BadInputError(
                f"<{self.tag}> has no attribute {name}", source=self.source, field=self.tag
            )
        return self.attributes[name].strip()

    def _number(self, name: str, convert: Callable[[str], float], low: float, high: float) -> float:
        text = self.text(name)
        try:
            value = convert(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            raise BadInputError(
                f"expected a number from {low:g} to {high:g}, not {text[:40]!r}",
                source=self.source,
                field=f"{self.tag}.{name}",
            )
        return value

    def whole(self, name: str, low: int, high: int) -> int:
        """Return a required integer attribute within bounds; raise BadInputError."""
        return int(self._number(name, int, low, high))

    def real(self, name: str, low: float, high: float, default: float | None = None) -> float:
        """Return a number attribute within bounds, or its default; raise BadInputError."""
        if default is not None and name not in self.attributes:
            return default
        return self._number(name, float, low, high)

    def flag(self, name: str) -> bool:
        """Return a TRUE/FALSE attribute, False if absent; raise BadInputError."""
        text = self.attributes.get(name, "false").strip().lower()
        if text not in _TRUE | _FALSE:
            raise BadInputError(
                f"expected TRUE or FALSE, not {text[:40]!r}",
                source=self.source,
                field=f"{self.tag}.{name}",
            )
        return text in _TRUE


def parse(data: bytes, source: str) -> list[Element]:
    """
    Return the elements of an XML file in order of their start tags.

    Parameters
    ----------
    data
        The file.
    source
        Its name in messages.

    Raises
    ------
    BadInputError
        If it is too large, not well-formed, or has a DOCTYPE or an entity declaration.
    """
    if len(data) > MAX_XML_BYTES:
        raise BadInputError(f"larger than {MAX_XML_BYTES} bytes", source=source)
    elements: list[Element] = []
    around: list[str] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        elements.append(Element(tag, around[-1] if around else "", attributes, source))
        around.append(tag)

    def reject(*_: object) -> None:
        raise BadInputError("a DOCTYPE or entity declaration is not accepted", source=source)

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _tag: around.pop()
    parser.StartDoctypeDeclHandler = reject
    parser.EntityDeclHandler = reject
    try:
        parser.Parse(_without_comments(data), True)
    except expat.ExpatError as error:
        raise BadInputError(f"not well-formed XML ({error})", source=source) from None
    except (LookupError, ValueError) as error:
        if isinstance(error, BadInputError):
            raise
        raise BadInputError("its XML encoding cannot be read", source=source) from None
    return elements


def _without_comments(data: bytes) -> bytes:
    kept: list[bytes] = []
    at = 0
    while (start := data.find(b"<!--", at)) >= 0:
        end = data.find(b"-->", start + 4)
        if end < 0:
            break
        kept.append(data[at:start])
        at = end + 3
    return b"".join([*kept, data[at:]])
