"""The owner's choice of a loss, if a DD has put too many units in a hex."""

from __future__ import annotations

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, phase_cases, resets
from marchtable.state.action import Action
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
from marchtable_models.panzer.rules.stacking import crowded
from marchtable_models.panzer.views.units import passengers


class Remove(Action, frozen=True, tag="remove"):
    """The owner removes a transport or its passenger, if a DD has put too many in a hex."""

    unit: UnitId


class Owing(Facts, frozen=True):
    """A transport and the passenger a DD threw off it: one must be removed before all else."""


class Removal(Facts, frozen=True):
    """A unit that its owner removes: whether a DD split its pair, and too many are there."""

    thrown: bool
    crowded: bool


def thrown_pairs(position: PanzerPosition) -> list[tuple[PanzerUnit, PanzerUnit]]:
    """Return each transport with the unit that a DD threw off it, both still in one hex."""
    found = []
    for unit in position.units:
        if unit.thrown is not None and unit.at is not None and unit.thrown in position.index:
            carrier = position.unit(unit.thrown)
            if carrier.at == unit.at:
                found.append((carrier, unit))
    return found


def owed(position: PanzerPosition, edition: Edition) -> tuple[PanzerUnit, ...]:
    """Return a transport and passenger of which one must be removed before all else, if any."""
    for carrier, unit in thrown_pairs(position):
        if crowded(position, unit, edition):
            return carrier, unit
    return ()


@cases(Action)
def action_facts(position: PanzerPosition, action: Action, edition: Edition) -> list[Case]:
    """Return the facts of a pair that owes a removal before all else; for a removal, of the unit."""
    if isinstance(action, Remove):
        unit = position.unit(action.unit)
        thrown = any(unit in pair for pair in thrown_pairs(position))
        return [about(unit, Removal(thrown, thrown and crowded(position, unit, edition)))]
    return phase_facts(position, action, edition)


@phase_cases
def phase_facts(position: PanzerPosition, _: Action, edition: Edition) -> list[Case]:
    """Return the facts of a pair that owes a removal before the phase ends."""
    pair = owed(position, edition)
    return [about(pair, Owing())] if pair else []


@clause("P.dd-b", kind="effect")
def owner_removes(facts: Owing | Removal, sheet: Sheet) -> None:
    """If a DD that unloads a passenger exceeds the stacking limit, the owner removes the transport or the passenger, nothing else."""
    if isinstance(facts, Owing):
        sheet.bar("its owner must first remove the transport or its passenger")
    elif not facts.thrown:
        sheet.bar("no DD has just separated it from a transport or passenger")
    elif not facts.crowded and sheet.reading("B9") == "no":
        sheet.bar("the hex is within its stacking limit")


@effect(Remove)
def after_removal(position: PanzerPosition, action: Remove) -> PanzerPosition | None:
    """Return the position without the unit; None if it is off the map."""
    unit = position.unit(action.unit)
    if unit.at is None:
        return None
    cargo = [replace(u, aboard=None) for u in passengers(position, unit)]
    return position.with_units([*cargo, replace(unit, at=None, aboard=None)])


forgotten = resets(thrown=None)
