"""Demolition Charges, as far as placing them takes MF (A23.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.demolition import Placing

__all__ = ["cost", "cost_untold", "still_portaged", "where", "who_places"]


@clause("A23.3a", "Infantry in Good Order that has a DC places it in its MPh", kind="action")
def who_places(facts: Placing, sheet: Sheet) -> None:
    if not facts.fit:
        sheet.bar("only Infantry on foot and in Good Order, in no Bypass, places a DC")
    elif not facts.has:
        sheet.bar("the unit has no such DC")


@clause(
    "A23.3b", "A DC is placed on an adjacent Location that the unit could enter directly",
    kind="action",
)  # fmt: skip
def where(facts: Placing, sheet: Sheet) -> None:
    if not facts.adjacent:
        sheet.bar("that Location is not adjacent")
    elif not facts.open:
        sheet.bar("the unit could not enter there directly")


cost_untold = unsupported(
    "A23.3c",
    "A DC placed where entry is not judged, or on a Known AFV, which asks for a task check first",
    lambda facts: facts.adjacent and (facts.afv or not facts.judged),
)


@clause("A23.3d", "To place a DC costs what entering that Location would", kind="cost")
def cost(facts: Placing, sheet: Sheet) -> None:
    sheet.charge(facts.cost, "a DC placed", "demolition")


@clause("A23.3e", "The DC was carried, for the MF that placing it took at least", kind="state")
def still_portaged(facts: Placing, sheet: Sheet) -> None:
    sheet.force("portaged", facts.portaged)
