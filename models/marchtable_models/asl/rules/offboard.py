"""Entering from off the board (A2.5) and leaving it (A2.6)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.rules.view import read
from marchtable_models.asl.model import AslUnit
from marchtable_models.asl.verbs import has_trait
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.standing import Standing
from marchtable_models.asl.views.vehicle_facts import Arrival, Departure


def off_map_state(unit: AslUnit) -> str:
    """Return ``waits``, ``gone`` or ``unknown`` for a unit off the map; empty for one on it."""
    if unit.at is not None:
        return ""
    return "gone" if unit.offboard.exited else "waits" if unit.offboard.entering else "unknown"


class Away(Standing):
    """A unit that is off the map, or about to leave it."""

    away: str = read(lambda actor: off_map_state(actor.unit), "")

    is_relevant = property(lambda self: bool(self.away or self.late) or self.verb == "exit")


@not_modelled("A2.5")
def from_offboard(facts: Away) -> bool:
    """Entry from off the board by a unit without an edge hex to enter by (`entering`)."""
    return facts.form != "wreck" and facts.away == "unknown"


@clause("A2.5a", kind="action")
def comes_on(facts: Arrival, sheet: Sheet) -> None:
    """A unit enters by one of its stated edge hexes."""
    if not facts.listed or not facts.at_edge:
        sheet.bar("it cannot enter the map by that hex")


@clause("A2.51a", kind="action")
def waits_off_board(facts: Away, sheet: Sheet) -> None:
    """A unit waiting off board can only prepare to move, change its VCA or hatches, and enter."""
    if facts.away != "waits":
        return
    listed = facts.verb != "gallop" or sheet.reading("A2.51a") == "gallop"
    if not has_trait(facts.verb, "waiting") or not listed:
        sheet.bar("a unit that waits off the board cannot do this")


@clause("A2.5b", kind="action")
def in_its_turn(facts: Away, sheet: Sheet) -> None:
    """A unit enters in its stated turn, not earlier or later."""
    if facts.late == "early":
        sheet.bar("its turn of entry has not come")
    elif facts.late and not sheet.excepted("E11.7c"):
        sheet.bar("its turn of entry is past")


class OverEdge(Entry):
    """An entry over the map's edge."""

    is_relevant = property(lambda self: self.ground.edge != "")


@not_modelled("A2.51b")
def edge_level(facts: OverEdge) -> bool:
    """The level beyond the map edge if its hex is not at level 0."""
    return facts.ground.edge == "on" and facts.ground.rise != 0


@clause("A2.6a", kind="action")
def leaves(facts: Departure, sheet: Sheet) -> None:
    """A unit leaves the map from a hex at its edge."""
    if not facts.at_edge:
        sheet.bar("it is not at the edge of the map")
    elif sheet.reading("A2.6a") == "nowhere":
        sheet.bar("the scene names no exit hex")


@not_modelled("A2.6e")
def in_line(facts: Away) -> bool:
    """A Column or platoon leaving the map by Impulses."""
    return facts.line in ("column", "platoon") and facts.verb == "exit"


@clause("A2.6b", kind="action")
def gone(facts: Away, sheet: Sheet) -> None:
    """A unit that has left the map does not return."""
    if facts.away == "gone":
        sheet.bar("it has left the map")
