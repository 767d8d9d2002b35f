"""Gallop of Cavalry (A13.36) and of wagons (D12.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from marchtable.dice import SIDES
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable.state.position import Odds
from marchtable_models.asl.clauses.breaking import force_broken
from marchtable_models.asl.clauses.terrain.lanes import is_one_lane
from marchtable_models.asl.data import count, gallop, halves
from marchtable_models.asl.facts.mounts import Spilled
from marchtable_models.asl.facts.outcomes import WreckResult
from marchtable_models.asl.facts.spending import Allowance
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import Declaration
from marchtable_models.asl.facts.vehicles import Swing
from marchtable_models.asl.unittype import SupportWeapon

WRECKED = "wrecked"


def gained_by_wagon(printed: int) -> int:
    """Return what Gallop gives a wagon, in half MF, of those printed on it."""
    return printed // count("D12.4", "share")


def _tired(facts: Declaration, sheet: Sheet) -> None:
    if facts.doubled or facts.cx or facts.was_cx:
        sheet.bar("the unit gallops already, or is or was CX this MPh")


@clause("A13.36a", kind="action")
def declare(facts: Declaration, sheet: Sheet) -> None:
    """Cavalry that is not CX may gallop: 8 MF more if declared at the start, later 4."""
    if facts.verb != "gallop":
        return
    if not (facts.horse or facts.wagon):
        sheet.bar("only Cavalry and wagons gallop")
    elif facts.horse:
        _tired(facts, sheet)
        if facts.in_bypass:
            sheet.bar("no Gallop while in Bypass")
        if facts.unridden:
            sheet.bar("nobody rides the horses")
        sheet.force("double", halves("A13.36", "at_start" if facts.fresh else "later"))


@clause("D12.4a", kind="action")
def wagon_declares(facts: Declaration, sheet: Sheet) -> None:
    """A wagon that is not CX may gallop from the start of its MPh, for half its MF more."""
    if facts.verb == "gallop" and facts.wagon:
        _tired(facts, sheet)
        if not facts.fresh:
            sheet.bar("a wagon gallops from the start of its MPh")
        sheet.force("double", gained_by_wagon(facts.wagon))


@clause("A13.36c", kind="effect")
def gallop_cx(facts: Declaration, sheet: Sheet) -> None:
    """What gallops becomes CX, a wagon's Passengers too, not who rides a horse."""
    if facts.verb == "gallop":
        sheet.force("cx", value=True)


@clause("A13.36d", kind="cost", composes="flag")
def horse_gain(facts: Allowance, sheet: Sheet) -> None:
    """Cavalry has what Gallop gave it."""
    if facts.cavalry:
        sheet.charge(facts.double, "Gallop")


@clause("D12.4b", kind="cost", composes="flag")
def wagon_gain(facts: Allowance, sheet: Sheet) -> None:
    """A wagon has what Gallop gave it."""
    if facts.is_vehicle:
        sheet.charge(facts.double, "Gallop")


@clause("A13.36b", kind="action")
def no_gallop_there(facts: Entry, sheet: Sheet) -> None:
    """Cavalry does not gallop in Bypass, into woods off a road, swamps, crags, deep water, or by steep slopes."""
    if facts.mover.column != "cav" or not facts.manner.galloping:
        return
    if facts.passing:
        sheet.bar("no Gallop while in Bypass")
    row = "ford" if facts.ground.there == "ford" else facts.row
    by_road = facts.way in ("road", "graveyard")
    if row in gallop().rows or (row in gallop().off_road and not by_road):
        sheet.bar("no Gallop into that terrain")
    if facts.ground.abrupt:
        sheet.bar("no Gallop across an Abrupt Elevation Change")
    if row == "bridge" and is_one_lane(facts, sheet):
        sheet.bar("no Gallop onto a one-lane bridge")


@clause("A13.36e", kind="action")
def no_gallop_here(facts: Declaration, sheet: Sheet) -> None:
    """Cavalry declares no Gallop in a marsh, a deep stream or a Water Obstacle."""
    if facts.verb == "gallop" and facts.horse and facts.here in gallop().wet:
        sheet.bar("no Gallop is declared in that terrain")


def _odds() -> tuple[Odds, Odds]:
    worst = SIDES + 1 - count("D12.4", "wrecks")
    return (Odds("safe", SIDES - worst, SIDES), Odds(WRECKED, worst, SIDES))


@clause("D12.4c", kind="odds")
def wagon_wreck_check(facts: Entry | Swing, sheet: Sheet) -> None:
    """A galloping wagon makes a Wreck Check where it pays more than 1 MF or changes its VCA."""
    if facts.mover.column != "hd":
        return
    if isinstance(facts, Entry):
        uphill = facts.ground.rise > 0 and facts.way == "road"
        due = facts.manner.galloping and sheet.total() > halves("D12.4", "most") and not uphill
    else:
        due = facts.galloping
    if due:
        odds = _odds()
        sheet.roll("wreck", odds, f"safe on a dr of {odds[0].chance} or less")


@clause("D12.4d", kind="effect")
def wagon_wrecked(facts: WreckResult, sheet: Sheet) -> None:
    """A wagon that fails its Wreck Check is eliminated."""
    if facts.wagon and facts.outcome == WRECKED:
        lost: dict[str, Any] = {
            "at": None,
            "moving": False,
            "mph": "done",
            "sw": (),
            "towing": None,
        }
        for field, value in lost.items():
            sheet.force(field, value)


@clause("D12.4e", kind="effect")
def passengers_spilled(facts: Spilled, sheet: Sheet) -> None:
    """Passengers of a wrecked wagon break, on foot, and their SW malfunction, those of a X# for good."""
    if facts.outcome != WRECKED:
        return
    if facts.unbreakable:
        sheet.unsupported("what becomes of a Passenger who does not break")
    force_broken(sheet)
    on_foot: dict[str, Any] = {"aboard": None, "conveyed": True, "mph": "done", "road": False}
    for field, value in {**on_foot, "sw": spoilt(facts.weapons)}.items():
        sheet.force(field, value)


def spoilt(weapons: Sequence[SupportWeapon]) -> tuple[SupportWeapon, ...]:
    """Return the SW that remain when all break down: those without a X#."""
    return tuple(
        msgspec.structs.replace(weapon, malfunctioned=True)
        for weapon in weapons
        if not weapon.x_number
    )


@clause("D7.1c", kind="action")
def no_wagon_overrun(facts: Entry, sheet: Sheet) -> None:
    """A wagon makes no OVR."""
    if facts.overrun and facts.mover.column == "hd":
        sheet.bar("a wagon makes no OVR")
