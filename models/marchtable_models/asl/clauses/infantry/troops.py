"""Green and Conscript Infantry, and the most that Double Time gives (A19.31, A4.5)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.data import halves
from marchtable_models.asl.facts.spending import Allowance


def _is_mmc(facts: Allowance) -> bool:
    return not facts.is_vehicle and not facts.smc and not facts.inexperienced


def _less() -> int:
    return halves("A4.11", "inexperienced") - halves("A4.11", "mmc")


@clause("A19.31a", kind="cost", composes="start")
def poor_troops(facts: Allowance, sheet: Sheet) -> None:
    """Green and Conscript MMC are Inexperienced."""
    if _is_mmc(facts) and facts.quality in ("green", "conscript"):
        sheet.charge(_less(), f"{facts.quality} troops")


@clause("A19.31b", kind="cost", composes="joint")
def green(facts: Allowance, sheet: Sheet) -> None:
    """Green MMC that move with a leader throughout are as good as others."""
    if _is_mmc(facts) and facts.quality == "green" and facts.led:
        sheet.charge(-_less(), "green troops with a leader")


@clause("A4.5d", kind="cost", composes="flag")
def double_time_cap(facts: Allowance, sheet: Sheet) -> None:
    """Double Time gives no more than 8 MF, 7 to Conscripts, before the road bonus."""
    if facts.double and facts.on_foot:
        most = halves("A4.5", "most_conscript" if facts.quality == "conscript" else "most")
        sheet.charge(min(0, most - sheet.total()), "no more by Double Time")
