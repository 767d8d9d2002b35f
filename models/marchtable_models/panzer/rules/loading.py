"""A transport's turn: loading, carrying and unloading, and their cost in movement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, resets
from marchtable.state.action import Action, Fellow
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.panzer.data import count
from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
from marchtable_models.panzer.rules.fire import Fire
from marchtable_models.panzer.rules.movement import Allowance, Payment
from marchtable_models.panzer.views.travel import SettingOut, Travel, travellers
from marchtable_models.panzer.views.units import is_moving, passengers, type_of

Done = Literal["", "now", "earlier"]
Task = Literal["", "load", "unload"]


# -- actions -------------------------------------------------------------------------------------


class Load(Action, frozen=True, tag="load"):
    """A transport loads a unit in its hex."""

    unit: UnitId
    passenger: Fellow


class Unload(Action, frozen=True, tag="unload"):
    """A transport unloads its passenger in its hex."""

    unit: UnitId
    passenger: Fellow


# -- facts ---------------------------------------------------------------------------------------


class Loading(Facts, frozen=True):
    """A transport loading a unit. ``spent`` and ``mf`` are half points."""

    own_phase: bool
    lone: bool
    together: bool
    same_side: bool
    task: Task
    entered: bool
    spent: int
    mf: int
    aboard: bool
    carried: bool
    passenger_moved: bool
    passenger_fired: Done
    passenger_unloaded: bool


class Burden(Facts, frozen=True):
    """The number of units a transport would carry."""

    carries: int


class Unloading(Facts, frozen=True):
    """A transport unloading a unit. ``spent`` and ``mf`` are half points."""

    own_phase: bool
    aboard: bool
    task: Task
    spent: int
    entered: bool
    onward: bool
    before: bool
    mf: int


class Transporting(SettingOut, frozen=True):
    """A unit about to move that is or was a transport or passenger."""

    # whether it is carried, and when it was loaded or unloaded
    aboard: bool
    handled: Done
    # its task as a transport in this phase, and whether it moved before it unloaded
    task: Task
    before: bool
    loaded: bool  # it carries a unit


class Handled(Facts, frozen=True):
    """A unit about to fire that was loaded or unloaded in this turn: when."""

    handled: Done


@cases(Travel)
def travel_facts(position: PanzerPosition, action: Travel) -> Iterator[Case]:
    """Yield the facts of transports and passengers that set out."""
    for unit in travellers(position, action):
        if unit.aboard is not None or unit.handled or unit.task:
            aboard, loaded = unit.aboard is not None, bool(passengers(position, unit))
            facts = Transporting(aboard, unit.handled, unit.task, unit.before, loaded)
            yield about(unit, facts)


@cases(Fire)
def fire_facts(position: PanzerPosition, action: Fire) -> Handled | None:
    """Return the facts of when the unit was loaded or unloaded, if it was."""
    handled = position.unit(action.unit).handled
    return Handled(handled) if handled else None


@cases(Load)
def load_facts(position: PanzerPosition, action: Load) -> Iterator[Case]:
    """Yield the facts of the two units, and of the number the transport would carry."""
    unit, passenger = position.unit(action.unit), position.unit(action.passenger)
    facts = Loading(
        own_phase=is_moving(position, unit),
        lone=unit is passenger,
        together=unit.at is not None and unit.at == passenger.at,
        same_side=unit.side == passenger.side,
        task=unit.task,
        entered=unit.entered,
        spent=unit.spent,
        mf=type_of(position, unit).mf * 2,
        aboard=passenger.aboard is not None or unit.aboard is not None,
        carried=unit.carried and unit.entered,
        passenger_moved=passenger.entered,
        passenger_fired=passenger.fired,
        passenger_unloaded=passenger.left is not None,
    )
    yield about((unit, passenger), facts)
    yield about((unit, passenger), burden(position, unit, 1))


@cases(Unload)
def unload_facts(position: PanzerPosition, action: Unload) -> Case:
    """Return the facts of the two units."""
    unit, passenger = position.unit(action.unit), position.unit(action.passenger)
    facts = Unloading(
        own_phase=is_moving(position, unit),
        aboard=passenger.aboard == unit.id and unit.at is not None,
        task=unit.task,
        spent=unit.spent,
        entered=unit.entered,
        onward=unit.onward,
        before=unit.before,
        mf=type_of(position, unit).mf * 2,
    )
    return about((unit, passenger), facts)


def burden(position: PanzerPosition, unit: PanzerUnit, more: int = 0) -> Burden:
    """Return the number of units a transport carries, or would with some more."""
    return Burden(len(passengers(position, unit)) + more)


# -- clauses -------------------------------------------------------------------------------------


def half_of(mf: int) -> int:
    """Return half a movement factor, rounded down to whole points; both in half points."""
    return mf // 2 // count("P.turn-b", "part") * 2


@clause("P.turn-a", kind="action")
def one_of_three(facts: Loading | Burden | Unloading, sheet: Sheet) -> None:
    """In a movement phase a transport loads, carries, or carries and unloads one unit."""
    if isinstance(facts, Burden):
        most = count("P.turn-a", "passengers")
        if facts.carries > most and sheet.reading("B7") == "one":
            sheet.bar("a transport carries one unit", facts.carries, most)
        return
    if not facts.own_phase:
        sheet.bar("it is not its side's movement phase")
    if isinstance(facts, Unloading):
        if not facts.aboard:
            sheet.bar("the transport does not carry it")
        return
    _beside(facts, sheet)
    if facts.entered:
        _drove_there(facts, sheet)


def _beside(facts: Loading, sheet: Sheet) -> None:
    if facts.lone:
        sheet.bar("a unit cannot load itself")
    elif not facts.together:
        sheet.bar("transport and passenger must share a hex")
    if not facts.same_side:
        sheet.bar("transport and passenger must be of the same side")
    if facts.aboard:
        sheet.bar("transport or passenger is aboard already")


def _drove_there(facts: Loading, sheet: Sheet) -> None:
    choice = sheet.reading("B2")
    most = {"whole": 0, "half": half_of(facts.mf)}.get(choice, facts.spent)
    if facts.spent > most:
        sheet.bar("it has moved too far to load", facts.spent, most, halves=True)


@clause("P.turn-b", kind="cost", composes="flag", after=("PB.one-hex", "P.opt-c"))
def half(facts: Allowance | Payment | Unloading, sheet: Sheet) -> None:
    """A transport that unloads moves at most half its movement factor, rounded down."""
    if isinstance(facts, Allowance):
        if facts.task == "unload":
            sheet.charge(half_of(facts.mf) - facts.mf, "unloads: half, rounded down")
    elif isinstance(facts, Payment):
        cost, left = facts.cost + sheet.total(), facts.allotment - facts.spent
        if facts.task == "unload" and cost > left:
            sheet.bar("it would take more than half its movement factor", cost, left, halves=True)
    elif facts.spent > (most := half_of(facts.mf)) and (
        facts.onward or sheet.reading("B4") == "no"
    ):
        sheet.bar("it has moved more than half its movement factor", facts.spent, most, halves=True)


@clause("P.turn-c", kind="action")
def passenger_rests(facts: Transporting | Loading | Handled, sheet: Sheet) -> None:
    """A passenger cannot move or fire in the phase in which it is loaded or unloaded, and moves with its transport."""
    if isinstance(facts, Loading):
        if facts.passenger_moved:
            sheet.bar("the passenger has moved this phase")
        if _lately(facts.passenger_fired, sheet):
            sheet.bar("the passenger has fired")
        return
    if isinstance(facts, Transporting) and facts.aboard:
        sheet.bar("it travels with its transport")
    elif _lately(facts.handled, sheet):
        sheet.bar("it was loaded or unloaded")


def _lately(done: str, sheet: Sheet) -> bool:
    """Return whether an act is recent enough to count: in this phase, or in this turn."""
    return done == "now" or (done == "earlier" and sheet.reading("B6") == "turn")


@clause("P.turn-d", kind="action")
def exclusive(facts: Transporting | Loading | Unloading, sheet: Sheet) -> None:
    """A transport combines loading, carrying and unloading in one phase only as the readings allow."""
    if isinstance(facts, Transporting):
        if facts.task == "load" and facts.loaded and sheet.reading("B1") == "exclusive":
            sheet.bar("it has loaded in this phase and carries nothing away")
    elif isinstance(facts, Loading):
        if facts.task == "unload" and sheet.reading("B3") == "barred":
            sheet.bar("it has unloaded in this phase")
        if facts.carried and facts.task == "" and sheet.reading("B1") == "exclusive":
            sheet.bar("it has carried in this phase")
        if facts.passenger_unloaded and sheet.reading("B3-relay") == "barred":
            sheet.bar("the unit was unloaded in this phase")
    elif facts.task == "load" and sheet.reading("B3") == "barred":
        sheet.bar("it has loaded in this phase")


@clause("P.turn-e", kind="action", composes="flag")
def wholly(facts: Transporting | Unloading, sheet: Sheet) -> None:
    """A transport that unloads moves either before unloading or after it."""
    if isinstance(facts, Unloading):
        since = facts.entered and not facts.before
        if facts.task == "unload" and since and sheet.reading("B5") == "either":
            sheet.bar("it has moved since it unloaded")
    elif facts.task == "unload" and facts.before and sheet.reading("B5") == "either":
        sheet.bar("it had moved before it unloaded")


# -- effects -------------------------------------------------------------------------------------


@effect(Load)
def after_load(position: PanzerPosition, action: Load) -> PanzerPosition | None:
    """Return the position with the passenger aboard; None if both are one unit, or off the map."""
    unit, passenger = position.unit(action.unit), position.unit(action.passenger)
    if unit.at is None or passenger is unit:
        return None
    taken = replace(passenger, at=unit.at, aboard=unit.id, handled="now")
    return position.with_units([replace(unit, task="load"), taken])


@effect(Unload)
def after_unload(position: PanzerPosition, action: Unload) -> PanzerPosition | None:
    """Return the position with the passenger beside its transport; None as for loading."""
    unit, passenger = position.unit(action.unit), position.unit(action.passenger)
    if unit.at is None or passenger is unit:
        return None
    return position.with_units(
        [
            replace(unit, task="unload", before=unit.entered),
            replace(passenger, aboard=None, handled="now", left=unit.id),
        ]
    )


forgotten = resets(left=None)
anew = resets("own_movement", task="", before=False)
