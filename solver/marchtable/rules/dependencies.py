"""
Dependencies of results on clauses.

Under :func:`tracking`, each cached result about steps is kept with the clauses that contributed to
it, or would have contributed if they were not switched off (:func:`dependencies`). The result
holds under any other choice of clauses that differs in none of these.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["dependencies", "dependencies_here", "is_tracking", "tracking"]

_TRACKS: ContextVar[bool] = ContextVar("tracks", default=False)
_CONSULTED: ContextVar[set[str] | None] = ContextVar("consulted", default=None)


@contextmanager
def tracking() -> Iterator[None]:
    """Keep each cached result about steps together with the clauses it depends on."""
    token = _TRACKS.set(True)
    try:
        yield
    finally:
        _TRACKS.reset(token)


def is_tracking() -> bool:
    """Return whether dependencies are tracked."""
    return _TRACKS.get()


@contextmanager
def dependencies() -> Iterator[set[str]]:
    """Yield a set that collects the clauses on which the results judged here depend."""
    consulted: set[str] = set()
    token = _CONSULTED.set(consulted)
    try:
        yield consulted
    finally:
        _CONSULTED.reset(token)


def dependencies_here() -> set[str] | None:
    """Return the set that collects clauses in this context, if there is one."""
    return _CONSULTED.get()
