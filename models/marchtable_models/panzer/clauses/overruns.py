"""Clauses on overruns, as the published PanzerBlitz has them: the attack itself is told, as fire is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.panzer.data import count
from marchtable_models.panzer.facts.steps import Mobile, Overrunning

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.panzer.facts.fire import Target

__all__ = ["DIE", "ODDS", "attacks_once", "bonus", "once", "straight", "struck", "who"]

ODDS, DIE = "odds", "die"


@clause("PB.overrun-a", "Armoured vehicles overrun enemies in clear terrain", kind="action")
def who(facts: Overrunning, sheet: Sheet) -> None:
    if not facts.armoured:
        sheet.bar("it is no armoured vehicle")
    if not facts.targets:
        sheet.bar("no enemies are there", 1, 0)
    if not facts.clear:
        sheet.bar("it is not clear terrain")
    if facts.twice:
        sheet.bar("a unit is named twice")


@clause(
    "PB.overrun-b",
    "They drive straight through, never at the road rate, into a hex without enemies, and stop there",
    kind="action",
)
def straight(facts: Overrunning | Mobile, sheet: Sheet) -> None:
    if isinstance(facts, Mobile):
        if facts.overran:
            sheet.bar("it has overrun enemies in this phase")
        return
    if facts.by_road:
        sheet.bar("it has moved at the road rate in this phase")
    if not facts.beyond:
        sheet.bar("there is no hex straight beyond")
    elif not facts.free:
        sheet.bar("enemies are in the hex beyond")
    if facts.stops:
        sheet.bar(f"it would have to stop in the hex: {facts.stops}")
    sheet.force("overran", True)


@clause("PB.overrun-f", "Who overruns does not fire in that turn beside it", kind="action")
def attacks_once(facts: Overrunning, sheet: Sheet) -> None:
    if facts.fired:
        sheet.bar("it has fired this turn")
    sheet.force("fired", "now")


@clause("PB.overrun-c", "The attack is made at odds one better, with 2 off the die", kind="odds")
def bonus(facts: Overrunning, sheet: Sheet) -> None:  # noqa: ARG001 - the same of all
    sheet.charge(count("PB.overrun-c", "odds"), "overrun", ODDS)
    sheet.charge(-count("PB.overrun-c", "die"), "overrun", DIE)


@clause(
    "PB.overrun-d", "Units are overrun once a turn: those who do it do it together", kind="action"
)
def once(facts: Overrunning, sheet: Sheet) -> None:
    if facts.crushed and sheet.reading("PB.overrun-again") == "once":
        sheet.bar("they have been overrun this turn")


@clause(
    "PB.overrun-e",
    "An overrun has results for units whose hex was overrun this turn, riders as one with their transport",
    kind="state",
)
def struck(facts: Target, sheet: Sheet) -> None:
    if facts.fire != "overrun":
        return
    if not facts.crushed:
        sheet.bar("its hex has not been overrun this turn")
    if facts.role == "passenger" and facts.pair is not None and facts.pair.aboard:
        sheet.bar("it is carried, and shares what befalls its transport")
