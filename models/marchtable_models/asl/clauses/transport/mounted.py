"""
What Passengers and Riders are entitled to, or others are against them, beside their actions.

The clauses look at a :class:`Mounted` or :class:`Carriage` and write with
:mod:`marchtable_models.asl.grants`; see :mod:`marchtable_models.asl.reporting.entitlements`.
"""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.clauses.infantry.underfire import FFMO, FFNAM
from marchtable_models.asl.data import ratio
from marchtable_models.asl.facts.mounted import Mounted
from marchtable_models.asl.facts.vehicles import HatchChange
from marchtable_models.asl.grants import deny, grant

FIRE, CC, ROUT = "fire on the IFT", "attack in CC", "be free of rout while broken aboard"
OVR, SW, CE, SMALL_ARMS = "add FP to an OVR", "fire a SW", "have the CE DRM", "be hit by Small Arms"
SPOT = "spot for Indirect Fire"

DESPERATELY = "as a Desperation attack"
IF_FIT = ", if it is a LMG, PIAT or thrown DC"


# -- Passengers ------------------------------------------------------------------------------------


@clause("D6.1a", kind="state")
def mounted_fire(facts: Mounted, sheet: Sheet) -> None:
    """Passengers fire at half FP, as Mounted Fire, on top of what halves it as their vehicle moves."""
    if facts.inside and facts.broken:
        deny(sheet, FIRE)
    elif facts.inside:
        bounding = facts.moved or facts.moving
        grant(sheet, FIRE, ratio("D6.1a", "bounding" if bounding else "mounted"))


@clause("D6.63b", kind="state")
def full_fire(facts: Mounted, sheet: Sheet) -> None:
    """Armored halftrack Passengers fire at full FP, trucks' do not."""
    if facts.inside and facts.armored_halftrack and not facts.broken:
        grant(sheet, FIRE, 1)


@clause("D6.1b", kind="state")
def close_combat(facts: Mounted, sheet: Sheet) -> None:
    """Passengers may attack in CC."""
    if facts.inside and not facts.broken:
        grant(sheet, CC, 0)


@clause("D6.1f", kind="state")
def free_of_rout(facts: Mounted, sheet: Sheet) -> None:
    """A broken Passenger may stay aboard and need not rout."""
    if facts.inside and facts.broken:
        grant(sheet, ROUT, 1)


@clause("D6.1i", kind="action")
def rout_beneath(facts: Mounted, sheet: Sheet) -> None:
    """A broken Passenger may rout beneath its vehicle while that is stopped."""
    if facts.inside and facts.broken:
        if facts.moving:
            deny(sheet, "rout to beneath the vehicle")
        else:
            grant(sheet, "rout to beneath the vehicle", 1)


@clause("D6.1h", kind="state")
def passenger_sw(facts: Mounted, sheet: Sheet) -> None:
    """Passengers fire no SW but LMG, PIAT and thrown DC."""
    if not facts.inside:
        return
    for name, use in facts.weapons:
        what = f"{SW}: {name}"
        if use == "fire" and not facts.broken:
            grant(sheet, what, 1)
        elif use or facts.broken:
            deny(sheet, what)
        else:
            grant(sheet, what + IF_FIT, 1)
        if use == "desperate" and not facts.broken:
            grant(sheet, f"{what}, {DESPERATELY}", 1)


# -- Riders ----------------------------------------------------------------------------------------


@clause("D6.22a", kind="state")
def no_sw_outside(facts: Mounted, sheet: Sheet) -> None:
    """Riders use no SW."""
    if facts.riding:
        for name, _ in facts.weapons:
            deny(sheet, f"{SW}: {name}")


@clause("D6.22b", kind="state")
def rider_fire(facts: Mounted, sheet: Sheet) -> None:
    """Riders fire their own FP halved, quartered once their vehicle has moved."""
    if facts.riding:
        moved = facts.moved or facts.moving
        grant(sheet, FIRE, ratio("D6.22b", "moved" if moved else "mounted"))


@clause("D6.22c", kind="state")
def rider_close_combat(facts: Mounted, sheet: Sheet) -> None:
    """Riders add 1 to their CC DR."""
    if facts.riding:
        grant(sheet, CC, ratio("D6.22c", "drm"))


@clause("D6.23a", kind="state")
def vulnerable_riders(facts: Mounted, sheet: Sheet) -> None:
    """Riders are always Vulnerable: never BU, never with the CE DRM."""
    if facts.riding:
        deny(sheet, CE)
        grant(sheet, SMALL_ARMS, 1)


# -- boarding and leaving --------------------------------------------------------------------------


@clause("D6.5i", kind="state")
def loads_under_fire(facts: Mounted, sheet: Sheet) -> None:
    """FFNAM holds against units that board or leave; FFMO at times against Passengers."""
    if facts.hazardous:
        return  # see A4.62a
    if facts.act or (facts.conveyed and not facts.aboard and facts.in_mph):
        grant(sheet, FFNAM, ratio("D6.5i", "ffnam"))
    if facts.act == "alights" and facts.in_open:
        grant(sheet, FFMO, ratio("A4.6", "ffmo"))
    elif facts.act:
        deny(sheet, FFMO)


@clause("D6.5p", kind="action")
def unloaded_fire(facts: Mounted, sheet: Sheet) -> None:
    """Who has left a vehicle this MPh neither fires nor adds to an OVR in it."""
    if facts.conveyed and not facts.aboard and facts.in_mph:
        deny(sheet, FIRE)
        deny(sheet, OVR)


# -- armored halftracks ----------------------------------------------------------------------------


@clause("D6.62a", kind="state")
def ce_passengers(facts: Mounted, sheet: Sheet) -> None:
    """Armored halftrack Passengers are CE unless broken, pinned or BU."""
    if facts.in_halftrack:
        if facts.exposed:
            grant(sheet, CE, ratio("D6.62a", "drm"))
        else:
            deny(sheet, CE)


@clause("D6.61a", kind="state")
def exposed_to_fire(facts: Mounted, sheet: Sheet) -> None:
    """Armored halftrack Passengers who are not CE are not attacked apart from it."""
    if facts.in_halftrack:
        if facts.exposed:
            grant(sheet, SMALL_ARMS, 1)
        else:
            deny(sheet, SMALL_ARMS)


@clause("D6.61b", kind="state")
def bu_passengers(facts: Mounted, sheet: Sheet) -> None:
    """Passengers who are BU neither fire nor attack in CC, spot or escort."""
    if facts.in_halftrack and not facts.exposed:
        for what in (FIRE, CC, SPOT, "give a Personnel Escort DRM"):
            deny(sheet, what)
        for name, use in facts.weapons:
            deny(sheet, f"{SW}: {name}" + (IF_FIT if not (use or facts.broken) else ""))
            if use == "desperate":
                deny(sheet, f"{SW}: {name}, {DESPERATELY}")


@clause("D6.63a", kind="state")
def bounding_fire(facts: Mounted, sheet: Sheet) -> None:
    """Once an armored halftrack has moved, its Passengers fire at half FP."""
    inside = facts.inside and facts.armored_halftrack and not facts.broken
    if inside and (facts.moved or facts.moving) and facts.exposed:
        grant(sheet, FIRE, ratio("D6.63a", "bounding"))


# -- trucks and Carriers ---------------------------------------------------------------------------


@clause("D6.7a", kind="state")
def vulnerable_trucks(facts: Mounted, sheet: Sheet) -> None:
    """Passengers of trucks and unarmored halftracks are always Vulnerable."""
    if facts.inside and facts.unarmored:
        deny(sheet, CE)
        grant(sheet, SMALL_ARMS, 1)


@clause("D6.72a", kind="state")
def truck_ovr(facts: Mounted, sheet: Sheet) -> None:
    """Truck Passengers add a quarter of their printed FP to an OVR, then tripled."""
    if facts.inside and facts.unarmored and facts.in_mph and not facts.broken:
        grant(sheet, OVR, ratio("D6.72a", "share") * ratio("D6.72a", "times"))


@clause("D6.84a", kind="state")
def carrier_crew(facts: Mounted | HatchChange, sheet: Sheet) -> None:
    """Who is inside a Carrier is always CE, and open to Small Arms."""
    if isinstance(facts, HatchChange):
        if facts.carrier and facts.to_bu:
            sheet.bar("a Carrier is never BU")
    elif facts.inside and facts.carrier:
        grant(sheet, CE, ratio("D6.62a", "drm"))
        grant(sheet, SMALL_ARMS, 1)
