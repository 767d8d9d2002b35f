"""Dispersed units: restrictions and recovery."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Event
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.panzer.model import PanzerPosition
from marchtable_models.panzer.rules.assaults import Assault
from marchtable_models.panzer.rules.fire import Fire
from marchtable_models.panzer.rules.loading import Load, Unload
from marchtable_models.panzer.rules.observation import Observe
from marchtable_models.panzer.views.travel import SettingOut, Travel, actors


class Recover(Event, frozen=True, tag="recover"):
    """A unit is no longer dispersed."""

    unit: UnitId


class Dispersed(SettingOut, frozen=True):
    """A dispersed unit about to act."""


class Recovering(Facts, frozen=True):
    """A unit that recovers: whether it is on the map, and dispersed."""

    on_map: bool
    dispersed: bool


@cases(Travel, Load, Unload, Fire, Assault, Observe)
def action_facts(position: PanzerPosition, action: Any) -> Iterator[Case]:
    """Yield the facts of each dispersed unit that acts, of a transport or its passenger."""
    if isinstance(action, Load | Unload):
        pair = (position.unit(action.unit), position.unit(action.passenger))
        if pair[0].dispersed or pair[1].dispersed:
            yield about(pair, Dispersed())
        return
    for unit in actors(position, action):
        if unit.dispersed:
            yield about(unit, Dispersed())


@cases(Recover)
def recovery_facts(position: PanzerPosition, action: Recover) -> Recovering:
    """Return the facts of a unit's recovery."""
    unit = position.unit(action.unit)
    return Recovering(unit.at is not None, unit.dispersed != "")


@clause("PB.dispersed", kind="action")
def dispersed(facts: Dispersed, sheet: Sheet) -> None:
    """A dispersed unit cannot move, load, unload, fire, assault or observe."""
    sheet.bar("it is dispersed")


@clause("PB.recover", kind="action")
def recovers(facts: Recovering, sheet: Sheet) -> None:
    """Only dispersed units can recover."""
    if not facts.on_map:
        sheet.bar("it is not on the map")
    elif not facts.dispersed:
        sheet.bar("it is not dispersed")


@effect(Recover)
def after_recovery(position: PanzerPosition, action: Recover) -> PanzerPosition | None:
    """Return the position with the unit in good order."""
    unit = position.unit(action.unit)
    return position.with_units([replace(unit, dispersed="")])
