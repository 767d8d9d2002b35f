"""VCA changes (D2.11): their cost, and the hexes in a vehicle's VCA."""

from __future__ import annotations

from collections.abc import Iterator

from marchtable.rules.facts import Case, Edition, Sheet, about
from marchtable.rules.subjects import cases, clause, not_modelled
from marchtable_models.asl.data import halves
from marchtable_models.asl.model import SPINES, AslPosition, Turn
from marchtable_models.asl.occasions import TURNING
from marchtable_models.asl.views import vehicles
from marchtable_models.asl.views.chart import row_named
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.vehicle_facts import Swing


@cases(Turn)
def turn_facts(position: AslPosition, action: Turn, edition: Edition) -> Iterator[Case]:
    """Yield the facts of a vehicle that turns, those it passes or carries, and whose MPh ends."""
    unit = position.unit(action.unit)
    yield about(unit, standing_of(position, unit, "turn"))
    yield about(unit, vehicles.swing(position, unit, SPINES.index(action.facing)))
    yield from edition.subjects.ask(TURNING, [], position, unit, edition)
    yield from interrupted(position, (unit,), edition)


@clause("D2.11a", kind="cost")
def turn(facts: Swing, sheet: Sheet) -> None:
    """A VCA change costs 1 MP per hexspine, 2 in woods or a building."""
    if not facts.mover.is_vehicle:
        return
    in_obstacle = any(row_named(row).hard_turn for row in facts.ground.rows)
    if in_obstacle and facts.ground.road_here and not facts.off_road and facts.across_road:
        in_obstacle = sheet.reading("D2.11a") == "two"
    figure = "in_obstacle" if in_obstacle else "spine"
    sheet.charge(halves("D2.11", figure), "VCA change", "vca")


@not_modelled("x-turn")
def turn_in_strange_terrain(facts: Swing) -> bool:
    """A VCA change in terrain without a chart row."""
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
    """A stopped vehicle must start before it changes its VCA; one waiting off map is in Motion."""
    must = facts.mover.is_vehicle and facts.mover.column != "hd"
    if facts.coming:
        sheet.force("moving", value=True)
    if must and not facts.moving and sheet.reading("D2.12c") == "started":
        sheet.bar("the vehicle is stopped and has not started")


class Heading(Entry):
    """An entry by a vehicle, forward or not."""

    is_relevant = property(lambda self: self.mover.is_vehicle)


@clause("D2.11c", kind="action")
def enter_within_vca(facts: Heading, sheet: Sheet) -> None:
    """A vehicle enters only the two hexes in its VCA."""
    if facts.mover.is_vehicle and not facts.reverse and not facts.ahead:
        sheet.bar("the hex lies outside the vehicle's VCA")
