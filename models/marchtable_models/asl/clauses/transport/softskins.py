"""What fire does to trucks and unarmored halftracks, and their PRC to others (D6.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.asl.grants import deny, grant

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.mounted import Carriage, Mounted

__all__ = [
    "as_a_truck",
    "equal_immobilizes",
    "one_above_misses",
    "specific_collateral",
    "truck_close_combat",
    "truck_weapons",
    "unarmored_line",
    "vehicle_line",
]


@clause("D6.7b", "An unarmored halftrack carries Personnel as a truck does", kind="state")
def as_a_truck(facts: Carriage, sheet: Sheet) -> None:
    if facts.unarmored_halftrack:
        grant(sheet, "load, carry and unload as a truck", 1)


@clause(
    "D6.7c",
    "Other fire at what is unarmored uses the IFT Vehicle line, its PRC hit collaterally",
    kind="state",
)
def vehicle_line(facts: Carriage, sheet: Sheet) -> None:
    if facts.truck or facts.unarmored_halftrack:
        grant(sheet, "be attacked on the IFT Vehicle line, its PRC collaterally", 1)


@clause(
    "D6.71a", "Ordnance hits on a truck use the Unarmored line of the To Kill table", kind="state"
)
def unarmored_line(facts: Carriage, sheet: Sheet) -> None:
    if facts.truck:
        grant(sheet, "be hit by ordnance on the Unarmored To Kill line", 1)


@clause("D6.71b", "A To Kill DR one above the Final TK# misses what is unarmored", kind="odds")
def one_above_misses(facts: Carriage, sheet: Sheet) -> None:
    if facts.truck or facts.unarmored_halftrack:
        deny(sheet, "be Shocked or immobilized by a To Kill DR 1 above the Final TK#")


@clause(
    "D6.71c",
    "Ordnance immobilizes what is unarmored only by a To Kill DR of the Final TK# itself",
    kind="odds",
)
def equal_immobilizes(facts: Carriage, sheet: Sheet) -> None:
    if facts.truck or facts.unarmored_halftrack:
        grant(sheet, "be immobilized by a To Kill DR of the Final TK#", 1)


@clause(
    "D6.71d",
    "PRC of a truck that a hit does not destroy suffer a Specific Collateral Attack",
    kind="effect",
)
def specific_collateral(facts: Mounted, sheet: Sheet) -> None:
    if facts.inside and facts.unarmored:
        grant(sheet, "suffer a Specific Collateral Attack by ordnance hits", 1)


@clause("D6.72b", "A truck's own weapons are fired by its inherent crew alone", kind="state")
def truck_weapons(facts: Mounted, sheet: Sheet) -> None:
    if facts.inside and facts.unarmored:
        deny(sheet, "fire its vehicle's own weapons")


@clause("D6.72c", "Truck Passengers attack in CC, with the penalties of A11.52", kind="state")
def truck_close_combat(facts: Mounted, sheet: Sheet) -> None:
    if facts.inside and facts.unarmored and not facts.broken:
        grant(sheet, "suffer the penalties of A11.52 in CC", 1)
