"""How a clause grants or denies something to a unit, or to others against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet


def grant(sheet: Sheet, what: str, factor: float) -> None:
    """Grant something, with its DRM or factor."""
    sheet.force(what, factor)


def deny(sheet: Sheet, what: str) -> None:
    """Deny something."""
    sheet.force(what, None)
