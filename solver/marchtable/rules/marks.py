"""What marks units in pictures, and how what lies on the map is shown: a rulebook's tables of fields and kinds."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.board.board import DIRECTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Mark", "Overall", "lying", "marks_of"]


class Mark(NamedTuple):
    """A mark: what stands on the counter, what that means, and the name of its colours (``picture.toml``)."""

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


def marks_of(
    record: Any, table: Mapping[str, Sequence[str] | Mapping[str, Sequence[str]]]
) -> list[Mark]:
    """
    Return the marks of what holds of a record, in the order of the table.

    Parameters
    ----------
    record
        A unit, or the conditions of a position.
    table
        By field (``status.broken``: of the record in it) a mark as a list of its parts, for
        whatever is set, or by value those of the values that have one; ``{}`` stands for the value.
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

    The table gives sign and text by kind, or by what a kind begins with that ends in the name of a
    hexside (``roadblock`` for ``roadblock-NE``); of others the kind is the text.
    """
    sort, _, way = kind.rpartition("-")
    side = DIRECTIONS.index(way) if sort in table and way in DIRECTIONS else None
    sign, text = table.get(kind if side is None else sort, ("", kind))
    return {"text": text, "sign": sign, "side": side}
