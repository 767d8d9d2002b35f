"""Words by which pictures mark units and tell of the whole map: a rulebook's table of fields."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["marks_of"]


def marks_of(record: Any, table: Mapping[str, str | Mapping[str, str]]) -> list[str]:
    """
    Return the words for what holds of a record, in the order of the table.

    Parameters
    ----------
    record
        A unit, or the conditions of a position.
    table
        By field (``status.broken``: of the record in it) the word that tells that it is set, or by
        value the words of those values that have one.
    """
    found = []
    for name, word in table.items():
        value = attrgetter(name)(record)
        told = (word if value else "") if isinstance(word, str) else word.get(value, "")
        if told:
            found.append(told)
    return found
