"""Clauses on mines, blocks and forts that enemies hold: who comes into them stops there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.panzer.facts.steps import Mobile, Step

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.panzer.facts.fire import Target
    from marchtable_models.panzer.facts.steps import Assaulting, Firing

__all__ = ["blocks", "forts", "mines_attack", "mines_silence", "mines_stop"]


@clause("PB.mines-a", "Who comes into mines moves no farther in that phase", kind="action")
def mines_stop(facts: Mobile, sheet: Sheet) -> None:
    if facts.stopped == "mines":
        sheet.bar("it has come into mines")


@clause("PB.mines-b", "Who has come into mines attacks nobody in that turn", kind="action")
def mines_silence(facts: Firing | Assaulting, sheet: Sheet) -> None:
    if facts.mined:
        sheet.bar("it has come into mines this turn")


@clause("PB.mines-c", "Mines attack units as they come in, and not those that stay", kind="state")
def mines_attack(facts: Target, sheet: Sheet) -> None:
    if facts.fire != "mines":
        return
    if not facts.mined:
        sheet.bar("it has not come into mines this turn")
    if facts.role == "passenger" and facts.pair is not None and facts.pair.aboard:
        sheet.bar("it is carried, and shares what befalls its transport")


@clause(
    "PB.blocks",
    "A block is entered from beside it as all that a unit does, and left in another phase",
    kind="action",
)
def blocks(facts: Mobile | Step, sheet: Sheet) -> None:
    if isinstance(facts, Step):
        if facts.late:
            sheet.bar("it has entered a hex before the block")
    elif facts.stopped == "block":
        sheet.bar("it has come onto a block")


@clause("PB.forts", "Units come onto a fort that enemies hold, and stop there", kind="action")
def forts(facts: Mobile, sheet: Sheet) -> None:
    if facts.stopped == "fort":
        sheet.bar("it has come onto a fort that enemies hold")
