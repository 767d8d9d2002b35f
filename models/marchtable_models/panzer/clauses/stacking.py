"""Clauses on stacking, and on roads, which the restatement leaves to the published games alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import Clause, clause
from marchtable_models.panzer.data import count, halves
from marchtable_models.panzer.facts.steps import Stack, Step

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet

__all__ = ["game_rules", "markers", "unloading", "wrecks"]


def _too_many(facts: Stack, sheet: Sheet) -> tuple[int, int] | None:
    """Return the number of units and the limit if there are too many."""
    by_game = sheet.reading("P.opt-b-stacking") == "panzerblitz"
    limits = [limit.panzerblitz if by_game else limit.leader for limit in facts.limits]
    most = min(limits)
    if most < max(limits) and sheet.reading("P.opt-b-mixed") == "most":
        most = max(limits)
    units = facts.units + sheet.total("stack")
    return (units, most) if units > most else None


@clause(
    "PB.wrecks",
    "Wrecks count against stacking limits and on roads, forts and blocks in Panzer Leader only",
    kind="capacity",
)
def wrecks(facts: Stack, sheet: Sheet) -> None:
    sheet.charge(facts.wrecks, "wrecks", "stack")
    if sheet.reading("P.opt-b-stacking") == "panzer-leader":
        sheet.charge(facts.forts, "forts", "stack")
        sheet.charge(facts.blocks, "blocks", "stack")


@clause("P.stack-a", "Nothing is unloaded where that breaks the stacking limit", kind="action")
def unloading(facts: Stack, sheet: Sheet) -> None:
    if facts.why != "unload" and not (facts.why == "end" and facts.unloaded):
        return
    moment = "unload" if sheet.reading("B14") == "unloading" else "end"
    if facts.why == moment and (found := _too_many(facts, sheet)):
        sheet.bar("too many units in the hex to unload", *found)


@clause(
    "P.opt-b",
    "Stacking limits and the road movement rate are those of a published game",
    kind="state",
)
def game_rules(facts: Stack | Step, sheet: Sheet) -> None:
    if isinstance(facts, Step):
        _road_rate(facts, sheet)
        return
    at_issue = (
        facts.why == "end"
        or (facts.why == "enter" and sheet.reading("P.opt-b-stacking") == "panzer-leader")
        or (facts.why == "load" and sheet.reading("B15") == "checked")
    )
    if at_issue and (found := _too_many(facts, sheet)):
        sheet.bar("too many units in the hex", *found)


def _with_markers(facts: Stack | Step, sheet: Sheet) -> None:
    if isinstance(facts, Step):
        if facts.others.markers:
            sheet.unsupported(", ".join(facts.others.markers))
    elif facts.markers and sheet.reading("P.opt-b-stacking") == "panzer-leader":
        sheet.unsupported(f"these count in Panzer Leader: {', '.join(facts.markers)}")


markers = Clause(
    "PB.markers", "Markers in a hex other than wrecks, forts, blocks and mines",
    kind="state", function=_with_markers, modelled=False,
)  # fmt: skip


def _road_rate(facts: Step, sheet: Sheet) -> None:
    if not facts.road or (game := sheet.reading("P.opt-b-road")) == "none":
        return
    others = facts.others
    if others.mines or others.blocks or (others.forts and game == "panzer-leader"):
        return
    if others.units - others.carried + others.wrecks <= count("P.opt-b", game):
        sheet.charge(halves("P.opt-b", "road"), "road", "road")
