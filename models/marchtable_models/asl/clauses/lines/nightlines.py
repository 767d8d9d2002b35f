"""Lines at night and off the board: who may stray, who follows, who still waits (E11.6, E11.7)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.facts.lines import Parted
from marchtable_models.asl.facts.units import PhaseStart, Standing


@clause("E11.6b", kind="effect")
def leaver_strays(facts: Standing | Parted, sheet: Sheet) -> None:
    """Who leaves his Convoy at will may stray from then on."""
    if isinstance(facts, Parted):
        if facts.leads:
            sheet.force("left", "gap")
    elif (
        facts.left_due
        and facts.goes
        and not facts.trail
        and sheet.reading("E11.6b") == "from-then-on"
    ):
        sheet.bar("its Movement DR is due: it has left its Convoy")


def _loses_status(facts: PhaseStart, sheet: Sheet) -> None:
    if facts.waits and facts.own and facts.phase in ("MPh", "APh"):
        sheet.force("convoy", "")
        sheet.force("column", "")


@clause("E11.7a", kind="state", denied=_loses_status)
def keeps_status(facts: PhaseStart, sheet: Sheet) -> None:
    """Units of a line still off the board as its phase ends come on in line in the next, be it the APh."""
    # A2.5 stands
