"""Carriers, and armament taken off them and off halftracks (D6.631, D6.8)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.clauses.transport.mounted import CE
from marchtable_models.asl.data import count, ratio
from marchtable_models.asl.facts.manning import Manned, Taking
from marchtable_models.asl.facts.mounted import Carriage, Mounted
from marchtable_models.asl.grants import deny, grant
from marchtable_models.asl.unittype import UnitType

HS, COLLATERAL = "have a half squad for its crew", "suffer the Collateral Attack of the same attack"


@clause("D6.8", kind="state")
def as_a_halftrack(facts: Carriage, sheet: Sheet) -> None:
    """A Carrier counts as a halftrack, unless said otherwise."""
    if facts.carrier:
        grant(sheet, "count as an armored halftrack", 1)


@clause("D6.81d", kind="state")
def tracked(facts: Carriage, sheet: Sheet) -> None:
    """A Carrier moves in the column of fully-tracked vehicles."""
    if facts.carrier:
        if facts.column == "ft":
            grant(sheet, "move as a fully-tracked vehicle", 1)
        else:
            deny(sheet, "move as a fully-tracked vehicle")


@clause("D6.82a", kind="state")
def crew_is_half_squad(facts: Carriage, sheet: Sheet) -> None:
    """A Carrier's inherent crew is a half squad."""
    if facts.carrier:
        grant(sheet, HS, 1)


def has_true_crew(carrier: Carriage | Manned | UnitType) -> bool:
    """Return whether a Carrier is one of those whose inherent crew is no half squad."""
    mortar = carrier.main == "mortar" and carrier.mm == count("D6.82d", "mm")
    return carrier.main == "ft" or mortar or carrier.tows_ordnance


@clause("D6.82d", kind="state")
def true_crew(facts: Carriage | Manned, sheet: Sheet) -> None:
    """Carriers with a FT or 76mm mortar, or named as towing ordnance, have a true crew."""
    manned = has_true_crew(facts)
    if isinstance(facts, Manned):
        if facts.half_squad and manned:
            sheet.unsupported("a half squad would be a Temporary crew: this Carrier has a true one")
    elif facts.carrier and manned:
        deny(sheet, HS)


@clause("D6.82b", kind="action")
def recombine(facts: Carriage, sheet: Sheet) -> None:
    """Half squads off their Carriers recombine with neither TC nor leader."""
    if facts.trained and not facts.squad:
        grant(sheet, "recombine with neither TC nor leader", 1)


@clause("D6.82c", kind="action")
def deploy(facts: Carriage, sheet: Sheet) -> None:
    """Squads so combined Deploy with neither TC nor leader to mount their Carriers."""
    if facts.trained and facts.squad:
        grant(sheet, "Deploy with neither TC nor leader, to mount Carriers", 1)


@clause("D6.631a", kind="action")
def take_armament(facts: Taking, sheet: Sheet) -> None:
    """A crew that abandons its own side's armored halftrack takes MG or mortar along."""
    if facts.halftrack and not facts.carrier and facts.captured:
        sheet.bar("the halftrack is not of its own nationality")


@clause("D6.83a", kind="action")
def take_carrier_armament(facts: Taking, sheet: Sheet) -> None:
    """A Carrier's crew abandons it with MG, ATR or mortar, too."""
    if facts.carrier and facts.captured:
        sheet.bar("the Carrier is not of its own nationality")


@clause("D6.631b", kind="cost")
def passengers_take(facts: Taking, sheet: Sheet) -> None:
    """Passengers take removable armament off at the cost of unloading alone."""
    if facts.by == "passengers":
        if facts.removable:
            sheet.exception("armament comes off as part of leaving, for nothing more")
        else:
            sheet.bar("Passengers take no armament off this vehicle")


@clause("D6.631c", kind="state")
def mg_taken(facts: Carriage | Taking, sheet: Sheet) -> None:
    """The MG taken off has at most the FP of the vehicle's own."""
    if isinstance(facts, Taking):
        if facts.strongest > facts.mg:
            sheet.bar("the MG is stronger than the vehicle's own", facts.mg, facts.strongest)
    elif (facts.armored_halftrack or facts.carrier) and facts.mg:
        grant(sheet, "have its MG taken off, as a MG of at most so many FP", facts.mg)


@clause("D6.631d", kind="action")
def re_man(facts: Manned, sheet: Sheet) -> None:
    """A crew with the fitting MG or mortar re-mans the vehicle."""
    if facts.taken and not facts.mounts:
        sheet.bar("the crew does not bring the armament that was taken off the vehicle")


@clause("D6.84b", kind="state")
def stays_exposed(facts: Carriage | Mounted, sheet: Sheet) -> None:
    """Who is inside a Carrier stays CE though it is Stunned or Shocked."""
    if facts.carrier and facts.shocked and not (isinstance(facts, Mounted) and facts.riding):
        grant(sheet, CE, ratio("D6.62a", "drm"))
        grant(sheet, COLLATERAL, 1)


@clause("D6.84c", kind="state")
def own_crew(facts: Carriage, sheet: Sheet) -> None:
    """A Carrier's own crew keeps to D5.8."""
    if facts.carrier and not facts.abandoned:
        deny(sheet, "have its crew exempt from D5.8")
