"""Numbers that stand for equal contents in keys, which are then quicker to compare and to hash."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from marchtable.cache import Cache

if TYPE_CHECKING:
    from collections.abc import Hashable

__all__ = ["token_of"]

OFTEN = 64  # tokens between two looks at how many there are
CONTENT = 1_000  # bytes, about, that one takes with its content
_TOKENS: dict[Hashable, int] = {}
_NUMBERS = itertools.count()
_KEPT: Cache[dict[Hashable, int]] = Cache(
    lambda known: CONTENT * len(known), dict.clear, basis=True
)


def token_of(content: Hashable) -> int:
    """Return a number that stands for equal contents in keys; none is ever given to others."""
    found = _TOKENS.get(content)
    if found is None:
        found = _TOKENS.setdefault(content, next(_NUMBERS))
        if not len(_TOKENS) % OFTEN:
            _KEPT.keep("tokens", _TOKENS)
    return found
