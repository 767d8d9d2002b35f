"""
Whether remembered answers are held against the referee.

``MARCHTABLE_CHECK=1`` has every remembered answer found a second time by ``rule`` when it is used.
If the two differ, a key leaves out something that a clause looks at: :class:`WrongMemoryError` names
the key, the position and the action. That takes many times longer, so it is for tests.
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
    """Holds whether remembered answers are checked: code that uses one reads ``on``."""

    on: bool = os.environ.get("MARCHTABLE_CHECK", "") not in ("", "0")


class WrongMemoryError(InternalError):
    """
    A remembered answer that the referee does not give.

    Parameters
    ----------
    what, key
        The kind of answer, and the key that it was remembered by.
    position, action
        Where it was used, and for what.
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
    Compare a remembered answer with that of the referee.

    Raises
    ------
    WrongMemoryError
        If they differ.
    """
    if remembered != ruled:
        raise WrongMemoryError(what, key, position, action, remembered, ruled)


@contextmanager
def checked(*, on: bool = True) -> Iterator[None]:
    """Check all remembered answers that are used here, or none of them."""
    was, Checks.on = Checks.on, on
    try:
        yield
    finally:
        Checks.on = was
