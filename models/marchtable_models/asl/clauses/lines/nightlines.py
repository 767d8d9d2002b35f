"""Lines at night and off the board: who may stray, who follows, who still waits (E11.6, E11.7)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.facts.columns import Disbanding, Follow
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


@clause("E11.6c", kind="effect", composes="joint")
def follow_astray(facts: Follow, sheet: Sheet) -> None:
    """Behind a lead that strays, units of a Convoy or Column enter only the hex just left by the unit ahead."""
    if facts.astray and not facts.just_left:
        sheet.bar("the lead strays: it may enter only the hex that the unit ahead has just left")


@clause("E11.7c", kind="effect")
def may_be_late(facts: Standing | Disbanding, sheet: Sheet) -> None:
    """Who was off the board as his Column disbanded may come on in a later turn than scheduled."""
    if isinstance(facts, Disbanding):
        if sheet.forces("column") and facts.waits:
            sheet.force("late", value=True)
    elif facts.late == "allowed":
        sheet.exception("its Column has disbanded while it was off the board")


def _loses_status(facts: PhaseStart, sheet: Sheet) -> None:
    if facts.waits and facts.own and facts.phase in ("MPh", "APh"):
        sheet.force("convoy", "")
        sheet.force("column", "")


@clause("E11.7a", kind="state", denied=_loses_status)
def keeps_status(facts: PhaseStart, sheet: Sheet) -> None:
    """Units of a line still off the board as its phase ends come on in line in the next, be it the APh."""
    # A2.5 stands
