"""Wagons (D12): Start, Stop, VCA changes, and the end of their MPh."""

from __future__ import annotations

from collections.abc import Sequence

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import clause
from marchtable_models.asl.data import halves
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_mph_over
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.unitkinds import type_of
from marchtable_models.asl.views.vehicle_facts import StartStop, Swing


class Halted(Facts, frozen=True):
    """A wagon in Motion as its MPh ends, with nothing stated by its player."""


@at_mph_over
def end_facts(
    position: AslPosition, units: Sequence[AslUnit], _: Edition, ended: bool
) -> list[Case]:
    """Return the facts of wagons in Motion whose player does not end their MPh."""
    halted = [] if ended else [unit for unit in units if halts_by_itself(position, unit)]
    return [about(unit, Halted()) for unit in halted]


def halts_by_itself(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit is a wagon in Motion that belongs to no line."""
    alone = not (unit.line.convoy or unit.line.column or unit.line.platoon)
    return unit.motion.moving and alone and type_of(position, unit).class_ == "wagon"


@clause("D12.1a", kind="cost", composes="start")
def free_start(facts: StartStop, sheet: Sheet) -> None:
    """Start and Stop are free for a wagon."""
    if facts.wagon:
        sheet.charge(-sheet.total("start", "stop"), "a wagon pays nothing for it", "start")


@clause("D12.1c", kind="state")
def halts(_: Halted, sheet: Sheet) -> None:
    """A wagon stops for free as its MPh ends, unless its player states Motion."""
    sheet.force("moving", value=False)


@clause("D12.1b", kind="cost")
def wagon_turns(facts: Swing, sheet: Sheet) -> None:
    """A wagon's VCA change costs 1 MF per hexspine in any terrain."""
    if facts.mover.column == "hd":
        more = sheet.total("vca") - halves("D12.1", "spine")
        sheet.charge(-more, "a wagon's VCA change costs no more", "vca")


class Overruns(Entry):
    """An OVR, which a wagon cannot make."""

    is_relevant = property(lambda self: self.overrun)


@clause("D7.1c", kind="action")
def no_wagon_overrun(facts: Overruns, sheet: Sheet) -> None:
    """A wagon cannot make an OVR."""
    if facts.overrun and facts.mover.column == "hd":
        sheet.bar("a wagon cannot make an OVR")
