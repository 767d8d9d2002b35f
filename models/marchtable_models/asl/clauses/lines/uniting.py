"""Convoys that combine (E11.26), and who joins a Column (E11.523)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.facts.lines import Joined, Joining


@clause("E11.26", kind="cost", composes="joint")
def highest_expenditure(facts: Joining | Joined, sheet: Sheet) -> None:
    """Convoys combine into one, all vehicles of which have then spent the most that any had."""
    if facts.kind != "convoy":
        return
    if facts.cost is not None:
        sheet.charge(facts.cost, "the highest expenditure of Convoys combined", "shared")
        for field, value in (("convoy", facts.name), ("rank", facts.rank), ("behind", "")):
            sheet.force(field, value)
    elif facts.mine != "convoy" or not facts.leads:
        sheet.bar("Convoys combine as the lead of one falls in behind the rear of the other")
    elif not facts.beside:
        sheet.bar("the two Convoys would not stand in one line")


@clause("E11.523a", kind="action", composes="joint")
def fit_to_join(facts: Joining | Joined, sheet: Sheet) -> None:
    """Who joins a Column is Infantry, Cavalry or a wagon in Good Order; the Column gives up its MPh."""
    if facts.kind != "column":
        return
    if facts.cost is not None:
        sheet.force("mph", "done")
        if facts.joins:
            sheet.force("column", facts.name)
            sheet.force("rank", facts.rank)
        return
    if facts.mine or not facts.sort:
        sheet.bar("only Infantry, Cavalry and wagons that are in no line join a Column")
    if not facts.fit:
        sheet.bar("only unpinned units in Good Order join a Column")
    if facts.begun:
        sheet.bar("the Column has moved this MPh, and it gives up its whole MPh")
    if not facts.beside:
        sheet.bar("it stands neither in a hex of the Column nor next to its last")


@clause("E11.523b", kind="action")
def declared(facts: Joining, sheet: Sheet) -> None:
    """The ATTACKER declares who joins a line, and which."""
    if not facts.kind:
        sheet.bar(
            "its side has no other Convoy or Column of that name (a line's name, not a unit's)"
        )


@clause("E11.523c", kind="state")
def hazardous_as_it_joins(facts: Joined, sheet: Sheet) -> None:
    """A unit that joins a Column does so by Hazardous Movement."""
    if facts.kind == "column" and facts.joins:
        sheet.force("hazardous", "column")
