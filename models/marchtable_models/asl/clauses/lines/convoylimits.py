"""What Convoys may not do and do not do, and what they are to others (E11.1 to E11.4, E11.8)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.counterkinds import MINEFIELD
from marchtable_models.asl.data import halves
from marchtable_models.asl.facts.lines import Lineup
from marchtable_models.asl.facts.spending import Allowance
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.vehicles import StartStop


@clause("E11.1b", kind="action", composes="joint")
def not_by_chance(facts: Lineup, sheet: Sheet) -> None:
    """Vehicles that happen to stand in line are no Convoy."""
    if facts.chance == "convoy":
        sheet.bar("vehicles in a line are no Convoy unless they were set up as one")


@clause("E11.2e", kind="action")
def no_overrun(facts: Entry, sheet: Sheet) -> None:
    """No vehicle of a Convoy makes an OVR."""
    if facts.convoy and facts.overrun:
        sheet.bar("a Convoy vehicle makes no OVR")


@clause("E11.2i", kind="effect")
def mines_at_once(facts: Entry, sheet: Sheet) -> None:
    """What an Impulse sets off waits for its end, but for leaving a minefield."""
    if (facts.convoy or facts.column) and MINEFIELD in facts.counters_here:
        sheet.unsupported("a minefield is left within an Impulse: its attack cannot be stated then")


@clause("E11.2k", kind="cost")
def one_tow(facts: Entry, sheet: Sheet) -> None:
    """A Convoy vehicle that tows a Gun pays 1 MP more in all, not two."""
    if facts.convoy:
        sheet.charge(-sheet.total("towing"), "Convoy and Gun count once", "towing")


@clause("E11.22a", kind="action")
def no_reverse(facts: Entry | StartStop, sheet: Sheet) -> None:
    """A Convoy vehicle does not move in Reverse."""
    if facts.convoy and facts.reverse:
        sheet.bar("a Convoy vehicle does not move in Reverse")


def _dearer_start(facts: StartStop | Allowance, sheet: Sheet) -> None:
    if isinstance(facts, Allowance):
        if facts.column:
            sheet.charge(-halves("E11.2", "each_hex"), "Column")
    elif facts.convoy:
        sheet.charge(halves("E11.2", "each_hex"), "Convoy", "start")


@clause("E11.8", kind="state", denied=_dearer_start)
def no_other_penalty(facts: StartStop | Allowance, sheet: Sheet) -> None:
    """A Convoy or Column has no benefit and pays no price but those listed."""
    # Start and Stop cost a Convoy vehicle what they cost any other; a Column has its MF
