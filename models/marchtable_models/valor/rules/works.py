"""Fortifications, mines and wire that affect moving units (20)."""

from __future__ import annotations

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import clause, resolves, settles
from marchtable.state.position import Obligation, Odds
from marchtable.state.records import replace
from marchtable_models.valor.data import DIE, figure
from marchtable_models.valor.model import ValorPosition
from marchtable_models.valor.rules.losses import closed
from marchtable_models.valor.rules.survival import carried
from marchtable_models.valor.rules.terrain import Step
from marchtable_models.valor.views.attack import with_attack
from marchtable_models.valor.views.units import gone


class Blast(Facts, frozen=True):
    """A minefield's result for a unit: ``safe`` or ``eliminated``."""

    outcome: str


class Taking(Facts, frozen=True):
    """A unit that enters a minefield by taking it in an assault."""


@settles("mines", "mines-beyond")
def mines_facts(position: ValorPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the mines' result for a unit; its load is lost with it."""
    unit = position.unit(obligation.unit)
    lost = carried(position, unit, "eliminated") if outcome == "eliminated" else []
    return [about(unit, Blast(outcome)), *lost]


@clause("V20.3", kind="cost")
def entering_works(facts: Step, sheet: Sheet) -> None:
    """Entering a fortification or entrenchment costs 1 extra MP."""
    spared = facts.verb == "overrun" and sheet.reading("A28") == "spared"
    if facts.work and facts.verb != "advance" and not spared:
        sheet.charge(2 * figure("V20.3", "work"), "fortification or entrenchment")


@clause("V20.7a", kind="odds")
def mines_entered(facts: Step, sheet: Sheet) -> None:
    """A minefield can eliminate each unit that enters it."""
    if facts.mines:
        _risk(sheet, "mines-beyond" if facts.verb == "beyond" else "mines")


def _risk(sheet: Sheet, name: str) -> None:
    worst = figure("V20.7", "mines")
    odds = (Odds("safe", DIE - worst, DIE), Odds("eliminated", worst, DIE))
    sheet.roll(name, odds, f"eliminated on {worst} or less")


@clause("V20.7c", kind="odds")
def mines_taken(facts: Taking, sheet: Sheet) -> None:
    """A minefield can eliminate a unit that takes it by assault."""
    _risk(sheet, "mines")


@clause("V20.7b", kind="effect")
def mines_decide(facts: Blast, sheet: Sheet) -> None:
    """A minefield's roll decides the unit's outcome."""
    if facts.outcome == "eliminated":
        sheet.force("at", None)
        sheet.force("aboard", None)


@clause("V20.8", kind="action")
def wire(facts: Step, sheet: Sheet) -> None:
    """Vehicles cannot enter barbed wire; infantry that does moves no farther; AFVs ignore it."""
    if facts.wire and facts.kind == "vehicle":
        sheet.bar("vehicles cannot enter barbed wire")
    if facts.tangled and facts.kind == "infantry" and facts.verb == "enter":
        sheet.bar("it has entered barbed wire and must stop")


@resolves("mines")
def blown_up(
    position: ValorPosition, obligation: Obligation, outcome: str, edition: Edition
) -> ValorPosition:
    """Return the position without a unit lost in mines, before its overrun or by its assault."""
    attack, name = position.conditions.attack, obligation.unit
    if outcome != "eliminated" or attack is None:
        return position
    if name in attack.units:
        return with_attack(replace(position, pending=()), None)
    spared = edition.settings["A4"] == "barred"
    return closed(gone(position, [name]), attack, spare_pinned=spared)
