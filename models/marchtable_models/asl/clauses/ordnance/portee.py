"""Guns en portee (C10.5): loaded onto a vehicle by their crew, carried and unloaded."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.data import halves
from marchtable_models.asl.facts.portee import Portee
from marchtable_models.asl.facts.transport import Hitch, Hold


@clause("C10.5a", kind="action")
def noted(facts: Portee, sheet: Sheet) -> None:
    """A vehicle noted for its caliber carries a Gun en portee, and tows none then."""
    if facts.part != "vehicle":
        return
    if not facts.gun:
        sheet.bar("there is no Gun of its side in the vehicle's Location, or it is in tow")
    elif not facts.unloads and not facts.noted:
        sheet.bar("the vehicle is not noted for a Gun of its caliber: `portee` tells it")
    if facts.tows and not facts.unloads:
        sheet.bar("the vehicle has another Gun")


@clause("C10.5b", kind="capacity")
def room(facts: Hold, sheet: Sheet) -> None:
    """A Gun en portee leaves 5 PP for Passengers."""
    if facts.laden:
        sheet.charge(min(0, halves("C10.5", "pp") - 2 * facts.pp), "a Gun en portee", "room")


@clause("C10.5c", kind="action")
def not_unhooked(facts: Hitch, sheet: Sheet) -> None:
    """A Gun en portee is not unhooked, but unloaded."""
    if facts.laden:
        sheet.bar("the Gun is en portee: `portee` unloads it")


@clause("C10.51", kind="action")
def by_whom(facts: Portee, sheet: Sheet) -> None:
    """A crew on foot there, in Good Order and in no entrenchment, loads and unloads it."""
    if facts.part == "crew" and not facts.crew:
        sheet.bar("it is no crew on foot in the Location")
    elif facts.part == "crew" and not facts.fit:
        sheet.bar("the crew is not in Good Order, or pinned")


@clause("C10.51b", kind="action")
def nothing_spent(facts: Portee, sheet: Sheet) -> None:
    """Its vehicle stands still, in no Bypass, and has spent no MP in that MPh."""
    if facts.part != "vehicle":
        return
    if not facts.halted:
        sheet.bar("the vehicle has not stopped, or is in Bypass")
    if facts.spent:
        sheet.bar("the vehicle has spent MP", 0, facts.spent, halves=True, points="MP")


@clause("C10.51c", kind="action")
def limbered(facts: Portee, sheet: Sheet) -> None:
    """A Gun that is not quick to set up is loaded limbered."""
    if facts.part == "gun" and facts.gun and not facts.ready:
        sheet.bar("the Gun is not limbered")


@clause("C10.51d", kind="cost", composes="end")
def all_mf(facts: Portee, sheet: Sheet) -> None:
    """It takes all MF of the crew, by Hazardous Movement."""
    if facts.part != "crew":
        return
    if facts.used:
        sheet.bar("the crew has spent MF", 0, facts.used, halves=True, points="MF")
    sheet.charge(facts.mf - facts.used, "a Gun en portee", "portee")
    sheet.force("hazardous", "en-portee")


@clause("C10.51e", kind="effect")
def all_ti(facts: Portee, sheet: Sheet) -> None:
    """Crew and vehicle are TI then, and their MPh is over."""
    if facts.part != "gun":
        sheet.force("ti", value=True)
        sheet.force("mph", "done")
