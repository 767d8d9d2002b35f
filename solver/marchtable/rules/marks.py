"""Marks of units in pictures, and signs of counters: a rulebook's tables of fields and kinds."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

import msgspec

from marchtable.board.board import DIRECTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Mark", "Overall", "lying", "marked", "marks_of", "with_own"]


class Mark(NamedTuple):
    """A mark: the text on the counter, its meaning, and its colours' name (``picture.toml``)."""

    sign: str
    said: str = ""
    tone: str = "plain"


class Overall(NamedTuple):
    """
    What a picture shows of a whole map.

    Parameters
    ----------
    tint
        The colour that lies over the ground, such as snow's; ``""``: none.
    headline
        What it says of the map: weather, night.
    links
        What it draws between units: Locations ``a`` and ``b``, ``label``, ``broken``.
    """

    tint: str = ""
    headline: str = ""
    links: Sequence[Mapping[str, Any]] = ()


def marked(sign: str, said: str = "", tone: str = "plain") -> Any:
    """
    Give a field a mark where it is declared, for any value that is set: ``Annotated[bool, marked("TI")]``.

    Parameters are those of :class:`Mark`; ``{}`` in them stands for the value.
    """
    return msgspec.Meta(extra={"mark": (sign, said, tone)})


def with_own(kind: type[msgspec.Struct], table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table of marks by field, with the marks that a record's fields have themselves after them."""
    return {**table, **_own(kind)}


def _own(kind: type[msgspec.Struct]) -> dict[str, Sequence[str]]:
    """Return the marks that fields have where they are declared, by path."""
    found: dict[str, Sequence[str]] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            found |= {f"{name}.{field}": mark for field, mark in _own(hint).items()}
        for meta in getattr(hint, "__metadata__", ()):
            if mark := (getattr(meta, "extra", None) or {}).get("mark"):
                found[name] = mark
    return found


def marks_of(
    record: Any, table: Mapping[str, Sequence[str] | Mapping[str, Sequence[str]]]
) -> list[Mark]:
    """
    Return the marks of a record's fields, in the order of the table.

    Parameters
    ----------
    record
        A unit, or the conditions of a position.
    table
        By field (``status.broken`` for one in a nested record): a mark as a list of its parts, for
        any value that is set, or marks by value; ``{}`` stands for the value.
    """
    found = []
    for name, row in table.items():
        value = attrgetter(name)(record)
        parts = row.get(str(value)) if isinstance(row, Mapping) else row if value else None
        if parts:
            words = ", ".join(value) if isinstance(value, tuple) else value
            found.append(Mark(*(part.replace("{}", str(words)) for part in parts)))
    return found


def lying(kind: str, table: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """
    Return how a picture shows a counter: its ``text``, its ``sign``, and the ``side`` it is on.

    The table gives sign and text by kind, or by the beginning of a kind that ends in a hexside's
    name (``roadblock`` for ``roadblock-NE``). For other kinds the text is the kind.
    """
    sort, _, way = kind.rpartition("-")
    side = DIRECTIONS.index(way) if sort in table and way in DIRECTIONS else None
    sign, text = table.get(kind if side is None else sort, ("", kind))
    return {"text": text, "sign": sign, "side": side}
