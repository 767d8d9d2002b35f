"""PRC who leave a vehicle that is in Bypass (D6.5, D2.36, A12.151): where they count as being."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.clauses.transport.riders import bails
from marchtable_models.asl.facts.aboard import Lost, Plunge
from marchtable_models.asl.facts.foot import STRANDED, Detection
from marchtable_models.asl.facts.manning import Abandonment
from marchtable_models.asl.facts.mounted import Mounted
from marchtable_models.asl.facts.mounts import Spilled
from marchtable_models.asl.facts.transport import Alight
from marchtable_models.asl.grants import grant


@clause("D6.5l", kind="state")
def at_cafp(facts: Alight | Plunge | Lost | Abandonment | Mounted | Spilled, sheet: Sheet) -> None:
    """Who leaves a vehicle in Bypass in its MPh is at its CAFP to fire at that, whatever MF it has."""
    if isinstance(facts, Mounted):
        if facts.cafp == "at":
            grant(sheet, "be at the CAFP against Defensive First Fire", 1)
    elif _leaves_bypass(facts, sheet):
        sheet.force("cafp", "at")


def _leaves_bypass(facts: Alight | Plunge | Lost | Abandonment | Spilled, sheet: Sheet) -> bool:
    if isinstance(facts, Spilled):
        return facts.bypass
    if isinstance(facts, Abandonment):
        return facts.bypass
    if isinstance(facts, Alight):
        return facts.bypass and facts.phase == "MPh"
    if isinstance(facts, Plunge):
        return facts.bypass and facts.own_mph and bails(facts, sheet)
    return facts.bypass and facts.own_mph and facts.outcome == "survives"


@clause("D6.5o", kind="state")
def in_the_obstacle(facts: Mounted, sheet: Sheet) -> None:
    """Once that fire is over it is in the woods or building that its vehicle goes round."""
    if facts.cafp == "past":
        grant(sheet, "be in the woods or building that its vehicle went round", 1)


@clause("A12.151", kind="effect")
def stranded(facts: Detection, sheet: Sheet) -> None:
    """Who leaves a vehicle in Bypass, or ends the MPh in Bypass, among enemies, and they are concealed no more."""
    if facts.outcome == STRANDED:
        sheet.force("concealed", value=False)
