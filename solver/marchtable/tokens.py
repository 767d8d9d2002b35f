"""Numbers that stand for equal contents in keys, for faster comparison and hashing."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from marchtable.cache import Cache

if TYPE_CHECKING:
    from collections.abc import Hashable

__all__ = ["token_of"]

OFTEN = 64  # tokens between two checks of their number
CONTENT = 1_000  # approximate bytes of a token with its content
_TOKENS: dict[Hashable, int] = {}
_NUMBERS = itertools.count()
_KEPT: Cache[dict[Hashable, int]] = Cache(
    lambda known: CONTENT * len(known), dict.clear, basis=True
)


def token_of(content: Hashable) -> int:
    """Return the number of a content; equal contents have the same number, and others never do."""
    found = _TOKENS.get(content)
    if found is None:
        found = _TOKENS.setdefault(content, next(_NUMBERS))
        if not len(_TOKENS) % OFTEN:
            _KEPT.keep("tokens", _TOKENS)
    return found
