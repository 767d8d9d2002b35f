"""Concealment and movement: who is thrown back, who is seen (A12.15, A12.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.clause import clause
from marchtable.position import Odds

if TYPE_CHECKING:
    from marchtable.clause import Sheet
    from marchtable_models.asl.facts import Entry
    from marchtable_models.asl.footfacts import Detection

__all__ = ["concealment_lost", "found_out", "thrown_back"]

CHOICE = (Odds("shows", 1, 1), Odds("loses", 1, 1))
"""The DEFENDER's choice, not a roll: either may be had for certain."""


@clause(
    "A12.15a",
    "Infantry that moves into a concealed enemy's Location is sent back, and its MPh ends",
    kind="effect",
    composes="end",
)
def thrown_back(facts: Entry, sheet: Sheet) -> None:
    if not facts.detour or facts.there.known or facts.column:
        return  # for a Column see E11.522
    before, entered = facts.detour
    for field, value in (("at", before), ("previous", entered), ("mph", "done")):
        sheet.force(field, value)
    if facts.asks:
        sheet.roll("detect", CHOICE, "the DEFENDER shows a real unit, or all there lose their '?'")


@clause(
    "A12.15b",
    "A DEFENDER who shows no unit loses all concealment in that Location",
    kind="effect",
)
def found_out(facts: Detection, sheet: Sheet) -> None:
    if facts.outcome == "loses":
        sheet.force("concealed", value=False)


@clause(
    "A12.2",
    "A concealed unit that moves in sight of an enemy loses its concealment",
    kind="state",
)
def concealment_lost(facts: Entry, sheet: Sheet) -> None:
    if facts.manner.concealed and sheet.reading("A12.2") == "seen":
        sheet.force("concealed", value=False)
