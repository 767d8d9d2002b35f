"""Shellholes among other terrain (B2)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.data import halves
from marchtable_models.asl.views.chart import SHELLHOLES, cell, in_a_gully
from marchtable_models.asl.views.entry import Entry


def among_shells(facts: Entry) -> bool:
    """Return whether there are shellholes, off road, in terrain they do not level."""
    strewn = SHELLHOLES in facts.there.counters and facts.row != SHELLHOLES
    return strewn and facts.way not in ("road", "graveyard")


class Strewn(Entry):
    """An entry among shellholes."""

    is_relevant = property(lambda self: SHELLHOLES in (*self.there.counters, self.ground.within))


@clause("B2.4", kind="cost")
def shellholes_in_a_gully(facts: Strewn, sheet: Sheet) -> None:
    """On foot, shellholes in a gully cost 1 extra MF only to gain their cover."""
    if (
        in_a_gully(facts)
        and facts.mover.column in ("inf", "cav")
        and (facts.half or facts.mover.column == "cav")
    ):
        sheet.charge(halves("B2.4", "cover"), "shellholes in the gully", "more")


@clause("B2-among", kind="cost", lifts=("A4.11b", "A4.134", "A4.61b", "B13.42"))
def among_shellholes(facts: Strewn, sheet: Sheet) -> None:
    """Shellholes among other terrain add their cost to it."""
    if not among_shells(facts) or (in_a_gully(facts) and facts.mover.column in ("inf", "cav")):
        return
    found = cell(SHELLHOLES, facts.mover)
    if facts.mover.pays_mf:
        sheet.unsupported("the MF cost of shellholes among other terrain")
    elif "+OG" in found.marks:
        sheet.charge(found.amount, "shellholes among other terrain", "cot")
