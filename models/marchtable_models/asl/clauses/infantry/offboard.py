"""Coming on from off the board (A2.5) and leaving it (A2.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.asl.model import verbs_with

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.lines import Link
    from marchtable_models.asl.facts.units import Standing
    from marchtable_models.asl.facts.vehicles import Arrival, Departure

__all__ = [
    "comes_on", "edge_level", "from_offboard", "gone", "in_its_turn", "in_line", "in_order",
    "leaves", "waits_off_board",
]  # fmt: skip

OFF_BOARD = verbs_with("waiting")

from_offboard = unsupported(
    "A2.5",
    "Entry from off the board by a unit told no edge hex to enter by (entering = [...])",
    lambda facts: facts.kind != "wreck" and facts.away == "unknown",
)


@clause("A2.5a", "A unit comes on by one of the edge hexes told for it", kind="action")
def comes_on(facts: Arrival, sheet: Sheet) -> None:
    if not facts.listed or not facts.at_edge:
        sheet.bar("it does not come on by that hex")


@clause(
    "A2.51a",
    "A unit waiting off the board may only get ready to move, change its VCA or hatches, and enter",
    kind="action",
)
def waits_off_board(facts: Standing, sheet: Sheet) -> None:
    if facts.away != "waits":
        return
    listed = facts.verb != "gallop" or sheet.reading("A2.51a") == "gallop"
    if facts.verb not in OFF_BOARD or not listed:
        sheet.bar("not while it waits off the board")


@clause("A2.5b", "A unit comes on in the turn told for it, neither before nor later", kind="action")
def in_its_turn(facts: Standing, sheet: Sheet) -> None:
    if facts.late == "early":
        sheet.bar("the turn in which it is to come on has not come")
    elif facts.late and not sheet.excepted("E11.7c"):
        sheet.bar("the turn in which it was to come on is past")


edge_level = unsupported(
    "A2.51b",
    "How high the ground lies beyond the edge of a hex that is not at level 0",
    lambda facts: facts.ground.edge == "on" and facts.ground.rise != 0,
)


@clause("A2.6a", "A unit leaves the map from a hex at its edge", kind="action")
def leaves(facts: Departure, sheet: Sheet) -> None:
    if not facts.at_edge:
        sheet.bar("it does not stand at the edge of the map")
    elif sheet.reading("A2.6a") == "nowhere":
        sheet.bar("the scene tells of no hex by which units may leave")


in_line = unsupported(
    "A2.6e",
    "A Column or platoon that leaves the map by Impulses",
    lambda facts: facts.line in ("column", "platoon") and facts.verb == "exit",
)


@clause(
    "A2.6f",
    "A Convoy leaves the map by Impulses, no vehicle before the one ahead of it",
    kind="action",
    composes="joint",
)
def in_order(facts: Link, sheet: Sheet) -> None:
    if facts.kind == "convoy" and facts.overtakes:
        sheet.bar("the vehicle ahead of it has not left the map")


@clause("A2.6b", "A unit that has left the map does not come back", kind="action")
def gone(facts: Standing, sheet: Sheet) -> None:
    if facts.away == "gone":
        sheet.bar("it has left the map")
