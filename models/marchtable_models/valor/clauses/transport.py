"""Loading and unloading (chapter 8), and stacking (6.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.valor.data import figure
from marchtable_models.valor.facts.losses import March

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.losses import Boarding, Portage, Stacked

__all__ = ["capacity", "is_over", "loading_time", "portage", "stacking", "who_boards"]


@clause("V8.2", "Units load and unload in their own Movement Phase, once a turn", kind="action")
def loading_time(facts: Boarding, sheet: Sheet) -> None:
    if facts.phase != "Movement":
        sheet.bar("it is not this unit's Movement Phase", "Movement", facts.phase)
    elif not facts.own_turn:
        sheet.bar("it is the other side's Movement Phase")
    if facts.handled:
        sheet.bar("it has been loaded or unloaded this turn")
    if facts.carrier_handled not in ("", facts.verb):
        sheet.bar("the vehicle does not both load and unload in a turn")


@clause(
    "V8.3",
    "A unit boards an unpinned vehicle or AFV of its hex, and leaves one that carries it; it does not "
    "move before the one or after the other, and its vehicle moves before or after, not both",
    kind="action",
)
def who_boards(facts: Boarding | March, sheet: Sheet) -> None:
    if isinstance(facts, March):
        if facts.aboard:
            sheet.bar("it is aboard, and moves only with what carries it")
        if facts.settled and (facts.vehicle or not is_over(facts)):  # else it must leave the hex
            sheet.bar("it has left a vehicle, or moved before it was boarded or left")
        return
    if facts.verb == "load" and facts.moved:
        sheet.bar("it has moved this turn")
    if facts.verb == "load" and (not facts.together or not facts.carrier):
        sheet.bar("no vehicle of its own side and hex")
    if facts.verb == "load" and facts.aboard:
        sheet.bar("it is aboard already")
    if facts.verb == "unload" and not facts.aboard:
        sheet.bar("it is not aboard anything")
    if facts.carrier_pinned:
        sheet.bar("the vehicle is pinned")


@clause(
    "V8.1",
    "A vehicle carries what its class says, and tows a Gun if it can",
    kind="capacity",
    composes="joint",
)
def capacity(facts: Boarding, sheet: Sheet) -> None:
    if facts.verb != "load":
        return
    squad = figure("V8.1", "squad")
    leaders = -(-facts.carries // squad)
    if facts.half_squads > facts.carries:
        sheet.bar("more than it carries, in half squads", facts.carries, facts.half_squads)
    if facts.leaders > leaders:
        sheet.bar("more leaders than it carries", leaders, facts.leaders)
    if facts.weapons > leaders:
        sheet.bar("more support weapons than it carries", leaders, facts.weapons)
    if facts.is_gun and (
        not facts.tows or facts.guns > 1 or (facts.large and facts.carries < squad)
    ):
        sheet.bar("it cannot tow the Gun")


@clause(
    "V12.2c",
    "A squad or half squad carries one light or heavy support weapon, a leader a light one",
    kind="capacity",
)
def portage(facts: Portage, sheet: Sheet) -> None:
    most = figure("V12.2c", "weapons")
    if facts.light + facts.heavy > most:
        sheet.bar("more support weapons than it carries", most, facts.light + facts.heavy)
    if facts.leader and facts.heavy:
        sheet.bar("leaders carry no heavy support weapons")


@clause(
    "V6.9",
    "At most four infantry, two heavies, or one heavy and two infantry are in a hex as a move ends",
    kind="capacity",
    composes="joint",
)
def stacking(facts: Stacked, sheet: Sheet) -> None:
    if not is_over(facts):
        return
    if facts.ends:
        sheet.bar("movement ends with the hex over its limit")
    else:
        sheet.exception("it must leave the hex at once, which is over its limit")


def is_over(facts: March | Stacked) -> bool:
    """Return whether more stands in a hex than may when movement ends."""
    heavies, infantry = figure("V6.9", "heavies"), figure("V6.9", "infantry")
    if facts.heavies:
        infantry = figure("V6.9", "beside_one") if facts.heavies == 1 else 0
    return facts.infantry > infantry or facts.heavies > heavies
