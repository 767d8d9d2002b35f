"""Searching (A12.152)."""

from __future__ import annotations

from collections import Counter

from marchtable.dice import SIDES
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable.state.position import Odds
from marchtable_models.asl.data import halves
from marchtable_models.asl.facts.searching import Searching


@clause("A12.152a", kind="action")
def who_searches(facts: Searching, sheet: Sheet) -> None:
    """Infantry or Cavalry in Good Order, a MMC among it, Searches as its move ends, but by Assault Movement."""
    if not facts.fit or not facts.mmc:
        sheet.bar("only Good Order MMC on foot or horseback, and SMC with them, Search")
    elif facts.assault:
        sheet.bar("the unit has declared Assault Movement")


@clause("A12.152b", kind="cost")
def cost(_: Searching, sheet: Sheet) -> None:
    """To Search costs 1 MF."""
    sheet.charge(halves("A12.152", "search"), "to Search", "search")


@clause("A12.152c", kind="odds")
def search_dr(facts: Searching, sheet: Sheet) -> None:
    """As many Accessible hexes are not Searched as a dr says, less for stealth and each half squad more, more if Lax or CX."""
    if not facts.first:
        return
    more = facts.told + facts.lax + facts.cx - facts.stealthy - max(0, facts.half_squads - 1)
    found = Counter(max(0, dr + more) for dr in range(1, SIDES + 1))
    odds = tuple(Odds(str(left), found[left], SIDES) for left in sorted(found))
    sheet.roll("search", odds, "hexes that are not Searched")


@clause("A12.152d", kind="effect", composes="end")
def is_ti(_: Searching, sheet: Sheet) -> None:
    """Who has Searched is TI, and its MPh is over."""
    sheet.force("ti", value=True)
    sheet.force("mph", "done")
