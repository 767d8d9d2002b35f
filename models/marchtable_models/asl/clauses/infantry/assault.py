"""Assault and Hazardous Movement (A4.61, A4.62)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.asl.data import halves

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.spending import Payment
    from marchtable_models.asl.facts.steps import Entry
    from marchtable_models.asl.facts.units import Declaration, Parting, PhaseStart

__all__ = [
    "assault_double_time", "declare_assault", "hazard_ends", "keeps_some", "leader_stays",
    "not_exhausting", "one_location",
]  # fmt: skip


@clause("A4.61a", "Assault Movement is declared by Infantry before it spends MF", kind="action")
def declare_assault(facts: Declaration, sheet: Sheet) -> None:
    if facts.verb != "assault":
        return
    if not facts.foot:
        sheet.bar("only Infantry declares Assault Movement")
    if facts.assault:
        sheet.bar("the unit has declared Assault Movement")
    elif facts.entered or (not facts.fresh and sheet.reading("A4.61a") == "mf"):
        sheet.bar("Assault Movement is declared before the unit moves")
    sheet.force("assault", value=True)


@clause(
    "A4.61b",
    "Assault Movement does not use all the unit's MF: half a MF at least is left",
    kind="cost",
    composes="joint",
)
def keeps_some(facts: Payment, sheet: Sheet) -> None:
    if not facts.assault or facts.minimum or facts.cost > facts.allotment - facts.spent:
        return  # for what it cannot pay see A4.11b, for a Minimum Move A4.61c
    has = facts.allotment - facts.spent
    cost = has if facts.whole else facts.cost
    if has - cost < (least := halves("A4.61", "left")):
        sheet.bar("Assault Movement does not use all MF", cost + least, has, halves=True)


@clause(
    "A4.61c",
    "Assault Movement enters no more than one Location: after Bypass its obstacle alone",
    kind="action",
    composes="flag",
)
def one_location(facts: Entry, sheet: Sheet) -> None:
    if facts.manner.assault and facts.manner.moved:
        sheet.bar("the unit has entered a Location by Assault Movement")
    if facts.manner.assault and facts.minimum:
        sheet.bar("a Minimum Move takes all MF, Assault Movement does not")


@clause(
    "A4.61g",
    "A leader does not leave a unit whose Assault Movement would have used all its MF without his bonus",
    kind="action",
    composes="joint",
)
def leader_stays(facts: Parting, sheet: Sheet) -> None:
    if facts.staying or not facts.assault or facts.spent > facts.own:  # for more see A4.12b
        return
    if facts.own - facts.spent < (least := halves("A4.61", "left")):
        sheet.bar(
            "Assault Movement does not use all MF", facts.spent + least, facts.own, halves=True
        )


@clause("A4.61f", "Assault Movement does not enter what makes the unit CX", kind="action")
def not_exhausting(facts: Entry, sheet: Sheet) -> None:
    if facts.manner.assault and facts.in_deep_stream:
        sheet.bar("a deep stream makes the unit CX")


@clause("A4.61d", "Assault Movement is not combined with Double Time", kind="action")
def assault_double_time(facts: Declaration, sheet: Sheet) -> None:
    both = facts.assault if facts.verb == "double-time" else facts.doubled
    if facts.verb in ("assault", "double-time") and both and sheet.reading("A4.61d") == "apart":
        sheet.bar("Assault Movement and Double Time exclude one another")


@clause(
    "A4.62b",
    "Hazardous Movement lasts until the unit is pinned, or its Player Turn ends",
    kind="state",
)
def hazard_ends(facts: PhaseStart, sheet: Sheet) -> None:
    if not facts.hazardous:
        return
    if facts.pinned or (facts.new_turn and sheet.reading("A4.62b") == "turn"):
        sheet.force("hazardous", "")
