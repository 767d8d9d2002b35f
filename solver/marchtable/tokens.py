"""Numbers that stand for equal contents in keys, which are then quicker to compare and to hash."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

__all__ = ["token_of"]

MOST_TOKENS = 200_000
_TOKENS: dict[Hashable, int] = {}
_NUMBERS = itertools.count()


def token_of(content: Hashable) -> int:
    """Return a number that stands for equal contents in keys; none is ever given to others."""
    found = _TOKENS.get(content)
    if found is None:
        if len(_TOKENS) > MOST_TOKENS:
            _TOKENS.clear()
        found = _TOKENS.setdefault(content, next(_NUMBERS))
    return found
