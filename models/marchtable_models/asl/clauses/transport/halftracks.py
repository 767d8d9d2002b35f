"""What Passengers of armored halftracks are entitled to, CE or BU (D6.6)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.clauses.transport.mounted import CE, SPOT
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.aboard import Slew
from marchtable_models.asl.facts.mounted import Carriage, Mounted
from marchtable_models.asl.facts.vehicles import HatchChange
from marchtable_models.asl.grants import deny, grant

BE_BU, HATCH, DIRECT = "count as BU", "be BU or CE as Passengers", "direct an attack"
ABOVE, BACK = "be attacked apart from its vehicle from above", "fire back at attacks from above"
STUN, RECIPROCAL = "be Stunned", "fire by Reciprocity (A6.5)"


@clause("D6.6a", kind="state")
def bu_or_ce(facts: Mounted, sheet: Sheet) -> None:
    """Armored halftrack Passengers may be BU, sharing its immunity to Small Arms, or CE."""
    if facts.in_halftrack and not (facts.broken or facts.pinned or facts.shocked):
        grant(sheet, HATCH, 1)
    elif facts.inside:
        deny(sheet, HATCH)


@clause("D6.61c", kind="state")
def broken_bu(facts: Mounted, sheet: Sheet) -> None:
    """Broken or Shocked halftrack Passengers are BU."""
    if facts.in_halftrack and (facts.broken or facts.shocked):
        grant(sheet, BE_BU, 1)


@clause("D6.61d", kind="state")
def from_above(facts: Mounted, sheet: Sheet) -> None:
    """A firer higher above BU Passengers than he is far off attacks them apart, and they fire back."""
    if facts.in_halftrack and not facts.exposed:
        grant(sheet, ABOVE, 1)
        if not facts.broken:
            grant(sheet, BACK, 1)


@clause("D6.61e", kind="state")
def drm_from_above(facts: Mounted, sheet: Sheet) -> None:
    """From above the CE DRM is less by the levels by which height exceeds range."""
    if facts.in_halftrack and not facts.exposed:
        full = count("D6.61e", "drm")
        for levels in range(1, full + 1):
            more = f", {levels} level(s) higher above than far off"
            grant(sheet, CE + more, full - levels)


@clause("D6.61f", kind="state")
def unarmored_facing(facts: Mounted, sheet: Sheet) -> None:
    """Passengers hit through an unarmored facing are Vulnerable though they be BU."""
    if facts.in_halftrack:
        deny(sheet, f"{CE}, hit through an unarmored facing")


@clause("D6.62b", kind="effect")
def no_stun(facts: Mounted, sheet: Sheet) -> None:
    """Armored halftrack Passengers are not Stunned: they go BU, broken if they fail a MC too."""
    if facts.in_halftrack:
        deny(sheet, STUN)
        grant(sheet, "become BU instead of Stunned", 1)


@clause("D6.62c", kind="state")
def acts_exposed(facts: Mounted, sheet: Sheet) -> None:
    """Armored halftrack Passengers direct attacks and spot only while CE; Reciprocity apart."""
    if not (facts.inside and facts.armored_halftrack):
        return
    if not facts.exposed or facts.broken:
        deny(sheet, DIRECT)
        if not facts.broken:
            grant(sheet, RECIPROCAL, 1)
    else:
        grant(sheet, SPOT, 1)
        if facts.leads:
            grant(sheet, DIRECT, 1)


@clause("D6.62e", kind="state")
def no_tca(facts: Carriage | Slew, sheet: Sheet) -> None:
    """An AFV without a turret is BU or CE, but shows no TCA."""
    if isinstance(facts, Slew):
        if not (facts.afv and facts.turret):
            sheet.bar("it has no turret, and so no TCA")
    elif facts.afv:
        if facts.turret:
            grant(sheet, "show a TCA", 1)
        else:
            deny(sheet, "show a TCA")


@clause("D6.66", kind="effect")
def dm_though_bu(facts: Mounted, sheet: Sheet) -> None:
    """A broken halftrack Passenger comes under DM by ordnance hits and by what could break a CE one."""
    if facts.in_halftrack and facts.broken:
        for cause in ("an ordnance hit on its vehicle", "an attack that could give a CE one a NMC"):
            grant(sheet, f"come under DM by {cause}", 1)


@clause("D6.62d", kind="action")
def change_together(facts: HatchChange, sheet: Sheet) -> None:
    """Passengers become CE or BU with the crew, as it does."""
    if facts.afv and facts.passengers and not facts.carrier:
        sheet.exception("its Passengers change with the crew")
