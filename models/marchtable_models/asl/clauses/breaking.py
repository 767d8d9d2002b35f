"""What a clause forces on a unit that it breaks."""

from __future__ import annotations

from marchtable.rules.facts import Sheet


def force_broken(sheet: Sheet) -> None:
    """Force that a unit breaks: it is under DM, and neither CX nor concealed any more (A10.62, A4.51)."""
    for field, value in (("broken", True), ("dm", True), ("cx", False), ("concealed", False)):
        sheet.force(field, value)
