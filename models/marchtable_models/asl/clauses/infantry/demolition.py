"""Demolition Charges, as far as placing them takes MF (A23.3)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.facts.demolition import Placing


@clause("A23.3a", kind="action")
def who_places(facts: Placing, sheet: Sheet) -> None:
    """Infantry in Good Order that has a DC places it in its MPh."""
    if not facts.fit:
        sheet.bar("only Infantry on foot and in Good Order, in no Bypass, places a DC")
    elif not facts.has:
        sheet.bar("the unit has no such DC")


@clause("A23.3b", kind="action")
def where(facts: Placing, sheet: Sheet) -> None:
    """A DC is placed on an adjacent Location that the unit could enter directly."""
    if not facts.adjacent:
        sheet.bar("that Location is not adjacent")
    elif not facts.open:
        sheet.bar("the unit could not enter there directly")


@not_modelled("A23.3c")
def cost_untold(facts: Placing) -> bool:
    """A DC placed where entry is not judged, or on a Known AFV, which asks for a task check first."""
    return facts.adjacent and (facts.afv or not facts.judged)


@clause("A23.3d", kind="cost")
def cost(facts: Placing, sheet: Sheet) -> None:
    """To place a DC costs what entering that Location would."""
    sheet.charge(facts.cost, "a DC placed", "demolition")


@clause("A23.3e", kind="state")
def still_portaged(facts: Placing, sheet: Sheet) -> None:
    """The DC was carried, for the MF that placing it took at least."""
    sheet.force("portaged", facts.portaged)
