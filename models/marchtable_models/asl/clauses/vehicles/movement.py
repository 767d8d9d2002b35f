"""Vehicle movement (D2): VCA, Start and Stop, other vehicles in the hex, paying MP."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.clauses.terrain.chart import cells, least_share, row_named
from marchtable_models.asl.clauses.terrain.works import in_a_gully
from marchtable_models.asl.data import halves
from marchtable_models.asl.facts.outcomes import Ending
from marchtable_models.asl.facts.spending import Allowance, Payment
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import NextHex
from marchtable_models.asl.facts.vehicles import StartStop, Swing


@clause("D2.11a", kind="cost")
def turn(facts: Swing, sheet: Sheet) -> None:
    """A VCA change costs 1 MP a hexspine, 2 in woods or a building."""
    if not facts.mover.is_vehicle:
        return
    in_obstacle = any(row_named(row).hard_turn for row in facts.ground.rows)
    if in_obstacle and facts.ground.road_here and not facts.off_road and facts.across_road:
        in_obstacle = sheet.reading("D2.11a") == "two"
    figure = "in_obstacle" if in_obstacle else "spine"
    sheet.charge(halves("D2.11", figure), "VCA change", "vca")


@not_modelled("x-turn")
def turn_in_strange_terrain(facts: Swing) -> bool:
    """A VCA change in terrain that no row of the chart covers."""
    return any(not row_named(row).modelled for row in facts.ground.rows)


@clause("D2.11b", kind="action")
def turn_one_spine(facts: Swing, sheet: Sheet) -> None:
    """Only a vehicle changes its VCA, one hexspine at a time."""
    if not facts.mover.is_vehicle:
        sheet.bar("only a vehicle has a VCA")
    elif facts.steps != 1:
        sheet.bar("a VCA change is one hexspine at a time", 1, facts.steps)


@clause("D2.12c", kind="action", composes="flag")
def turn_after_start(facts: Swing, sheet: Sheet) -> None:
    """A stopped vehicle must start before it changes its VCA; one that waits off the map is in Motion."""
    must = facts.mover.is_vehicle and facts.mover.column != "hd"
    if facts.coming:
        sheet.force("moving", value=True)
    if must and not facts.moving and sheet.reading("D2.12c") == "started":
        sheet.bar("the vehicle is stopped and has not started")


@clause("D2.11c", kind="action")
def enter_within_vca(facts: Entry, sheet: Sheet) -> None:
    """A vehicle enters only the two hexes its VCA points between."""
    if facts.mover.is_vehicle and not facts.reverse and not facts.ahead:
        sheet.bar("the hex lies outside the vehicle's VCA")


@clause("D2.12a", kind="cost", composes="start")
def start(facts: StartStop, sheet: Sheet) -> None:
    """Starting costs 1 MP."""
    if facts.verb == "start":
        if facts.moving or not facts.is_vehicle:
            sheet.bar("only a stopped vehicle starts")
        sheet.charge(halves("D2.12", "start"), "Start", "start")


@clause("D2.12b", kind="action", composes="flag")
def must_be_started(facts: Entry, sheet: Sheet) -> None:
    """A stopped vehicle starts before it enters a hex; one that comes on need not, and moves then."""
    if not facts.mover.is_vehicle or facts.moving or facts.mover.column == "hd":
        return
    if facts.ground.edge == "on":
        sheet.exception("it comes on from off the map")
        sheet.force("moving", value=True)
    else:
        sheet.bar("the vehicle is stopped and has not started")


@clause("D2.13", kind="cost", composes="end")
def stop(facts: StartStop, sheet: Sheet) -> None:
    """Stopping costs 1 MP."""
    if facts.verb != "stop":
        return
    if not facts.moving or not facts.is_vehicle:
        sheet.bar("only a moving vehicle stops")
    if facts.final == "all":
        sheet.exception("its MP was kept out of the entry for the whole allotment (D2.7)")
    else:
        sheet.charge(halves("D2.13", "stop"), "Stop", "stop")


@clause("D2.14", kind="cost")
def vehicles_there(facts: Entry, sheet: Sheet) -> None:
    """Each vehicle or wreck in the hex costs 1 MP more, doubled by road and in some terrain."""
    if facts.mover.is_vehicle and facts.mover.column != "mc" and facts.there.vehicles:
        amount = halves("D2.14", "each") * facts.there.vehicles
        if facts.way == "road" and not facts.on_soft_road:
            amount *= halves("D2.14", "by_road") // 2
        if any("D" in found.marks for _, found in cells(facts)):
            amount *= halves("D2.14", "doubled_terrain") // 2
        sheet.charge(amount, f"{facts.there.vehicles} vehicle(s) or wreck(s) there", "vehicles")


@clause("B13.42", kind="action")
def half_entry(facts: Entry, sheet: Sheet) -> None:
    """A second way in, such as that of fully-tracked vehicles into woods, is there where the chart says so."""
    if facts.half and not has_second_way(facts):
        sheet.bar("the chart gives no second way into that terrain")


def has_second_way(facts: Entry) -> bool:
    """Return whether the chart gives a mover a second way into the terrain."""
    column = facts.mover.column
    if column == "inf" and in_a_gully(facts):
        return True
    return not facts.way and any(column in row.second for row, _ in cells(facts))


@clause("B23.41", kind="action")
def building_entry(facts: Entry, sheet: Sheet) -> None:
    """Only a closed-topped, BU, fully-tracked AFV enters a building."""
    mover = facts.mover
    if (
        not facts.way
        and mover.column == "ft"
        and any(row.closed for row, _ in cells(facts))
        and not (mover.afv and mover.bu and not mover.open_topped)
    ):
        sheet.bar("only a closed-topped AFV that is buttoned up enters a building")


@clause("B37.3", kind="action")
def debris_entry(facts: Entry, sheet: Sheet) -> None:
    """Of vehicles only fully-tracked AFV enter debris."""
    mover = facts.mover
    unarmored = mover.is_vehicle and not (facts.way or mover.afv)
    if unarmored and any(row.only_afv for row, _ in cells(facts)):
        sheet.bar("of vehicles only a fully-tracked AFV enters debris")


@clause("D5.3", kind="action")
def leaves_building_shut(facts: Entry, sheet: Sheet) -> None:
    """An AFV leaves a building, but along its road or inside a factory, only if BU."""
    mover, ground = facts.mover, facts.ground
    inside = not facts.corner and (facts.off_road or not ground.road_here)
    if facts.way or facts.aside or not (mover.afv and inside) or mover.bu:
        return
    if ground.here != "runway" and row_named(ground.here).closed:
        sheet.bar("a CE AFV does not leave the inside of a building")


@clause("B13.41a", kind="state", composes="flag")
def beside_the_road(facts: Entry, sheet: Sheet) -> None:
    """In woods or a building entered otherwise than by road, a vehicle is off the hex's road."""
    into_obstacle = not facts.beaten and any(row.obstacle for row, _ in cells(facts))
    if facts.mover.is_vehicle and into_obstacle != facts.off_road:
        sheet.force("off_road", into_obstacle)


def _on_a_woods_road(facts: Entry) -> bool:
    in_obstacle = facts.ground.road_here and row_named(facts.ground.here).obstacle
    return bool(facts.mover.is_vehicle and in_obstacle and not facts.off_road)


@clause("B13.41b", kind="action", composes="flag")
def off_the_woods_road(facts: Entry, sheet: Sheet) -> None:
    """A vehicle on a road through woods enters the woods of its own hex before it leaves the road."""
    if not facts.aside and not facts.ground.road and _on_a_woods_road(facts):
        sheet.bar("it must first leave the road for the woods or building of its own hex")


@clause("B13.41c", kind="action", composes="flag")
def aside_from_a_woods_road(facts: Entry, sheet: Sheet) -> None:
    """Only a vehicle on a road through woods leaves the road within its hex."""
    if facts.aside and not _on_a_woods_road(facts):
        sheet.bar("it is not a vehicle on a road through woods")


def cost_of_leaving_the_road(facts: Entry) -> int:
    """Return the least that a vehicle pays to enter the woods of its own hex, in half points."""
    return least_share(facts.ground.here, facts.mover)


@clause("D2.1a", kind="cost", composes="start")
def printed_mp(facts: Allowance, sheet: Sheet) -> None:
    """A vehicle's allotment is its printed MP."""
    if facts.is_vehicle:
        sheet.charge(facts.mp, "printed MP")


@clause("D2.18", kind="cost", composes="end")
def expend_more(facts: Payment, sheet: Sheet) -> None:
    """A vehicle may spend more than it must as it enters a hex."""
    if not (facts.extra or facts.rest):
        return
    if not facts.is_vehicle or facts.extra < 0:
        sheet.bar("only a vehicle spends more than it must")
    elif facts.whole or (facts.rest and (facts.left <= 0 or facts.extra)):
        sheet.bar("nothing would be left to spend")
    else:
        sheet.charge(facts.left if facts.rest else facts.extra, "more than it must", "extra")


@clause("D2.1b", kind="cost", composes="flag")
def pay_mp(facts: Payment, sheet: Sheet) -> None:
    """A vehicle spends no more than its allotment."""
    if facts.is_vehicle and not (facts.whole or facts.minimum or facts.shared):
        need, have = facts.cost + facts.extra, facts.allotment - facts.spent
        if need > have:
            sheet.bar("not enough MP left", need, have, halves=True)


@clause("D2.7", kind="cost", composes="end")
def all_entry(facts: Payment, sheet: Sheet) -> None:
    """An entry for the whole allotment leaves room only for Start and Stop."""
    if not facts.is_vehicle or not facts.whole or facts.minimum:
        return
    if facts.used:
        sheet.bar("the whole allotment is needed and some of it is spent", facts.allotment,
                  facts.allotment - facts.used, halves=True)  # fmt: skip
    elif facts.spent >= facts.allotment:  # by freeing itself from bog, say (D8.3)
        sheet.bar("nothing is left of the allotment", facts.allotment, 0, halves=True)
    elif (need := facts.cost + facts.extra) > facts.allotment:
        sheet.bar(
            "dearer than the whole allotment: that is a Minimum Move",
            need,
            facts.allotment,
            halves=True,
        )
    else:
        sheet.charge(
            facts.allotment - facts.spent - facts.cost,
            "what the Start cost is kept out of it",
            "all",
        )
    sheet.force("final", "all")


def _prospect(facts: Ending, hex_: NextHex) -> str:
    """Return whether a hex ahead is ``"open"``, too ``"dear"``, ``"barred"`` or ``"unknown"``."""
    if any(way.payable and not way.barred and not way.unsupported for way in hex_.ways):
        return "open"
    if any(way.unsupported and way.cost <= facts.left for way in hex_.ways):
        return "unknown"
    return "barred" if all(way.barred for way in hex_.ways) else "dear"


@clause("D2.4", kind="action", composes="end")
def end_in_motion(facts: Ending, sheet: Sheet) -> None:
    """A vehicle ends its MPh in Motion only if it cannot afford the next hex."""
    if facts.mover.column == "hd":
        sheet.exception("a wagon is under Motion if its owner says so")
        return
    if facts.afloat == "water":
        sheet.exception("an amphibious vehicle in water is always in Motion (D16.2)")
        return
    ahead = {_prospect(facts, hex_) for hex_ in facts.ahead}
    cornered = ahead == {"barred"} and facts.left < halves("D2.13", "stop")
    if facts.left <= 0 or "dear" in ahead or cornered:
        return
    if "unknown" in ahead:
        sheet.unsupported("whether the next hex can be afforded")
    else:
        sheet.bar(
            "it must stop, move on, or spend its MP entering a hex (D2.18)",
            0,
            facts.left,
            halves=True,
        )


@clause("D2.4b", kind="action", composes="end")
def spend_in_motion(facts: Ending, sheet: Sheet) -> None:
    """A vehicle that began in Motion spends at least 1 MP."""
    least = halves("D2.4", "least")
    if facts.left > 0 and facts.spent < least and facts.afloat != "water":
        sheet.bar("it has not spent enough under Motion", least, facts.spent, halves=True)


@clause("D2.6", kind="action", composes="end")
def enemy_afv_there(facts: Ending | StartStop, sheet: Sheet) -> None:
    """No unarmed vehicle stops or ends in Motion in the Location of an enemy AFV."""
    if not facts.enemy_afv or getattr(facts, "verb", "stop") != "stop":
        return
    if facts.mover.armed:
        sheet.unsupported("whether it could hurt the enemy AFV there")
    else:
        sheet.bar("an enemy AFV is there, and the vehicle is unarmed")


@clause("D2.15", kind="cost", composes="end")
def minimum_move(facts: Payment, sheet: Sheet) -> None:
    """Minimum Move: one hex dearer than the printed MP, for all of them."""
    if not facts.is_vehicle or not facts.minimum:
        return
    if facts.cost <= facts.allotment and not facts.backs_for_all:
        sheet.bar(
            "a Minimum Move needs a cost above the printed MP",
            facts.allotment,
            facts.cost,
            halves=True,
        )
    if facts.used:
        sheet.bar("nothing else may be spent in a Minimum Move's MPh", 0, facts.used, halves=True)
    sheet.charge(facts.allotment - facts.spent - facts.cost, "Minimum Move: all it has", "minimum")
    sheet.force("final", "minimum")
