"""Vehicles and Guns under fire, their survival rolls, and their loads (14.64, 14.7)."""

from __future__ import annotations

from marchtable.rules.facts import Case, Facts, Sheet
from marchtable.rules.subjects import clause
from marchtable.state.position import Odds
from marchtable_models.valor.data import DIE, figure
from marchtable_models.valor.model import ValorPosition, ValorUnit
from marchtable_models.valor.rules.casualties import POINTS, Loss
from marchtable_models.valor.views.units import cargo, hexes_of


class Outcome(Facts, frozen=True):
    """A survival roll: its result, the Casualty Rating, the points absorbed, and the units aboard."""

    survives: bool
    cr: int
    points: int
    passengers: int = 0
    towing: int = 0


class Carried(Facts, frozen=True):
    """The result of the vehicle that carries a unit: ``pinned``, ``survived``, ``eliminated`` or ``rallied``."""

    result: str


def carried(position: ValorPosition, unit: ValorUnit, result: str) -> list[Case]:
    """Return the facts of a unit's load, with the unit's result."""
    hexes = hexes_of(unit)
    return [Case((other.id,), Carried(result), hexes) for other in cargo(position, unit)]


def _roll_for_one(facts: Loss, sheet: Sheet) -> None:
    if facts.verb == "pin" and facts.is_heavy:
        _roll(sheet, facts.cr, 1)


@clause("V14.64a", kind="odds", denied=_roll_for_one)
def one_point_pins(facts: Loss, sheet: Sheet) -> None:
    """A single point pins an unarmored vehicle or Gun without a roll."""
    pins = figure("V14.64a", "pins")
    if facts.verb == "absorb" and facts.is_heavy and facts.points <= pins:
        sheet.bar("so few points pin it without a roll", pins + 1, facts.points)


def _roll(sheet: Sheet, cr: int, points: int) -> None:
    lives = min(cr, DIE)
    odds = (Odds("survives", lives, DIE), Odds("eliminated", DIE - lives, DIE))
    sheet.roll("survival", odds, f"one die at or under {cr}, {points} point(s) absorbed")


@clause("V14.64b", kind="effect")
def more_than_rating(facts: Loss, sheet: Sheet) -> None:
    """More points than its Casualty Rating eliminate an unpinned vehicle or Gun without a roll."""
    if not facts.is_heavy or facts.before or facts.is_saved:
        return
    if facts.verb == "eliminate":
        sheet.charge(facts.cr, "elimination", POINTS)
        sheet.force("at", None)
        return
    over = facts.verb in ("pin", "absorb") and facts.total > facts.cr
    if over and sheet.reading("A10") == "whole":
        sheet.bar("an attack of so many points eliminates it", facts.cr, facts.total)


@clause("V14.64d", kind="effect")
def pinned_vehicle(facts: Loss, sheet: Sheet) -> None:
    """A pinned vehicle or Gun that takes points is eliminated at its Casualty Rating, without a roll."""
    if not facts.is_heavy or not (facts.before or facts.is_saved):
        return
    if facts.verb == "eliminate":
        sheet.charge(facts.cr, "elimination", POINTS)
        sheet.force("at", None)
    elif facts.verb == "absorb":
        sheet.bar("it was pinned, so it makes no survival roll")


@clause("V14.64e", kind="odds")
def survival(facts: Loss | Outcome, sheet: Sheet) -> None:
    """Two points or more, up to its Casualty Rating, call for a survival roll."""
    if isinstance(facts, Outcome):
        _survived(facts, sheet)
    elif facts.verb == "absorb":
        if not facts.is_heavy:
            sheet.bar("only unarmored vehicles and Guns absorb points")
        elif facts.points > facts.cr:
            more = "; for more write `eliminate`" if facts.owed > facts.cr else ""
            sheet.bar(f"it absorbs no more than its Casualty Rating{more}", facts.cr, facts.points)
        else:
            _roll(sheet, facts.cr, facts.points)
    elif facts.verb == "eliminate" and facts.is_heavy and not facts.before and not facts.is_saved:
        whole = sheet.reading("A10") == "whole"
        applied = facts.total if whole else facts.owed
        if applied <= facts.cr and sheet.reading("A12") == "no":
            sheet.bar("so few points call for a survival roll", facts.cr + 1, applied)


def _survived(facts: Outcome, sheet: Sheet) -> None:
    if facts.survives:
        sheet.charge(facts.points, "absorbed", POINTS)
        sheet.force("pinned", True)
    else:
        credit = facts.cr if sheet.reading("A11") == "rating" else facts.points
        sheet.charge(credit, "elimination", POINTS)
        sheet.force("at", None)
        sheet.force("sw", ())


@clause("V14.64f", kind="effect")
def passengers_count(facts: Loss | Outcome, sheet: Sheet) -> None:
    """Casualty Ratings of Passengers lost with their vehicle also count."""
    lost = not facts.survives if isinstance(facts, Outcome) else facts.verb == "eliminate"
    if not lost:
        return
    sheet.charge(facts.passengers, "Passengers", POINTS)
    if facts.towing and sheet.reading("A13") == "counted":
        sheet.charge(facts.towing, "towed Gun", POINTS)


@clause("V14.64c", kind="effect")
def share_fate(facts: Carried, sheet: Sheet) -> None:
    """Passengers and towed Guns share their vehicle's outcome."""
    if facts.result == "survived":
        sheet.force("pinned", True)
    elif facts.result == "eliminated":
        sheet.force("at", None)
        sheet.force("sw", ())


@clause("V14.7c", kind="effect")
def passengers_pinned(facts: Carried, sheet: Sheet) -> None:
    """When a vehicle is pinned, so are its Passengers."""
    if facts.result == "pinned":
        sheet.force("pinned", True)
