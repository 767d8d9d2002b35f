"""Being carried (D6.3): who is aboard goes where the vehicle goes, and is shown with it."""

from __future__ import annotations

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import beside, clause
from marchtable_models.asl.extraction.cargo import carried_by
from marchtable_models.asl.facts.foot import BOARDED, Detection
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import Standing
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_carrying
from marchtable_models.asl.rules.bog import BogResult
from marchtable_models.asl.views.mph_ends import stranded

SENT_BACK = "sent back"
"""What happens to Riders when concealed enemies send back what they ride."""
ABOARD = (
    "lend",
    "unload",
    "dismount",
    "split",
    "hook",
    "unhook",
    "transfer",
    "recover",
    "end",
    "abandon",
)
"""What a unit that is aboard may have a part in."""


class Haul(Facts, frozen=True, gc=False):
    """What is carried by a vehicle that is sent back, or whose Bog Check came out."""

    outcome: str
    of: str  # as for :class:`BogResult`
    previous: str | None  # the Location that the vehicle came from


@beside(Entry)
def of_going_back(position: AslPosition, unit: AslUnit, facts: Entry) -> list[Case]:
    """Return the facts of who rides a unit that is sent back, and of whom it meets in Bypass there."""
    detour = facts.detour
    if detour is None or detour.sham:
        return []
    back = Haul(SENT_BACK, of="", previous=detour.before)
    to = () if detour.before is None else (detour.before,)
    found = [Case((rider.id,), back, to) for rider in carried_by(position, unit)]
    return found if detour.bypass is None else found + stranded(position, (unit,))


@beside(BogResult)
def of_bogging(position: AslPosition, unit: AslUnit, facts: BogResult) -> list[Case]:
    """Return the facts of what is carried by a vehicle whose Bog Check came out."""
    haul = Haul(facts.outcome, facts.of, facts.previous)
    return [about(other, haul) for other in carried_by(position, unit)]


@at_carrying
def of_showing(
    position: AslPosition, vehicle: AslUnit, facts: Entry, edition: Edition
) -> list[Case]:
    """Return the facts of those aboard a vehicle that loses its concealment as it enters (A12.2c)."""
    if not vehicle.concealment.concealed:
        return []
    if not any(each.field == "concealed" for each in edition.judge(facts).forced):
        return []
    loses = [unit for unit in carried_by(position, vehicle) if unit.concealment.concealed]
    return [about(unit, Detection(BOARDED)) for unit in loses]


@clause("D6.3b", kind="state")
def carried(facts: Standing | Haul, sheet: Sheet) -> None:
    """Who is carried goes where its vehicle goes, and on foot only once it has left that."""
    if isinstance(facts, Haul):
        if facts.outcome == SENT_BACK:
            sheet.force("at", facts.previous)
            sheet.force("concealed", value=False)
        bogged = facts.outcome == "bogged" and facts.of and facts.previous
        if bogged and (facts.of == "leaving" or sheet.reading("D8.21c") == "left"):
            sheet.force("at", facts.previous)
    elif facts.aboard and facts.verb not in ABOARD:
        sheet.bar("it is aboard a vehicle, or in tow: move that, or unload first")
