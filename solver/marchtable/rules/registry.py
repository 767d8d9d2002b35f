"""Finds the rulebooks that are installed, through their entry points."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from marchtable.errors import UnknownNameError
from marchtable.nearest import did_you_mean

if TYPE_CHECKING:
    from marchtable.rules.rulebook import Rulebook

__all__ = ["find_rulebook", "rulebook_names"]


def rulebook_names() -> tuple[str, ...]:
    """Return the names of the rulebooks that are installed."""
    return tuple(sorted({entry.name for entry in entry_points(group="marchtable.rulebooks")}))


_LOADED: dict[str, Rulebook[Any, Any]] = {}


def find_rulebook(name: str | None) -> Rulebook[Any, Any]:
    """
    Return an installed rulebook by name, or the first that brings a demonstration.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    if name is None:
        found = [r for r in map(find_rulebook, rulebook_names()) if r.demo is not None]
        if not found:
            raise UnknownNameError("no installed rulebook brings a demonstration", field="rulebook")
        return found[0]
    if name not in _LOADED:
        for entry in entry_points(group="marchtable.rulebooks", name=name):
            _LOADED[name] = entry.load()
            break
        else:
            known = rulebook_names()
            hint = did_you_mean(name, known)
            raise UnknownNameError(
                f"no rulebook {name!r} is installed{hint} (found: {', '.join(known) or 'none'})",
                field="rulebook",
            )
    return _LOADED[name]
