"""Clauses on close assaults: who makes one after how much movement; the attack itself is told, as fire is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.panzer.data import count

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.panzer.facts.fire import Target
    from marchtable_models.panzer.facts.steps import Assaulting

__all__ = ["near", "rested", "struck", "who"]

ASSAULTS = ("infantry", "engineers", "cavalry")


@clause(
    "PB.assault-a",
    "Infantry, engineers and cavalry that have not attacked this turn close-assault enemies beside them, in "
    "their side's Assault phase",
    kind="action",
)
def who(facts: Assaulting, sheet: Sheet) -> None:
    if not facts.in_turn:
        sheet.bar("it is not its side's Assault phase")
    if facts.kind not in ASSAULTS:
        sheet.bar("only infantry, engineers and cavalry close-assault")
    if not facts.adjacent:
        sheet.bar("the hexes are not adjacent")
    if not facts.targets:
        sheet.bar("no enemies are there", 1, 0)
    if facts.fired:
        sheet.bar("it has attacked this turn")
    if facts.twice:
        sheet.bar("a unit is named twice")
    sheet.force("fired", "now")
    sheet.force("exposed", True)


@clause("PB.assault-b", "Who has moved more than one hex makes no close assault", kind="action")
def near(facts: Assaulting, sheet: Sheet) -> None:
    if facts.far:
        most = count("PB.assault-b", "hexes")
        sheet.bar("it has moved too far", most + 1, most)


@clause(
    "PB.assault-c",
    "Nor does who is carried, or was loaded or unloaded in that turn",
    kind="action",
)
def rested(facts: Assaulting, sheet: Sheet) -> None:
    if facts.aboard:
        sheet.bar("it is carried")
    elif facts.handled:
        sheet.bar("it was loaded or unloaded this turn")


@clause(
    "PB.assault-d",
    "A close assault has results for units whose hex was assaulted this turn, riders as one with their transport",
    kind="state",
)
def struck(facts: Target, sheet: Sheet) -> None:
    if facts.fire != "assault":
        return
    if not facts.stormed:
        sheet.bar("its hex has not been close-assaulted this turn")
    if facts.role == "passenger" and facts.pair is not None and facts.pair.aboard:
        sheet.bar("it is carried, and shares what befalls its transport")
