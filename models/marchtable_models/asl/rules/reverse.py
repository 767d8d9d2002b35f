"""Reverse movement (D2.2)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.vehicle_facts import StartStop, Swing


class Reversing(Entry):
    """An entry in Reverse."""

    is_relevant = property(lambda self: self.reverse)


@clause("D2.2a", kind="action", composes="flag")
def reverse_start(facts: Reversing | StartStop, sheet: Sheet) -> None:
    """Any vehicle except a motorcycle can move in Reverse."""
    if facts.reverse and not facts.mover.reverse_times:
        if facts.mover.column == "hd" and sheet.reading("D2.2a") == "plain":
            return
        sheet.bar("it cannot move in Reverse")


@clause("C10.1f", kind="action", composes="flag")
def no_reverse_in_tow(facts: Reversing | StartStop, sheet: Sheet) -> None:
    """A vehicle towing a Gun cannot move in Reverse."""
    if facts.mover.towing and facts.reverse:
        sheet.bar("it tows a Gun")


@clause("D2.2b", kind="action", composes="flag")
def rear_only(facts: Reversing, sheet: Sheet) -> None:
    """In Reverse a vehicle enters only the two hexes behind it."""
    if facts.mover.is_vehicle and facts.reverse and not facts.ahead:
        sheet.bar("the hex is not behind the vehicle")


@clause("D2.2c", kind="cost", composes="flag")
def reverse_cost(facts: Reversing, sheet: Sheet) -> None:
    """Reverse multiplies the whole entry cost: by 4 (tracked), 3 (trucks) or 2 (most others)."""
    if facts.mover.is_vehicle and facts.reverse:
        times = facts.mover.reverse_times or 1
        cost = sheet.total()
        if sheet.total("all") and sheet.reading("D2.2c") == "plain":
            cost -= sheet.total("all")
        sheet.charge((times - 1) * cost, f"in Reverse, {times} times", "reverse")


@clause("D2.2d", kind="cost", composes="flag")
def reverse_turn(facts: Swing, sheet: Sheet) -> None:
    """The cost of a VCA change in Reverse is open to interpretation."""
    if facts.mover.is_vehicle and facts.reverse and sheet.reading("D2.2d") == "multiplied":
        times = facts.mover.reverse_times
        sheet.charge((times - 1) * sheet.total(), f"in Reverse, {times} times", "reverse")
