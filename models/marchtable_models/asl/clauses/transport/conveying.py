"""What it is to be carried: who rides, who must rout, what is fired at (D6.1-D6.4)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.clauses.transport.mounted import ROUT
from marchtable_models.asl.facts.mounted import Carriage, Mounted
from marchtable_models.asl.facts.units import PhaseStart
from marchtable_models.asl.grants import deny, grant

AFTER_ROUT = ("APh", "CCPh")
RIDER, MOVING_TARGET = "count as a Rider", "be a moving target (Case J)"


@clause("D6.1g", kind="effect")
def must_rout(facts: Mounted | PhaseStart, sheet: Sheet) -> None:
    """Once its inherent crew is gone, a broken Passenger must rout to beneath the vehicle."""
    if isinstance(facts, PhaseStart):
        if facts.trapped and (facts.new_turn or facts.phase in AFTER_ROUT):
            sheet.unsupported("a broken Passenger who had to rout is still aboard")
    elif facts.inside and facts.broken and facts.crewless:
        deny(sheet, ROUT)
        deny(sheet, "stay aboard while broken")
        grant(sheet, "rout to beneath the vehicle", 1)


@clause("D6.2a", kind="state")
def who_rides(facts: Carriage | Mounted, sheet: Sheet) -> None:
    """Riders are who is outside an AFV, Cavalry and motorcyclists."""
    if isinstance(facts, Mounted):
        if facts.riding:
            grant(sheet, RIDER, 1)
        elif facts.inside:
            deny(sheet, RIDER)
    elif facts.mount:
        grant(sheet, RIDER, 1)


@clause("D6.3a", kind="cost")
def whole_allotment(facts: Carriage, sheet: Sheet) -> None:
    """Carrying Personnel takes nothing off a vehicle's MP."""
    if facts.laden:
        grant(sheet, "have its whole MP allotment while it carries Personnel", 1)


@clause("D6.4g", kind="state")
def no_moving_target(facts: Carriage, sheet: Sheet) -> None:
    """A vehicle that loads or unloads before it is under way is no moving target, but fired at."""
    if facts.vehicle and facts.loads_only:
        deny(sheet, MOVING_TARGET)
        grant(sheet, "be fired at by Defensive First Fire", 1)
