"""Observing for indirect fire, even from aboard a transport."""

from __future__ import annotations

from collections.abc import Iterator

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, resets
from marchtable.state.action import Action
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.panzer.model import PanzerPosition
from marchtable_models.panzer.views.travel import SettingOut, Travel, travellers
from marchtable_models.panzer.views.units import may_attack, passengers, type_of


class Observe(Action, frozen=True, tag="observe"):
    """A unit observes for indirect fire."""

    unit: UnitId


class Observing(Facts, frozen=True):
    """
    A unit that observes for indirect fire.

    ``moved`` and ``carried``: whether its transport has moved in this turn, and with a passenger.
    """

    in_turn: bool
    on_map: bool
    carrier_class: bool
    observer: bool
    aboard: bool
    moved: bool
    carried: bool


class Lookout(SettingOut, frozen=True):
    """A transport about to move whose passenger has observed in this turn; whether it is still aboard."""

    loaded: bool


@cases(Observe)
def observation_facts(position: PanzerPosition, action: Observe) -> Observing:
    """Return the facts of the unit that observes."""
    unit = position.unit(action.unit)
    kind = type_of(position, unit)
    carrier = position.unit(unit.aboard) if unit.aboard is not None else None
    return Observing(
        in_turn=may_attack(position, unit),
        on_map=unit.at is not None,
        carrier_class=kind.class_ == "C",
        observer=kind.kind == "observer",
        aboard=carrier is not None,
        moved=carrier is not None and carrier.moved,
        carried=carrier is not None and carrier.carried,
    )


@cases(Travel)
def travel_facts(position: PanzerPosition, action: Travel) -> Iterator[Case]:
    """Yield the facts of transports from which a passenger has observed."""
    for unit in travellers(position, action):
        if unit.lookout:
            yield about(unit, Lookout(bool(passengers(position, unit))))


@clause("PB.observe", kind="action")
def observers(facts: Observing, sheet: Sheet) -> None:
    """Class C units cannot spot, nor can a unit off the map or out of turn."""
    if not facts.on_map:
        sheet.bar("it is not on the map")
    if not facts.in_turn:
        sheet.bar("its side does not fire in this phase")
    if facts.carrier_class:
        sheet.bar("class C units cannot spot")


@clause("P.fire-b", kind="action")
def observer_aboard(facts: Observing | Lookout, sheet: Sheet) -> None:
    """A carried observer can observe for indirect fire in a turn in which its transport does not move."""
    if isinstance(facts, Lookout):
        if facts.loaded or sheet.reading("B13") == "any":
            sheet.bar("its passenger has observed this turn")
        return
    if not facts.aboard:
        return
    if not facts.observer:
        sheet.bar("only a carried unit that is an observer can observe")
    elif facts.moved and (facts.carried or sheet.reading("B13") == "any"):
        sheet.bar("its transport has moved this turn")
    else:
        sheet.exception("a carried observer observes")


@effect(Observe)
def after_observation(position: PanzerPosition, action: Observe) -> PanzerPosition | None:
    """Return the position with the observer marked, and its transport; None if it is off the map."""
    unit = position.unit(action.unit)
    if unit.at is None:
        return None
    changed = [replace(unit, observed=True)]
    if unit.aboard is not None:
        changed.append(replace(position.unit(unit.aboard), lookout=True))
    return position.with_units(changed)


forgotten = resets("own_turn", observed=False, lookout=False)
