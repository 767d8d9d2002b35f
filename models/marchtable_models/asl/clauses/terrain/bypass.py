"""Bypass: round woods and buildings along their hexsides, on foot (A4.3) or in a vehicle (D2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.asl.clauses.terrain.chart import cell
from marchtable_models.asl.counterkinds import WIRE
from marchtable_models.asl.data import count

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.bypass import Detached, Linger
    from marchtable_models.asl.facts.outcomes import Ending
    from marchtable_models.asl.facts.steps import Entry
    from marchtable_models.asl.facts.units import PhaseStart, Standing
    from marchtable_models.asl.facts.vehicles import StartStop, Swing

__all__ = [
    "doubled",
    "drivable",
    "from_corner",
    "in_line",
    "in_the_obstacle",
    "longer_way",
    "no_lingering",
    "not_into",
    "obstacles_only",
    "one_on_a_hexside",
    "only_from_bypass",
    "pivot",
    "pivot_not_last_ending",
    "pivot_not_last_stopping",
    "room_on_foot",
    "room_untold",
    "wire_once",
]  # fmt: skip


@clause("A4.3a", "Bypass goes round woods and buildings only", kind="action")
def obstacles_only(facts: Entry, sheet: Sheet) -> None:
    if facts.passing and not facts.passing.obstacle:
        sheet.bar("there is no woods or building to go round")


@clause(
    "x-clear", "Bypass where the board does not tell what room the obstacle leaves", kind="action"
)
def room_untold(facts: Entry, sheet: Sheet) -> None:
    passing = facts.passing
    if passing and passing.obstacle and not passing.told and not passing.street:
        if sheet.reading("x-clear") == "unknown":
            sheet.unsupported("the board does not tell how near the obstacle stands")
        else:
            sheet.bar("the board shows no room beside the obstacle")


@clause(
    "A4.3b",
    "On foot it runs along one to four hexsides that the obstacle does not touch",
    kind="action",
)
def room_on_foot(facts: Entry, sheet: Sheet) -> None:
    passing = facts.passing
    if passing is None or facts.mover.is_vehicle:
        return
    if passing.obstacle and passing.told and not passing.hexsides:
        sheet.bar("no clear way round the obstacle leads from here to that vertex")


@clause("A4.3c", "On foot more than two hexsides cost double", kind="cost")
def longer_way(facts: Entry, sheet: Sheet) -> None:
    passing = facts.passing
    if passing and not facts.mover.is_vehicle and passing.hexsides > count("A4.3", "hexsides"):
        cost = sheet.total("cot") + sheet.total("uphill")
        sheet.charge(cost, f"{passing.hexsides} hexsides, doubled", "bypass")


@clause(
    "A4.3d",
    "From Bypass, Infantry enters the obstacle or a hex at the vertex it has reached",
    kind="action",
)
def from_corner(facts: Entry, sheet: Sheet) -> None:
    if facts.aside and facts.corner:
        sheet.bar("it is in Bypass, not on the road")
    elif facts.corner == "off":
        sheet.bar("the hex does not meet the vertex reached in Bypass")


@clause(
    "A4.3e",
    "Infantry does not end its MPh in Bypass of its own will",
    kind="action",
    composes="end",
)
def no_lingering(facts: Linger, sheet: Sheet) -> None:
    if facts.held:
        sheet.exception("it can move no farther")
    else:
        sheet.bar("the unit is in Bypass: it must go on, or into the obstacle")


@clause("A4.33", "Who is left in Bypass as the MPh ends is in the obstacle then", kind="state")
def in_the_obstacle(facts: PhaseStart, sheet: Sheet) -> None:
    if facts.in_bypass:
        sheet.force("bypass", None)


@clause("A4.3f", "Only a unit in Bypass goes on along, or into, what it bypasses", kind="action")
def only_from_bypass(facts: Detached, sheet: Sheet) -> None:
    if not (facts.waits or facts.drives or facts.goes_on):
        sheet.bar("the unit is not in Bypass")


@clause(
    "D2.33d",
    "No vehicle enters the obstacle that it bypasses: it leaves the hex and enters it again",
    kind="action",
)
def not_into(facts: Detached, sheet: Sheet) -> None:
    if facts.drives:
        sheet.bar("a vehicle does not enter the obstacle of the hex that it bypasses")


going_on = unsupported(
    "A4.31",
    "Going on in Bypass on foot round the same obstacle, where it is not told from where it has come",
    lambda facts: facts.goes_on,
)
coming_on = unsupported("A2.5e", "Coming onto the map by Bypass", lambda facts: facts.waits)


@clause("A4.3h", "On foot no Bypass round an obstacle with Wire", kind="action")
def wired(facts: Entry, sheet: Sheet) -> None:
    if facts.passing and not facts.mover.is_vehicle and "wire" in facts.there.counters:
        sheet.bar("there is Wire in the hex")


@clause(
    "A4.3i",
    "On foot no Bypass round an obstacle with a Known armed enemy at its own level",
    kind="action",
)
def held_by_enemy(facts: Entry, sheet: Sheet) -> None:
    if not facts.passing or facts.mover.is_vehicle:
        return
    if facts.there.known:
        sheet.bar("a Known armed enemy is there")
    elif facts.there.overhead and sheet.reading("A4.3i") != "location":
        sheet.bar("a Known armed enemy is upstairs in the building")
    elif facts.there.held and sheet.reading("A4.3i") == "hex":
        sheet.bar("a Known armed enemy is in another Location of the hex")


round_a_roadblock = unsupported(
    "B29.4",
    "What it costs on foot to go past a vertex in Bypass to which a roadblock reaches",
    lambda facts: (
        not facts.mover.is_vehicle
        and (facts.shut_in or (facts.passing is not None and facts.passing.roadblock != ""))
    ),
    lifts=("A4.11b",),
)

through_the_woods = unsupported(
    "A4.31b",
    "Bypass round a building through the woods about it, for their cost",
    lambda facts: facts.passing is not None and facts.passing.wooded and not facts.passing.hexsides,
    lifts=("A4.3b", "D2.3b"),
)

rail_car = unsupported(
    "B32.52",
    "Bypass round a Rail Car",
    lambda facts: facts.passing is not None and facts.ground.there.startswith("rail-car"),
    lifts=("A4.3a", "B32", "B32-wreck", "D2.31", "D2.3b", "x-clear"),
)


@clause(
    "B26.44",
    "On foot no Bypass along a hexside of a Location with Wire, on either side",
    kind="action",
)
def beside_wire(facts: Entry, sheet: Sheet) -> None:
    if not facts.passing or not facts.passing.wire:
        return
    if facts.mover.is_vehicle:
        sheet.unsupported("what a vehicle pays, and rolls, along Wire beyond its hexside")
    else:
        sheet.bar("there is Wire on the other side of that hexside")


@clause(
    "B26.44b",
    "A vehicle pays, and checks, for Wire at the first hexside alone of a hex that it bypasses",
    kind="cost",
)
def wire_once(facts: Entry, sheet: Sheet) -> None:
    if facts.passing and facts.passing.goes_on and WIRE in facts.there.counters:
        sheet.charge(-cell(WIRE, facts.mover).amount, "paid for at its first hexside", "cot")


leaving_the_map = unsupported(
    "A2.6d",
    "Leaving the map out of Bypass in a vehicle, or where no hex on the map meets that vertex",
    lambda facts: facts.ground.edge == "off" and facts.corner == "at",
    lifts=("A4.11b", "A4.11c", "D2.1b", "D2.7"),
)


@clause("A4.3j", "In Bypass no SW is recovered and no Gun hooked up or unhooked", kind="action")
def hands_full(facts: Standing, sheet: Sheet) -> None:
    if facts.in_bypass and facts.verb in ("recover", "hook", "unhook"):
        sheet.bar("the unit is in Bypass")


narrow_street = unsupported(
    "B31.11",
    "Bypass along a Narrow Street: one lane, half the MP, on foot the road bonus, SMOKE on either side",
    lambda facts: facts.passing is not None and facts.passing.obstacle and facts.passing.street,
)


@clause("C10.1e", "A vehicle that tows a Gun makes no Bypass", kind="action")
def while_towing(facts: Entry, sheet: Sheet) -> None:
    if facts.passing and facts.mover.towing:
        sheet.bar("it tows a Gun")


@clause("D2.3a", "A vehicle pays double for each hexside it goes along", kind="cost")
def doubled(facts: Entry, sheet: Sheet) -> None:
    if facts.passing and facts.mover.is_vehicle:
        cost = sheet.total("cot") + sheet.total("uphill")
        sheet.charge((count("D2.3", "times") - 1) * cost, "Bypass, doubled", "bypass")


@clause("D2.3b", "A vehicle needs a hexside clear for the width of a counter's edge", kind="action")
def drivable(facts: Entry, sheet: Sheet) -> None:
    passing = facts.passing
    if passing is None or not facts.mover.is_vehicle or not passing.in_line:
        return
    if passing.obstacle and passing.told and not passing.hexsides:
        sheet.bar("the obstacle leaves no room along that hexside")


@clause(
    "D2.3c", "No vehicle goes along a hexside with another, or a wreck, in Bypass", kind="action"
)
def one_on_a_hexside(facts: Entry, sheet: Sheet) -> None:
    if facts.passing and facts.passing.taken:
        sheet.bar("a vehicle or wreck is in Bypass along that hexside")


@clause(
    "D2.3d",
    "No vehicle goes along a hexside that a roadblock lies on, nor round a vertex that one reaches",
    kind="action",
)
def past_a_roadblock(facts: Entry, sheet: Sheet) -> None:
    if not facts.mover.is_vehicle:
        return
    if facts.passing is None:
        if facts.shut_in and sheet.reading("D2.3d") != "own":
            sheet.bar("a roadblock reaches to the vertex at which it stands")
        return
    met = facts.passing.roadblock
    barring = {"own": ("on",), "through": ("on", "past"), "meets": ("on", "past", "near")}
    if met and met in barring[sheet.reading("D2.3d")]:
        sheet.bar("a roadblock lies on that hexside, or reaches to it")


@clause("D2.31", "A vehicle goes along the hexside that its VCA points along", kind="action")
def in_line(facts: Entry, sheet: Sheet) -> None:
    if facts.passing and not facts.passing.in_line:
        sheet.bar("its VCA points along no hexside of that hex, or a vertex is named")


@clause(
    "D2.33a",
    "In Bypass a VCA changes once at a vertex (in Reverse the rear one), by one hexspine either way",
    kind="action",
)
def pivot(facts: Swing, sheet: Sheet) -> None:
    if facts.pivoted:
        sheet.bar("it has changed its VCA at this vertex")


@clause(
    "D2.33b",
    "A VCA change in Bypass is not the end of a vehicle's MPh",
    kind="action",
    composes="end",
)
def pivot_not_last_ending(facts: Ending, sheet: Sheet) -> None:
    if facts.pivoted:
        sheet.bar("it must move on after its VCA change")


@clause(
    "D2.33c", "A vehicle does not stop upon a VCA change in Bypass", kind="action", composes="end"
)
def pivot_not_last_stopping(facts: StartStop, sheet: Sheet) -> None:
    if facts.pivoted:
        sheet.bar("it must move on after its VCA change")
