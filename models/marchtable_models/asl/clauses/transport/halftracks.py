"""What Passengers of armored halftracks are entitled to, CE or BU (D6.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.asl.clauses.transport.mounted import CE, SPOT
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.aboard import Slew
from marchtable_models.asl.grants import deny, grant

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.mounted import Carriage, Mounted
    from marchtable_models.asl.facts.vehicles import HatchChange

__all__ = [
    "acts_exposed",
    "broken_bu",
    "bu_or_ce",
    "change_together",
    "dm_though_bu",
    "drm_from_above",
    "from_above",
    "no_stun",
    "no_tca",
    "unarmored_facing",
]

BE_BU, HATCH, DIRECT = "count as BU", "be BU or CE as Passengers", "direct an attack"
ABOVE, BACK = "be attacked apart from its vehicle from above", "fire back at attacks from above"
STUN, RECIPROCAL = "be Stunned", "fire by Reciprocity (A6.5)"


@clause(
    "D6.6a",
    "Armored halftrack Passengers may be BU, sharing its immunity to Small Arms, or CE",
    kind="state",
)
def bu_or_ce(facts: Mounted, sheet: Sheet) -> None:
    if facts.in_halftrack and not (facts.broken or facts.pinned or facts.shocked):
        grant(sheet, HATCH, 1)
    elif facts.inside:
        deny(sheet, HATCH)


@clause("D6.61c", "Broken or Shocked halftrack Passengers are BU", kind="state")
def broken_bu(facts: Mounted, sheet: Sheet) -> None:
    if facts.in_halftrack and (facts.broken or facts.shocked):
        grant(sheet, BE_BU, 1)


@clause(
    "D6.61d",
    "A firer higher above BU Passengers than he is far off attacks them apart, and they fire back",
    kind="state",
)
def from_above(facts: Mounted, sheet: Sheet) -> None:
    if facts.in_halftrack and not facts.exposed:
        grant(sheet, ABOVE, 1)
        if not facts.broken:
            grant(sheet, BACK, 1)


@clause(
    "D6.61e",
    "From above the CE DRM is less by the levels by which height exceeds range",
    kind="state",
)
def drm_from_above(facts: Mounted, sheet: Sheet) -> None:
    if facts.in_halftrack and not facts.exposed:
        full = count("D6.61e", "drm")
        for levels in range(1, full + 1):
            more = f", {levels} level(s) higher above than far off"
            grant(sheet, CE + more, full - levels)


@clause(
    "D6.61f",
    "Passengers hit through an unarmored facing are Vulnerable though they be BU",
    kind="state",
)
def unarmored_facing(facts: Mounted, sheet: Sheet) -> None:
    if facts.in_halftrack:
        deny(sheet, f"{CE}, hit through an unarmored facing")


@clause(
    "D6.62b",
    "Armored halftrack Passengers are not Stunned: they go BU, broken if they fail a MC too",
    kind="effect",
)
def no_stun(facts: Mounted, sheet: Sheet) -> None:
    if facts.in_halftrack:
        deny(sheet, STUN)
        grant(sheet, "become BU instead of Stunned", 1)


@clause(
    "D6.62c",
    "Armored halftrack Passengers direct attacks and spot only while CE; Reciprocity apart",
    kind="state",
)
def acts_exposed(facts: Mounted, sheet: Sheet) -> None:
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


@clause("D6.62e", "An AFV without a turret is BU or CE, but shows no TCA", kind="state")
def no_tca(facts: Carriage | Slew, sheet: Sheet) -> None:
    if isinstance(facts, Slew):
        if not (facts.afv and facts.turret):
            sheet.bar("it has no turret, and so no TCA")
    elif facts.afv:
        if facts.turret:
            grant(sheet, "show a TCA", 1)
        else:
            deny(sheet, "show a TCA")


@clause(
    "D6.66",
    "A broken halftrack Passenger comes under DM by ordnance hits and by what could break a CE one",
    kind="effect",
)
def dm_though_bu(facts: Mounted, sheet: Sheet) -> None:
    if facts.in_halftrack and facts.broken:
        for cause in ("an ordnance hit on its vehicle", "an attack that could give a CE one a NMC"):
            grant(sheet, f"come under DM by {cause}", 1)


@clause("D6.62d", "Passengers become CE or BU with the crew, as it does", kind="action")
def change_together(facts: HatchChange, sheet: Sheet) -> None:
    if facts.afv and facts.passengers and not facts.carrier:
        sheet.exception("its Passengers change with the crew")
