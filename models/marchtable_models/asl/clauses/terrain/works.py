"""Counters in a Location that change movement, beside those with a row of their own."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.clauses.terrain.chart import cell
from marchtable_models.asl.data import halves
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import Standing
from marchtable_models.asl.verbs.traits import has_trait

SHELLHOLES = "shellholes"


@not_modelled("B23.4u")
def upstairs(facts: Standing) -> bool:
    """What is done upstairs but moving about, or upstairs where the level is not told."""
    return (
        facts.inside == "upstairs"
        and (not has_trait(facts.verb, "upstairs") or not facts.floor)
        and facts.verb != "end"
    )


@not_modelled("B20.9")
def at_crest(facts: Standing) -> bool:
    """What is done in Crest status but moving out of it and what is said."""
    return facts.inside == "crest" and not has_trait(facts.verb, "crest")


def among_shells(facts: Entry) -> bool:
    """Return whether shellholes lie in terrain that they do not level, and off the road."""
    strewn = SHELLHOLES in facts.there.counters and facts.row != SHELLHOLES
    return strewn and facts.way not in ("road", "graveyard")


def in_a_gully(facts: Entry) -> bool:
    """Return whether the Location entered, off the road, is a gully with shellholes."""
    strewn = SHELLHOLES in (*facts.there.counters, facts.ground.within)
    return strewn and facts.row == "gully" and not facts.way


@clause("B2.4", kind="cost")
def shellholes_in_a_gully(facts: Entry, sheet: Sheet) -> None:
    """On foot shellholes in a gully cost 1 MF more, but only for their cover."""
    if (
        in_a_gully(facts)
        and facts.mover.column in ("inf", "cav")
        and (facts.half or facts.mover.column == "cav")
    ):
        sheet.charge(halves("B2.4", "cover"), "shellholes in the gully", "more")


@clause("B2-among", kind="cost", lifts=("A4.11b", "A4.134", "A4.61b", "B13.42"))
def among_shellholes(facts: Entry, sheet: Sheet) -> None:
    """Shellholes among other terrain add what they cost to its cost."""
    if not among_shells(facts) or (in_a_gully(facts) and facts.mover.column in ("inf", "cav")):
        return
    found = cell(SHELLHOLES, facts.mover)
    if facts.mover.pays_mf:
        sheet.unsupported("what shellholes among other terrain cost those who pay MF")
    elif "+OG" in found.marks:
        sheet.charge(found.amount, "shellholes among other terrain", "cot")


@clause("B3.43", kind="action")
def buried_road(facts: Entry, sheet: Sheet) -> None:
    """There is no road where rubble or debris lies on it."""
    if facts.ground.buried:
        sheet.exception("rubble or debris lies on the road: it is not there for movement")
