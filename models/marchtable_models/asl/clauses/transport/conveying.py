"""What it is to be carried: who rides, who must rout, what is fired at (D6.1-D6.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.asl.clauses.transport.mounted import ROUT
from marchtable_models.asl.facts.mounted import Mounted
from marchtable_models.asl.facts.units import PhaseStart
from marchtable_models.asl.grants import deny, grant

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.mounted import Carriage

__all__ = [
    "must_rout",
    "no_moving_target",
    "who_rides",
    "whole_allotment",
]

AFTER_ROUT = ("APh", "CCPh")
RIDER, MOVING_TARGET = "count as a Rider", "be a moving target (Case J)"


@clause(
    "D6.1g",
    "Once its inherent crew is gone, a broken Passenger must rout to beneath the vehicle",
    kind="effect",
)
def must_rout(facts: Mounted | PhaseStart, sheet: Sheet) -> None:
    if isinstance(facts, PhaseStart):
        if facts.trapped and (facts.new_turn or facts.phase in AFTER_ROUT):
            sheet.unsupported("a broken Passenger who had to rout is still aboard")
    elif facts.inside and facts.broken and facts.crewless:
        deny(sheet, ROUT)
        deny(sheet, "stay aboard while broken")
        grant(sheet, "rout to beneath the vehicle", 1)


@clause("D6.2a", "Riders are who is outside an AFV, Cavalry and motorcyclists", kind="state")
def who_rides(facts: Carriage | Mounted, sheet: Sheet) -> None:
    if isinstance(facts, Mounted):
        if facts.riding:
            grant(sheet, RIDER, 1)
        elif facts.inside:
            deny(sheet, RIDER)
    elif facts.mount:
        grant(sheet, RIDER, 1)


@clause("D6.3a", "Carrying Personnel takes nothing off a vehicle's MP", kind="cost")
def whole_allotment(facts: Carriage, sheet: Sheet) -> None:
    if facts.laden:
        grant(sheet, "have its whole MP allotment while it carries Personnel", 1)


@clause(
    "D6.4g",
    "A vehicle that loads or unloads before it is under way is no moving target, but fired at",
    kind="state",
)
def no_moving_target(facts: Carriage, sheet: Sheet) -> None:
    if facts.vehicle and facts.loads_only:
        deny(sheet, MOVING_TARGET)
        grant(sheet, "be fired at by Defensive First Fire", 1)
