"""
Checks of cached answers against the referee.

With ``MARCHTABLE_CHECK=1``, ``rule`` computes every cached answer again when it is used. If the two
differ, a key omits something that a clause reads: :class:`WrongMemoryError` names the key, the
position and the action. This takes many times longer, so it is for tests.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from marchtable.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Checks", "WrongMemoryError", "checked", "hold"]


class Checks:
    """The switch for checks of cached answers: code that uses one reads ``on``; ``count`` is how many were checked."""

    on: bool = os.environ.get("MARCHTABLE_CHECK", "") not in ("", "0")
    count: int = 0


class WrongMemoryError(InternalError):
    """
    A cached answer that differs from the referee's.

    Parameters
    ----------
    what, key
        The kind of answer, and its cache key.
    position, action
        Where and for what it was used.
    remembered, ruled
        The two answers.
    """

    def __init__(
        self, what: str, key: Any, position: Any, action: Any, remembered: Any, ruled: Any
    ) -> None:
        super().__init__(
            f"{what}: the remembered answer is not the referee's.\n  action: {action}\n  remembered: {remembered}\n"
            f"  rule says: {ruled}\n  position: {position}\n  key: {key!r}"
        )
        self.what, self.key, self.position, self.action = what, key, position, action
        self.remembered, self.ruled = remembered, ruled


def hold(what: str, remembered: Any, ruled: Any, *, key: Any, position: Any, action: Any) -> None:
    """
    Compare a cached answer with the referee's.

    Raises
    ------
    WrongMemoryError
        If they differ.
    """
    Checks.count += 1
    if remembered != ruled:
        raise WrongMemoryError(what, key, position, action, remembered, ruled)


@contextmanager
def checked(*, on: bool = True) -> Iterator[None]:
    """Check all cached answers used inside the block, or none of them."""
    was, Checks.on = Checks.on, on
    try:
        yield
    finally:
        Checks.on = was
