"""Gun Shields and valour, survival rolls, and those carried (V14.63, V14.64, V14.65)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable.state.position import Odds
from marchtable_models.valor.clauses.casualties import POINTS
from marchtable_models.valor.data import figure
from marchtable_models.valor.facts.losses import Loss, Outcome, guarded

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.losses import Carried

__all__ = [
    "afv_passengers", "collateral", "first_point", "more_than_rating", "no_pin_for_passengers",
    "one_point_pins", "passengers_count", "passengers_pinned", "pinned_vehicle", "same_unit_next",
    "share_fate", "survival", "towed_gun",
]  # fmt: skip

DIE = 6


@clause(
    "V14.63a",
    "A valorous unit, or a Gun with a shield if fired at from its FFA and not moving, may ignore the first point",
    kind="action",
)
def first_point(facts: Loss, sheet: Sheet) -> None:
    if facts.verb != "ignore":
        return
    sheet.charge(figure("V14.63a", "ignored"), "ignored", POINTS)
    if sheet.reading("A6") == "free":
        sheet.bar("an ignored point fulfils nothing")
    if not guarded(facts.guard):
        sheet.bar("it has neither valour nor a shield towards the attack")
    if facts.done:
        sheet.bar("it is not the first point against the unit")
    if facts.before and sheet.reading("A9") == "not":
        sheet.bar("it was pinned before")
    if facts.elsewhere and facts.owed == 1 and sheet.reading("A7") == "barred":
        sheet.bar("the last point after others were hit")


@clause("V14.63b", "After an ignored point the same unit takes the next", kind="action")
def same_unit_next(facts: Loss, sheet: Sheet) -> None:
    if facts.focus == "other":
        sheet.bar("the unit that ignored a point comes first")


def _roll_for_one(facts: Loss, sheet: Sheet) -> None:
    if facts.verb == "pin" and facts.is_heavy:
        _roll(sheet, facts.cr, 1)


@clause(
    "V14.64a",
    "A single point pins an unarmored vehicle or Gun without a roll",
    kind="odds",
    denied=_roll_for_one,
)
def one_point_pins(facts: Loss, sheet: Sheet) -> None:
    pins = figure("V14.64a", "pins")
    if facts.verb == "absorb" and facts.is_heavy and facts.points <= pins:
        sheet.bar("so few points pin it without a roll", pins + 1, facts.points)


def _roll(sheet: Sheet, cr: int, points: int) -> None:
    lives = min(cr, DIE)
    odds = (Odds("survives", lives, DIE), Odds("eliminated", DIE - lives, DIE))
    sheet.roll("survival", odds, f"one die at or under {cr}, {points} point(s) absorbed")


@clause(
    "V14.64b",
    "More points than its Casualty Rating eliminate an unpinned vehicle or Gun without a roll",
    kind="effect",
)
def more_than_rating(facts: Loss, sheet: Sheet) -> None:
    if not facts.is_heavy or facts.before or facts.is_saved:
        return
    if facts.verb == "eliminate":
        sheet.charge(facts.cr, "elimination", POINTS)
        sheet.force("at", None)
    elif (
        facts.verb in ("pin", "absorb")
        and facts.total > facts.cr
        and sheet.reading("A10") == "whole"
    ):
        sheet.bar("an attack of so many points eliminates it", facts.cr, facts.total)


@clause(
    "V14.64d",
    "A pinned vehicle or Gun that takes points is eliminated at its Casualty Rating, without a roll",
    kind="effect",
)
def pinned_vehicle(facts: Loss, sheet: Sheet) -> None:
    if not facts.is_heavy or not (facts.before or facts.is_saved):
        return
    if facts.verb == "eliminate":
        sheet.charge(facts.cr, "elimination", POINTS)
        sheet.force("at", None)
    elif facts.verb == "absorb":
        sheet.bar("it was pinned: no survival roll")


@clause(
    "V14.64e",
    "Two points or more, up to its Casualty Rating, call for a survival roll",
    kind="odds",
)
def survival(facts: Loss | Outcome, sheet: Sheet) -> None:
    if isinstance(facts, Outcome):
        _survived(facts, sheet)
    elif facts.verb == "absorb":
        if not facts.is_heavy:
            sheet.bar("only unarmored vehicles and Guns absorb points")
        elif facts.points > facts.cr:
            sheet.bar("it absorbs no more than its Casualty Rating", facts.cr, facts.points)
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


@clause(
    "V14.64f", "Casualty Ratings of Passengers lost with their vehicle count too", kind="effect"
)
def passengers_count(facts: Loss | Outcome, sheet: Sheet) -> None:
    lost = not facts.survives if isinstance(facts, Outcome) else facts.verb == "eliminate"
    if not lost:
        return
    sheet.charge(facts.passengers, "Passengers", POINTS)
    if facts.towing and sheet.reading("A13") == "counted":
        sheet.charge(facts.towing, "towed Gun", POINTS)


@clause("V14.64c", "Passengers and towed Guns share their vehicle's fate", kind="effect")
def share_fate(facts: Carried, sheet: Sheet) -> None:
    if facts.fate == "survived":
        sheet.force("pinned", True)
    elif facts.fate == "eliminated":
        sheet.force("at", None)
        sheet.force("sw", ())


@clause("V14.7c", "When a vehicle is pinned, so is whoever it carries", kind="effect")
def passengers_pinned(facts: Carried, sheet: Sheet) -> None:
    if facts.fate == "pinned":
        sheet.force("pinned", True)


@clause(
    "V14.65a",
    "Passengers of an unarmored vehicle may be reduced or eliminated, before any damage to it or to others",
    kind="action",
)
def collateral(facts: Loss, sheet: Sheet) -> None:
    if facts.aboard != "vehicle" or facts.towed:
        return
    if facts.hurt:
        sheet.bar("its vehicle, or another unit, has suffered already")
    if facts.before and sheet.reading("A14") == "never":
        sheet.bar("pinned Passengers are spared")


@clause("V14.65b", "Passengers on an AFV fulfil no points", kind="action")
def afv_passengers(facts: Loss, sheet: Sheet) -> None:
    if facts.aboard == "afv" and facts.battering != "aboard":
        sheet.bar("it is aboard an AFV")


@clause("V14.65c", "A towed Gun fulfils no points", kind="action")
def towed_gun(facts: Loss, sheet: Sheet) -> None:
    if facts.towed:
        sheet.bar("the Gun is being transported")


@clause("V14.65d", "Passengers are only reduced or eliminated: never pinned", kind="action")
def no_pin_for_passengers(facts: Loss, sheet: Sheet) -> None:
    if facts.aboard and not facts.towed and facts.verb == "pin":
        sheet.bar("Passengers can only be reduced or eliminated")
