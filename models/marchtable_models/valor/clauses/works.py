"""Fortifications and entrenchments in the way of who moves, and who may stop in them (chapter 20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable.state.position import Odds
from marchtable_models.valor.data import figure, works

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.assaults import Taking
    from marchtable_models.valor.facts.losses import Stacked
    from marchtable_models.valor.facts.moves import Blast, Step

__all__ = ["blown_up", "bunkers", "entering_works", "mines", "mines_taken", "occupants", "wire"]

DIE = 6


@clause("V20.3", "Entering a fortification or entrenchment costs an MP more", kind="cost")
def entering_works(facts: Step, sheet: Sheet) -> None:
    spared = facts.verb == "overrun" and sheet.reading("A28") == "spared"
    if facts.work and facts.verb != "advance" and not spared:
        sheet.charge(2 * figure("V20.3", "work"), "fortification or entrenchment")


@clause(
    "V20.4",
    "Who stops in a hex with a fortification or entrenchment occupies it: Guns none but bunkers, "
    "sandbags and caves, vehicles and AFVs none",
    kind="capacity",
)
def occupants(facts: Stacked, sheet: Sheet) -> None:
    if not facts.ends:
        return
    for kind in facts.works:
        holds = works()[kind].holds
        if facts.heavies > facts.guns or (facts.guns and "gun" not in holds):
            sheet.bar(f"{kind}: it does not hold what has stopped there")


@clause("V20.5", "A bunker holds two infantry or one Gun", kind="capacity", composes="joint")
def bunkers(facts: Stacked, sheet: Sheet) -> None:
    if not facts.ends or not any("bunker" in kind for kind in facts.works):
        return
    infantry, guns = figure("V20.5", "infantry"), figure("V20.5", "guns")
    if facts.infantry > infantry or facts.guns > guns or (facts.infantry and facts.guns):
        sheet.bar("more than a bunker holds")


@clause("V20.7a", "A minefield may eliminate each unit that enters it", kind="odds")
def mines(facts: Step, sheet: Sheet) -> None:
    if facts.mines:
        _risk(sheet, "mines-beyond" if facts.verb == "beyond" else "mines")


def _risk(sheet: Sheet, name: str) -> None:
    worst = figure("V20.7", "mines")
    odds = (Odds("safe", DIE - worst, DIE), Odds("eliminated", worst, DIE))
    sheet.roll(name, odds, f"eliminated on {worst} or less")


@clause("V20.7c", "So it may who takes it by an assault", kind="odds")
def mines_taken(facts: Taking, sheet: Sheet) -> None:  # noqa: ARG001 - the same of all
    _risk(sheet, "mines")


@clause("V20.7b", "A minefield's roll decides", kind="effect")
def blown_up(facts: Blast, sheet: Sheet) -> None:
    if facts.outcome == "eliminated":
        sheet.force("at", None)
        sheet.force("aboard", None)


@clause(
    "V20.8",
    "Vehicles do not enter barbed wire, and infantry that does moves no farther; AFVs do not mind it",
    kind="action",
)
def wire(facts: Step, sheet: Sheet) -> None:
    if facts.wire and facts.kind == "vehicle":
        sheet.bar("vehicles do not enter barbed wire")
    if facts.tangled and facts.kind == "infantry" and facts.verb == "enter":
        sheet.bar("it has come into barbed wire and must stop")
