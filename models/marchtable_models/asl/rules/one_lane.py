"""One-lane bridges (B6.431): one vehicle at a time, and one change of direction per Player Turn."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable.rules.view import fact, read
from marchtable_models.asl.corners import opposite
from marchtable_models.asl.data import vehicle_tables
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.ground_facts import BOTH_WAYS
from marchtable_models.asl.views.reading import Entering
from marchtable_models.asl.views.vehicle_facts import Swing


def is_one_lane(facts: Entry | Swing, sheet: Sheet) -> bool:
    """Return whether a bridge has one lane: a counter or a reading says so."""
    return facts.ground.lane or sheet.reading("B6.431") == "one-lane"


def _needs_a_lane(facts: Entry | Swing) -> bool:
    """Return whether a vehicle entering or leaving a bridge needs a lane to itself."""
    mover, on_bridge = facts.mover, "bridge" in (facts.ground.here, facts.ground.there)
    return on_bridge and mover.is_vehicle and mover.column != "mc" and not mover.small


def _on_one_lane(facts: Entry | Swing, sheet: Sheet) -> bool:
    return _needs_a_lane(facts) and is_one_lane(facts, sheet)


def _heading(step: Entering) -> int | None:
    """Return the direction of a vehicle that enters or leaves a bridge."""
    ground = step.lie.ground
    drives_over = step.unit.facing is not None and "bridge" in (ground.here, ground.there)
    return step.lie.direction if drives_over else None


class OntoBridge(Entry):
    """An entry onto a bridge, or off one."""

    heading: int | None = read(_heading, None)
    lane: int | None = read(
        lambda step: None if _heading(step) is None else step.unit.move.lane, None
    )  # in which it last crossed a one-lane bridge's hexside in this MPh

    is_relevant = property(lambda self: "bridge" in (self.ground.here, self.ground.there))

    @fact
    def could_push(self) -> bool:
        """Whether it is a tracked AFV, which could push a wreck off."""
        return self.mover.afv and self.mover.column in vehicle_tables().tracked.columns


@clause("B6.431", kind="action")
def no_room(facts: OntoBridge, sheet: Sheet) -> None:
    """A vehicle or wreck on a one-lane bridge leaves no room for another."""
    if facts.ground.there != "bridge" or not _needs_a_lane(facts):
        return
    one_lane = facts.ground.lane or sheet.reading("B6.431") == "one-lane"
    in_the_way = facts.there.vehicles - facts.there.small
    if one_lane and in_the_way == facts.there.wrecks and in_the_way and facts.could_push:
        sheet.unsupported("whether it goes there to push the wreck off (D10.42)")
    elif one_lane and in_the_way:
        sheet.bar("a vehicle or wreck is on the one-lane bridge", 0, in_the_way)


@clause("B6.431d", kind="action", modelled=False)
def gun_in_the_way(facts: OntoBridge, sheet: Sheet) -> None:
    """An AFV entering a one-lane bridge with a Gun, which it destroys before checking for Bog."""
    enters = facts.ground.there == "bridge" and facts.mover.afv
    if enters and facts.there.guns and is_one_lane(facts, sheet):
        sheet.unsupported(gun_in_the_way.title)


@clause("B6.431a", kind="action", composes="flag")
def one_direction(facts: OntoBridge, sheet: Sheet) -> None:
    """Once vehicles have used a one-lane bridge both ways, none enters it in that Player Turn."""
    onto = facts.heading is not None and facts.ground.here != "bridge"
    if not onto or not _on_one_lane(facts, sheet):
        return
    if facts.ground.shut:
        sheet.bar("vehicles have used the one-lane bridge both ways in this Player Turn")
    elif facts.lane == BOTH_WAYS:
        sheet.unsupported("whether it is this one-lane bridge that it has used both ways")


@clause("B6.431b", kind="action")
def keeps_to_road(facts: Swing, sheet: Sheet) -> None:
    """On a one-lane bridge the VCA includes a hex of its road."""
    if not facts.keeps_road and _on_one_lane(facts, sheet):
        sheet.bar("the VCA would include no hex of the bridge's road")


@clause("B6.431c", kind="effect", composes="flag")
def sets_direction(facts: OntoBridge, sheet: Sheet) -> None:
    """A vehicle that enters or leaves a one-lane bridge sets its direction for the Player Turn."""
    if facts.heading is None or not _on_one_lane(facts, sheet):
        return
    sheet.exception("it sets the one-lane bridge's direction for this Player Turn")
    turns = facts.ground.against or facts.lane in (opposite(facts.heading), BOTH_WAYS)
    lane = BOTH_WAYS if turns else facts.heading
    if facts.lane != lane:
        sheet.force("lane", lane)
