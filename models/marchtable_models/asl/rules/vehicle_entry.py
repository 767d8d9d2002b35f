"""Entry by vehicles (D2.14, B13.41): other vehicles, a second way in, buildings, leaving a road."""

from __future__ import annotations

from collections.abc import Iterator

from marchtable.rules.facts import Case, Edition, Sheet, about
from marchtable.rules.subjects import cases, clause
from marchtable.rules.view import fact
from marchtable_models.asl.data import halves
from marchtable_models.asl.model import AslPosition, LeaveRoad
from marchtable_models.asl.occasions import CARRYING
from marchtable_models.asl.views.chart import cells, has_second_way, row_named
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.steps import off_the_road


@cases(LeaveRoad)
def leaving_the_road_facts(
    position: AslPosition, action: LeaveRoad, edition: Edition
) -> Iterator[Case]:
    """Yield the facts of a unit that leaves the road within its hex, and of those it carries."""
    unit = position.unit(action.unit)
    yield about(unit, standing_of(position, unit, "leave-road"))
    if unit.at is None:
        return
    aside = off_the_road(position, unit, half=action.half)
    yield about(unit, aside)
    if unit.facing is not None:
        yield from edition.subjects.ask(CARRYING, [], position, unit, aside, edition)


class Drives(Entry):
    """An entry by a vehicle, or one of a vehicle's kind."""

    is_relevant = property(lambda self: self.mover.is_vehicle or self.aside or self.half)

    @fact
    def on_a_woods_road(self) -> bool:
        """Whether a vehicle is on a road through woods or a building."""
        in_obstacle = self.ground.road_here and row_named(self.ground.here).obstacle
        return bool(self.mover.is_vehicle and in_obstacle and not self.off_road)


@clause("D2.14", kind="cost")
def vehicles_there(facts: Drives, sheet: Sheet) -> None:
    """Each vehicle or wreck in the hex costs 1 extra MP, doubled by road and in some terrain."""
    if facts.mover.is_vehicle and facts.mover.column != "mc" and facts.there.vehicles:
        amount = halves("D2.14", "each") * facts.there.vehicles
        if facts.way == "road" and not facts.on_soft_road:
            amount *= halves("D2.14", "by_road") // 2
        if any("D" in found.marks for _, found in cells(facts)):
            amount *= halves("D2.14", "doubled_terrain") // 2
        sheet.charge(amount, f"{facts.there.vehicles} vehicle(s) or wreck(s) there", "vehicles")


@clause("B13.42", kind="action")
def half_entry(facts: Drives, sheet: Sheet) -> None:
    """A second way in, like that of fully-tracked vehicles into woods, needs a chart entry."""
    if facts.half and not has_second_way(facts):
        sheet.bar("the chart gives no second way into that terrain")


@clause("B23.41", kind="action")
def building_entry(facts: Drives, sheet: Sheet) -> None:
    """Only a closed-topped, BU, fully-tracked AFV can enter a building."""
    mover = facts.mover
    if (
        not facts.way
        and mover.column == "ft"
        and any(row.closed for row, _ in cells(facts))
        and not (mover.afv and mover.bu and not mover.open_topped)
    ):
        sheet.bar("only a closed-topped AFV that is buttoned up can enter a building")


@clause("B37.3", kind="action")
def debris_entry(facts: Drives, sheet: Sheet) -> None:
    """Only fully-tracked AFV can enter debris."""
    mover = facts.mover
    unarmored = mover.is_vehicle and not (facts.way or mover.afv)
    if unarmored and any(row.only_afv for row, _ in cells(facts)):
        sheet.bar("only a fully-tracked AFV can enter debris")


@clause("D5.3", kind="action")
def leaves_building_shut(facts: Drives, sheet: Sheet) -> None:
    """Only a BU AFV can leave a building, except along its road or inside a factory."""
    mover, ground = facts.mover, facts.ground
    inside = not facts.corner and (facts.off_road or not ground.road_here)
    if facts.way or facts.aside or not (mover.afv and inside) or mover.bu:
        return
    if ground.here != "runway" and row_named(ground.here).closed:
        sheet.bar("a CE AFV cannot leave the inside of a building")


@clause("B13.41a", kind="state", composes="flag")
def beside_the_road(facts: Drives, sheet: Sheet) -> None:
    """A vehicle that enters woods or a building other than by road is off the hex's road."""
    into_obstacle = not facts.beaten and any(row.obstacle for row, _ in cells(facts))
    if facts.mover.is_vehicle and into_obstacle != facts.off_road:
        sheet.force("off_road", into_obstacle)


@clause("B13.41b", kind="action", composes="flag")
def off_the_woods_road(facts: Drives, sheet: Sheet) -> None:
    """A vehicle on a woods road must enter the woods of its hex before leaving the road."""
    if not facts.aside and not facts.ground.road and facts.on_a_woods_road:
        sheet.bar("it must first leave the road for the woods or building of its own hex")


@clause("B13.41c", kind="action", composes="flag")
def aside_from_a_woods_road(facts: Drives, sheet: Sheet) -> None:
    """Only a vehicle on a woods road can leave the road within its hex."""
    if facts.aside and not facts.on_a_woods_road:
        sheet.bar("it is not a vehicle on a road through woods")
