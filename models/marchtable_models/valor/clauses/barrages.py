"""Artillery and fighter-bombers (21): when, who spots, where missions come down, with what they attack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.valor.clauses.combat import APFP
from marchtable_models.valor.data import figure

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.attacks import Volley
    from marchtable_models.valor.facts.barrages import Mission

__all__ = ["by_table", "missions", "scatter", "smoke_missions", "spotters"]


@clause(
    "V21.4", "Support missions are flown and fired in their side's Command Phase", kind="action"
)
def missions(facts: Mission, sheet: Sheet) -> None:
    if facts.phase != "Command":
        sheet.bar("it is not its Command Phase", "Command", facts.phase)


@clause(
    "V21.4b",
    "Artillery comes down on its target, or one or two hexes straight on from it; fighter-bombers do not scatter",
    kind="action",
)
def scatter(facts: Mission, sheet: Sheet) -> None:
    most = 0 if facts.kind == "air" else figure("V21.4b", "most")
    if facts.off > most:
        sheet.bar("it does not come down so far from its target", most, facts.off)
    elif not facts.straight:
        sheet.bar("it does not scatter in a straight line")


@clause("V21.3", "An unpinned unit of its side sees the target of artillery", kind="action")
def spotters(facts: Mission, sheet: Sheet) -> None:
    if facts.kind != "air" and not facts.spotters:
        sheet.bar("no unpinned unit of its side sees the target", 1, 0)


@clause("V21.7", "Artillery lays smoke where there is none", kind="action")
def smoke_missions(facts: Mission, sheet: Sheet) -> None:
    if facts.kind == "smoke" and facts.smoked:
        sheet.bar("there is smoke in the hex")


@clause("V21.5", "A mission attacks all in the hex by its row of the table", kind="odds")
def by_table(facts: Volley, sheet: Sheet) -> None:
    if facts.mission:
        sheet.charge(figure("V21.5", facts.mission), "support mission", APFP)
