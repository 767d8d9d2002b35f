"""Which fire groups Passengers, Riders and vehicles join (D6.64)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.facts.mounted import Carriage, Mounted
from marchtable_models.asl.grants import deny, grant

OWN, OUTSIDE = "join a FG aboard its vehicle", "join a FG with units outside its vehicle"
WITH_MG = "join a FG that holds its vehicle's MG"


@clause("D6.64a", kind="state")
def vehicles_in_fg(facts: Carriage, sheet: Sheet) -> None:
    """Of vehicles only CE Carriers and halftracks that carry Passengers join a FG, no FT or IFE."""
    if not facts.vehicle or not facts.armed:
        return
    manned = not (facts.abandoned or facts.shocked)
    if manned and facts.fires_with_others:
        grant(sheet, "join a FG with its MG", 1)
        deny(sheet, "join a FG with a FT or by IFE")
    else:
        deny(sheet, "join a FG with its MG")


@clause("D6.64b", kind="state")
def passengers_in_fg(facts: Mounted, sheet: Sheet) -> None:
    """A Passenger's FG is of Passengers and MG of its own vehicle."""
    if facts.inside and not facts.broken:
        grant(sheet, OWN, 1)
        deny(sheet, OUTSIDE)


@clause("D6.64f", kind="state")
def ce_in_fg(facts: Mounted, sheet: Sheet) -> None:
    """CE halftrack Passengers join FG with others outside, too."""
    if facts.inside and facts.armored_halftrack and not facts.broken:
        if facts.exposed:
            grant(sheet, OUTSIDE, 1)
        else:
            deny(sheet, OWN)


@clause("D6.64c", kind="state")
def riders_in_fg(facts: Mounted, sheet: Sheet) -> None:
    """Riders form a FG with Riders and AAMG of the same vehicle alone."""
    if facts.aboard and facts.riding:
        grant(sheet, "join a FG of Riders and the AAMG of its vehicle", 1)
        deny(sheet, OUTSIDE)


@clause("D6.64g", kind="state")
def carrier_riders_in_fg(facts: Mounted, sheet: Sheet) -> None:
    """Carrier Riders join any FG that holds that Carrier's MG."""
    if facts.aboard and facts.riding:
        if facts.carrier:
            grant(sheet, WITH_MG, 1)
        else:
            deny(sheet, WITH_MG)


@clause("D6.64d", kind="state")
def crew_fires(facts: Mounted, sheet: Sheet) -> None:
    """The crew alone fires a halftrack's own weapons, never its Passengers."""
    if facts.inside and facts.armored_halftrack:
        deny(sheet, "fire its vehicle's own weapons")


@clause("D6.64e", kind="state")
def fg_rules(facts: Carriage | Mounted, sheet: Sheet) -> None:
    """Every FG of PRC or vehicles keeps to the rules of FG (A7.5)."""
    in_fg = facts.aboard if isinstance(facts, Mounted) else facts.vehicle and facts.armed
    if in_fg:
        deny(sheet, "form a FG otherwise than A7.5 tells")
