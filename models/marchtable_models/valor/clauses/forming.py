"""Squads that split and half squads that combine (5.31, 13.10, 16.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.errands import Forming

__all__ = ["one_type", "valorous_stay", "with_a_leader"]


@clause(
    "V5.31b",
    "In its own Command Phase, where a leader is, a squad splits into half squads, or two become one",
    kind="action",
)
def with_a_leader(facts: Forming, sheet: Sheet) -> None:
    if not facts.own_turn or facts.phase != "Command":
        sheet.bar("it is not its Command Phase", "Command", facts.phase)
    if not facts.together:
        sheet.bar("the half squads must be in one hex, both on foot or in one vehicle")
    if not facts.led:
        sheet.bar("no unpinned leader is in the hex")
    if not facts.held:
        sheet.bar("it does not have the weapon")


@clause("V13.10", "Half squads are of the type of their squad", kind="action")
def one_type(facts: Forming, sheet: Sheet) -> None:
    if not facts.fits:
        known = "no squad is reduced to both" if facts.joins else "it has no half squad"
        sheet.bar(known)


@clause("V16.4", "Valorous infantry neither splits nor combines", kind="action")
def valorous_stay(facts: Forming, sheet: Sheet) -> None:
    if facts.valorous:
        sheet.bar("it is valorous")
