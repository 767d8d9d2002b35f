"""How a clause says that something is allowed to a unit, or against it, or is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet


def grant(sheet: Sheet, what: str, factor: float) -> None:
    """State that something is allowed, with its DRM or factor."""
    sheet.force(what, factor)


def deny(sheet: Sheet, what: str) -> None:
    """State that something is not allowed."""
    sheet.force(what, None)
