"""Searching (A12.152)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from marchtable.dice import SIDES
from marchtable.rules.clause import clause
from marchtable.state.position import Odds
from marchtable_models.asl.data import halves

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.searching import Searching

__all__ = ["cost", "is_ti", "search_dr", "who_searches"]


@clause(
    "A12.152a",
    "Infantry or Cavalry in Good Order, a MMC among it, Searches as its move ends, but by Assault Movement",
    kind="action",
)
def who_searches(facts: Searching, sheet: Sheet) -> None:
    if not facts.fit or not facts.mmc:
        sheet.bar("only Good Order MMC on foot or horseback, and SMC with them, Search")
    elif facts.assault:
        sheet.bar("the unit has declared Assault Movement")


@clause("A12.152b", "To Search costs 1 MF", kind="cost")
def cost(_: Searching, sheet: Sheet) -> None:
    sheet.charge(halves("A12.152", "search"), "to Search", "search")


@clause(
    "A12.152c",
    "As many Accessible hexes are not Searched as a dr says, less for stealth and each half squad more, more if Lax or CX",
    kind="odds",
)
def search_dr(facts: Searching, sheet: Sheet) -> None:
    if not facts.first:
        return
    more = facts.told + facts.lax + facts.cx - facts.stealthy - max(0, facts.half_squads - 1)
    found = Counter(max(0, dr + more) for dr in range(1, SIDES + 1))
    odds = tuple(Odds(str(left), found[left], SIDES) for left in sorted(found))
    sheet.roll("search", odds, "hexes that are not Searched")


@clause("A12.152d", "Who has Searched is TI, and its MPh is over", kind="effect", composes="end")
def is_ti(_: Searching, sheet: Sheet) -> None:
    sheet.force("ti", value=True)
    sheet.force("mph", "done")
