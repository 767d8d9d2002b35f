"""Armored Assault (D9.31): Infantry moves as one stack with the AFV above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.armored import Escort
    from marchtable_models.asl.facts.units import Group

__all__ = [
    "begins_beneath",
    "goes_no_farther",
    "keeps_their_pace",
    "moves_with_afv",
    "odd_ways",
    "with_platoon",
]


@clause(
    "D9.31a",
    "Infantry moves with an AFV that it began the MPh beneath, and all its way with it",
    kind="action",
    composes="joint",
)
def begins_beneath(facts: Group, sheet: Sheet) -> None:
    if not facts.with_afv:
        return
    if not facts.infantry:
        sheet.bar("only Infantry moves along with an AFV")
    if not facts.beneath:
        sheet.bar("not all of the stack began the MPh there and have moved together since")


@clause(
    "D9.31b",
    "An AFV that goes on without Infantry it has moved with gets no farther than that could have",
    kind="action",
    composes="joint",
)
def goes_no_farther(facts: Escort, sheet: Sheet) -> None:
    if facts.unknown:
        sheet.unsupported("how far an AFV goes on without the Infantry that it has moved with")
    elif facts.closed == "impassable":
        sheet.bar("the Infantry that it has moved with could not go there")
    elif facts.closed == "barred" and sheet.reading("D9.31b") == "together":
        sheet.bar("the Infantry that it has moved with could not enter there with it")
    elif facts.need > facts.have:
        sheet.bar("farther than the Infantry that it has moved with could go", facts.need,
                  facts.have, halves=True)  # fmt: skip


@clause("D9.31c", "Who moves with an AFV is of its stack until it moves without", kind="state")
def moves_with_afv(facts: Escort, sheet: Sheet) -> None:
    if facts.afv:
        sheet.force("armored", facts.afv)


@clause("D9.31g", "An AFV is held to the MF of all Infantry it has moved with", kind="state")
def keeps_their_pace(facts: Escort, sheet: Sheet) -> None:
    if facts.escorted:
        sheet.force("escorted", facts.escorted)


odd_ways = unsupported(
    "D9.31d",
    "Armored Assault by Minimum Move, in Bypass, or at night",
    lambda facts: facts.with_afv and facts.manner != "",
    lifts=("A4.2b", "A4.3b", "D2.31", "D9.31a"),
)

with_platoon = unsupported(
    "D14.33",
    "Armored Assault together with an AFV platoon's Impulses",
    lambda facts: facts.with_afv and facts.platoon,
    lifts=("A4.2b", "D14.31"),
)
