"""A log that knows where each of its entries was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.state.action import Action

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Log", "place_of"]


class Log(tuple[Action, ...]):
    """
    The actions of a log, as a tuple, with the places of its entries.

    Parameters
    ----------
    actions
        The entries, in order.
    source
        The file they were read from, or another source.
    fields
        Where each entry stands in it: ``line 3`` or ``log[2]``.
    """

    source: str
    fields: tuple[str, ...]

    def __new__(
        cls, actions: Iterable[Action], source: str = "", fields: Sequence[str] = ()
    ) -> Log:
        """Return the entries as a tuple that knows their places."""
        found = super().__new__(cls, actions)
        found.source, found.fields = source, tuple(fields)
        return found


def place_of(log: Iterable[Action], number: int) -> dict[str, str]:
    """Return the source and field of an entry of a log, for errors; ``log[2]`` if unknown."""
    if isinstance(log, Log) and number < len(log.fields):
        return {"source": log.source, "field": log.fields[number]}
    return {"source": "", "field": f"log[{number}]"}
