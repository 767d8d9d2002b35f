"""Whether one unit sees another, as far as that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Los = Literal["yes", "no", "unstated", "unsure"]
"""``unstated``: unstated; ``unsure``: computed, but close or dependent on what is not modelled."""
_BEST: tuple[Los, ...] = ("yes", "unsure", "unstated", "no")


def best(found: Iterable[Los]) -> Los:
    """Return whether any of several lines of sight exists."""
    known = frozenset(found)
    return next((one for one in _BEST if one in known), "no")
