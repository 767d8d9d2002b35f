"""How a clause says that something is allowed to a unit, or against it, or is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet

__all__ = ["deny", "grant"]


def grant(sheet: Sheet, what: str, factor: float) -> None:
    """Say that something is allowed, with the DRM or the factor that goes with it."""
    sheet.force(what, factor)


def deny(sheet: Sheet, what: str) -> None:
    """Say that something is not allowed."""
    sheet.force(what, None)
