"""Which clauses have a say in what is judged: for all others it is the same whether they are on.

While somebody tracks them (:func:`tracking`), what is found out about steps is kept together with the
clauses that said something of them, or would have said something were they not switched off
(:func:`dependencies`). It holds under every other choice of clauses that differs in none of these.
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
    """Have kept, with what is found here about steps, who had a say in it."""
    token = _TRACKS.set(True)
    try:
        yield
    finally:
        _TRACKS.reset(token)


def is_tracking() -> bool:
    """Return whether it is to be kept who has a say."""
    return _TRACKS.get()


@contextmanager
def dependencies() -> Iterator[set[str]]:
    """Yield a set to which the clauses are added that have a say in what is judged here."""
    consulted: set[str] = set()
    token = _CONSULTED.set(consulted)
    try:
        yield consulted
    finally:
        _CONSULTED.reset(token)


def dependencies_here() -> set[str] | None:
    """Return the set to which clauses are to be added, if there is one."""
    return _CONSULTED.get()
