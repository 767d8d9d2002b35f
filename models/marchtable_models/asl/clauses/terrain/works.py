"""Counters in a Location that change movement, beside those with a row of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.asl.clauses.terrain.chart import cell
from marchtable_models.asl.counterkinds import is_known
from marchtable_models.asl.data import halves
from marchtable_models.asl.model import verbs_with

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.foot import Handling
    from marchtable_models.asl.facts.manning import Abandonment, Manned
    from marchtable_models.asl.facts.mounts import Mounting
    from marchtable_models.asl.facts.steps import Entry
    from marchtable_models.asl.facts.transport import Alight, Boarding
    from marchtable_models.asl.facts.vehicles import Swing

__all__ = [
    "among_shellholes",
    "at_crest",
    "buried_road",
    "counters",
    "in_a_gully",
    "onto_nothing",
    "recovered_in_wire",
    "shellholes_in_a_gully",
    "through_the_wire",
    "upstairs",
]

SHELLHOLES = "shellholes"


def _all_counters(facts: Entry | Swing | Alight | Abandonment) -> tuple[str, ...]:
    """Return the kinds of counters where a unit is, and where it goes."""
    there: tuple[str, ...] = getattr(getattr(facts, "there", None), "counters", ())
    return (*facts.counters_here, *there)


counters = unsupported(
    "x-counter",
    "A counter in the Location whose effect on movement is not modelled",
    lambda facts: not all(map(is_known, _all_counters(facts))),
)


@clause("B26.4a", "Infantry on top of Wire enters no vehicle there", kind="action")
def onto_nothing(facts: Boarding | Mounting | Manned, sheet: Sheet) -> None:
    if facts.wired and not getattr(facts, "horses", False):
        sheet.bar("it stands on top of Wire")


@clause(
    "B26.4b",
    "No SW goes from hand to hand between who is on top of Wire and who is beneath it",
    kind="action",
)
def through_the_wire(facts: Handling, sheet: Sheet) -> None:
    if facts.divided:
        sheet.bar("one of them is on top of the Wire, the other beneath it")


recovered_in_wire = unsupported(
    "B26.4c",
    "Recovery in a Location with Wire, where nobody tells whether the item is on top of that or beneath",
    lambda facts: facts.wired and facts.verb == "recover" and not facts.owned,
)


UPSTAIRS = verbs_with("upstairs")

upstairs = unsupported(
    "B23.4u",
    "What is done upstairs but moving about, or upstairs where the level is not told",
    lambda facts: (
        facts.inside == "upstairs"
        and (facts.verb not in UPSTAIRS or not facts.floor)
        and facts.verb != "end"
    ),
)


AT_CREST = verbs_with("crest")

at_crest = unsupported(
    "B20.9",
    "What is done in Crest status but moving out of it and what is said",
    lambda facts: facts.inside == "crest" and facts.verb not in AT_CREST,
)


def among_shells(facts: Entry) -> bool:
    """Return whether shellholes lie in terrain that they do not level, and off the road."""
    strewn = SHELLHOLES in facts.there.counters and facts.row != SHELLHOLES
    return strewn and facts.way not in ("road", "graveyard")


def in_a_gully(facts: Entry) -> bool:
    """Return whether the Location entered, off the road, is a gully with shellholes."""
    strewn = SHELLHOLES in (*facts.there.counters, facts.ground.within)
    return strewn and facts.row == "gully" and not facts.way


@clause(
    "B2.4", "On foot shellholes in a gully cost 1 MF more, but only for their cover", kind="cost"
)
def shellholes_in_a_gully(facts: Entry, sheet: Sheet) -> None:
    if (
        in_a_gully(facts)
        and facts.mover.column in ("inf", "cav")
        and (facts.half or facts.mover.column == "cav")
    ):
        sheet.charge(halves("B2.4", "cover"), "shellholes in the gully", "more")


@clause(
    "B2-among", "Shellholes among other terrain add what they cost to its cost", kind="cost",
    lifts=("A4.11b", "A4.134", "A4.61b", "B13.42"),
)  # fmt: skip
def among_shellholes(facts: Entry, sheet: Sheet) -> None:
    if not among_shells(facts) or (in_a_gully(facts) and facts.mover.column in ("inf", "cav")):
        return
    found = cell(SHELLHOLES, facts.mover)
    if facts.mover.pays_mf:
        sheet.unsupported("what shellholes among other terrain cost those who pay MF")
    elif "+OG" in found.marks:
        sheet.charge(found.amount, "shellholes among other terrain", "cot")


@clause("B3.43", "There is no road where rubble or debris lies on it", kind="action")
def buried_road(facts: Entry, sheet: Sheet) -> None:
    if facts.ground.buried:
        sheet.exception("rubble or debris lies on the road: it is not there for movement")
