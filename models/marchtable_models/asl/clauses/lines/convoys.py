"""Convoys (E11.1 to E11.4): what their vehicles pay, and how they may move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.lines import Joined, LineEnd, Lineup, Link

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.lines import Formation
    from marchtable_models.asl.facts.steps import Entry
    from marchtable_models.asl.facts.units import Standing
    from marchtable_models.asl.facts.vehicles import StartStop

__all__ = [
    "beside_a_convoy", "convoy_line",
    "extra_mp",
    "extra_mp_in_bypass",
    "motion_as_one",
    "no_start_after_stop",
    "only_by_impulses",
    "platoon_by_impulses",
    "recalled_leaves",
    "road_rate",
    "road_rate_in_snow",
    "straight_back",
    "vehicles_twice",
]  # fmt: skip

OPEN = ("impulse", "leave", "join", "set-out", "end", "form", "task-check", "hatch", "esb")
"""What is no move: a crew buttons up or becomes CE, or asks more of its engine, for no MP."""
AT_REST = ("delay", "unload", "load", "hook", "unhook")
"""What else a vehicle of a line could spend MP on in an Impulse (D14.31)."""


@clause(
    "E11.1a",
    "A Convoy is two or more motorized vehicles, set up one per hex in a line without a Gap",
    kind="action",
    composes="joint",
)
def convoy_line(facts: Formation | Link | Lineup, sheet: Sheet) -> None:
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


@clause("E11.2m", "A vehicle of a Convoy makes no move of its own", kind="action")
def only_by_impulses(facts: Standing, sheet: Sheet) -> None:
    if facts.line == "convoy" and facts.verb in AT_REST:
        sheet.unsupported(f"a Convoy vehicle that spends its MP on {facts.verb}, as Impulses do")
    elif facts.line == "convoy" and facts.verb not in OPEN:
        sheet.bar("the unit belongs to a convoy, which moves by Impulses")


@clause("D14.31", "An AFV of a platoon makes no move of its own", kind="action")
def platoon_by_impulses(facts: Standing, sheet: Sheet) -> None:
    if facts.line != "platoon" or facts.verb == "exit":  # see A2.6e
        return
    if facts.verb in AT_REST:
        sheet.unsupported(f"an AFV of a platoon that spends its MP on {facts.verb}, as Impulses do")
    elif facts.verb not in OPEN:
        sheet.bar("the unit belongs to a platoon, which moves by Impulses")


@clause(
    "E11.2d",
    "Once a Convoy has spent a Stop MP, none of its vehicles starts in that MPh",
    kind="action",
)
def no_start_after_stop(facts: StartStop | Joined | Lineup, sheet: Sheet) -> None:
    if isinstance(facts, Joined):
        if facts.halted:
            sheet.force("halted", value=True)
    elif isinstance(facts, Lineup):
        if facts.restarts:
            sheet.bar(
                "a vehicle starts after another has spent a Stop MP (first= tells who acts first)"
            )
    elif facts.verb == "start" and facts.halted:
        bound = facts.convoy
        if facts.from_convoy:
            bound = sheet.reading("E11.2d") == "leavers-too"
        if bound:
            sheet.bar("the Convoy has spent a Stop MP this MPh")


@clause("E11.24a", "A Convoy is in Motion with all its vehicles or with none", kind="state")
def motion_as_one(facts: LineEnd | Formation, sheet: Sheet) -> None:
    if not isinstance(facts, LineEnd):
        if facts.kind == "convoy" and facts.fresh and 0 < facts.moving < facts.members:
            sheet.bar("between its MPhs all of a Convoy's vehicles are in Motion (moving), or none",
                      facts.members, facts.moving)  # fmt: skip
    elif 0 < facts.moving < facts.members:
        sheet.bar("some of the Convoy's vehicles would end in Motion, not all", facts.members,
                  facts.moving)  # fmt: skip


@clause("E11.253", "A Recalled vehicle leaves its Convoy before the next Impulse", kind="effect")
def recalled_leaves(facts: Lineup, sheet: Sheet) -> None:
    if facts.kind == "convoy" and facts.recalled:
        sheet.bar("a vehicle of the Convoy is Recalled and must leave first")


@clause("E11.2b", "A Convoy vehicle pays 1 MP more for each hex it enters", kind="cost")
def extra_mp(facts: Entry, sheet: Sheet) -> None:
    if facts.convoy and not facts.passing:
        sheet.charge(halves("E11.2", "each_hex"), "Convoy", "tow")  # as if towing


@clause("E11.2j", "In Bypass a Convoy vehicle pays that MP for each hexside", kind="cost")
def extra_mp_in_bypass(facts: Entry, sheet: Sheet) -> None:
    if facts.convoy and facts.passing:
        sheet.charge(halves("E11.2", "each_hex"), "Convoy, a hexside", "tow")


@clause("E11.2c", "The road rate of a Convoy vehicle is at least 1 MP", kind="cost")
def road_rate(facts: Entry, sheet: Sheet) -> None:
    if facts.convoy and facts.way == "road" and not facts.on_soft_road:
        bu = facts.mover.afv and facts.mover.bu
        rate = halves("D2.16", "road") if bu else halves("B3.4", "vehicle")
        sheet.charge(max(0, halves("E11.2", "road") - rate), "road hexside, in Convoy", "convoy")


@clause(
    "E11.2l",
    "In Ground Snow that rate is more if a vehicle of the Convoy has no tracks",
    kind="cost",
)
def road_rate_in_snow(facts: Entry, sheet: Sheet) -> None:
    if facts.convoy and facts.way == "road" and facts.weather.snow == "ground" and facts.mixed:
        more = halves("E11.2l", "road") - halves("E11.2", "road")
        if sheet.reading("E11.2l") == "in-all":
            more -= halves("E11.2", "each_hex")
        sheet.charge(more, "road hexside, in Convoy and Ground Snow", "convoy")


@clause("E11.23a", "A Convoy vehicle pays twice for vehicles and wrecks in the hex", kind="cost")
def vehicles_twice(facts: Entry, sheet: Sheet) -> None:
    if facts.convoy:
        more = count("E11.23", "times") - 1
        sheet.charge(more * sheet.total("vehicles"), "vehicles there, in Convoy", "vehicles")


@clause(
    "E11.23c",
    "Who enters the Location of a Convoy vehicle pays twice for vehicles there",
    kind="cost",
)
def beside_a_convoy(facts: Entry, sheet: Sheet) -> None:
    if facts.mover.is_vehicle and facts.there.convoy:
        more = count("E11.23", "times") - 1
        sheet.charge(more * sheet.total("vehicles"), "a Convoy vehicle there", "vehicles")


@clause(
    "E11.22b", "A Convoy vehicle does not go straight back to the hex it came from", kind="action"
)
def straight_back(facts: Entry, sheet: Sheet) -> None:
    if facts.convoy and facts.back:
        sheet.bar("the vehicle has just come from there")
