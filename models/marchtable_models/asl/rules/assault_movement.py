"""Assault and Hazardous Movement (A4.61, A4.62)."""

from __future__ import annotations

from marchtable.rules.facts import Edition, Facts, Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.data import halves
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_budget, at_phase
from marchtable_models.asl.rules.leaders import Parting
from marchtable_models.asl.rules.phases import PhaseBegins
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.spending_facts import Payment


class MovedHazardously(Facts, frozen=True, gc=False):
    """A unit that has used Hazardous Movement, as a phase begins."""

    new_turn: bool
    pinned: bool


@at_phase
def phase_facts(_: AslPosition, unit: AslUnit, begins: PhaseBegins) -> MovedHazardously | None:
    """Return the facts of a unit that has used Hazardous Movement."""
    return MovedHazardously(begins.new_turn, unit.status.pinned) if unit.move.hazardous else None


@clause("A4.61b", kind="cost", composes="joint")
def keeps_some(facts: Payment, sheet: Sheet) -> None:
    """Assault Movement leaves the unit at least half a MF."""
    if not facts.assault or facts.minimum or facts.cost > facts.allotment - facts.spent:
        return  # A4.11b covers what it cannot pay, A4.61c a Minimum Move
    has = facts.allotment - facts.spent
    cost = has if facts.whole else facts.cost
    if has - cost < (least := halves("A4.61", "left")):
        sheet.bar("Assault Movement cannot use all MF", cost + least, has, halves=True)


class Assaulting(Entry):
    """An entry by Assault Movement."""

    is_relevant = property(lambda self: self.manner.assault)


@clause("A4.61c", kind="action", composes="flag")
def one_location(facts: Assaulting, sheet: Sheet) -> None:
    """Assault Movement enters only one Location; after Bypass, only the bypassed obstacle."""
    if facts.manner.assault and facts.manner.moved:
        sheet.bar("the unit has entered a Location by Assault Movement")
    if facts.manner.assault and facts.minimum:
        sheet.bar("a Minimum Move uses all MF, which Assault Movement cannot do")


@clause("A4.61g", kind="action", composes="joint")
def leader_stays(facts: Parting, sheet: Sheet) -> None:
    """A leader stays with a unit whose Assault Movement would use up its MF without the leader bonus."""
    if facts.staying or not facts.assault or facts.spent > facts.own:  # A4.12b covers more
        return
    if facts.own - facts.spent < (least := halves("A4.61", "left")):
        sheet.bar("Assault Movement cannot use all MF", facts.spent + least, facts.own, halves=True)


@clause("A4.61f", kind="action")
def not_exhausting(facts: Assaulting, sheet: Sheet) -> None:
    """Assault Movement does not enter terrain that makes the unit CX."""
    if facts.manner.assault and facts.in_deep_stream:
        sheet.bar("a deep stream makes the unit CX")


@clause("A4.62b", kind="state")
def hazard_ends(facts: MovedHazardously, sheet: Sheet) -> None:
    """Hazardous Movement lasts until the unit is pinned, or its Player Turn ends."""
    if facts.pinned or (facts.new_turn and sheet.reading("A4.62b") == "turn"):
        sheet.force("hazardous", "")


@at_budget
def kept(before: int, unit: AslUnit, whole: int, edition: Edition) -> int:
    """Return the half points that a unit must keep of its allotment, by A4.61b."""
    if not unit.move.assault or whole <= 0:
        return before
    all_of_it = Payment(
        is_vehicle=False, cost=whole, spent=0, used=0, allotment=whole, assault=True
    )
    bars = edition.judge(all_of_it).bars
    return before + sum(
        int(b.need or 0) - int(b.have or 0) for b in bars if b.clause == keeps_some.id
    )
