"""Roads, paths, elevation, SMOKE and bridges: what changes the chart's cost of an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.clause import clause, unsupported
from marchtable_models.asl.chart import cell, charge_row, row_named
from marchtable_models.asl.data import halves

if TYPE_CHECKING:
    from marchtable.clause import Sheet
    from marchtable_models.asl.facts import Entry, Swing

__all__ = [
    "abrupt_change",
    "bu_road",
    "counters",
    "gully_overgrown",
    "gully_terrain",
    "one_lane_bridge",
    "path",
    "rise_in_vehicle",
    "rise_on_foot",
    "road_beside",
    "road_bonus_lost",
    "road_in_vehicle",
    "road_on_foot",
    "slope",
    "smoke",
    "strange_road",
    "wooden_bridge",
]  # fmt: skip


@clause("B3.4a", "A road hexside costs Infantry 1 MF instead of the terrain", kind="cost")
def road_on_foot(facts: Entry, sheet: Sheet) -> None:
    if facts.way == "road" and not facts.mover.is_vehicle:
        sheet.charge(halves("B3.4", "foot"), "road hexside", "cot")


@clause("B3.4b", "A road hexside costs vehicles half a MP instead of the terrain", kind="cost")
def road_in_vehicle(facts: Entry, sheet: Sheet) -> None:
    if facts.way == "road" and facts.mover.is_vehicle:
        sheet.charge(halves("B3.4", "vehicle"), "road hexside", "cot")


@clause(
    "B3.4d",
    "A hexside without a road, or SMOKE, costs Infantry the road bonus for this MPh",
    kind="state",
    composes="flag",
)
def road_bonus_lost(facts: Entry, sheet: Sheet) -> None:
    if facts.manner.advancing:
        return
    if not facts.mover.is_vehicle and facts.road and (facts.way != "road" or facts.there.smoke):
        sheet.force("road", value=False)


@clause("D2.16", "The road rate of a BU AFV is 1 MP", kind="cost")
def bu_road(facts: Entry, sheet: Sheet) -> None:
    if facts.way == "road" and facts.mover.afv and facts.mover.bu:
        more = halves("D2.16", "road") - halves("B3.4", "vehicle")
        sheet.charge(more, "road hexside, buttoned up", "cot")


@clause("B13.6", "A path hexside costs Infantry 1 MF instead of the terrain", kind="cost")
def path(facts: Entry, sheet: Sheet) -> None:
    if facts.way == "path":
        sheet.charge(halves("B13.6", "path"), "path hexside", "cot")


@clause("A24.7", "SMOKE adds 1 MF or MP to the cost of terrain", kind="cost")
def smoke(facts: Entry, sheet: Sheet) -> None:
    if facts.there.smoke:
        sheet.charge(halves("A24.7", "smoke"), "SMOKE", "cot")


@clause("B10.4a", "Crossing a Crest Line upward doubles the cost of terrain on foot", kind="cost")
def rise_on_foot(facts: Entry, sheet: Sheet) -> None:
    if facts.ground.rise > 0 and not facts.mover.is_vehicle:
        sheet.charge(sheet.total("cot"), "uphill, doubled", "uphill")


@clause("B10.4b", "Crossing a Crest Line upward costs vehicles 4 MP more, 2 by road", kind="cost")
def rise_in_vehicle(facts: Entry, sheet: Sheet) -> None:
    if facts.ground.rise > 0 and facts.mover.is_vehicle:
        figure = "up_by_road" if facts.way == "road" else "up"
        sheet.charge(halves("B10.4", figure), "uphill", "uphill")


def _adds(row: str, facts: Entry | Swing) -> bool:
    """Tell whether terrain in a depression has a cost in points that can be added."""
    return row_named(row).modelled and cell(row, facts.mover).entry == "points"


@clause("B19.4a", "Other terrain in a gully adds its own cost to the gully's", kind="cost")
def gully_terrain(facts: Entry, sheet: Sheet) -> None:
    row = facts.ground.within
    if row and not facts.way and facts.ground.there == "gully" and _adds(row, facts):
        charge_row(facts, sheet, row_named(row))


gully_overgrown = unsupported(
    "B19.4b",
    "Terrain in a gully that costs no fixed number of points",
    lambda facts: bool(
        facts.ground.within
        and facts.ground.there == "gully"
        and not _adds(facts.ground.within, facts)
    ),
)

abrupt_change = unsupported(
    "B10.5",
    "Abrupt Elevation Change",
    lambda facts: abs(facts.ground.rise) > 1,
)

wooden_bridge = unsupported(
    "B6.42",
    "Collapse of a wooden bridge under a vehicle",
    lambda facts: facts.ground.wooden and facts.mover.is_vehicle,
)


@clause("B6.431", "Vehicles on a one-lane bridge keep one direction and make way", kind="action")
def one_lane_bridge(facts: Entry, sheet: Sheet) -> None:
    on_bridge = "bridge" in (facts.ground.here, facts.ground.there)
    if on_bridge and facts.mover.is_vehicle and sheet.reading("B6.431") == "one-lane":
        sheet.unsupported("a one-lane bridge: one direction a Player Turn, no room to pass")


@clause("B3.4-along", "A road along a hexside leads into both hexes beside it", kind="action")
def road_beside(facts: Entry, sheet: Sheet) -> None:
    if facts.ground.beside_road and sheet.reading("B3.4-along") == "neither":
        sheet.unsupported("a road along a hexside, read as no way into the hexes beside it")


slope = unsupported(
    "x-slope",
    "A Slope hexside",
    lambda facts: facts.ground.slope,
)

strange_road = unsupported(
    "x-road",
    "A road that is neither paved nor dirt",
    lambda facts: facts.ground.strange_road,
)

counters = unsupported(
    "x-counter",
    "A counter in the Location whose effect on movement is not modelled",
    lambda facts: bool(facts.there.counters),
)
