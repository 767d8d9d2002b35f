"""What fire at Infantry that moves gets for its moving: FFNAM, FFMO, Hazardous Movement (A4.6)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.foot import Moment
from marchtable_models.asl.grants import deny, grant

FFNAM, FFMO, HAZARDOUS = "FFNAM", "FFMO", "Hazardous Movement"


@clause("A4.6a", kind="state")
def fire_at_movers(facts: Moment, sheet: Sheet) -> None:
    """Infantry that moves, but for Assault Movement, is fired at with FFNAM."""
    if facts.kind == "foot" and facts.moved:
        if facts.assault:
            deny(sheet, FFNAM)
        else:
            grant(sheet, FFNAM, count("A4.6", "ffnam"))


@clause("A4.6b", kind="state")
def fire_in_the_open(facts: Moment, sheet: Sheet) -> None:
    """Infantry that moves with neither TEM nor Hindrance is fired at with FFMO."""
    if facts.kind == "foot" and facts.moved:
        if facts.in_open and not facts.sheltered:
            grant(sheet, FFMO, count("A4.6", "ffmo"))
        else:
            deny(sheet, FFMO)


@clause("D9.31e", kind="state")
def beside_its_afv(facts: Moment, sheet: Sheet) -> None:
    """Infantry that moves with an AFV is not fired at with FFMO."""
    if facts.moved and facts.escorted and sheet.reading("D9.31e") == "sheltered":
        deny(sheet, FFMO)


@clause("A4.62a", kind="state")
def hazardous(facts: Moment, sheet: Sheet) -> None:
    """Hazardous Movement gives its own DRM in place of FFNAM and FFMO."""
    if facts.kind == "foot" and facts.hazardous and not facts.pinned:
        if facts.moved:
            deny(sheet, FFNAM)
            deny(sheet, FFMO)
        grant(sheet, HAZARDOUS, count("A4.62", "drm"))
