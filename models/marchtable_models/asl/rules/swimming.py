"""Amphibious vehicles (D16): entering water and marsh, moving there, and leaving them."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.data import halves
from marchtable_models.asl.views.chart import cell, row_named
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.ground_facts import AFLOAT
from marchtable_models.asl.views.vehicle_facts import StartStop, Swing


def _afloat(facts: Entry | Swing | StartStop) -> str:
    """Return what an amphibious vehicle floats in or enters afloat."""
    if not isinstance(facts, Swing):
        return facts.afloat
    row = facts.ground.here
    return row if facts.mover.amphibious and row in AFLOAT else ""


class Swims(Entry):
    """An entry by an amphibious vehicle, afloat or over mudflats."""

    is_relevant = property(lambda self: self.in_mudflats or self.afloat != "")


@not_modelled("D16.2", lifts=("D2.1b",))
def mp_unstated(facts: Swims | Swing | StartStop) -> bool:
    """An amphibious vehicle afloat whose amphibious MP are unknown (`water_mp` of its type)."""
    return bool(_afloat(facts)) and not facts.mover.stroke


@clause("D16.21", kind="cost")
def enters_water(facts: Swims, sheet: Sheet) -> None:
    """An amphibious vehicle enters a Water Obstacle for 1 amphibious MP and the same share of its land MP."""
    if facts.afloat == "water":
        sheet.charge(facts.mover.stroke, "water, one amphibious MP", "afloat")


@clause("B16.42", kind="cost")
def enters_marsh(facts: Swims, sheet: Sheet) -> None:
    """An amphibious vehicle enters marsh for 2 amphibious MP in all, from open ground, water or marsh."""
    if facts.afloat != "marsh":
        return
    here = facts.ground.here
    if here not in AFLOAT and not row_named(here).bare:
        sheet.unsupported("whether there is open ground, water or marsh at the hexside")
    sheet.charge(-sheet.total("hexside", "uphill", "abrupt"), "hexside and rise", "uphill")
    sheet.charge(
        int(halves("B16.42", "marsh") / 2) * facts.mover.stroke,
        "marsh, two amphibious MP",
        "afloat",
    )


@clause("D16.21b", kind="action")
def paid_besides(facts: Swims, sheet: Sheet) -> None:
    """Other costs of an amphibious vehicle entering water."""
    if facts.afloat and sheet.total() > sheet.total("afloat"):
        sheet.unsupported("whether that is paid in amphibious MP")


@clause("B16.72", kind="cost")
def over_mudflats(facts: Swims, sheet: Sheet) -> None:
    """An amphibious vehicle enters mudflats on land at double the Open Ground cost."""
    if facts.in_mudflats:
        sheet.charge(2 * cell("open", facts.mover).amount, "mudflats", "cot")


@clause("D16.2b", kind="cost")
def turns_afloat(facts: Swing, sheet: Sheet) -> None:
    """Afloat, a VCA change costs 1 amphibious MP per hexspine."""
    if _afloat(facts) == "water" and sheet.reading("D16.2b") == "amphibious":
        sheet.charge(facts.mover.stroke - sheet.total("vca"), "by amphibious MP", "vca")


@clause("D16.2c", kind="action", composes="end")
def stays_in_motion(facts: StartStop, sheet: Sheet) -> None:
    """An amphibious vehicle in water is always in Motion."""
    if facts.afloat == "water" and facts.verb == "stop":
        sheet.bar("in water it is always in Motion")


@clause("D16.2d", kind="cost", composes="start")
def starts_afloat(facts: StartStop, sheet: Sheet) -> None:
    """Afloat, starting costs 1 amphibious MP."""
    if facts.afloat == "water" and facts.verb == "start":
        sheet.charge(facts.mover.stroke - sheet.total("start"), "by amphibious MP", "start")


@not_modelled("B16.42b", lifts=("D2.1b",))
def in_marsh(facts: Swing | StartStop) -> bool:
    """An amphibious vehicle's costs in marsh other than entry: Start, Stop or VCA change."""
    return not isinstance(facts, Entry) and _afloat(facts) == "marsh"
