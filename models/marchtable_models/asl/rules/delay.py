"""Delay (D2.17): a vehicle spends MP where it stands, perhaps to push a wreck away (D10.42)."""

from __future__ import annotations

from collections.abc import Iterator

from marchtable.rules.facts import Case, Edition, Sheet, about
from marchtable.rules.subjects import cases, clause
from marchtable_models.asl.data import count, ratio
from marchtable_models.asl.model import AslPosition
from marchtable_models.asl.verbs import Delay
from marchtable_models.asl.views import spending, vehicles
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.vehicle_facts import Wait


@cases(Delay)
def delay_facts(position: AslPosition, action: Delay, edition: Edition) -> Iterator[Case]:
    """Yield the facts of a vehicle's delay: can it act, its cost, whose MPh ends, and any wreck."""
    unit = position.unit(action.unit)
    had = spending.allotment(position, unit, edition) if action.wreck else 0
    yield about(unit, standing_of(position, unit, "delay"))
    yield about(unit, vehicles.wait(position, unit, action, had))
    yield from interrupted(position, (unit,), edition)


@clause("D2.17", kind="cost", composes="end")
def delay(facts: Wait, sheet: Sheet) -> None:
    """A stopped vehicle, or one of a platoon, can spend MP where it stands."""
    if not facts.is_vehicle or (facts.moving and not (facts.platoon or facts.pushes)):
        sheet.bar("only a stopped vehicle delays")
    if facts.mp <= 0:
        sheet.bar("a Delay must spend MP")
    sheet.charge(facts.mp, "Delay", "delay")


@clause("D10.42", kind="action")
def wreck_pushed(facts: Wait, sheet: Sheet) -> None:
    """A tracked AFV, not much lighter, pushes a wreck away for half its MP, as its MPh ends."""
    if not facts.pushes:
        return
    if not facts.fit:
        sheet.bar("only a tracked AFV can push a wreck, and only one in its own Location")
    elif not (facts.tons and facts.wreck_tons):
        sheet.unsupported("whether it is heavy enough: its weight, or the wreck's, is not stated")
    elif facts.tons < (least := ratio("D10.42", "weight") * facts.wreck_tons):
        sheet.bar("it is too light to push the wreck", f"{least:g} tons", f"{facts.tons:g} tons")
    if facts.mp < (half := -(-facts.allotment // count("D10.42", "part"))):
        sheet.bar("pushing a wreck takes half its MP", half, facts.mp, halves=True)
    sheet.force("clears", facts.wreck)


# -- OVR -----------------------------------------------------------------------------------------
