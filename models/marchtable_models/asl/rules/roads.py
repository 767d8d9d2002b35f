"""Roads, paths, elevation, SMOKE and bridges: changes to the chart's cost of an entry."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.rules.view import fact
from marchtable_models.asl.data import halves
from marchtable_models.asl.views.chart import (
    BY_CHOICE,
    cell,
    counter_rows,
    row_named,
)
from marchtable_models.asl.views.entry import Entry, Mover
from marchtable_models.asl.views.ground_facts import PATHED


def road_rate(mover: Mover) -> int:
    """Return a vehicle's cost of a road hexside, in half MP (B3.4b, D2.16)."""
    bu = mover.afv and mover.bu
    return halves("D2.16", "road") if bu else halves("B3.4", "vehicle")


class Crossing(Entry):
    """An entry across a hexside, by road or off it."""

    @fact
    def spared_by_gap(self) -> int:
        """The half points saved by a gap: the cost of the hexside, 0 without a gap."""
        ground = self.ground
        if not ground.hexside or ground.hurdle:
            return 0
        found = cell(ground.hexside, self.mover)
        return found.amount if found.entry == "points" else 0

    @fact
    def climbs_the_edge(self) -> bool:
        """Whether an elevated road is entered off road: the chart's cost includes it (B5.4)."""
        return self.row == "elevated-road" and self.way != "road"


@clause("B3.4e", kind="action")
def declines_road(facts: Crossing, sheet: Sheet) -> None:
    """A unit crossing a road hexside can decline the road and pay for the hex's other terrain."""
    if facts.declined and not facts.has_road:
        sheet.bar("no road crosses that hexside")


@clause("B3.43", kind="action")
def buried_road(facts: Crossing, sheet: Sheet) -> None:
    """Rubble or debris removes the road beneath it."""
    if facts.ground.buried:
        sheet.exception("rubble or debris lies on the road, which cannot be used")


@clause("B3.4a", kind="cost")
def road_on_foot(facts: Crossing, sheet: Sheet) -> None:
    """A road hexside costs units on foot, and wagons, 1 MF instead of the terrain."""
    if facts.way == "road" and facts.mover.pays_mf:
        sheet.charge(halves("B3.4", "foot"), "road hexside", "cot")


@clause("B3.4b", kind="cost")
def road_in_vehicle(facts: Crossing, sheet: Sheet) -> None:
    """A road hexside costs vehicles half a MP instead of the terrain."""
    if facts.way == "road" and not facts.mover.pays_mf:
        sheet.charge(halves("B3.4", "vehicle"), "road hexside", "cot")


@clause("B3.4d", kind="state", composes="flag")
def road_bonus_lost(facts: Crossing, sheet: Sheet) -> None:
    """A hexside without a road, SMOKE, Wire or a roadblock forfeits the road bonus for this MPh."""
    if facts.manner.advancing or not facts.mover.pays_mf or not facts.road:
        return
    hexside = facts.ground.hexside
    in_the_way = not all(row.bonus for row in counter_rows(facts.there.counters))
    in_the_way = in_the_way or (hexside != "" and not row_named(hexside).bonus)
    if facts.way != "road" or facts.there.smoke or in_the_way:
        sheet.force("road", value=False)


@clause("A4.132", kind="state")
def cover_beside_road(facts: Crossing, sheet: Sheet) -> None:
    """A unit on foot that declines a road has the cover of the hex."""
    if not facts.mover.is_vehicle and facts.declined != facts.off_road:
        sheet.force("off_road", facts.declined)


@clause("D2.16", kind="cost")
def bu_road(facts: Crossing, sheet: Sheet) -> None:
    """The road rate of a BU AFV is 1 MP."""
    if facts.way == "road" and not facts.mover.pays_mf:
        more = road_rate(facts.mover) - halves("B3.4", "vehicle")
        sheet.charge(more, "road hexside, buttoned up", "cot")


@clause("B18.41", kind="cost")
def graveyard_road(facts: Crossing, sheet: Sheet) -> None:
    """A graveyard's road costs 1, a BU AFV 2, instead of the terrain."""
    if facts.way != "graveyard":
        return
    if facts.mover.column == "cav":  # the chart has no cheaper way for Cavalry
        sheet.charge(cell("graveyard", facts.mover).amount, "graveyard road", "cot")
    else:
        figure = "buttoned_up" if facts.mover.afv and facts.mover.bu else "road"
        sheet.charge(halves("B18.41", figure), "graveyard road", "cot")


@clause("B9.4", kind="cost")
def beside_the_gap(facts: Crossing, sheet: Sheet) -> None:
    """Infantry and Cavalry can cross a wall or hedge beside its gap, at its cost."""
    spared = facts.spared_by_gap
    if facts.mover.pays_mf and not facts.mover.is_vehicle and 0 < facts.extra == spared:
        sheet.charge(spared, "beside the gap", BY_CHOICE)


@clause("B13.6", kind="cost")
def path(facts: Crossing, sheet: Sheet) -> None:
    """A path hexside costs 1 MF (Cavalry 2) instead of woods or brush."""
    if facts.way == "path":
        figure = "cavalry" if facts.mover.column == "cav" else "path"
        sheet.charge(halves("B13.6", figure), "path hexside", "cot")


@not_modelled("B13.6b", lifts=("A4.11b", "A4.61b", "A4.72"))
def path_in_a_gully(facts: Crossing) -> bool:
    """A path into a gully or stream with woods or brush: how much of their cost it saves."""
    return (
        facts.ground.path and facts.beside in PATHED and not (facts.way or facts.mover.is_vehicle)
    )


@clause("A24.7", kind="cost")
def smoke(facts: Crossing, sheet: Sheet) -> None:
    """SMOKE, also from a burning wreck, adds 1 MF or MP, except on foot over an Abrupt Elevation Change."""
    if facts.there.smoke:
        apart = facts.ground.rise > 1 and facts.mover.pays_mf  # so that it is not doubled (B10.51)
        sheet.charge(halves("A24.7", "smoke"), "SMOKE", "more" if apart else "cot")


@clause("B10.4a", kind="cost")
def rise_on_foot(facts: Crossing, sheet: Sheet) -> None:
    """Crossing a Crest Line upward doubles the terrain cost in MF."""
    if (facts.ground.rise > 0 or facts.ground.mound) and facts.mover.pays_mf:
        doubled = cell("elevated-road", facts.mover).amount if facts.climbs_the_edge else 0
        sheet.charge(sheet.total("cot", "all") - doubled, "uphill, doubled", "uphill")


@clause("B10.4b", kind="cost")
def rise_in_vehicle(facts: Crossing, sheet: Sheet) -> None:
    """Crossing a Crest Line upward costs 4 extra MP, 2 by road."""
    if facts.ground.rise > 0 and not (facts.mover.pays_mf or facts.climbs_the_edge):
        figure = "up_by_road" if facts.ground.road else "up"
        sheet.charge(halves("B10.4", figure), "uphill", "uphill")


@clause("B3.4-along", kind="action")
def road_beside(facts: Crossing, sheet: Sheet) -> None:
    """A road along a hexside leads into the hexes on both sides."""
    if facts.ground.beside_road and sheet.reading("B3.4-along") == "neither":
        sheet.unsupported("a road along a hexside, read as no way into the hexes beside it")


@not_modelled("x-slope")
def slope(facts: Crossing) -> bool:
    """A Slope hexside."""
    return facts.ground.slope


@not_modelled("x-road", lifts=("E1.53a",))
def strange_road(facts: Crossing) -> bool:
    """A road that is neither paved nor dirt."""
    return facts.ground.strange_road
