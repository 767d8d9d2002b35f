"""Which clauses have a say in what is judged: for all others it is the same whether they are on.

While somebody listens (:func:`listening`), what is found out about steps is kept together with the
clauses that said something of them, or would have said something were they not switched off
(:func:`hearing`). It holds under every other choice of clauses that differs in none of these.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["heard_here", "hearing", "is_listening", "listening"]

_LISTENS: ContextVar[bool] = ContextVar("listens", default=False)
_HEARD: ContextVar[set[str] | None] = ContextVar("heard", default=None)


@contextmanager
def listening() -> Iterator[None]:
    """Have kept, with what is found here about steps, who had a say in it."""
    token = _LISTENS.set(True)
    try:
        yield
    finally:
        _LISTENS.reset(token)


def is_listening() -> bool:
    """Tell whether it is to be kept who has a say."""
    return _LISTENS.get()


@contextmanager
def hearing() -> Iterator[set[str]]:
    """Yield a set to which the clauses are added that have a say in what is judged here."""
    heard: set[str] = set()
    token = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(token)


def heard_here() -> set[str] | None:
    """Return the set to which clauses are to be added, if there is one."""
    return _HEARD.get()
