"""Mines, blocks and forts that enemies hold: a unit that comes into them stops there."""

from __future__ import annotations

from collections.abc import Iterator

from marchtable.rules.facts import Case, Edition, Facts, Sheet
from marchtable.rules.subjects import cases, clause
from marchtable_models.panzer.model import PanzerPosition
from marchtable_models.panzer.rules.assaults import Assault
from marchtable_models.panzer.rules.fire import Fire
from marchtable_models.panzer.rules.hits import Hit, Struck, struck_in
from marchtable_models.panzer.rules.movement import Move
from marchtable_models.panzer.rules.overruns import Overrun
from marchtable_models.panzer.views.presence import Work, is_mined, presence, work_at
from marchtable_models.panzer.views.travel import SettingOut, Travel, actors, steps, travellers
from marchtable_models.panzer.views.units import hexes_of


class Stopped(SettingOut, frozen=True):
    """A unit about to move on that has come into something in this phase that stops it."""

    by: Work


class Late(Facts, frozen=True):
    """A unit about to enter a block that has entered a hex before it."""


class Mined(Facts, frozen=True):
    """A unit about to attack that has come into mines in this turn."""


class Attacked(Struck, frozen=True):
    """A unit that mines attack."""


@cases(Travel)
def of_travel(position: PanzerPosition, action: Travel, _: Edition) -> Iterator[Case]:
    """Yield units that are stopped where they are."""
    for unit in travellers(position, action):
        if by := work_at(position, unit):
            yield Case((unit.id,), Stopped(by), hexes_of(unit))


@cases(Move, Overrun)
def of_steps(position: PanzerPosition, action: Move | Overrun, _: Edition) -> Iterator[Case]:
    """Yield steps onto a block by units that have entered another hex."""
    for going in steps(position, action):
        unit = going.unit
        if unit.entered and presence(going.position, unit.side, going.to, unit).blocks:
            yield Case((unit.id,), Late(), going.hexes)


@cases(Fire, Assault)
def of_attack(position: PanzerPosition, action: Fire | Assault, _: Edition) -> Iterator[Case]:
    """Yield units about to attack that have come into mines."""
    for unit in actors(position, action):
        if is_mined(position, unit):
            yield Case((unit.id,), Mined(), hexes_of(unit))


@cases(Hit)
def of_hit(position: PanzerPosition, action: Hit, _: Edition) -> list[Case]:
    """Return whether the unit has come into mines, of a hit by mines."""
    unit = position.unit(action.unit)
    facts = Attacked(is_mined(position, unit), unit.aboard is not None)
    return struck_in(action, "mines", unit, facts)


@clause("PB.mines-a", kind="action")
def mines_stop(facts: Stopped, sheet: Sheet) -> None:
    """Who comes into mines moves no farther in that phase."""
    if facts.by == "mines":
        sheet.bar("it has come into mines")


@clause("PB.mines-b", kind="action")
def mines_silence(facts: Mined, sheet: Sheet) -> None:
    """Who has come into mines attacks nobody in that turn."""
    sheet.bar("it has come into mines this turn")


@clause("PB.mines-c", kind="state")
def mines_attack(facts: Attacked, sheet: Sheet) -> None:
    """Mines attack units as they come in, and not those that stay."""
    if not facts.attacked:
        sheet.bar("it has not come into mines this turn")
    if facts.carried:
        sheet.bar("it is carried, and shares what happens to its transport")


@clause("PB.blocks", kind="action")
def blocks(facts: Stopped | Late, sheet: Sheet) -> None:
    """A block is entered from beside it as all that a unit does, and left in another phase."""
    if isinstance(facts, Late):
        sheet.bar("it has entered a hex before the block")
    elif facts.by == "block":
        sheet.bar("it has come onto a block")


@clause("PB.forts", kind="action")
def forts(facts: Stopped, sheet: Sheet) -> None:
    """Units come onto a fort that enemies hold, and stop there."""
    if facts.by == "fort":
        sheet.bar("it has come onto a fort that enemies hold")
