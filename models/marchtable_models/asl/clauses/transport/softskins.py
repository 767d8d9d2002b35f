"""What fire does to trucks and unarmored halftracks, and their PRC to others (D6.7)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.facts.mounted import Carriage, Mounted
from marchtable_models.asl.grants import deny, grant


@clause("D6.7b", kind="state")
def as_a_truck(facts: Carriage, sheet: Sheet) -> None:
    """An unarmored halftrack carries Personnel as a truck does."""
    if facts.unarmored_halftrack:
        grant(sheet, "load, carry and unload as a truck", 1)


@clause("D6.7c", kind="state")
def vehicle_line(facts: Carriage, sheet: Sheet) -> None:
    """Other fire at what is unarmored uses the IFT Vehicle line, its PRC hit collaterally."""
    if facts.truck or facts.unarmored_halftrack:
        grant(sheet, "be attacked on the IFT Vehicle line, its PRC collaterally", 1)


@clause("D6.71a", kind="state")
def unarmored_line(facts: Carriage, sheet: Sheet) -> None:
    """Ordnance hits on a truck use the Unarmored line of the To Kill table."""
    if facts.truck:
        grant(sheet, "be hit by ordnance on the Unarmored To Kill line", 1)


@clause("D6.71b", kind="odds")
def one_above_misses(facts: Carriage, sheet: Sheet) -> None:
    """A To Kill DR one above the Final TK# misses what is unarmored."""
    if facts.truck or facts.unarmored_halftrack:
        deny(sheet, "be Shocked or immobilized by a To Kill DR 1 above the Final TK#")


@clause("D6.71c", kind="odds")
def equal_immobilizes(facts: Carriage, sheet: Sheet) -> None:
    """Ordnance immobilizes what is unarmored only by a To Kill DR of the Final TK# itself."""
    if facts.truck or facts.unarmored_halftrack:
        grant(sheet, "be immobilized by a To Kill DR of the Final TK#", 1)


@clause("D6.71d", kind="effect")
def specific_collateral(facts: Mounted, sheet: Sheet) -> None:
    """PRC of a truck that a hit does not destroy suffer a Specific Collateral Attack."""
    if facts.inside and facts.unarmored:
        grant(sheet, "suffer a Specific Collateral Attack by ordnance hits", 1)


@clause("D6.72b", kind="state")
def truck_weapons(facts: Mounted, sheet: Sheet) -> None:
    """A truck's own weapons are fired by its inherent crew alone."""
    if facts.inside and facts.unarmored:
        deny(sheet, "fire its vehicle's own weapons")


@clause("D6.72c", kind="state")
def truck_close_combat(facts: Mounted, sheet: Sheet) -> None:
    """Truck Passengers attack in CC, with the penalties of A11.52."""
    if facts.inside and facts.unarmored and not facts.broken:
        grant(sheet, "suffer the penalties of A11.52 in CC", 1)
