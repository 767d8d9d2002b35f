"""Roads, paths, elevation, SMOKE and bridges: what changes the chart's cost of an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.asl.clauses.terrain.chart import (
    BY_CHOICE,
    cell,
    counter_rows,
    row_named,
    spared_by_gap,
)
from marchtable_models.asl.data import halves
from marchtable_models.asl.facts.ground import PATHED

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.steps import Entry

__all__ = [
    "beside_the_gap",
    "bu_road",
    "cover_beside_road",
    "declines_road",
    "graveyard_road",
    "path",
    "path_in_a_gully",
    "rise_in_vehicle",
    "rise_on_foot",
    "road_beside",
    "road_bonus_lost",
    "road_in_vehicle",
    "road_on_foot",
    "slope",
    "smoke",
    "strange_road",
]  # fmt: skip


@clause(
    "B3.4e",
    "Who crosses a road hexside may decline the road, and pays for the hex's other terrain",
    kind="action",
)
def declines_road(facts: Entry, sheet: Sheet) -> None:
    if facts.declined and not facts.has_road:
        sheet.bar("no road crosses that hexside")


@clause("B3.4a", "A road hexside costs 1 MF instead of the terrain, wagons too", kind="cost")
def road_on_foot(facts: Entry, sheet: Sheet) -> None:
    if facts.way == "road" and facts.mover.pays_mf:
        sheet.charge(halves("B3.4", "foot"), "road hexside", "cot")


@clause("B3.4b", "A road hexside costs vehicles half a MP instead of the terrain", kind="cost")
def road_in_vehicle(facts: Entry, sheet: Sheet) -> None:
    if facts.way == "road" and not facts.mover.pays_mf:
        sheet.charge(halves("B3.4", "vehicle"), "road hexside", "cot")


@clause(
    "B3.4d",
    "A hexside without a road, SMOKE, Wire or a roadblock costs the road bonus for this MPh",
    kind="state",
    composes="flag",
)
def road_bonus_lost(facts: Entry, sheet: Sheet) -> None:
    if facts.manner.advancing or not facts.mover.pays_mf or not facts.road:
        return
    hexside = facts.ground.hexside
    in_the_way = not all(row.bonus for row in counter_rows(facts.there.counters))
    in_the_way = in_the_way or (hexside != "" and not row_named(hexside).bonus)
    if facts.way != "road" or facts.there.smoke or in_the_way:
        sheet.force("road", value=False)


@clause("A4.132", "On foot who declines a road has the cover of the hex", kind="state")
def cover_beside_road(facts: Entry, sheet: Sheet) -> None:
    if not facts.mover.is_vehicle and facts.declined != facts.off_road:
        sheet.force("off_road", facts.declined)


@clause("D2.16", "The road rate of a BU AFV is 1 MP", kind="cost")
def bu_road(facts: Entry, sheet: Sheet) -> None:
    if facts.way == "road" and facts.mover.afv and facts.mover.bu:
        more = halves("D2.16", "road") - halves("B3.4", "vehicle")
        sheet.charge(more, "road hexside, buttoned up", "cot")


@clause("B18.41", "A graveyard's road costs 1, a BU AFV 2, instead of the terrain", kind="cost")
def graveyard_road(facts: Entry, sheet: Sheet) -> None:
    if facts.way != "graveyard":
        return
    if facts.mover.column == "cav":  # the chart knows no cheaper way for Cavalry
        sheet.charge(cell("graveyard", facts.mover).amount, "graveyard road", "cot")
    else:
        figure = "buttoned_up" if facts.mover.afv and facts.mover.bu else "road"
        sheet.charge(halves("B18.41", figure), "graveyard road", "cot")


@clause(
    "B9.4",
    "Infantry and Cavalry may cross a wall or hedge beside its gap, and pay for it",
    kind="cost",
)
def beside_the_gap(facts: Entry, sheet: Sheet) -> None:
    spared = spared_by_gap(facts)
    if facts.mover.pays_mf and not facts.mover.is_vehicle and 0 < facts.extra == spared:
        sheet.charge(spared, "beside the gap", BY_CHOICE)


@clause("B13.6", "A path hexside costs 1 MF, Cavalry 2, instead of woods or brush", kind="cost")
def path(facts: Entry, sheet: Sheet) -> None:
    if facts.way == "path":
        figure = "cavalry" if facts.mover.column == "cav" else "path"
        sheet.charge(halves("B13.6", figure), "path hexside", "cot")


path_in_a_gully = unsupported(
    "B13.6b",
    "A path into a gully or stream with woods or brush: what it saves of their cost",
    lambda facts: (
        facts.ground.path and facts.beside in PATHED and not (facts.way or facts.mover.is_vehicle)
    ),
    lifts=("A4.11b", "A4.61b", "A4.72"),
)


@clause(
    "A24.7",
    "SMOKE, a burning wreck's too, adds 1 MF or MP to the cost of terrain, on foot not over an Abrupt Elevation Change",
    kind="cost",
)
def smoke(facts: Entry, sheet: Sheet) -> None:
    if facts.there.smoke:
        apart = facts.ground.rise > 1 and facts.mover.pays_mf  # so it is not doubled (B10.51)
        sheet.charge(halves("A24.7", "smoke"), "SMOKE", "more" if apart else "cot")


def _climbs_the_edge(facts: Entry) -> bool:
    """Return whether an elevated road is entered off the road: the chart's figure has the climb in it (B5.4)."""
    return facts.row == "elevated-road" and facts.way != "road"


@clause("B10.4a", "Crossing a Crest Line upward doubles a cost of terrain in MF", kind="cost")
def rise_on_foot(facts: Entry, sheet: Sheet) -> None:
    if (facts.ground.rise > 0 or facts.ground.mound) and facts.mover.pays_mf:
        doubled = cell("elevated-road", facts.mover).amount if _climbs_the_edge(facts) else 0
        sheet.charge(sheet.total("cot", "all") - doubled, "uphill, doubled", "uphill")


@clause("B10.4b", "Crossing a Crest Line upward costs 4 MP more, 2 by road", kind="cost")
def rise_in_vehicle(facts: Entry, sheet: Sheet) -> None:
    if facts.ground.rise > 0 and not (facts.mover.pays_mf or _climbs_the_edge(facts)):
        figure = "up_by_road" if facts.ground.road else "up"
        sheet.charge(halves("B10.4", figure), "uphill", "uphill")


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
    lifts=("E1.53a",),
)
