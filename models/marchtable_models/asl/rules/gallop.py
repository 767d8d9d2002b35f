"""Gallop of Cavalry (A13.36) and of wagons (D12.4)."""

from __future__ import annotations

from typing import ClassVar

from marchtable.rules.facts import Case, Sheet, about
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Action
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.asl.data import gained_by_wagon, gallop, halves
from marchtable_models.asl.model import AslPosition
from marchtable_models.asl.rules.declarations import Declaration, declaration
from marchtable_models.asl.rules.one_lane import is_one_lane
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views.cargo import prc
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.spending_facts import Allowance
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.unitkinds import type_of


class Gallop(Action, frozen=True, tag="gallop"):
    """Cavalry or a wagon declares Gallop."""

    traits: ClassVar[Traits] = ("waiting",)

    unit: UnitId


@cases(Gallop)
def gallop_facts(position: AslPosition, action: Gallop) -> list[Case]:
    """Return the facts of Cavalry or a wagon that declares Gallop."""
    unit = position.unit(action.unit)
    return [
        about(unit, standing_of(position, unit, "gallop")),
        about(unit, declaration(position, unit, "gallop")),
    ]


def _tired(facts: Declaration, sheet: Sheet) -> None:
    if facts.doubled or facts.cx or facts.was_cx:
        sheet.bar("the unit is already galloping, or is or was CX this MPh")


@clause("A13.36a", kind="action")
def declare(facts: Declaration, sheet: Sheet) -> None:
    """Cavalry that is not CX can gallop for 8 extra MF if declared at the start, else for 4."""
    if facts.verb != "gallop":
        return
    if not (facts.horse or facts.wagon):
        sheet.bar("only Cavalry and wagons can gallop")
    elif facts.horse:
        _tired(facts, sheet)
        if facts.in_bypass:
            sheet.bar("a unit in Bypass cannot gallop")
        if facts.unridden:
            sheet.bar("the horses have no riders")
        sheet.force("double", halves("A13.36", "at_start" if facts.fresh else "later"))


@clause("D12.4a", kind="action")
def wagon_declares(facts: Declaration, sheet: Sheet) -> None:
    """A wagon that is not CX can gallop from the start of its MPh for half its MF more."""
    if facts.verb == "gallop" and facts.wagon:
        _tired(facts, sheet)
        if not facts.fresh:
            sheet.bar("a wagon gallops from the start of its MPh")
        sheet.force("double", gained_by_wagon(facts.wagon))


@clause("A13.36c", kind="effect")
def gallop_cx(facts: Declaration, sheet: Sheet) -> None:
    """Galloping makes horses, wagons and wagon Passengers CX, but not riders."""
    if facts.verb == "gallop":
        sheet.force("cx", value=True)


class GallopGain(Allowance):
    """The MF that Cavalry and wagons gain by Gallop."""

    is_relevant = property(lambda self: self.double != 0)


@clause("A13.36d", kind="cost", composes="flag")
def horse_gain(facts: GallopGain, sheet: Sheet) -> None:
    """Cavalry gains MF by Gallop."""
    if facts.cavalry:
        sheet.charge(facts.double, "Gallop")


@clause("D12.4b", kind="cost", composes="flag")
def wagon_gain(facts: GallopGain, sheet: Sheet) -> None:
    """A wagon gains MF by Gallop."""
    if facts.is_vehicle:
        sheet.charge(facts.double, "Gallop")


class AtGallop(Entry):
    """An entry at a Gallop."""

    is_relevant = property(lambda self: self.manner.galloping)


@clause("A13.36b", kind="action")
def no_gallop_there(facts: AtGallop, sheet: Sheet) -> None:
    """Cavalry cannot gallop in Bypass, woods off road, swamp, crag, deep water, or steeply up."""
    if facts.mover.column != "cav" or not facts.manner.galloping:
        return
    if facts.passing:
        sheet.bar("a unit in Bypass cannot gallop")
    row = "ford" if facts.ground.there == "ford" else facts.row
    by_road = facts.way in ("road", "graveyard")
    if row in gallop().rows or (row in gallop().off_road and not by_road):
        sheet.bar("a unit cannot gallop into that terrain")
    if facts.ground.abrupt:
        sheet.bar("a unit cannot gallop across an Abrupt Elevation Change")
    if row == "bridge" and is_one_lane(facts, sheet):
        sheet.bar("a unit cannot gallop onto a one-lane bridge")


@clause("A13.36e", kind="action")
def no_gallop_here(facts: Declaration, sheet: Sheet) -> None:
    """Cavalry cannot declare Gallop in a marsh, a deep stream or a Water Obstacle."""
    if facts.verb == "gallop" and facts.horse and facts.here in gallop().wet:
        sheet.bar("Gallop cannot be declared in that terrain")


@effect(Gallop)
def after_gallop(position: AslPosition, action: Gallop) -> AslPosition:
    """Return the position with a wagon's PRC CX like it; riders of horses are not."""
    mount = position.unit(action.unit)
    tired = [] if type_of(position, mount).mounts else prc(position, mount)
    return position.with_units([replace(unit, cx=True) for unit in tired])
