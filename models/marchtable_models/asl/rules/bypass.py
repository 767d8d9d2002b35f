"""Bypass: around woods and buildings along hexsides, on foot (A4.3) or in a vehicle (D2.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import clause, not_modelled
from marchtable.rules.view import read
from marchtable_models.asl.counterkinds import WIRE
from marchtable_models.asl.data import count
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_mph_over, at_phase
from marchtable_models.asl.rules.mph_end import Ending
from marchtable_models.asl.views.bypass_facts import Detached
from marchtable_models.asl.views.chart import cell
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.standing import Standing
from marchtable_models.asl.views.unitkinds import type_of
from marchtable_models.asl.views.vehicle_facts import StartStop, Swing


class Linger(Facts, frozen=True, gc=False):
    """A unit on foot about to end its MPh in Bypass, and whether it has any choice."""

    held: bool


@at_mph_over
def lingering_facts(position: AslPosition, units: Sequence[AslUnit]) -> Iterator[Case]:
    """Yield the facts of units on foot that end their MPh in Bypass."""
    for unit in units:
        if unit.place.bypass is not None and type_of(position, unit).is_personnel:
            yield about(unit, lingering(unit))


def lingering(unit: AslUnit) -> Linger:
    """Return the facts of a unit on foot that would end its MPh in Bypass."""
    return Linger(held=unit.status.pinned or unit.status.broken)


class LeftInBypass(Facts, frozen=True, gc=False):
    """A unit on foot or on horseback, in Bypass as a phase begins."""


@at_phase
def phase_facts(_: AslPosition, unit: AslUnit) -> LeftInBypass | None:
    """Return the facts of a unit on foot or on horseback in Bypass."""
    left = unit.place.bypass is not None and unit.facing is None
    return LeftInBypass() if left else None


class RoundObstacle(Entry):
    """An entry in Bypass, or out of it."""

    is_relevant = property(lambda self: bool(self.corner or self.passing or self.shut_in))


@clause("A4.3a", kind="action")
def obstacles_only(facts: RoundObstacle, sheet: Sheet) -> None:
    """Only woods and buildings can be bypassed."""
    if facts.passing and not facts.passing.obstacle:
        sheet.bar("there are no woods or buildings to bypass")


@clause("x-clear", kind="action")
def room_unstated(facts: RoundObstacle, sheet: Sheet) -> None:
    """Bypass if the board does not state the clearance around the obstacle."""
    passing = facts.passing
    if passing and passing.obstacle and not passing.stated and not passing.street:
        if sheet.reading("x-clear") == "unknown":
            sheet.unsupported("the board does not state the obstacle's clearance")
        else:
            sheet.bar("the board shows no room beside the obstacle")


@clause("A4.3b", kind="action")
def room_on_foot(facts: RoundObstacle, sheet: Sheet) -> None:
    """Infantry Bypass uses one to four hexsides that the obstacle does not touch."""
    passing = facts.passing
    if passing is None or facts.mover.is_vehicle:
        return
    if passing.obstacle and passing.stated and not passing.hexsides:
        sheet.bar(
            "no clear way around the obstacle leads to the `vertex` named; `options` lists others"
        )


@clause("A4.3c", kind="cost")
def longer_way(facts: RoundObstacle, sheet: Sheet) -> None:
    """Infantry Bypass of more than two hexsides costs double."""
    passing = facts.passing
    if passing and not facts.mover.is_vehicle and passing.hexsides > count("A4.3", "hexsides"):
        cost = sheet.total("cot") + sheet.total("uphill")
        sheet.charge(cost, f"{passing.hexsides} hexsides, doubled", "bypass")


@clause("A4.3d", kind="action")
def from_corner(facts: RoundObstacle, sheet: Sheet) -> None:
    """From Bypass, Infantry enters the obstacle or a hex at the vertex it has reached."""
    if facts.aside and facts.corner:
        sheet.bar("it is in Bypass, not on the road")
    elif facts.corner == "off":
        sheet.bar("the hex does not touch the vertex reached in Bypass")


@clause("A4.3e", kind="action", composes="end")
def no_lingering(facts: Linger, sheet: Sheet) -> None:
    """Infantry does not end its MPh in Bypass by choice."""
    if facts.held:
        sheet.exception("the unit left in Bypass can move no farther")
    else:
        sheet.bar("the unit is in Bypass: it must go on, or into the obstacle")


@clause("A4.33", kind="state")
def in_the_obstacle(_: LeftInBypass, sheet: Sheet) -> None:
    """A unit left in Bypass as the MPh ends is then in the obstacle."""
    sheet.force("bypass", None)


@clause("A4.3f", kind="action")
def only_from_bypass(facts: Detached, sheet: Sheet) -> None:
    """Only a unit in Bypass continues along, or into, what it bypasses."""
    if not (facts.waits or facts.drives or facts.goes_on):
        sheet.bar("the unit is not in Bypass")


@clause("D2.33d", kind="action")
def not_into(facts: Detached, sheet: Sheet) -> None:
    """A vehicle cannot enter the obstacle it bypasses: it leaves the hex and enters it anew."""
    if facts.drives:
        sheet.bar("a vehicle cannot enter the obstacle it bypasses")


@not_modelled("A4.31")
def going_on(facts: Detached) -> bool:
    """Continuing Bypass on foot around the same obstacle, if the unit's way there is unknown."""
    return facts.goes_on


@not_modelled("A2.5e")
def coming_on(facts: Detached) -> bool:
    """Coming onto the map by Bypass."""
    return facts.waits


@clause("A4.3h", kind="action")
def wired(facts: RoundObstacle, sheet: Sheet) -> None:
    """Infantry cannot bypass an obstacle with Wire."""
    if facts.passing and not facts.mover.is_vehicle and "wire" in facts.there.counters:
        sheet.bar("there is Wire in the hex")


@clause("A4.3i", kind="action")
def held_by_enemy(facts: RoundObstacle, sheet: Sheet) -> None:
    """Infantry cannot bypass an obstacle with a Known armed enemy at its own level."""
    if not facts.passing or facts.mover.is_vehicle:
        return
    if facts.there.known:
        sheet.bar("a Known armed enemy is there")
    elif facts.there.overhead and sheet.reading("A4.3i") != "location":
        sheet.bar("a Known armed enemy is upstairs in the building")
    elif facts.there.held and sheet.reading("A4.3i") == "hex":
        sheet.bar("a Known armed enemy is in another Location of the hex")


@not_modelled("B29.4", lifts=("A4.11b",))
def round_a_roadblock(facts: RoundObstacle) -> bool:
    """The cost on foot of passing, in Bypass, a vertex that a roadblock reaches."""
    return not facts.mover.is_vehicle and (
        facts.shut_in or (facts.passing is not None and facts.passing.roadblock != "")
    )


@not_modelled("A4.31b", lifts=("A4.3b", "D2.3b"))
def through_the_woods(facts: RoundObstacle) -> bool:
    """Bypass of a building through the woods around it, for their cost."""
    return facts.passing is not None and facts.passing.wooded and not facts.passing.hexsides


@not_modelled("B32.52", lifts=("A4.3a", "B32", "B32-wreck", "D2.31", "D2.3b", "x-clear"))
def rail_car(facts: RoundObstacle) -> bool:
    """Bypass of a Rail Car."""
    return facts.passing is not None and facts.ground.there.startswith("rail-car")


@clause("B26.44", kind="action")
def beside_wire(facts: RoundObstacle, sheet: Sheet) -> None:
    """Infantry cannot bypass along a hexside of a Location with Wire, on either side."""
    if not facts.passing or not facts.passing.wire:
        return
    if facts.mover.is_vehicle:
        sheet.unsupported(
            "what a vehicle pays and rolls for Bypass along Wire on the other side of its hexside"
        )
    else:
        sheet.bar("there is Wire on the other side of that hexside")


@clause("B26.44b", kind="cost")
def wire_once(facts: RoundObstacle, sheet: Sheet) -> None:
    """A vehicle pays and checks for Wire only at the first hexside of a hex it bypasses."""
    if facts.passing and facts.passing.goes_on and WIRE in facts.there.counters:
        sheet.charge(-cell(WIRE, facts.mover).amount, "paid for at its first hexside", "cot")


@not_modelled("A2.6d", lifts=("A4.11b", "A4.11c", "D2.1b", "D2.7"))
def leaving_the_map(facts: RoundObstacle) -> bool:
    """Leaving the map in Bypass in a vehicle, or where no hex on the map meets that vertex."""
    return facts.ground.edge == "off" and facts.corner == "at"


class ActsInBypass(Standing):
    """A unit in Bypass about to act."""

    in_bypass: bool = read(lambda actor: actor.unit.place.bypass is not None)

    is_relevant = property(lambda self: self.in_bypass)


@clause("A4.3j", kind="action")
def hands_full(facts: ActsInBypass, sheet: Sheet) -> None:
    """In Bypass a unit cannot recover SW, nor hook up or unhook a Gun."""
    if facts.in_bypass and facts.verb in ("recover", "hook", "unhook"):
        sheet.bar("the unit is in Bypass")


@not_modelled("B31.11")
def narrow_street(facts: RoundObstacle) -> bool:
    """Bypass along a Narrow Street: one lane, half MP, road bonus on foot, SMOKE on both sides."""
    return facts.passing is not None and facts.passing.obstacle and facts.passing.street


@clause("C10.1e", kind="action")
def while_towing(facts: RoundObstacle, sheet: Sheet) -> None:
    """A vehicle towing a Gun cannot use Bypass."""
    if facts.passing and facts.mover.towing:
        sheet.bar("it tows a Gun")


@clause("D2.3a", kind="cost")
def doubled(facts: RoundObstacle, sheet: Sheet) -> None:
    """A vehicle pays double for each hexside it bypasses along."""
    if facts.passing and facts.mover.is_vehicle:
        cost = sheet.total("cot") + sheet.total("uphill")
        sheet.charge((count("D2.3", "times") - 1) * cost, "Bypass, doubled", "bypass")


@clause("D2.3b", kind="action")
def drivable(facts: RoundObstacle, sheet: Sheet) -> None:
    """A vehicle needs a hexside clear by the width of a counter's edge."""
    passing = facts.passing
    if passing is None or not facts.mover.is_vehicle or not passing.in_line:
        return
    if passing.obstacle and passing.stated and not passing.hexsides:
        sheet.bar("the obstacle leaves no room along that hexside")


@clause("D2.3c", kind="action")
def one_on_a_hexside(facts: RoundObstacle, sheet: Sheet) -> None:
    """A vehicle cannot bypass along a hexside that holds another vehicle or wreck in Bypass."""
    if facts.passing and facts.passing.taken:
        sheet.bar("a vehicle or wreck is in Bypass along that hexside")


@clause("D2.3d", kind="action")
def past_a_roadblock(facts: RoundObstacle, sheet: Sheet) -> None:
    """A vehicle cannot bypass along a roadblock's hexside, nor around a vertex that one reaches."""
    if not facts.mover.is_vehicle:
        return
    if facts.passing is None:
        if facts.shut_in and sheet.reading("D2.3d") != "own":
            sheet.bar("a roadblock reaches its vertex")
        return
    met = facts.passing.roadblock
    barring = {"own": ("on",), "through": ("on", "past"), "meets": ("on", "past", "near")}
    if met and met in barring[sheet.reading("D2.3d")]:
        sheet.bar("a roadblock lies on or reaches that hexside")


@clause("D2.31", kind="action")
def in_line(facts: RoundObstacle, sheet: Sheet) -> None:
    """A vehicle bypasses along the hexside that its VCA points along."""
    if facts.passing and not facts.passing.in_line:
        sheet.bar("its VCA does not point along a hexside of that hex, or a vertex is named")


@clause("D2.33a", kind="action")
def pivot(facts: Swing, sheet: Sheet) -> None:
    """In Bypass a VCA changes once per vertex (the rear one in Reverse), by a hexspine each way."""
    if facts.pivoted:
        sheet.bar("it has changed its VCA at this vertex")


@clause("D2.33b", kind="action", composes="end")
def pivot_not_last_ending(facts: Ending, sheet: Sheet) -> None:
    """A vehicle does not end its MPh on a VCA change in Bypass."""
    if facts.pivoted:
        sheet.bar("it must move on after its VCA change")


@clause("D2.33c", kind="action", composes="end")
def pivot_not_last_stopping(facts: StartStop, sheet: Sheet) -> None:
    """A vehicle does not stop on a VCA change in Bypass."""
    if facts.pivoted:
        sheet.bar("it must move on after its VCA change")
