"""One-lane bridges (B6.431): one vehicle at a time, and one direction in a Player Turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.asl.corners import opposite
from marchtable_models.asl.data import vehicle_tables

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.steps import Entry
    from marchtable_models.asl.facts.vehicles import Swing

__all__ = ["is_one_lane", "keeps_to_road", "no_room", "one_direction", "sets_direction"]


def is_one_lane(facts: Entry | Swing, sheet: Sheet) -> bool:
    """Tell whether a bridge has one lane: a counter says so, or all are read so."""
    return facts.ground.lane or sheet.reading("B6.431") == "one-lane"


def _needs_a_lane(facts: Entry | Swing) -> bool:
    """Tell whether a vehicle on or off a bridge needs a lane for itself."""
    mover, on_bridge = facts.mover, "bridge" in (facts.ground.here, facts.ground.there)
    return on_bridge and mover.is_vehicle and mover.column != "mc" and not mover.small


def _on_one_lane(facts: Entry | Swing, sheet: Sheet) -> bool:
    return _needs_a_lane(facts) and is_one_lane(facts, sheet)


def _pushes(facts: Entry) -> bool:
    """Tell whether it is a tracked AFV, which could push a wreck off."""
    return facts.mover.afv and facts.mover.column in vehicle_tables().tracked.columns


@clause(
    "B6.431", "A vehicle or wreck on a one-lane bridge leaves no room for another", kind="action"
)
def no_room(facts: Entry, sheet: Sheet) -> None:
    if facts.ground.there != "bridge" or not _needs_a_lane(facts):
        return
    one_lane = facts.ground.lane or sheet.reading("B6.431") == "one-lane"
    in_the_way = facts.there.vehicles - facts.there.small
    if one_lane and in_the_way == facts.there.wrecks and in_the_way and _pushes(facts):
        sheet.unsupported("whether it goes there to push the wreck off (D10.42)")
    elif one_lane and in_the_way:
        sheet.bar("a vehicle or wreck is on the one-lane bridge", 0, in_the_way)


@clause(
    "B6.431a",
    "Vehicles use a one-lane bridge in one direction in a Player Turn",
    kind="action",
    composes="flag",
)
def one_direction(facts: Entry, sheet: Sheet) -> None:
    if facts.heading is None or not _on_one_lane(facts, sheet):
        return
    if facts.ground.against:
        sheet.bar("a vehicle has crossed that hexside the other way in this Player Turn")
    elif facts.lane == opposite(facts.heading):
        sheet.unsupported("whether it turns back by the one-lane bridge that it has used")


@clause("B6.431b", "On a one-lane bridge the VCA keeps a hex of its road inside", kind="action")
def keeps_to_road(facts: Swing, sheet: Sheet) -> None:
    if not facts.keeps_road and _on_one_lane(facts, sheet):
        sheet.bar("no hex to which the bridge's road leads would lie in the VCA")


@clause(
    "B6.431c",
    "Who drives on or off a one-lane bridge sets its direction for the Player Turn",
    kind="effect",
    composes="flag",
)
def sets_direction(facts: Entry, sheet: Sheet) -> None:
    if facts.heading is not None and _on_one_lane(facts, sheet):
        sheet.exception("it sets the one-lane bridge's direction for this Player Turn")
        if facts.lane != facts.heading:
            sheet.force("lane", facts.heading)
