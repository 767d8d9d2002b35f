"""Crest status in a Depression (B20.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.asl.data import halves

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.crest import Cresting

__all__ = ["along_a_bank", "at_the_edge", "claims", "cost", "is_at_the_crest"]


@clause(
    "B20.91",
    "Infantry in Good Order IN a Depression without ford or bridge claims Crest status there",
    kind="action",
)
def claims(facts: Cresting, sheet: Sheet) -> None:
    if not facts.fit:
        sheet.bar(
            "only Infantry in Good Order, on the ground and in no Bypass, claims Crest status"
        )
    elif not facts.depression:
        sheet.bar("the unit is IN no Depression")
    elif facts.crossed:
        sheet.bar("the Depression has a ford or a bridge here")


@clause(
    "B20.91b",
    "Nobody claims Crest status along a hexside that the Depression crosses, nor along a cliff",
    kind="action",
)
def along_a_bank(facts: Cresting, sheet: Sheet) -> None:
    if facts.hexside == "depression":
        sheet.bar("the Depression crosses that hexside")
    elif facts.hexside == "cliff":
        sheet.bar("there is a cliff")


at_the_edge = unsupported(
    "B20.91c",
    "Crest status along the map's edge, where nobody tells whether the Depression goes on",
    lambda facts: facts.depression and facts.hexside == "edge",
)


@clause("B20.91d", "It costs 2 MF, or in the APh the Advance", kind="cost")
def cost(facts: Cresting, sheet: Sheet) -> None:
    if not facts.advancing:
        sheet.charge(halves("B20.91", "claim"), "to the Crest", "crest")


@clause("B20.91e", "It is at the Crest of that side then", kind="effect")
def is_at_the_crest(facts: Cresting, sheet: Sheet) -> None:
    sheet.force("inside", "crest")
    sheet.force("crest", facts.side)
