"""Overruns, as in the published PanzerBlitz. The attack's result is an event, like fire."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from marchtable.rules.facts import Bill, Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, resets
from marchtable.state.action import Adjacent, Companions
from marchtable.state.records import replace
from marchtable_models.panzer.data import count
from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
from marchtable_models.panzer.rules.movement import moved
from marchtable_models.panzer.rules.terrain import step
from marchtable_models.panzer.views.ground import row_named, terrain_of
from marchtable_models.panzer.views.presence import Work, presence
from marchtable_models.panzer.views.travel import SettingOut, Travel, actors, steps, travellers
from marchtable_models.panzer.views.units import type_of

ODDS, DIE = "odds", "die"


class Overrun(Travel, frozen=True, tag="overrun"):
    """
    Armoured vehicles drive straight through a hex with enemies and stop beyond it.

    It is one attack; record its result with ``hit`` for each unit there, with ``fire=overrun``.
    """

    units: Companions
    to: Adjacent


class Overrunning(Facts, frozen=True):
    """A vehicle about to drive through a hex with enemies."""

    # armoured, by_road, fired: it is armoured; has moved at the road rate in this phase; has fired
    # in this turn
    armoured: bool
    by_road: bool
    # enemies in the hex, and whether they have been overrun in this turn
    targets: int
    crushed: bool
    clear: bool  # the hex is clear terrain
    # there is a hex straight beyond it, without enemies
    beyond: bool
    free: bool
    fired: bool = False
    twice: bool = False  # the vehicle is named more than once
    stops: Work = ""  # what in the hex would stop it


class Overran(SettingOut, frozen=True):
    """A unit about to move that has overrun enemies in this phase."""


def overrunning(
    position: PanzerPosition, unit: PanzerUnit, to: str, names: Sequence[str]
) -> Overrunning:
    """Return the facts of a vehicle about to drive through a hex with enemies, with others."""
    enemies = [u for u in position.occupants.get(to, ()) if u.side != unit.side]
    away = position.board.beyond(str(unit.at), to)
    row = row_named(position.conditions, terrain_of(position.board[to]))[0]
    return Overrunning(
        armoured=type_of(position, unit).armoured,
        by_road=unit.by_road,
        targets=len(enemies),
        crushed=any(u.crushed for u in enemies),
        clear=row is not None and row is row_named(position.conditions, "Open Ground")[0],
        beyond=away is not None,
        free=away is not None and not presence(position, unit.side, away, unit).enemy,
        fired=unit.fired != "",
        twice=names.count(unit.id) > 1,
        stops=presence(position, unit.side, to, unit).stops,
    )


@cases(Travel)
def travel_facts(position: PanzerPosition, action: Travel) -> Iterator[Case]:
    """Yield the facts of units that have overrun enemies."""
    for unit in travellers(position, action):
        if unit.overran:
            yield about(unit, Overran())


@cases(Overrun)
def overrun_facts(position: PanzerPosition, action: Overrun) -> Iterator[Case]:
    """Yield the facts of each unit that drives through, and of its steps."""
    to = position.board.resolve(action.to)
    for unit in actors(position, action):
        if unit.at is not None:
            facts = overrunning(position, unit, to, action.units)
            yield about(unit, facts, to)
    for going in steps(position, action):
        yield about(going.unit, step(going), going.to)


@clause("PB.overrun-a", kind="action")
def who(facts: Overrunning, sheet: Sheet) -> None:
    """Armoured vehicles can overrun enemies in clear terrain."""
    if not facts.armoured:
        sheet.bar("it is not an armoured vehicle")
    if not facts.targets:
        sheet.bar("no enemies are there", 1, 0)
    if not facts.clear:
        sheet.bar("it is not clear terrain")
    if facts.twice:
        sheet.bar("a unit is named twice")


@clause("PB.overrun-b", kind="action")
def straight(facts: Overrunning | Overran, sheet: Sheet) -> None:
    """An overrun goes straight through, not at the road rate, into a hex without enemies, and stops there."""
    if isinstance(facts, Overran):
        sheet.bar("it has overrun enemies in this phase")
        return
    if facts.by_road:
        sheet.bar("it has moved at the road rate in this phase")
    if not facts.beyond:
        sheet.bar("there is no hex straight beyond")
    elif not facts.free:
        sheet.bar("enemies are in the hex beyond")
    if facts.stops:
        sheet.bar(f"it would have to stop in the hex: {facts.stops}")
    sheet.force("overran", True)


@clause("PB.overrun-f", kind="action")
def attacks_once(facts: Overrunning, sheet: Sheet) -> None:
    """A unit that overruns cannot also fire in that turn."""
    if facts.fired:
        sheet.bar("it has fired this turn")
    sheet.force("fired", "now")


@clause("PB.overrun-c", kind="odds")
def bonus(facts: Overrunning, sheet: Sheet) -> None:
    """The overrun attack has odds one better, and -2 to the die."""
    sheet.charge(count("PB.overrun-c", "odds"), "overrun", ODDS)
    sheet.charge(-count("PB.overrun-c", "die"), "overrun", DIE)


@clause("PB.overrun-d", kind="action")
def once(facts: Overrunning, sheet: Sheet) -> None:
    """Units can be overrun once a turn, by all overrunning units together."""
    if facts.crushed and sheet.reading("PB.overrun-again") == "once":
        sheet.bar("they have been overrun this turn")


@effect(Overrun)
def after_overrun(
    position: PanzerPosition, action: Overrun, bills: Sequence[Bill]
) -> PanzerPosition | None:
    """
    Return the position with overrun units marked, and each vehicle in the hex beyond.

    None if there is no such hex for one of them.
    """
    to, side = position.board.resolve(action.to), position.unit(action.units[0]).side
    for name in dict.fromkeys(action.units):
        unit = position.unit(name)
        away = None if unit.at is None else position.board.beyond(unit.at, to)
        if away is None:
            return None
        position = moved(position, unit, away, bills)
    enemies = [u for u in position.occupants.get(to, ()) if u.side != side]
    return position.with_units([replace(u, crushed=True) for u in enemies])


forgotten = resets("new_turn", crushed=False)
anew = resets("own_movement", overran=False)
