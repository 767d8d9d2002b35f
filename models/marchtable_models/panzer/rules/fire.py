"""Firing: how often, in which phase, and by transports and passengers."""

from __future__ import annotations

from typing import Literal

from marchtable.rules.facts import Facts, Sheet
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Action
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.panzer.model import PanzerPosition
from marchtable_models.panzer.views.units import may_attack


class Fire(Action, frozen=True, tag="fire"):
    """A unit fires; target and result are not judged."""

    unit: UnitId


class Firing(Facts, frozen=True):
    """
    A unit that fires.

    ``fired``: it has fired in this turn; ``aboard``: it is carried; ``task``: its task as a
    transport in this movement phase.
    """

    in_turn: bool
    on_map: bool
    fired: bool
    aboard: bool
    task: Literal["", "load", "unload"]


@cases(Fire)
def fire_facts(position: PanzerPosition, action: Fire) -> Firing:
    """Return the facts of the unit that fires."""
    unit = position.unit(action.unit)
    return Firing(
        in_turn=may_attack(position, unit),
        on_map=unit.at is not None,
        fired=unit.fired != "",
        aboard=unit.aboard is not None,
        task=unit.task if position.phase == "Movement" else "",
    )


@clause("PB.fire", kind="action")
def fires_once(facts: Firing, sheet: Sheet) -> None:
    """A unit fires once a turn, in its side's turn or at moving enemies, and can then be spotted."""
    if not facts.on_map:
        sheet.bar("it is not on the map")
    if not facts.in_turn:
        sheet.bar("its side does not fire in this phase")
    if facts.fired:
        sheet.bar("it has fired this turn")
    sheet.force("exposed", True)


def _busy(facts: Firing, sheet: Sheet) -> None:
    """Bar fire by a transport that loads or unloads."""
    if facts.task:
        sheet.bar("it has loaded or unloaded")


@clause("P.fire-a", kind="action", denied=_busy)
def transport_fires(facts: Firing, sheet: Sheet) -> None:
    """A transport can fire in the phase in which it loads or unloads."""
    if facts.task:
        sheet.exception("it may fire while it loads or unloads")


@clause("P.fire-c", kind="action")
def passenger_silent(facts: Firing, sheet: Sheet) -> None:
    """A carried passenger cannot fire."""
    if facts.aboard:
        sheet.bar("it is carried")


@effect(Fire)
def after_fire(position: PanzerPosition, action: Fire) -> PanzerPosition | None:
    """Return the position with the unit marked as having fired; None if it is off the map."""
    unit = position.unit(action.unit)
    if unit.at is None:
        return None
    return position.with_units([replace(unit, fired="now")])
