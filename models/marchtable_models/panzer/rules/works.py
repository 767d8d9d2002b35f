"""Mines, blocks and enemy-held forts: a unit that enters them stops there."""

from __future__ import annotations

from collections.abc import Iterator

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause
from marchtable_models.panzer.model import PanzerPosition
from marchtable_models.panzer.rules.assaults import Assault
from marchtable_models.panzer.rules.fire import Fire
from marchtable_models.panzer.rules.movement import Move
from marchtable_models.panzer.rules.overruns import Overrun
from marchtable_models.panzer.views.presence import Work, is_mined, presence, work_at
from marchtable_models.panzer.views.travel import SettingOut, Travel, actors, steps, travellers


class Stopped(SettingOut, frozen=True):
    """A unit about to move on after entering, in this phase, something that stops it."""

    by: Work


class Late(Facts, frozen=True):
    """A unit about to enter a block after entering another hex."""


class Mined(Facts, frozen=True):
    """A unit about to attack after entering mines in this turn."""


@cases(Travel)
def travel_facts(position: PanzerPosition, action: Travel) -> Iterator[Case]:
    """Yield the facts of units stopped in place."""
    for unit in travellers(position, action):
        if by := work_at(position, unit):
            yield about(unit, Stopped(by))


@cases(Move, Overrun)
def steps_facts(position: PanzerPosition, action: Move | Overrun) -> Iterator[Case]:
    """Yield the facts of steps onto a block by units that have entered another hex."""
    for going in steps(position, action):
        unit = going.unit
        if unit.entered and presence(going.position, unit.side, going.to, unit).blocks:
            yield about(unit, Late(), going.to)


@cases(Fire, Assault)
def attack_facts(position: PanzerPosition, action: Fire | Assault) -> Iterator[Case]:
    """Yield the facts of units about to attack after entering mines."""
    for unit in actors(position, action):
        if is_mined(position, unit):
            yield about(unit, Mined())


@clause("PB.mines-a", kind="action")
def mines_stop(facts: Stopped, sheet: Sheet) -> None:
    """A unit that enters mines moves no farther in that phase."""
    if facts.by == "mines":
        sheet.bar("it has entered mines")


@clause("PB.mines-b", kind="action")
def mines_silence(facts: Mined, sheet: Sheet) -> None:
    """A unit that has entered mines cannot attack in that turn."""
    sheet.bar("it has entered mines this turn")


@clause("PB.blocks", kind="action")
def blocks(facts: Stopped | Late, sheet: Sheet) -> None:
    """Entering a block from an adjacent hex is all a unit does; it leaves it in another phase."""
    if isinstance(facts, Late):
        sheet.bar("it has entered a hex before the block")
    elif facts.by == "block":
        sheet.bar("it has come onto a block")


@clause("PB.forts", kind="action")
def forts(facts: Stopped, sheet: Sheet) -> None:
    """Units can enter a fort that enemies hold, and stop there."""
    if facts.by == "fort":
        sheet.bar("it has come onto a fort that enemies hold")
