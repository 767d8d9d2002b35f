"""Convoys (E11.1 to E11.4): what their vehicles pay, and how they may move."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.lines import Formation, LineEnd, Lineup, Link
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import Standing

OPEN = ("impulse", "leave", "join", "set-out", "end", "form", "task-check", "hatch", "esb")
"""What is no move: a crew buttons up or becomes CE, or asks more of its engine, for no MP."""
AT_REST = ("delay", "unload", "load", "hook", "unhook")
"""What else a vehicle of a line could spend MP on in an Impulse (D14.31)."""


@clause("E11.1a", kind="action", composes="joint")
def convoy_line(facts: Formation | Link | Lineup, sheet: Sheet) -> None:
    """A Convoy is two or more motorized vehicles, set up one per hex in a line without a Gap."""
    if isinstance(facts, Link):
        if facts.early:
            sheet.bar("off the map, too, it stands a hex behind the vehicle ahead")
    elif isinstance(facts, Lineup):
        if facts.crowded and sheet.reading("E11.1a") == "always":
            sheet.bar("two of the Convoy's vehicles would stand in one hex")
    elif facts.kind == "convoy":
        _stands_in_line(facts, sheet)


def _stands_in_line(facts: Formation, sheet: Sheet) -> None:
    if facts.misfits or facts.members < count("E11.1", "members"):
        sheet.bar("a Convoy is two or more motorized vehicles")
    if facts.gapes:
        sheet.bar("there is a Gap in the Convoy's line")
    if facts.overtaken:
        sheet.bar("a vehicle of it waits off the map, and one behind it is on it")
    if facts.ranks < facts.members:
        sheet.bar("two of its vehicles have the same place (rank) in the Convoy's line")
    if facts.stuck:
        sheet.bar("a bogged or immobile vehicle is in no Convoy: a Gap is where it stands")
    if facts.most > 1 and (facts.fresh or sheet.reading("E11.1a") == "always"):
        sheet.bar("a Convoy's vehicles stand one per hex")


@clause("E11.2m", kind="action")
def only_by_impulses(facts: Standing, sheet: Sheet) -> None:
    """A vehicle of a Convoy makes no move of its own."""
    if facts.line == "convoy" and facts.verb in AT_REST:
        sheet.unsupported(f"a Convoy vehicle that spends its MP on {facts.verb}, as Impulses do")
    elif facts.line == "convoy" and facts.verb not in OPEN:
        sheet.bar("the unit belongs to a convoy, which moves by Impulses")


@clause("D14.31", kind="action")
def platoon_by_impulses(facts: Standing, sheet: Sheet) -> None:
    """An AFV of a platoon makes no move of its own."""
    if facts.line != "platoon" or facts.verb == "exit":  # see A2.6e
        return
    if facts.verb in AT_REST:
        sheet.unsupported(f"an AFV of a platoon that spends its MP on {facts.verb}, as Impulses do")
    elif facts.verb not in OPEN:
        sheet.bar("the unit belongs to a platoon, which moves by Impulses")


@clause("E11.24a", kind="state")
def motion_as_one(facts: LineEnd | Formation, sheet: Sheet) -> None:
    """A Convoy is in Motion with all its vehicles or with none."""
    if not isinstance(facts, LineEnd):
        if facts.kind == "convoy" and facts.fresh and 0 < facts.moving < facts.members:
            sheet.bar("between its MPhs all of a Convoy's vehicles are in Motion (moving), or none",
                      facts.members, facts.moving)  # fmt: skip
    elif 0 < facts.moving < facts.members:
        sheet.bar("some of the Convoy's vehicles would end in Motion, not all", facts.members,
                  facts.moving)  # fmt: skip


@clause("E11.253", kind="effect")
def recalled_leaves(facts: Lineup, sheet: Sheet) -> None:
    """A Recalled vehicle leaves its Convoy before the next Impulse."""
    if facts.kind == "convoy" and facts.recalled:
        sheet.bar("a vehicle of the Convoy is Recalled and must leave first")


@clause("E11.2b", kind="cost")
def extra_mp(facts: Entry, sheet: Sheet) -> None:
    """A Convoy vehicle pays 1 MP more for each hex it enters."""
    if facts.convoy and not facts.passing:
        sheet.charge(halves("E11.2", "each_hex"), "Convoy", "tow")  # as if towing


@clause("E11.2j", kind="cost")
def extra_mp_in_bypass(facts: Entry, sheet: Sheet) -> None:
    """In Bypass a Convoy vehicle pays that MP for each hexside."""
    if facts.convoy and facts.passing:
        sheet.charge(halves("E11.2", "each_hex"), "Convoy, a hexside", "tow")


@clause("E11.2c", kind="cost")
def road_rate(facts: Entry, sheet: Sheet) -> None:
    """The road rate of a Convoy vehicle is at least 1 MP."""
    if facts.convoy and facts.way == "road" and not facts.on_soft_road:
        bu = facts.mover.afv and facts.mover.bu
        rate = halves("D2.16", "road") if bu else halves("B3.4", "vehicle")
        sheet.charge(max(0, halves("E11.2", "road") - rate), "road hexside, in Convoy", "convoy")


@clause("E11.2l", kind="cost")
def road_rate_in_snow(facts: Entry, sheet: Sheet) -> None:
    """In Ground Snow that rate is more if a vehicle of the Convoy has no tracks."""
    if facts.convoy and facts.way == "road" and facts.weather.snow == "ground" and facts.mixed:
        more = halves("E11.2l", "road") - halves("E11.2", "road")
        if sheet.reading("E11.2l") == "in-all":
            more -= halves("E11.2", "each_hex")
        sheet.charge(more, "road hexside, in Convoy and Ground Snow", "convoy")


@clause("E11.23a", kind="cost")
def vehicles_twice(facts: Entry, sheet: Sheet) -> None:
    """A Convoy vehicle pays twice for vehicles and wrecks in the hex."""
    if facts.convoy:
        more = count("E11.23", "times") - 1
        sheet.charge(more * sheet.total("vehicles"), "vehicles there, in Convoy", "vehicles")


@clause("E11.23c", kind="cost")
def beside_a_convoy(facts: Entry, sheet: Sheet) -> None:
    """Who enters the Location of a Convoy vehicle pays twice for vehicles there."""
    if facts.mover.is_vehicle and facts.there.convoy:
        more = count("E11.23", "times") - 1
        sheet.charge(more * sheet.total("vehicles"), "a Convoy vehicle there", "vehicles")


@clause("E11.22b", kind="action")
def straight_back(facts: Entry, sheet: Sheet) -> None:
    """A Convoy vehicle does not go straight back to the hex it came from."""
    if facts.convoy and facts.back:
        sheet.bar("the vehicle has just come from there")
