"""Armored Assault (D9.31): Infantry moves as one stack with the AFV above it."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.facts.armored import Escort
from marchtable_models.asl.facts.units import Group


@clause("D9.31a", kind="action", composes="joint")
def begins_beneath(facts: Group, sheet: Sheet) -> None:
    """Infantry moves with an AFV that it began the MPh beneath, and all its way with it."""
    if not facts.with_afv:
        return
    if not facts.infantry:
        sheet.bar("only Infantry moves along with an AFV")
    if not facts.beneath:
        sheet.bar("not all of the stack began the MPh there and have moved together since")


@clause("D9.31b", kind="action", composes="joint")
def goes_no_farther(facts: Escort, sheet: Sheet) -> None:
    """An AFV that goes on without Infantry it has moved with gets no farther than that could have."""
    if facts.unknown:
        sheet.unsupported("how far an AFV goes on without the Infantry that it has moved with")
    elif facts.closed == "impassable":
        sheet.bar("the Infantry that it has moved with could not go there")
    elif facts.closed == "barred" and sheet.reading("D9.31b") == "together":
        sheet.bar("the Infantry that it has moved with could not enter there with it")
    elif facts.need > facts.have:
        sheet.bar("farther than the Infantry that it has moved with could go", facts.need,
                  facts.have, halves=True)  # fmt: skip


@clause("D9.31c", kind="state")
def moves_with_afv(facts: Escort, sheet: Sheet) -> None:
    """Who moves with an AFV is of its stack until it moves without."""
    if facts.afv:
        sheet.force("armored", facts.afv)


@clause("D9.31g", kind="state")
def keeps_their_pace(facts: Escort, sheet: Sheet) -> None:
    """An AFV is held to the MF of all Infantry it has moved with."""
    if facts.escorted:
        sheet.force("escorted", facts.escorted)


@not_modelled("D9.31d", lifts=("A4.2b", "A4.3b", "D2.31", "D9.31a"))
def odd_ways(facts: Group) -> bool:
    """Armored Assault by Minimum Move, in Bypass, or at night."""
    return facts.with_afv and facts.manner != ""


@not_modelled("D14.33", lifts=("A4.2b", "D14.31"))
def with_platoon(facts: Group) -> bool:
    """Armored Assault together with an AFV platoon's Impulses."""
    return facts.with_afv and facts.platoon
